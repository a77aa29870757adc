import { LONGEST_SUBJECT } from '@clinic/contract';
import {
  isGroupSubject,
  locationLabel,
  locationOn,
  nameKey,
  serviceOfSubject,
  type IsoDate,
  type Location,
  type Mergeable,
} from '@clinic/domain';
import { parsePlace, quote, meansNothing, meansOpen, meansUnassigned, tidy } from './fields.ts';
import { contentHash, uuidOf } from '../plan/hash.ts';
import type { AppointmentRecord, Fault, ImportedLoss, SourceRow, StatusMeaning } from '../import-types.ts';
import type { LossTexts } from '../columns/loss-columns.ts';
import type { PeopleIndex } from '../plan/people-index.ts';
import { readTimes } from '../columns/session-times.ts';
import { withMarks, type StatusTexts } from '../columns/status-texts.ts';
import { unknownLocation } from './unknown-location.ts';

/**
 * A row that could be read, before the rows of one appointment are merged. `client` and `therapist` are ids; '' means
 * none.
 */
export interface AppointmentRow extends Mergeable {
  readonly row: SourceRow;
  readonly date: IsoDate;
  readonly location: Location;
  readonly status: AppointmentRecord['status'];
  readonly service: AppointmentRecord['service'];
  /** Whether several people share the name, and only one of them is at the clinic at that time. */
  readonly decidedByTime: boolean;
  /** Whether the therapist was deleted in the product after an earlier import. */
  readonly former: boolean;
  /** For a cancelled or no-show session: why and when the session was lost, and who caused the loss. */
  readonly loss: ImportedLoss | null;
  /** Whether the time of the cancellation cannot be read. */
  readonly unreadTime: boolean;
}

/** The people whom rows may name. */
export interface NamesContext {
  readonly clients: PeopleIndex;
  readonly therapists: PeopleIndex;
  readonly adminClientName: string;
  /** The date of the import. */
  readonly today: IsoDate;
}

export interface RowContext extends NamesContext {
  readonly losses: LossTexts;
  readonly statuses: StatusTexts;
  /** What all rows of the file are, if it has no column for the status. */
  readonly status: StatusMeaning | Fault | null;
  /** Whether the file's durations may be in seconds. */
  readonly inSeconds: boolean;
}

/** Returns a row's content, or the first reason why the row cannot be imported. */
export function readAppointment(row: SourceRow, context: RowContext): AppointmentRow | Fault {
  const cell = (name: string): string => row.cells[name] ?? '';
  if (row.fault) return { reason: 'malformed row', text: row.fault };
  if (NEEDED.every((name) => tidy(cell(name)) === ''))
    return { reason: 'malformed row', text: 'it names no time and no client: it looks like a total or a note' };
  const named = parsePlace(cell('Location'));
  if (!named) {
    if (tidy(cell('Location')) === '') return { reason: 'missing value', text: 'Location is empty' };
    return unknownLocation(cell('Location'));
  }
  const readStatus = () => withMarks(cell, context.status ?? context.statuses.read(cell('Appointment_Status')));
  if (row.waits !== undefined) {
    readStatus(); // an unknown status is asked about in the same check
    return { reason: 'bad value', text: row.waits };
  }
  const when = readTimes(cell, named, context.today, context.inSeconds);
  if ('reason' in when) return when;
  const open = locationOn(named, when.date);
  const location = open ?? named;
  const meant = readStatus();
  const subject = cell('Subject').normalize('NFC').trim();
  if (subject.length > LONGEST_SUBJECT || hasControl(subject)) {
    return {
      reason: 'bad value',
      text: `Subject is longer than ${LONGEST_SUBJECT} characters or holds control characters`,
    };
  }
  const [given, clientId] = personIn(cell, 'Client Name', 'Client Id');
  const clientName = meansNothing(given) && !context.clients.knows(given) ? '' : given;
  const isAdmin = nameKey(clientName) === nameKey(context.adminClientName);
  if (!isAdmin && clientName === '')
    return {
      reason: 'missing value',
      text: `Client Name is empty; for administrative time, write ${quote(context.adminClientName)} there`,
    };
  const client = isAdmin ? null : context.clients.find(clientName, location, when, clientId);
  if (client && 'reason' in client) return client;
  const [provider, providerId] = personIn(cell, 'Preferred_Provider_Name', 'Provider Id');
  const unassigned = meansUnassigned(provider) || (meansOpen(provider) && !context.therapists.knows(provider));
  if (isAdmin && unassigned)
    return { reason: 'missing value', text: 'administrative time belongs to a therapist, and none is named' };
  const therapist = unassigned ? null : context.therapists.find(provider, location, when, providerId);
  if (therapist && 'reason' in therapist) return therapist;
  // An unknown status is refused only now, so that the page asks about the row's names in the same check.
  if ('reason' in meant) return meant;
  if (open === null && !LOST.has(meant.status))
    return { reason: 'bad value', text: `${locationLabel(named)} is closed for good on ${when.date}` };
  const lost = LOST.has(meant.status) ? context.losses.read(cell, meant, location) : null;
  return {
    row,
    id: tidy(cell('Id')) || null,
    ...when,
    client: client?.id ?? '',
    therapist: therapist?.id ?? '',
    location,
    subject,
    status: meant.status,
    service: isAdmin ? 'admin' : serviceOfSubject(subject),
    decidedByTime: (client?.decidedByTime ?? false) || (therapist?.decidedByTime ?? false),
    former: therapist?.former ?? false,
    loss: lost?.loss ?? null,
    unreadTime: lost?.unread ?? false,
  };
}

/** The name of a row's person, or the id if it has no name; and the id. */
function personIn(cell: (name: string) => string, name: string, idColumn: string): readonly [string, string] {
  const id = tidy(cell(idColumn));
  return [tidy(cell(name)) || id, id];
}

/** What a row of a session has at least. */
export const NEEDED = ['StartDateTime', 'EndDateTime', 'Date', 'Time', 'Client Name', 'Client Id'];

/** The statuses whose sessions can have a cause. */
const LOST: ReadonlySet<AppointmentRecord['status']> = new Set(['cancelled', 'noshow']);

// eslint-disable-next-line no-control-regex
const hasControl = (text: string): boolean => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);

/** Makes the record to store for a row. If the row has no Id, `wireId` is made from the content. */
export function recordOf(row: AppointmentRow): AppointmentRecord {
  const { date, start, end, location, subject, status, service } = row;
  const group = service !== 'admin' && row.therapist !== '' && isGroupSubject(subject);
  return {
    wireId: row.id ?? `IMP-${contentHash(compositeOf(row)).slice(0, 10).toUpperCase()}`,
    date,
    start,
    end,
    location,
    subject,
    status,
    service,
    clientId: row.client || null,
    therapistId: row.therapist || null,
    groupKey: group
      ? uuidOf(`group ${JSON.stringify([date, start, end, location, row.therapist, nameKey(subject)])}`)
      : null,
    ...(row.loss === null ? {} : { loss: row.loss }),
  };
}

/**
 * Returns the values that distinguish rows without an Id (CAL-11). A later import finds the same rows by these values.
 */
export const compositeOf = (row: AppointmentRow): unknown[] => [
  row.date,
  row.start,
  row.end,
  row.client,
  row.therapist,
  row.location,
  row.subject,
];
