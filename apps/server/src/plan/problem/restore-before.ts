import { sql } from 'kysely';
import { updateStates, type AppointmentChange, type AppointmentState } from '../../day/appointment-states.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { personDay } from '../../db/locks.ts';

/** Returns the locks for the days of everyone whom a change affects. */
export function peopleDays(change: AppointmentChange): string[] {
  const therapists = [change.before?.therapistId, change.after.therapistId].filter((t) => t != null);
  return [
    ...therapists.map((t) => personDay('therapist', t, change.date)),
    ...(change.clientId === null ? [] : [personDay('client', change.clientId, change.date)]),
  ];
}

/** Whether the change is to administrative time, which has no client. */
const isAdmin = ({ clientId }: AppointmentChange): boolean => clientId === null;

/**
 * Restores every row to its state before the change, and deletes the pieces, which keep their history. All rows are
 * first set to take up no time, so that they can be restored in any order.
 */
export async function restoreBefore(
  trx: Db,
  changes: readonly AppointmentChange[],
  reason: string,
): Promise<AppointmentChange[]> {
  const keys = changes.map((c) => c.key);
  const rows = await trx
    .updateTable('appointment')
    // Administrative time always has its therapist.
    .set({
      therapist_id: sql<string | null>`case when service = 'admin' then therapist_id end`,
      status: 'entered-in-error',
    })
    .where('id', '=', anyOf(keys, 'uuid'))
    .returning(['id', 'version'])
    .execute();
  const versions = new Map(rows.map((row) => [row.id, row.version]));
  const undone = changes.map((c): AppointmentChange => {
    // Later changes that were undone have increased the version.
    const version = (versions.get(c.key) ?? c.after.version) + 1;
    const after: AppointmentState = c.before
      ? { ...c.before, version }
      : { ...c.after, status: 'entered-in-error', therapistId: isAdmin(c) ? c.after.therapistId : null, version };
    return { ...c, before: c.after, after, what: 'undone', reason };
  });
  const made = new Set(changes.filter((c) => c.before === null).map((c) => c.key));
  await updateStates(
    trx,
    undone.filter((u) => made.has(u.key)).map((u) => u.after),
  );
  await updateStates(
    trx,
    undone.filter((u) => !made.has(u.key)).map((u) => u.after),
  );
  return undone;
}
