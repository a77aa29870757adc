import { mergeAppointments, overlaps, pushTo, timeSlot } from '@clinic/domain';
import { wireStatus, type ImportNote } from '@clinic/contract';
import {
  compositeOf,
  readAppointment,
  recordOf,
  type AppointmentRow,
  type RowContext,
} from '../rows/appointment-rows.ts';
import { quote, tidy } from '../rows/fields.ts';
import { contentHash, uuidOf } from './hash.ts';
import { areSeconds } from '../columns/session-times.ts';
import {
  CHANGED_HERE,
  MADE_HERE,
  type AppointmentRecord,
  type Difference,
  type Outcome,
  type Reason,
  type RowOutcome,
  type SourceTable,
} from '../import-types.ts';
import {
  hasImportedLoss,
  isImported,
  type AppointmentRecordWrite,
  type DaysSnapshot,
  type KnownRow,
  type StoredAppointment,
} from './snapshot.ts';

/**
 * An appointment merged from its rows in the export, with the record to store and the key by which later imports find
 * it.
 */
export interface Session {
  readonly key: string;
  readonly hash: string;
  readonly record: AppointmentRecord;
  readonly line: number;
  readonly original: string;
  /** Whether its therapist was deleted in the product after an earlier import. */
  readonly former: boolean;
  /** What the user should review after the import. */
  readonly notes: readonly ImportNote[];
  /** All Ids in the file, also those of refused rows. */
  readonly fileIds: ReadonlySet<string>;
}

interface Resolved {
  /** The outcomes of rows that are refused or merged into other rows. */
  readonly outcomes: readonly RowOutcome[];
  readonly sessions: readonly Session[];
}

