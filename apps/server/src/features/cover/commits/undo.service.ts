import { sql } from 'kysely';
import type { Conflict } from '@clinic/contract';
import { isoDate, timeSlot, type Location } from '@clinic/domain';
import { selectCommit, type CommitRow } from '../../../clinic-day/commits.ts';
import { lockAll, personDay } from '../../../db/locks.ts';
import { cutOf, type WallPresent, type WallOf } from '../../../clinic-day/present.ts';
import { inTransaction } from '../../../db/retry.ts';
import {
  recordEvents,
  updateStates,
  type AppointmentChange,
  type AppointmentState,
} from '../../../clinic-day/appointment-states.ts';
import { bumpDays } from '../../../clinic-day/versions.ts';
import { minutesAfter, timestampOf } from '../../../db/wall-time.ts';
import type { Db } from '../../../db/connection.ts';
import { requireLocation } from '../../../platform/access/caller.ts';
import type { Act } from '../../../platform/access/act.ts';
import { refusal } from '../../../platform/refusal.ts';
import { publishEvent } from '../../../platform/events.ts';
import { markUndone, selectChanges } from './commits.queries.ts';
import { auditCommit, auditCommitRead } from './commit-record.ts';
import { asConflict } from './double-booking.ts';

/**
 * Undoes a whole commit: every appointment is as it was before, and its pieces are deleted. Refuses, naming the people,
 * when an appointment has changed since, its time has been delivered since, or its people are now booked elsewhere.
 * Undoing twice changes nothing more.
 */
export async function undoCommit(db: Db, wallOf: WallOf, id: string, act: Act): Promise<CommitRow> {
  const commit = await selectCommit(db, id);
  if (!commit) throw refusal('no-such-commit');
  requireLocation(act.caller, commit.location);
  try {
    return await inTransaction(db, (trx) => undoLocked(trx, wallOf, commit, act), { location: commit.location });
  } catch (error) {
    throw await asConflict(db, error);
  }
}

async function undoLocked(trx: Db, wallOf: WallOf, commit: CommitRow, act: Act): Promise<CommitRow> {
  const changes = await selectChanges(trx, commit.id);
  await lockAll(trx, [`proposal:${commit.proposal}`, ...changes.flatMap(peopleDays)]);
  const at = new Date(act.at).toISOString();
  if (!(await markUndone(trx, commit.id, act.caller.id, at))) {
    await auditCommitRead(trx, act, commit.id, commit.location);
    return (await selectCommit(trx, commit.id)) ?? commit;
  }
  const conflicts = [
    ...(await changedLater(trx, commit, changes)),
    ...(await deliveredSince(trx, wallOf(commit.location), commit, changes)),
    ...(await bookedOtherwise(trx, commit, changes)),
  ];
  if (conflicts.length > 0) throw refusal('undo-blocked').with({ conflicts });
  const undone = await restore(trx, changes);
  await recordEvents(trx, undone, { accountId: act.caller.id, commitId: commit.id, at });
  const days = await touchedDays(trx, commit, changes);
  await bumpDays(trx, days);
  await publishEvent(trx, { kind: 'undo', location: commit.location, dates: commit.summary.dates, by: act.caller.id });
  const detail = { dates: commit.summary.dates };
  await auditCommit(trx, act, { action: 'schedule.undone', commit: commit.id, days, changes, detail });
  return (await selectCommit(trx, commit.id)) ?? commit;
}

function peopleDays(change: AppointmentChange): string[] {
  const therapists = [change.before?.therapistId, change.after.therapistId].filter((t) => t != null);
  return [
    ...therapists.map((t) => personDay('therapist', t, change.date)),
    ...(change.clientId === null ? [] : [personDay('client', change.clientId, change.date)]),
  ];
}

/** Puts a conflict into words. Clients of other locations are not named. */
async function names(
  trx: Db,
  here: Location,
  changes: readonly AppointmentChange[],
): Promise<(c: AppointmentChange, why: string) => Conflict> {
  const ids = [...new Set(changes.flatMap((c) => [c.before?.therapistId, c.after.therapistId, c.clientId]))];
  const among = sql<string>`any(${ids.filter((i) => i != null)}::text[])`;
  const therapists = await trx.selectFrom('therapist').select(['id', 'display_name']).where('id', '=', among).execute();
  const clients = await trx.selectFrom('client').select(['id', 'display_name']).where('id', '=', among).execute();
  const nameOf = new Map([...therapists, ...clients].map((p) => [p.id, p.display_name]));
  return (c, why) => {
    const date = isoDate(c.date);
    const client = c.location === here ? nameOf.get(c.clientId ?? '') : undefined;
    return {
      date,
      time: timeSlot(minutesAfter(date, c.after.starts), minutesAfter(date, c.after.ends)),
      therapist: nameOf.get(c.after.therapistId ?? c.before?.therapistId ?? '') ?? 'Unassigned',
      ...(client === undefined ? {} : { client }),
      why: why
        .replace('{client}', client ?? 'the client')
        .replace('{therapist}', nameOf.get(c.before?.therapistId ?? '') ?? 'the therapist'),
    };
  };
}

