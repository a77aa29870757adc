import { mergeAppointments, overlaps, timeSlot } from '@clinic/domain';
import { wireStatus } from '@clinic/contract';
import { compositeOf, readAppointment, recordOf, type AppointmentRow, type RowContext } from './appointment-rows.ts';
import { contentHash, uuidOf } from './hash.ts';
import type { AppointmentRecord, Outcome, Reason, RowOutcome, SourceTable } from './import-types.ts';
import type { KnownRow, StoredAppointment, Write } from './snapshot.ts';

interface AppointmentsPlan {
  readonly outcomes: readonly RowOutcome[];
  readonly writes: readonly Write<AppointmentRecord>[];
  /** Which row an appointment, written or unchanged, comes from. */
  readonly lineOf: ReadonlyMap<string, number>;
  readonly notes: {
    readonly nobody: number;
    readonly offGrid: number;
    readonly deleted: number;
    readonly decidedByTime: number;
  };
}

interface AppointmentsInput {
  readonly table: SourceTable | null;
  readonly context: RowContext;
  readonly stored: readonly StoredAppointment[];
  readonly known: ReadonlyMap<string, KnownRow>;
  /** Clients who may have two sessions at a time. */
  readonly twoToOne: ReadonlySet<string>;
}

const OCCUPYING = new Set(['pending', 'booked', 'fulfilled']);
export const occupies = (record: AppointmentRecord): boolean => OCCUPYING.has(record.status);

/** Decides about every row of an export of appointments. Pure. */
export function planAppointments(input: AppointmentsInput): AppointmentsPlan {
  const outcomes: RowOutcome[] = [];
  const say = (row: AppointmentRow['row'], outcome: Outcome, reason: Reason | null, text: string | null): void => {
    outcomes.push({ kind: 'appointments', line: row.line, outcome, reason, text, original: row.original });
  };
  const live: AppointmentRow[] = [];
  const deleted: AppointmentRow[] = [];
  for (const row of input.table?.rows ?? []) {
    const read = readAppointment(row, input.context);
    if ('reason' in read) say(row, 'refused', read.reason, read.text);
    else (read.status === 'entered-in-error' ? deleted : live).push(read);
  }
  // Deleted rows are hidden (CAL-10): they are merged among themselves and never into one that is shown.
  const onMerge = (kept: AppointmentRow, dropped: AppointmentRow, how: 'same' | 'merged'): void =>
    say(dropped.row, 'merged', 'same as another', mergeText(kept, dropped, how));
  const sessions = [...inTime(mergeAppointments(live, onMerge)), ...inTime(mergeAppointments(deleted, onMerge))];

  const stored = new Map(input.stored.map((s) => [s.id, s]));
  const standing = new Foreign(input);
  const keys = new KeyGiver();
  const writes: Write<AppointmentRecord>[] = [];
  const lineOf = new Map<string, number>();
  const notes = { nobody: 0, offGrid: 0, deleted: 0, decidedByTime: 0 };
  for (const session of sessions) {
    const record = recordOf(session);
    const key = keys.give(session);
    const hash = contentHash(record);
    const before = input.known.get(key);
    const target = before && stored.get(before.targetId);
    if (record.therapistId === null && occupies(record)) notes.nobody++;
    if (record.start % 15 || record.end % 15) notes.offGrid++;
    if (record.status === 'entered-in-error') notes.deleted++;
    if (session.decidedByTime) notes.decidedByTime++;
    const remark = session.decidedByTime ? 'the name fits two; only one of them works then' : null;
    if (target && before.hash === hash) {
      lineOf.set(target.id, session.row.line);
      say(session.row, 'unchanged', null, remark);
      continue;
    }
    if (target && target.version !== before.targetVersion) {
      say(session.row, 'kept', 'changed here', 'it was changed here since it was imported; what is here stays');
      continue;
    }
    if (session.former) {
      say(
        session.row,
        'refused',
        'unknown therapist',
        'its therapist was deleted here and is no longer with the clinic',
      );
      continue;
    }
    const clash = standing.clashWith(record, target?.id);
    if (clash !== null) {
      say(session.row, 'refused', 'overlaps here', clash);
      continue;
    }
    const id = target?.id ?? uuidOf(`import ${key}`);
    writes.push({ key, hash, id, replaces: target?.version ?? null, record });
    lineOf.set(id, session.row.line);
    say(session.row, target ? 'changed' : 'new', null, remark);
  }
  outcomes.sort((a, b) => a.line - b.line);
  return { outcomes, writes, lineOf, notes };
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
    differing.length > 0 ? `; it differs in ${differing.join(', ')}, where line ${kept.row.line} counts` : '';
  return `${what} line ${kept.row.line}: one appointment, ${timeSlot(Math.min(kept.start, dropped.start), Math.max(kept.end, dropped.end))}${differs}`;
}

/** In one order whatever the file's: keys of pieces that share an Id depend on it. */
const inTime = (rows: readonly AppointmentRow[]): AppointmentRow[] =>
  rows.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.start - b.start || a.end - b.end));

/** Keys that are the same in every export: the Id with a number for pieces far apart, else the content. */
class KeyGiver {
  readonly #given = new Map<string, number>();

  give(row: AppointmentRow): string {
    const base = row.id === null ? `content:${contentHash(compositeOf(row))}` : `id:${row.id}`;
    const count = (this.#given.get(base) ?? 0) + 1;
    this.#given.set(base, count);
    return count === 1 ? base : `${base}#${count}`;
  }
}

/** Appointments that were made or changed here: an import never double-books them. */
class Foreign {
  readonly #byDate = new Map<string, StoredAppointment[]>();
  readonly #twoToOne: ReadonlySet<string>;

  constructor({ stored, known, twoToOne }: AppointmentsInput) {
    this.#twoToOne = twoToOne;
    const imported = new Map([...known.values()].map((row) => [row.targetId, row.targetVersion]));
    for (const s of stored) {
      if (!s.occupies || imported.get(s.id) === s.version) continue;
      this.#byDate.set(s.date, [...(this.#byDate.get(s.date) ?? []), s]);
    }
  }

  clashWith(record: AppointmentRecord, ownId: string | undefined): string | null {
    if (!occupies(record) || record.service === 'admin') return null;
    const during = (this.#byDate.get(record.date) ?? []).filter(
      (s) => s.id !== ownId && s.service !== 'admin' && overlaps(s, record),
    );
    const therapist = during.find((s) => s.therapistId !== null && s.therapistId === record.therapistId);
    if (therapist) return overlapText('its therapist', therapist);
    const client = during.filter(
      (s) => s.service === 'direct' && record.service === 'direct' && s.clientId === record.clientId,
    );
    const [first] = client;
    const most = record.clientId !== null && this.#twoToOne.has(record.clientId) ? 1 : 0;
    return first && client.length > most ? overlapText('its client', first) : null;
  }
}

const overlapText = (who: string, s: StoredAppointment): string =>
  `${who} has another session then, ${timeSlot(s.start, s.end)}, that was made or changed here`;