interface Decided {
  readonly outcomes: readonly RowOutcome[];
  readonly writes: readonly AppointmentRecordWrite[];
  /** The line number in the file of each appointment that is written or unchanged, by appointment id. */
  readonly lineOf: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

const OCCUPYING = new Set(['pending', 'booked', 'fulfilled']);
export const occupies = (record: AppointmentRecord): boolean => OCCUPYING.has(record.status);

const outcomeOf = (
  { line, original }: { readonly line: number; readonly original: string },
  outcome: Outcome,
  reason: Reason | null,
  text: string | null,
): RowOutcome => ({ kind: 'appointments', line, outcome, reason, text, original });

/** The words that explain each note in a row's outcome. */
const NOTE_TEXTS: Readonly<Record<ImportNote, string>> = {
  nobody: 'it has no therapist',
  off_grid: 'it is off the quarter hour',
  deleted: 'it was deleted, so it is kept but not shown',
  decided_by_time: 'two people have this name; only one of them is at the clinic then',
  off_series:
    'its series is on other days or at other times: if it was moved from a date before this file, cancel it there',
  cancelled_at: 'the time of its cancellation cannot be read, and is left out',
  hidden: 'the sheet hides this row, perhaps by a filter; it is imported like the others',
  closed: 'its location is closed then',
  double_booked: 'it double-books its therapist or client; imported and flagged',
};

/** Adds notes to an outcome, and words that say what to review. */
export const noted = (outcome: RowOutcome, notes: readonly ImportNote[]): RowOutcome =>
  notes.length === 0
    ? outcome
    : { ...outcome, notes, text: [outcome.text, ...notes.map((note) => NOTE_TEXTS[note])].filter(Boolean).join('; ') };

function notesOf(record: AppointmentRecord, { decidedByTime, unreadTime }: AppointmentRow): ImportNote[] {
  const notes: ImportNote[] = [];
  if (record.therapistId === null && occupies(record)) notes.push('nobody');
  if (record.start % 15 || record.end % 15) notes.push('off_grid');
  if (record.status === 'entered-in-error') notes.push('deleted');
  if (decidedByTime) notes.push('decided_by_time');
  if (unreadTime) notes.push('cancelled_at');
  return notes;
}

/** Reads every row of an appointment export and merges rows of the same appointment. Pure. */
export function resolveAppointments(
  table: SourceTable | null,
  people: Omit<RowContext, 'status' | 'inSeconds'>,
): Resolved {
  const inSeconds = areSeconds((table?.rows ?? []).map(({ cells }) => cells['Duration'] ?? ''));
  const status = table?.columns.unsaid.includes('Appointment_Status') ? people.statuses.ofFile(table) : null;
  const context = { ...people, status, inSeconds };
  const outcomes: RowOutcome[] = [];
  const live: AppointmentRow[] = [];
  const deleted: AppointmentRow[] = [];
  for (const row of table?.rows ?? []) {
    const read = readAppointment(row, context);
    if ('reason' in read) outcomes.push(outcomeOf(row, 'refused', read.reason, read.text));
    else (read.status === 'entered-in-error' ? deleted : live).push(read);
  }
  // Deleted rows are hidden (CAL-10): they are merged with each other, never with a row that is shown.
  const onMerge = (kept: AppointmentRow, dropped: AppointmentRow, how: 'same' | 'merged'): void =>
    void outcomes.push(outcomeOf(dropped.row, 'merged', 'same as another', mergeText(kept, dropped, how)));
  const rows = [...inTime(mergeAppointments(live, onMerge)), ...inTime(mergeAppointments(deleted, onMerge))];
  const keys = new KeyGiver();
  const fileIds = new Set((table?.rows ?? []).map((row) => tidy(row.cells['Id'] ?? '')));
  const sessions = rows.map((row): Session => {
    const record = recordOf(row);
    return {
      key: keys.give(row),
      hash: contentHash(record),
      record,
      former: row.former,
      line: row.row.line,
      original: row.row.original,
      notes: notesOf(record, row),
      fileIds,
    };
  });
  return { outcomes, sessions };
}

/**
 * Decides what happens to each session, compared with the current calendar. Pure.
 * @param twoToOne clients who may have two sessions at a time
 */
export function decideAppointments(
  sessions: readonly Session[],
  { appointments, known }: DaysSnapshot,
  twoToOne: ReadonlySet<string>,
): Decided {
  const stored = new Map(appointments.map((s) => [s.id, s]));
  const standing = new Foreign(appointments, twoToOne);
  const renumbered = new Renumbered(appointments);
  const idsOfHere = new Set(appointments.flatMap((s) => (s.importKey?.startsWith('id:') ? [] : [s.wireId])));
  const outcomes: RowOutcome[] = [];
  const writes: AppointmentRecordWrite[] = [];
  const lineOf = new Map<string, number>();
  const differences: Difference[] = [];
  for (const session of sessions) {
    const { key, hash, record } = session;
    const say = (outcome: Outcome, reason: Reason | null, text: string | null): void =>
      void outcomes.push(outcomeOf(session, outcome, reason, text));
    if (key.startsWith('id:') && !known.has(key) && idsOfHere.has(record.wireId)) {
      say('kept', 'changed here', MADE_HERE);
      continue;
    }
    const twin = known.has(key) ? undefined : renumbered.take(session);
    const before = known.get(key);
    const target = twin ?? (before && stored.get(before.targetId));
    const differs = target && before && differenceOf(session, before, target);
    if (differs) differences.push(differs);
    if (target && before?.hash === hash) {
      lineOf.set(target.id, session.line);
      outcomes.push(noted(outcomeOf(session, 'unchanged', null, null), session.notes));
      continue;
    }
    const changed = before || twin ? undefined : renumbered.takeChanged(session);
    if (changed || (target && before && target.version !== before.targetVersion && !isImported(target))) {
      say('kept', 'changed here', changed ? `${hereAs(changed, record)}; ${CHANGED_HERE}` : CHANGED_HERE);
      continue;
    }
    if (session.former) {
      say('refused', 'unknown therapist', 'its therapist was deleted here and is no longer with the clinic');
      continue;
    }
    const clash = standing.clashWith(record, target?.id);
    if (clash !== null) {
      say('refused', 'overlaps here', clash);
      continue;
    }
    const id = target?.id ?? uuidOf(`import ${key}`);
    const replacesLoss = target !== undefined && hasImportedLoss(target);
    const formerKey = twin?.importKey ?? null;
    writes.push({ key, hash, id, replaces: target?.version ?? null, record, replacesLoss, formerKey });
    lineOf.set(id, session.line);
    const text = twin ? hereAs(twin, record) : null;
    outcomes.push(noted(outcomeOf(session, target ? 'changed' : 'new', null, text), session.notes));
  }
  return { outcomes, writes, lineOf, differences };
}

const DIFFERING = ['location', 'clientId', 'therapistId', 'subject', 'status', 'date', 'start', 'end'] as const;

/** How a session that was changed here since it was imported differs from the file; null if it does not. */
function differenceOf({ key, hash, record }: Session, before: KnownRow, target: StoredAppointment): Difference | null {
  if (isImported(target) || DIFFERING.every((field) => record[field] === target[field])) return null;
  const { location, clientId, therapistId, subject, status, date, start, end } = record;
  const theirs = { location, clientId, therapistId, subject, status, date, start, end };
  return { key, hash, appointmentId: target.id, version: target.version, both: before.hash !== hash, theirs };
}

function mergeText(kept: AppointmentRow, dropped: AppointmentRow, how: 'same' | 'merged'): string {
  const differing = [
    dropped.client !== kept.client ? 'the client' : null,
    dropped.therapist !== kept.therapist ? 'the therapist' : null,
    dropped.location !== kept.location ? 'the location' : null,
    dropped.status !== kept.status ? `the status (${wireStatus(dropped.status)})` : null,
    dropped.subject !== kept.subject ? 'the subject' : null,
  ].filter((each) => each !== null);
  const what =
    kept.id === null
      ? 'the same times, people and subject as'
      : how === 'same'
        ? 'the same Id and times as'
        : 'the same Id as, and near,';
  const differs =
    differing.length > 0 ? `; they differ in ${differing.join(', ')}, and line ${kept.row.line} is used` : '';
  return `${what} line ${kept.row.line}: one appointment, ${timeSlot(Math.min(kept.start, dropped.start), Math.max(kept.end, dropped.end))}${differs}`;
}

/** Sorts rows by time, so that the keys of pieces that share an Id do not depend on the rows' order in the file. */
const inTime = (rows: readonly AppointmentRow[]): AppointmentRow[] =>
  rows.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.start - b.start || a.end - b.end));

