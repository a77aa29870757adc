import type { FastifyRequest } from 'fastify';
import { locationLabel, type Location } from '@clinic/domain';
import { Refusal } from '../platform/refusal.ts';
import type { Caller } from './sessions.ts';

/** Returns the account that makes a request; throws on a public route. */
export function callerOf(request: Pick<FastifyRequest, 'account'>): Caller {
  if (!request.account) throw new Refusal('not-signed-in');
  return request.account;
}

/** Whether an account may work at a location. */
export function mayWorkAt(caller: Pick<Caller, 'locations'>, location: Location): boolean {
  return caller.locations === null || caller.locations.includes(location);
}

const checked = new WeakSet<Pick<Caller, 'locations'>>();

/**
 * Refuses (403) an account that may not work at the location. The guard checks only roles, and a route the location
 * that its call names (`at`); where only a stored record says the location, the use case calls this.
 */
export function requireLocation(caller: Pick<Caller, 'locations'>, location: Location): void {
  checked.add(caller);
  if (!mayWorkAt(caller, location)) throw new Refusal('forbidden-location');
}

/** Whether a location was required of the account that makes a request. */
export const isLocationChecked = (caller: Caller): boolean => checked.has(caller);

/**
 * Refuses (403) a change that also affects locations where the account may not work.
 * @param refusalAt makes the refusal from the names of these locations; it must reveal nothing about their data
 */
export function requireTouched(
  caller: Pick<Caller, 'locations'>,
  touched: Iterable<Location>,
  refusalAt: (places: string) => Refusal,
): void {
  const closed = [...new Set(touched)].filter((location) => !mayWorkAt(caller, location)).sort();
  if (closed.length === 0) return;
  const places = closed.map(locationLabel).join(' and ');
  throw refusalAt(places);
}

/**
 * Returns the id of the therapist who owns an account. The guard lets only therapists' accounts reach routes that call
 * this function.
 */
export function therapistOf(caller: Pick<Caller, 'therapistId'>): string {
  if (caller.therapistId === null) throw new Refusal('forbidden');
  return caller.therapistId;
}
