import type { WireAppointment } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { lockAll } from '../../clinic-day/locks.ts';
import { inTransaction } from '../../clinic-day/retry.ts';
import { stateOf } from '../../clinic-day/session-writes.ts';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../platform/access.ts';
import type { Act } from '../../platform/act.ts';
import { Refusal } from '../../platform/errors.ts';
import { insertEvents, selectAppointment, settleClashes, updateAppointment } from './appointments.queries.ts';
import { clashesLeft, unknownAppointment } from './change.ts';
import { showAppointments, type AppointmentContext } from './show.ts';
import { invalid } from './wanted.ts';
import { locksOf, readAgain, settleWrite } from './write.ts';

export interface Cancellation {
  readonly key: string;
  readonly reason: string | null;
  /** The family knows: what nobody had is settled and enters no later plan. */
  readonly familyTold: boolean;
  readonly version: number | undefined;
}

/**
 * Cancels a session and keeps it, with its history. One that is cancelled already stays so (that the family was told can
 * still be added); a completed one is refused (422), a newer version too (409).
 */
export async function cancelAppointment(
  db: Db,
  act: Act,
  input: Cancellation,
  contextOf: (location: Location) => AppointmentContext,
): Promise<WireAppointment> {
  const { key } = input;
  return inTransaction(db, async (trx) => {
    const seen = await selectAppointment(trx, key);
    if (!seen) throw unknownAppointment();
    requireLocation(act.caller, seen.location);
    await lockAll(trx, locksOf([seen]));
    const before = await selectAppointment(trx, key, true);
    if (!before) throw unknownAppointment();
    requireLocation(act.caller, before.location);
    if (before.therapistId !== seen.therapistId || before.clientId !== seen.clientId || before.date !== seen.date) {
      throw readAgain();
    }
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale-version', { extra: { version: before.version } });
    }
    if (before.status === 'fulfilled') {
      throw invalid('This session is recorded as completed. Change its status first if it did not take place.');
    }
    const at = new Date(act.at).toISOString();
    const told = input.familyTold && before.familyToldAt === null;
    const writes = before.status !== 'cancelled' || told;
    if (writes) {
      const fields = { status: 'cancelled' as const, clash: false, ...(told ? { family_told_at: at } : {}) };
      await updateAppointment(trx, key, fields, at);
      const left = { ...fields, place: before.place, client_place: before.clientPlace };
      await settleClashes(trx, clashesLeft(before, left));
      const after = await selectAppointment(trx, key);
      if (!after) throw new Error('an appointment just written is gone');
      await insertEvents(trx, act.caller.id, at, [
        {
          key,
          what: input.familyTold ? 'family told: cancelled' : 'cancelled',
          reason: input.reason,
          before: stateOf(before, before.date),
          after: stateOf(after, after.date),
        },
      ]);
    }
    const [shown] = await showAppointments(trx, [key], contextOf(before.location));
    if (!shown) throw new Error('an appointment just written is gone');
    if (writes) {
      const detail = { family_told: input.familyTold };
      await settleWrite(trx, act, { action: 'appointment.cancelled', keys: [key], touched: [before], detail });
    }
    return shown;
  });
}
