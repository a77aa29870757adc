import { sql } from 'kysely';
import { intersect, isoDate, subtract, timeSlot, type Interval, type IsoDate } from '@clinic/domain';
import { recordEvents, type AppointmentChange } from '../../day/appointment-states.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { writeSessionLoss, type LossValues } from '../../day/facts/losses.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { minutesAfter, timestampOf } from '../../db/wall-time.ts';
import type { Act } from '../../access/act.ts';
import { isoAt } from '../../platform/clock.ts';
import { peopleDays, restoreBefore } from './restore-before.ts';
import { writeSegments, type TargetSegment } from './session-writes.ts';

/** A date and what of it is lost. */
export type OffTimes = (session: DatedAppointment) => readonly Interval[];

/**
 * Cancels the parts of these sessions that lie in lost time, each with the loss and the reason; the rest stays. Only
 * sessions that are still to take place are cancelled. The caller holds the locks.
 * @returns the changes, from which the sessions can be brought back
 */
export async function setAside(
  trx: Db,
  sessions: readonly DatedAppointment[],
  offTimes: OffTimes,
  { loss, reason }: { readonly loss: LossValues; readonly reason: string },
  act: Act,
): Promise<AppointmentChange[]> {
  const changes: AppointmentChange[] = [];
  for (const date of [...new Set(sessions.map((each) => each.date))].sort()) {
    const plans = sessions.flatMap((row) => {
      const off = row.date === date ? offTimes(row).flatMap((time) => intersect(row, time) ?? []) : [];
      if (off.length === 0) return [];
      const stays = subtract([row], off);
      const part =
        (cancelled: boolean) =>
        (time: Interval): TargetSegment => ({
          ...time,
          therapistId: row.therapistId,
          cancelled,
          what: cancelled ? 'cancelled' : 'kept',
          reason,
        });
      return [{ row, segments: [...stays.map(part(false)), ...subtract([row], stays).map(part(true))] }];
    });
    changes.push(...(await writeSegments(trx, date, plans, null)));
  }
  await recordEvents(trx, changes, { accountId: act.caller.id, commitId: null, at: isoAt(act.at) });
  await writeSessionLoss(
    trx,
    changes.filter((c) => c.after.status === 'cancelled').map((c) => c.key),
    loss,
  );
  return changes;
}

/** A session that was set aside, with all changes that this made. */
interface Aside {
  readonly changes: readonly AppointmentChange[];
  /** Why the session stays as it is now; null if it comes back. */
  readonly why: string | null;
}

/**
 * Brings back the sessions that were set aside, as they were. A session that has changed since, whose people are now
 * booked otherwise, or whose time has passed stays as it is, and says why.
 * @param from the first moment that is not past; a session that begins earlier stays
 */
export async function bringBackAside(
  trx: Db,
  changes: readonly AppointmentChange[],
  { from, reason }: { readonly from: string; readonly reason: string },
  act: Act,
): Promise<{ back: AppointmentChange[]; stays: (AppointmentChange & { readonly why: string })[] }> {
  await lockAll(trx, changes.flatMap(peopleDays));
  const asides = await judge(trx, changes, from);
  const back = asides.flatMap((each) => (each.why === null ? each.changes : []));
  const undone = await restoreBefore(trx, back, reason);
  await recordEvents(trx, undone, { accountId: act.caller.id, commitId: null, at: isoAt(act.at) });
  const stays = asides.flatMap(({ changes: [first], why }) => (first && why !== null ? [{ ...first, why }] : []));
  return { back, stays };
}

/** Groups the changes by session: a session comes back as a whole or not at all. */
async function judge(trx: Db, changes: readonly AppointmentChange[], from: string): Promise<Aside[]> {
  const [changed, booked] = [await changedSince(trx, changes), await bookedSince(trx, changes)];
  const roots = new Map<string, AppointmentChange[]>();
  for (const change of changes) roots.set(change.of, [...(roots.get(change.of) ?? []), change]);
  return [...roots.values()].map((list) => {
    const is = (keys: ReadonlySet<string>): boolean => list.some(({ key }) => keys.has(key));
    const past = list.some(({ before, after }) => (before ?? after).starts < from);
    const why = is(changed)
      ? 'changed since'
      : past
        ? 'its time has passed'
        : is(booked)
          ? 'booked otherwise now'
          : null;
    return { changes: list, why };
  });
}

/** The appointments that are no longer as these changes left them. */
async function changedSince(trx: Db, changes: readonly AppointmentChange[]): Promise<Set<string>> {
  const keys = changes.map((c) => c.key);
  const rows = await trx
    .selectFrom('appointment')
    .select(['id', 'client_id', 'therapist_id', 'booked_therapist_id', 'status', 'starts', 'ends', 'subject'])
    .where('id', '=', anyOf(keys, 'uuid'))
    .forUpdate()
    .execute();
  const now = new Map(rows.map(({ id, ...row }) => [id, JSON.stringify(Object.values(row))]));
  return new Set(
    changes
      .filter(({ key, clientId, subject, after: a }) => {
        const was = [clientId, a.therapistId, a.bookedTherapistId, a.status, a.starts, a.ends, subject];
        return now.get(key) !== JSON.stringify(was);
      })
      .map((c) => c.key),
  );
}

/** The appointments whose therapist or client is now booked at the time that they would take again. */
async function bookedSince(trx: Db, changes: readonly AppointmentChange[]): Promise<Set<string>> {
  const restored = changes.flatMap((c) => (c.before ? [{ ...c.before, clientId: c.clientId }] : []));
  const { rows } = await sql<{ key: string }>`
    select distinct s.key
    from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as s(
      key uuid, "therapistId" text, "clientId" text, starts timestamp, ends timestamp)
    join appointment o on o.id = s.key
    join appointment a on a.id <> s.key and a.occupies and tsrange(a.starts, a.ends) && tsrange(s.starts, s.ends) and (
      a.therapist_id = s."therapistId" and a.service <> 'admin' and o.service <> 'admin'
        and (a.group_key is distinct from o.group_key or o.group_key is null)
      or a.client_id = s."clientId" and a.seat = o.seat and a.service = 'direct' and o.service = 'direct')
    where a.id <> all(${`{${changes.map((c) => c.key).join(',')}}`}::uuid[])`.execute(trx);
  return new Set(rows.map((row) => row.key));
}

/** When a session was before a change, for lists. */
export function asideTime({ before, after, date }: AppointmentChange): { date: IsoDate; time: string } {
  const { starts, ends } = before ?? after;
  const on = isoDate(date);
  return { date: on, time: timeSlot(minutesAfter(on, starts), minutesAfter(on, ends)) };
}

/** The first moment that is not past, at a clinic. In a demo clinic, nothing is past. */
export const firstMoment = (wall: { readonly date: IsoDate; readonly minutes: number }, isDemo: boolean): string =>
  isDemo ? '' : timestampOf(wall.date, wall.minutes);
