import { LONGEST_SUBJECT, type WallTime } from '@clinic/contract';
import {
  clockTime,
  DAY_END,
  DAY_START,
  isGroupSubject,
  nameKey,
  serviceOfSubject,
  type Interval,
  type IsoDate,
  type Location,
  type Mergeable,
} from '@clinic/domain';
import { clinicsZone, splitZone } from './clinic-zone.ts';
import { DAY_RANGE, parseDayRange } from './day-times.ts';
import {
  parseDateAndTime,
  parseDay,
  parsePlace,
  quote,
  meansNothing,
  meansOpen,
  meansUnassigned,
  tidy,
} from './fields.ts';
import { contentHash, uuidOf } from './hash.ts';
import type { AppointmentRecord, Fault, ImportedLoss, SourceRow } from './import-types.ts';
import { unknownLocation } from './location-texts.ts';
import type { LossTexts } from './loss-columns.ts';
import type { PeopleIndex } from './people-index.ts';
import type { StatusTexts } from './status-texts.ts';

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
  /** Whether several therapists share the name, and only one of them works at that time. */
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
}

export interface RowContext extends NamesContext {
  readonly losses: LossTexts;
  readonly statuses: StatusTexts;
}

/** Returns a row's content, or the first reason why the row cannot be imported. */
export function readAppointment(row: SourceRow, context: RowContext): AppointmentRow | Fault {
  const cell = (name: string): string => row.cells[name] ?? '';
  if (row.fault) return { reason: 'malformed row', text: row.fault };
  const location = parsePlace(cell('Location'));
  if (!location) {
    if (tidy(cell('Location')) === '') return { reason: 'missing value', text: 'Location is empty' };
    return unknownLocation(cell('Location'));
  }
  const when = readTimes(cell, location);
  if ('reason' in when) return when;
  const meant = context.statuses.read(cell('Appointment_Status'));
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

/** The statuses whose sessions can have a cause. */
const LOST: ReadonlySet<AppointmentRecord['status']> = new Set(['cancelled', 'noshow']);

// eslint-disable-next-line no-control-regex
const hasControl = (text: string): boolean => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);

function readTimes(cell: (name: string) => string, location: Location): (Interval & { date: IsoDate }) | Fault {
  const [startText, endText] = [cell('StartDateTime'), cell('EndDateTime')];
  if (tidy(startText) === '' && tidy(endText) === '' && tidy(cell('Time')) !== '') return readRange(cell, location);
  const start = parseDateAndTime(cell('Date'), startText, location);
  const end = parseDateAndTime(cell('Date'), endText, location);
  for (const [name, text, value] of [
    ['StartDateTime', startText, start],
    ['EndDateTime', endText, end],
  ] as const) {
    if (value) continue;
    if (tidy(text) === '') return { reason: 'missing value', text: `${name} is empty` };
    const zoned = splitZone(tidy(text));
    const at = zoned && parseDateAndTime(cell('Date'), zoned.text);
    const must = at ? otherZone(at, location) : 'it must be a time that exists, like 10/5/2026, 8:30 AM';
    return { reason: 'bad value', text: `${name} is ${quote(text)}; ${must}` };
  }
  if (!start || !end) return { reason: 'missing value', text: 'a time is missing' };
  if (end.date < start.date || (end.date === start.date && end.minutes <= start.minutes)) {
    return { reason: 'end before start', text: `it ends (${tidy(endText)}) before it starts (${tidy(startText)})` };
  }
  if (end.date > start.date) return { reason: 'outside the day', text: 'it runs past midnight' };
  return withinDay({ date: start.date, start: start.minutes, end: end.minutes });
}

const otherZone = (at: WallTime, location: Location): string =>
  `its time zone is not the clinic’s (${clinicsZone(at, location)} on that date); if the clinic’s clock shows this time, remove the zone`;

const RANGE = new RegExp(`^(.*?),? ?${DAY_RANGE}$`, 'i');

/** The range at the end of a text, if there is one, and what is before it. */
function rangeIn(text: string): { readonly before: string; readonly range: Interval | null } {
  const [, before = '', from = '', until = ''] = RANGE.exec(text) ?? [];
  // Equal times are no session: only as working hours would `7-7` mean half a day.
  return { before, range: from === until ? null : parseDayRange(from, until) };
}

/** Whether there is nothing but a range, or a date before it. */
const isRange = ({ before, range }: ReturnType<typeof rangeIn>): boolean =>
  range !== null && (before === '' || parseDay(before) !== null);

/** Reads both times from one column, such as `8:00 AM - 11:00 AM` and `8a-11a`, with the date before them or apart. */
function readRange(cell: (name: string) => string, location: Location): (Interval & { date: IsoDate }) | Fault {
  const given = tidy(cell('Time'));
  // In `08:00-11:00`, the second time only looks like a zone.
  const zoned = isRange(rangeIn(given)) ? null : splitZone(given);
  const { before, range } = rangeIn(zoned?.text ?? given);
  const date = parseDay(before === '' ? cell('Date') : before);
  const bad = (must: string): Fault => ({ reason: 'bad value', text: `Time is ${quote(given)}; ${must}` });
  if (range === null) return bad('it must be a start and an end, like 8:30 AM - 11:00 AM, with AM or PM');
  if (date === null && before !== '') return bad('before the start there may only be a date that exists');
  if (date === null)
    return tidy(cell('Date')) === ''
      ? { reason: 'missing value', text: 'Date is empty' }
      : { reason: 'bad value', text: `Date is ${quote(cell('Date'))}; it must be a date that exists` };
  const at = { date, minutes: range.start };
  if (zoned && !zoned.isClinics(at, location)) return bad(otherZone(at, location));
  return withinDay({ date, ...range });
}

function withinDay(when: Interval & { date: IsoDate }): (Interval & { date: IsoDate }) | Fault {
  if (when.start >= DAY_START && when.end <= DAY_END) return when;
  const day = `${clockTime(DAY_START)} to ${clockTime(DAY_END)}`;
  return { reason: 'outside the day', text: `it lies outside the clinic's day, ${day}` };
}

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