/**
 * Gives rows keys that stay the same from export to export: the Id, with a number if several appointments have this Id.
 * A row without an Id gets a hash of its content.
 */
class KeyGiver {
  readonly #given = new Map<string, number>();

  give(row: AppointmentRow): string {
    const base = row.id === null ? `content:${contentHash(compositeOf(row))}` : `id:${row.id}`;
    const count = (this.#given.get(base) ?? 0) + 1;
    this.#given.set(base, count);
    return count === 1 ? base : `${base}#${count}`;
  }
}

/**
 * The appointments of earlier imports, by what they are apart from their Id. A program that numbers everything again
 * would otherwise bring each session a second time.
 */
class Renumbered {
  readonly #byContent = new Map<string, StoredAppointment[]>();
  /** Those that were changed here, by client; '' for administrative time. */
  readonly #changed = new Map<string, StoredAppointment[]>();

  constructor(stored: readonly StoredAppointment[]) {
    for (const s of stored) {
      if (s.importKey?.startsWith('id:') !== true) continue;
      if (!isImported(s)) pushTo(this.#changed, s.clientId ?? '', s);
      else if (s.occupies) pushTo(this.#byContent, contentOf(s), s);
    }
  }

  /**
   * Takes an appointment that is the same session as this one with another Id: the therapist, the client, the times and
   * the subject are the same, both take place, and the file does not have its Id. A therapist cannot have one session
   * twice at a time, while a time may have been booked and cancelled twice.
   */
  take({ key, record, fileIds }: Session): StoredAppointment | undefined {
    if (!key.startsWith('id:') || record.therapistId === null || !occupies(record)) return undefined;
    const alike = this.#byContent.get(contentOf(record)) ?? [];
    const at = alike.findIndex(({ wireId }) => !fileIds.has(wireId));
    return at < 0 ? undefined : alike.splice(at, 1)[0];
  }

  /**
   * Takes an appointment that was changed here, perhaps cancelled, since an import made it of just this session with
   * another Id, which the file does not have. Otherwise the session would come back as it was before the change.
   */
  takeChanged({ key, record, fileIds }: Session): StoredAppointment | undefined {
    if (!key.startsWith('id:') || !occupies(record)) return undefined;
    const changed = this.#changed.get(record.clientId ?? '') ?? [];
    const at = changed.findIndex(
      ({ wireId, importHash }) => !fileIds.has(wireId) && contentHash({ ...record, wireId }) === importHash,
    );
    return at < 0 ? undefined : changed.splice(at, 1)[0];
  }
}

const hereAs = ({ wireId, date }: StoredAppointment, record: AppointmentRecord): string =>
  `it is here${date === record.date ? '' : ` on ${date}`} with the Id ${quote(wireId)}, which this file does not have`;

const contentOf = (of: Omit<AppointmentRecord, 'wireId' | 'groupKey' | 'loss' | 'status'>): string =>
  JSON.stringify([of.location, of.clientId, of.therapistId, of.service, of.subject, of.date, of.start, of.end]);

/** Appointments made or changed in the product. An import never double-books them. */
class Foreign {
  readonly #byPerson = new Map<string, StoredAppointment[]>();
  readonly #twoToOne: ReadonlySet<string>;

  constructor(stored: readonly StoredAppointment[], twoToOne: ReadonlySet<string>) {
    this.#twoToOne = twoToOne;
    for (const s of stored) {
      if (!s.occupies || s.service === 'admin' || isImported(s)) continue;
      if (s.therapistId !== null) pushTo(this.#byPerson, `therapist ${s.therapistId} ${s.date}`, s);
      if (s.clientId !== null && s.service === 'direct') pushTo(this.#byPerson, `client ${s.clientId} ${s.date}`, s);
    }
  }

  clashWith(record: AppointmentRecord, ownId: string | undefined): string | null {
    if (!occupies(record) || record.service === 'admin') return null;
    const during = (who: string): StoredAppointment[] =>
      (this.#byPerson.get(`${who} ${record.date}`) ?? []).filter((s) => s.id !== ownId && overlaps(s, record));
    const [therapist] = record.therapistId === null ? [] : during(`therapist ${record.therapistId}`);
    if (therapist) return overlapText('its therapist', therapist);
    if (record.clientId === null || record.service !== 'direct') return null;
    const client = during(`client ${record.clientId}`);
    const [first] = client;
    const most = this.#twoToOne.has(record.clientId) ? 1 : 0;
    return first && client.length > most ? overlapText('its client', first) : null;
  }
}

const overlapText = (who: string, s: StoredAppointment): string =>
  `${who} has another session then, ${timeSlot(s.start, s.end)}, that was made or changed here`;
