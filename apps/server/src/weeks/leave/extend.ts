import { defaultLocation, addDays, subtract, type IsoDate, type Location } from '@clinic/domain';
import { leaveDates, leaveHorizon, selectLeave, selectLeavesToExtend } from '../../day/facts/leaves.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { insertAbsences, selectAbsentPerson, selectStored } from '../../plan/absences/absences.queries.ts';
import { leavesOf } from '../../plan/absences/leave.ts';

/** How many days before its last stored absence a leave gets the next ones, so that this is not done every day. */
const STEP_DAYS = 30;

/**
 * Stores the absences of open and long leaves for the dates that have come nearer. It may run at any time: what is
 * stored stays, and only dates that were never stored are added. Returns how many leaves it extended.
 */
export async function extendLeaves(db: Db, todayAt: (location: Location) => IsoDate, at: string): Promise<number> {
  const soon = addDays(leaveHorizon(todayAt(defaultLocation())), -STEP_DAYS);
  const list = await selectLeavesToExtend(db, soon);
  for (const { id, kind, personId } of list)
    await inTransaction(db, async (trx) => {
      const person = await selectAbsentPerson(trx, { kind, id: personId });
      if (!person) return;
      await lockAll(trx, [leavesOf(person)]);
      const leave = await selectLeave(trx, id);
      if (!leave) return;
      const horizon = leaveHorizon(todayAt(leave.location));
      const dates = leaveDates(leave, addDays(leave.madeUntil, 1), horizon);
      await lockAll(
        trx,
        dates.map((date) => personDay(kind, personId, date)),
      );
      const stored = await selectStored(
        trx,
        dates.map((date) => ({ person, date })),
      );
      const all = dates.map((date, i) => ({
        person,
        date,
        location: leave.location,
        windows: subtract([leave], stored[i] ?? []).map((part) => ({ ...part, loss: leave.loss, leave: id })),
      }));
      await insertAbsences(trx, all, null, at);
      await trx.updateTable('leave').set({ made_until: horizon }).where('id', '=', id).execute();
      await bumpDays(
        trx,
        dates.flatMap((date) => [leave.location, person.location].map((location) => ({ location, date }))),
      );
    });
  return list.length;
}
