import type { IsoDate } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { onDate, timestampOf } from '../../db/wall-time.ts';
import { stateOf, updateStates, type AppointmentChange } from '../../day/appointment-states.ts';
import { appointmentOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import { rootOf, type DayAppointment } from '../../day/facts/day.ts';

/** Returns a string that is the same for two pieces if they differ only in their times. */
const likeness = (row: DayAppointment): string =>
  JSON.stringify([
    rootOf(row),
    row.location,
    row.clientId,
    row.therapistId,
    row.bookedTherapistId,
    row.service,
    row.subject,
    row.status,
    row.seat,
    row.groupKey,
    row.seriesId,
  ]);

/**
 * Finds the pieces that can become one session again: adjacent, different only in their times, and at least one of them
 * just changed. Each run has two or more pieces, sorted by time.
 */
export function runsToJoin(rows: readonly DayAppointment[], changed: ReadonlySet<string>): DayAppointment[][] {
  const runs: DayAppointment[][] = [];
  const byTime = rows.filter((row) => row.occupies && !row.clash).toSorted((a, b) => a.start - b.start);
  for (const row of byTime) {
    const before = runs.find((run) => {
      const last = run.at(-1);
      return last?.end === row.start && likeness(last) === likeness(row);
    });
    if (before) before.push(row);
    else runs.push([row]);
  }
  return runs.filter((run) => run.length > 1 && run.some((row) => changed.has(row.key)));
}

/**
 * Joins adjacent pieces of a session that once more have the same therapist. The session's own row is kept or, if it is
 * not among them, the first piece's row; the other rows are deleted, but their history stays. Returns all changes, so
 * that an undo can separate the pieces again.
 */
export async function joinPieces(
  trx: Db,
  date: IsoDate,
  changed: readonly DayAppointment[],
  changes: readonly AppointmentChange[],
): Promise<AppointmentChange[]> {
  const sessions = anyOf(new Set(changed.map(rootOf)), 'uuid');
  const rows = await selectAppointmentRows(trx)
    .where((eb) => eb.or([eb('id', '=', sessions), eb('parent_id', '=', sessions)]))
    .where(onDate(date))
    .orderBy('id')
    .forUpdate()
    .execute();
  const pieces = rows.map((row) => appointmentOf(row, date));
  const runs = runsToJoin(pieces, new Set(changes.map((change) => change.key)));
  const joined = runs.flatMap((run) => joinRun(run, date));
  const isGone = ({ after }: AppointmentChange): boolean => after.status === 'entered-in-error';
  // Rows are deleted first, so that the remaining row never overlaps them.
  for (const step of [joined.filter(isGone), joined.filter((change) => !isGone(change))])
    await updateStates(
      trx,
      step.map((change) => change.after),
    );
  const last = new Map(joined.map((change) => [change.key, change]));
  const written = new Set(changes.map((change) => change.key));
  return [
    ...changes.map((change) => asJoined(change, last.get(change.key))),
    ...joined.filter((change) => !written.has(change.key)),
  ];
}

/**
 * Replaces the state in a change with the row's state after joining; keeps everything else recorded about the change.
 */
function asJoined(change: AppointmentChange, joined: AppointmentChange | undefined): AppointmentChange {
  if (!joined) return change;
  return joined.into === undefined
    ? { ...change, after: joined.after }
    : { ...change, after: joined.after, into: joined.into };
}

function joinRun(run: readonly DayAppointment[], date: IsoDate): AppointmentChange[] {
  const stays = run.find((row) => row.parentId === null) ?? run[0];
  if (!stays) return [];
  const start = Math.min(...run.map((row) => row.start));
  const end = Math.max(...run.map((row) => row.end));
  return run.map((row): AppointmentChange => {
    const { key, wireId, clientId, location, subject } = row;
    const before = stateOf(row, date);
    const next = { ...before, version: row.version + 1 };
    const same = { key, of: key, wireId, clientId, location, date, subject, before, had: row.therapistId };
    const why = { what: 'joined' as const, reason: 'One session again' };
    return row === stays
      ? { ...same, ...why, after: { ...next, starts: timestampOf(date, start), ends: timestampOf(date, end) } }
      : { ...same, ...why, after: { ...next, status: 'entered-in-error', therapistId: null }, into: stays.wireId };
  });
}