/** Appointments that have changed since the commit. */
async function changedLater(
  trx: Db,
  { location }: CommitRow,
  changes: readonly AppointmentChange[],
): Promise<Conflict[]> {
  const rows = await trx
    .selectFrom('appointment')
    .select(['id', 'version'])
    .where('id', '=', sql<string>`any(${changes.map((c) => c.key)}::uuid[])`)
    .forUpdate()
    .execute();
  const versions = new Map(rows.map((r) => [r.id, r.version]));
  const changed = changes.filter((c) => versions.get(c.key) !== c.after.version);
  if (changed.length === 0) return [];
  const conflict = await names(trx, location, changed);
  return changed.map((c) => conflict(c, "{client}'s session has changed since these changes were submitted."));
}

/** Time given to another therapist that has begun since: delivered time is never rewritten. */
async function deliveredSince(
  trx: Db,
  wall: WallPresent,
  commit: CommitRow,
  changes: readonly AppointmentChange[],
): Promise<Conflict[]> {
  // The demo clinic never cuts a day: its today is always planned whole.
  if ((await cutOf(trx, wall))(wall.date) === null) return [];
  const now = timestampOf(wall.date, wall.minutes);
  const begun = changes.filter(
    (c) =>
      c.what !== 'kept' &&
      c.after.therapistId !== null &&
      c.after.status !== 'cancelled' &&
      commit.summary.wall <= c.after.starts &&
      c.after.starts < now,
  );
  if (begun.length === 0) return [];
  const conflict = await names(trx, commit.location, begun);
  return begun.map((c) => conflict(c, "{client}'s session has begun since these changes were submitted."));
}

/** Other appointments that overlap one to be restored. */
async function bookedOtherwise(
  trx: Db,
  { location }: CommitRow,
  changes: readonly AppointmentChange[],
): Promise<Conflict[]> {
  const keys = changes.map((c) => c.key);
  const restored = changes.flatMap((c) => (c.before ? [c.before] : []));
  const { rows } = await sql<{ key: string }>`
    select distinct s.key
    from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as s(
      key uuid, "therapistId" text, status text, starts timestamp, ends timestamp, place text)
    join appointment a on a.therapist_id = s."therapistId" and a.place <> s.place and a.occupies
      and a.service <> 'admin' and tsrange(a.starts, a.ends) && tsrange(s.starts, s.ends)
    where s.status in ('pending', 'booked', 'fulfilled') and a.id <> all(${keys}::uuid[])`.execute(trx);
  const taken = changes.filter((c) => rows.some((r) => r.key === c.key));
  if (taken.length === 0) return [];
  const conflict = await names(trx, location, taken);
  return taken.map((c) =>
    conflict(c, "{therapist}, who had {client}'s session before, is now booked elsewhere at that time."),
  );
}

/**
 * Restores every row and deletes the pieces (their history stays). Nothing takes time in between, so that any order
 * works.
 */
async function restore(trx: Db, changes: readonly AppointmentChange[]): Promise<AppointmentChange[]> {
  const keys = changes.map((c) => c.key);
  await trx
    .updateTable('appointment')
    .set({ therapist_id: null, status: 'entered-in-error' })
    .where('id', '=', sql<string>`any(${keys}::uuid[])`)
    .execute();
  const undone = changes.map((c): AppointmentChange => {
    const after: AppointmentState = c.before
      ? { ...c.before, version: c.after.version + 1 }
      : { ...c.after, status: 'entered-in-error', therapistId: null, version: c.after.version + 1 };
    return { ...c, before: c.after, after, what: 'undone', reason: 'The submitted changes were undone' };
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

async function touchedDays(trx: Db, commit: CommitRow, changes: readonly AppointmentChange[]) {
  const ids = [...new Set(changes.flatMap((c) => [c.before?.therapistId, c.after.therapistId]))].filter(
    (i) => i != null,
  );
  const homes = await trx
    .selectFrom('therapist')
    .select('location')
    .distinct()
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  const locations = new Set([commit.location, ...changes.map((c) => c.location), ...homes.map((h) => h.location)]);
  return commit.summary.dates.flatMap((date) => [...locations].map((location) => ({ location, date })));
}
