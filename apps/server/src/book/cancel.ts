import type { LossBody, WireAppointment } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { DatedAppointment } from '../day/facts/day.ts';
import { inTransaction } from '../db/retry.ts';
import { nearDays, openCallDays } from '../tell/memory/call-day.ts';
import { settleClashes, type Settled } from '../day/clashes.ts';
import { tellCancelled, toldLocks } from './tell-cancelled.ts';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { isoAt } from '../platform/clock.ts';
import { endSeriesBefore, insertEvents, updateAppointment } from './appointments.queries.ts';
import { clashesLeft } from './change.ts';
import { showAppointment, type AppointmentContext } from './show.ts';
import { sayWhy } from './say-why.ts';
import { lockTargets, requireNewest, type Target } from './targets.ts';
import { refusal } from '../platform/refusal.ts';
import { recordRead, settleWrite, statesSince } from './write.ts';

export interface Cancellation extends Target {
  readonly reason: string | null;
  /** Whether the family already knows of the cancellation. If so, they need no telephone call about it. */
  readonly familyTold: boolean;
  /** Why the session is cancelled, if given. */
  readonly loss: LossBody | undefined;
}

/**
 * Cancels a session and, with another scope than `one`, sessions of its series; all keep their history. If a session is
 * already cancelled, it can still be recorded that the family was told. Refuses a completed session (422) and an
 * outdated version (409).
 */
export async function cancelAppointment(
  db: Db,
  act: Act,
  input: Cancellation,
  contextOf: (location: Location) => AppointmentContext,
): Promise<WireAppointment> {
  return inTransaction(db, async (trx) => {
    const further = input.familyTold ? toldLocks : undefined;
    const rows = await lockTargets(trx, act, input, () => Promise.resolve([]), further);
    const [named] = rows;
    if (named.status === 'fulfilled') {
      throw refusal('session-completed');
    }
    requireNewest(
      input,
      named,
      rows.some((row) => isToCancel(row, input)),
    );
    await openCallDays(trx, input.scope !== 'one' ? nearDays(rows, contextOf(named.location).now.date) : [named]);
    const cancelled: DatedAppointment[] = [];
    const settled: Settled[] = [];
    for (const row of rows) {
      const done = await cancelOne(trx, act, row, input);
      if (!done) continue;
      cancelled.push(row);
      settled.push(...done);
    }
    if (input.familyTold) await tellCancelled(trx, act, rows);
    const first = rows.map(({ date }) => date).sort()[0] ?? named.date;
    if (input.scope !== 'one' && named.seriesId !== null) await endSeriesBefore(trx, named.seriesId, first);
    await sayWhy(trx, cancelled, input.loss, contextOf(named.location).now);
    const shown = await showAppointment(trx, input.key, contextOf(named.location));
    if (cancelled.length > 0) {
      const keys = cancelled.map((row) => row.key);
      const detail = { family_told: input.familyTold, cause: input.loss?.cause ?? null };
      const touched = [...cancelled, ...settled];
      await settleWrite(trx, act, { action: 'appointment.cancelled', keys, touched, detail });
    } else await recordRead(trx, act, named);
    return shown;
  });
}

/** Whether the session must be cancelled, or it must be recorded that the family was told. */
const isToCancel = (row: DatedAppointment, { familyTold }: Cancellation): boolean =>
  row.status !== 'cancelled' || isNewlyTold(row, familyTold);

const isNewlyTold = (row: DatedAppointment, familyTold: boolean): boolean => familyTold && row.familyToldAt === null;

/**
 * Cancels one session. Returns the appointments that are no longer part of an imported double booking; null if nothing
 * was written.
 */
async function cancelOne(trx: Db, act: Act, before: DatedAppointment, input: Cancellation): Promise<Settled[] | null> {
  if (!isToCancel(before, input)) return null;
  const told = isNewlyTold(before, input.familyTold);
  const at = isoAt(act.at);
  const fields = { status: 'cancelled' as const, clash: false, ...(told ? { family_told_at: at } : {}) };
  await updateAppointment(trx, before.key, fields, at);
  const settled = await settleClashes(
    trx,
    clashesLeft(before, { ...fields, place: before.place, client_place: before.clientPlace }),
  );
  const what = input.familyTold ? 'family told: cancelled' : 'cancelled';
  const states = await statesSince(trx, before);
  await insertEvents(trx, act.caller.id, at, [{ key: before.key, what, reason: input.reason, ...states }]);
  return settled;
}
