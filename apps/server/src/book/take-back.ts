import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import type { Act } from '../access/act.ts';
import { stateOf } from '../day/appointment-states.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal } from '../platform/refusal.ts';
import { endSeriesBefore, insertEvents, updateAppointment } from './appointments.queries.ts';
import { lockTargets, type Target } from './targets.ts';
import { settleWrite } from './write.ts';

/**
 * Takes back what the caller booked, all of it or nothing, as if it had never been: no time counts as lost, and a series makes no further
 * sessions. Refuses (409) when anything else has happened to the sessions since. Opens no call list: where the booking
 * opened none, nobody was told of it.
 */
export async function takeBack(db: Db, act: Act, targets: readonly Target[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const target of targets) await takeOneBack(trx, act, target);
  });
}

async function takeOneBack(trx: Db, act: Act, target: Target): Promise<void> {
  const rows = await lockTargets(trx, act, target, () => Promise.resolve([]));
  const [named] = rows;
  const keys = rows.map(({ key }) => key);
  await refuseChanged(trx, act, keys);
  const at = isoAt(act.at);
  const status = 'entered-in-error' as const;
  const events = rows.map((row) => {
    const before = stateOf(row, row.date);
    return {
      key: row.key,
      what: 'undone',
      reason: null,
      before,
      after: { ...before, status, version: row.version + 1 },
    };
  });
  for (const key of keys) await updateAppointment(trx, key, { status }, at);
  await insertEvents(trx, act.caller.id, at, events);
  if (target.scope !== 'one' && named.seriesId !== null) await endSeriesBefore(trx, named.seriesId, named.date);
  await settleWrite(trx, act, { action: 'appointment.taken-back', keys, touched: rows, detail: {} });
}

async function refuseChanged(trx: Db, act: Act, keys: readonly string[]): Promise<void> {
  const events = await trx
    .selectFrom('appointment_event as e')
    .leftJoin('account as a', 'a.id', 'e.account_id')
    .select(['e.what', 'e.account_id', 'a.name'])
    .where('e.appointment_id', '=', anyOf(keys, 'uuid'))
    .orderBy('e.id', 'desc')
    .execute();
  const changed = events.find(({ what }) => what !== 'booked');
  if (changed) throw refusal('booking-changed', changed.name ?? 'Someone');
  const own = events.filter((event) => event.account_id === act.caller.id);
  if (own.length < keys.length) throw refusal('booking-not-own');
}
