import type { IsoDate, Location } from '@clinic/domain';
import { selectAppointment } from '../day/facts/clinic-day.queries.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import { lockAll, locksOf, type PeopleDay } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import { readAgain } from '../db/retry.ts';
import { requireLocation } from '../access/caller.ts';
import type { Act } from '../access/act.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { selectFollowing } from './appointments.queries.ts';

/** Which sessions of a series: this one, this and the later ones, or all that are still to come. */
export type Scope = 'one' | 'following' | 'all';

/** Which appointments to change: the appointment with this key and those of its series that the scope includes. */
export interface Target {
  readonly key: string;
  readonly scope: Scope;
  /** The version that the page showed. If there is a newer version, the change is refused (409; `requireNewest`). */
  readonly version: number | undefined;
  /** The current date at a location. */
  readonly todayAt: (location: Location) => IsoDate;
}

/**
 * Locks the appointments and the days of the people in them, and returns the appointments as they are now, the
 * requested one first. Refuses an unknown key (404), a location that the account may not use (403), and another scope
 * than `one` outside a series (422).
 * @param entered returns the people and days to which the change would move the appointments; these are locked too
 * @param further returns the names of any other locks that the change needs
 */
export async function lockTargets(
  trx: Db,
  act: Act,
  target: Target,
  entered: (seen: readonly DatedAppointment[]) => Promise<readonly PeopleDay[]>,
  further: (seen: readonly DatedAppointment[]) => readonly string[] = () => [],
): Promise<[DatedAppointment, ...DatedAppointment[]]> {
  const first = await selectAppointment(trx, target.key);
  if (!first) throw unknownAppointment();
  requireLocation(act.caller, first.location);
  if (target.scope !== 'one' && first.seriesId === null) {
    throw refusal('not-in-series');
  }
  const after = target.scope === 'all' ? target.todayAt(first.location) : null;
  const seen = target.scope === 'one' ? [first] : [first, ...(await selectFollowing(trx, first, after))];
  await lockAll(trx, [...locksOf([...seen, ...(await entered(seen))]), ...further(seen)]);
  const now: DatedAppointment[] = [];
  for (const each of seen) {
    const row = await selectAppointment(trx, each.key, true);
    const stays = row?.therapistId === each.therapistId && row.clientId === each.clientId && row.date === each.date;
    if (!row || !stays || row.location !== each.location) throw readAgain();
    now.push(row);
  }
  const [named, ...others] = now;
  if (!named) throw unknownAppointment();
  return [named, ...others];
}

/**
 * Refuses (409) to write over a version that the page did not show. A request that would write nothing passes; it may be
 * a repeat after a lost reply.
 */
export function requireNewest(target: Target, { version }: DatedAppointment, writes: boolean): void {
  if (writes && target.version !== undefined && target.version !== version) {
    throw new Refusal('stale-version', { extra: { version } });
  }
}

export function unknownAppointment(): Refusal {
  return refusal('no-such-appointment');
}
