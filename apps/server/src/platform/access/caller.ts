import type { FastifyRequest } from 'fastify';
import { locationLabel, type Location } from '@clinic/domain';
import { Refusal } from '../refusal.ts';
import type { Caller } from './sessions.ts';

/** The caller of a route that is not public. */
export function callerOf(request: Pick<FastifyRequest, 'account'>): Caller {
  if (!request.account) throw new Refusal('not-signed-in');
  return request.account;
}

/** Whether an account may work at a location. */
export function mayWorkAt(caller: Pick<Caller, 'locations'>, location: Location): boolean {
  return caller.locations === null || caller.locations.includes(location);
}

/** The only place where locations are checked: refuses an account without access to the location (403). */
export function requireLocation(caller: Pick<Caller, 'locations'>, location: Location): void {
  if (!mayWorkAt(caller, location)) throw new Refusal('forbidden-location');
}

/**
 * Refuses (403) an act that would also change something at locations to which the account has no access.
 * @param refusalAt makes the refusal, which names these locations (`places`) and says nothing about what is there
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

/** The therapist behind an account; the guard lets only their accounts reach the routes that need one. */
export function therapistOf(caller: Pick<Caller, 'therapistId'>): string {
  if (caller.therapistId === null) throw new Refusal('forbidden');
  return caller.therapistId;
}
