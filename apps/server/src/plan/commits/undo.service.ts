import { selectChanges, selectCommit, type CommitRow } from '../../day/commits.ts';
import { anyOf } from '../../db/any-of.ts';
import { lockAll } from '../../db/locks.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { inTransaction } from '../../db/retry.ts';
import { recordEvents, type AppointmentChange } from '../../day/appointment-states.ts';
import { undoConflicts } from '../../day/undo-check.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Act } from '../../access/act.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import { markUndone } from './commits.queries.ts';
import { giveSeries } from './handed-series.ts';
import { peopleDays, restoreBefore } from '../problem/restore-before.ts';
import { auditCommit, auditCommitRead } from './commit-record.ts';
import { asConflict } from './double-booking.ts';

/**
 * Undoes a whole commit: every appointment returns to its earlier state, and the pieces are deleted. Refuses if an
 * appointment has changed since, its time has begun, or its people now have other bookings; the refusal names the
 * people. Undoing a second time changes nothing.
 */
export async function undoCommit(db: Db, wallOf: WallOf, id: string, act: Act): Promise<CommitRow> {
  const commit = await selectCommit(db, id);
  if (!commit) throw refusal('no-such-commit');
  requireLocation(act.caller, commit.location);
  try {
    return await inTransaction(db, (trx) => undoLocked(trx, wallOf, commit, act));
  } catch (error) {
    throw await asConflict(db, error);
  }
}

async function undoLocked(trx: Db, wallOf: WallOf, commit: CommitRow, act: Act): Promise<CommitRow> {
  const changes = await selectChanges(trx, commit.id);
  await lockAll(trx, [`proposal:${commit.proposal}`, ...changes.flatMap(peopleDays)]);
  const at = isoAt(act.at);
  if (!(await markUndone(trx, commit.id, act.caller.id, at))) {
    await auditCommitRead(trx, act, commit.id, commit.location);
    return (await selectCommit(trx, commit.id)) ?? commit;
  }
  const conflicts = await undoConflicts(
    trx,
    wallOf(commit.location),
    { ...commit, wall: commit.summary.wall },
    changes,
  );
  if (conflicts.length > 0) throw refusal('undo-blocked').with({ conflicts });
  const undone = await restoreBefore(trx, changes, 'The submitted changes were undone');
  await giveSeries(trx, commit.summary.handed ?? [], true);
  await recordEvents(trx, undone, { accountId: act.caller.id, commitId: commit.id, at });
  const days = await touchedDays(trx, commit, changes);
  await bumpDays(trx, days);
  await publishEvent(trx, { kind: 'undo', location: commit.location, dates: commit.summary.dates, by: act.caller.id });
  const detail = { dates: commit.summary.dates };
  await auditCommit(trx, act, { action: 'schedule.undone', commit: commit.id, days, changes, detail });
  return (await selectCommit(trx, commit.id)) ?? commit;
}

async function touchedDays(trx: Db, commit: CommitRow, changes: readonly AppointmentChange[]) {
  const ids = [...new Set(changes.flatMap((c) => [c.before?.therapistId, c.after.therapistId]))].filter(
    (i) => i != null,
  );
  const homes = await trx.selectFrom('therapist').select('location').distinct().where('id', '=', anyOf(ids)).execute();
  const locations = new Set([commit.location, ...changes.map((c) => c.location), ...homes.map((h) => h.location)]);
  return commit.summary.dates.flatMap((date) => [...locations].map((location) => ({ location, date })));
}
