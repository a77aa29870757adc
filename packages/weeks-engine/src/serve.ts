/** Who may serve whom, who is able when, and what one given session costs by itself. */
import { SLOTS } from '@clinic/domain';
import { POINTS } from './points.ts';
import { HOUR, type Client, type ClientService, type Span, type Therapist } from './problem.ts';

/** Why a therapist may not serve a client; null when they may. */
export type ServeFault = 'credential' | 'gender' | 'excluded' | 'not known' | 'new here' | 'needs';

export function serveFault(therapist: Therapist, client: Client, service: ClientService): ServeFault | null {
  const known = client.knows[therapist.index] !== 'new';
  if (service !== 'direct' && therapist.credential !== 'BCBA') return 'credential';
  if (client.credentials && !client.credentials.includes(therapist.credential)) return 'credential';
  if (client.requiresGender.length > 0 && !client.requiresGender.includes(therapist.gender)) return 'gender';
  if (client.excludes.has(therapist.id)) return 'excluded';
  if (!known && (client.knownOnly || service === 'parent-training')) return 'not known';
  if (!known && therapist.onlyKnown) return 'new here';
  return client.needs.every((need) => therapist.tags.has(need)) ? null : 'needs';
}

/** Whether the therapist has all of the time, in free slots and, if `admin`, in administrative ones. */
export function isAble(therapist: Therapist, date: number, { from, to }: Span, admin: boolean): boolean {
  const hours = therapist.hours[date];
  if (!hours || to > SLOTS) return false;
  const least = admin ? HOUR.admin : HOUR.free;
  for (let slot = from; slot < to; slot++) if (hours[slot]! < least) return false;
  return true;
}

/** The terms of the table that a session given to a therapist pays by itself. */
export interface OwnPoints {
  bcba: number;
  admin: number;
  callin: number;
  added: number;
}

/** Adds what a session on a date costs by itself to `points`. */
export function addOwnPoints(
  points: OwnPoints,
  therapist: Therapist,
  date: number,
  { from, to }: Span,
  service: ClientService,
): void {
  const hours = therapist.hours[date];
  const day = therapist.day[date];
  if (service === 'direct' && therapist.credential === 'BCBA') points.bcba += POINTS.bcba * (to - from);
  for (let slot = from; slot < to; slot++) {
    if (hours?.[slot] !== HOUR.free) points.admin += POINTS.admin;
    if (!day || slot < day.from || slot >= day.to) points.callin += POINTS.callin;
  }
  points.added += POINTS.added * (to - from);
}

export function ownCost(therapist: Therapist, date: number, span: Span, service: ClientService): number {
  const points: OwnPoints = { bcba: 0, admin: 0, callin: 0, added: 0 };
  addOwnPoints(points, therapist, date, span, service);
  return points.bcba + points.admin + points.callin + points.added;
}
