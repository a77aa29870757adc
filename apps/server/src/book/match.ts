import { unpaidSentence, type Interval, type IsoDate, type Location, type Service } from '@clinic/domain';
import { firstUnpaid } from '../ledgers/count/authorizations.ts';
import { careNow } from '../ledgers/count/care-hours.ts';
import { mismatch, type Match } from '../people/match.ts';
import { cutOf, type WallPresent } from '../day/facts/present.ts';
import { selectRuled } from '../day/ruled-sessions.ts';
import { brokenRules, SESSION_RULES, type Broken, type SessionRule } from '../day/session-rules.ts';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import { refusal } from '../platform/refusal.ts';
import { takesTime, timesOf } from './wanted.ts';

/**
 * Refuses (422) a therapist whom the family's or the clinic's rules exclude for the client; this applies to manual
 * bookings, too, and nobody can override it.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}

/** A session that is about to be booked or changed: its people, time and place. */
export interface Booking extends Interval {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly location: Location;
  readonly date: IsoDate;
  readonly service: Service;
  readonly subject: string;
  readonly status: AppointmentStatus | null;
  /** The key of the session, if it is already on the calendar, and that of the session that it was cut from. */
  readonly key?: string | undefined;
  readonly parentId?: string | null;
  /** The session as it is, if it takes place now: nobody is asked again about what is wrong with it already. */
  readonly before?: Booking | null;
}

/** The rules that *Book anyway* has overridden: in words for the history, and by name for the audit trail. */
export interface Passed {
  readonly reason: string;
  readonly rules: string;
}

/**
 * Refuses (409) bookings that break a rule which `anyway` may override: the same rules by which the calendar marks a
 * session as wrong (`session-rules.ts`), and the units of the client's authorizations.
 * @param asks whether the therapist is asked to work outside their availability for it
 * @returns the rules that were overridden; null if none
 */
export async function passRules(
  trx: Db,
  bookings: readonly Booking[],
  { anyway, asks }: { readonly anyway: boolean; readonly asks: boolean },
  now: WallPresent,
): Promise<Passed | null> {
  const taking = bookings.filter(({ status }) => status === null || takesTime(status));
  const already = await brokenBy(
    trx,
    taking.flatMap(({ before }) => before ?? []),
    false,
  );
  const known = new Set(already.map(({ why }) => why));
  const ruled = (await brokenBy(trx, taking, asks)).filter(({ why }) => !known.has(why));
  const broken = [...ruled, ...(await unpaidBookings(trx, taking, now))];
  if (broken.length === 0) return null;
  const rules = SESSION_RULES.filter((rule) => broken.some((each) => each.rule === rule));
  const reasons = rules.flatMap((rule) => broken.find((each) => each.rule === rule)?.why ?? []);
  if (!anyway) throw refusal('booking-needs-a-look', reasons.join(' ')).with({ extra: { anyway: true } });
  return { reason: rules.map((rule) => PASSED[rule]).join('; '), rules: rules.join(', ') };
}

const PASSED: Readonly<Record<SessionRule, string>> = {
  closed: 'Booked while the location is closed',
  opening: 'Booked outside the location’s opening hours',
  match: 'Booked with a therapist whose credential has expired',
  bcba: 'Booked with a therapist who is not a BCBA on that date',
  employment: 'Booked before the therapist’s first day or after their last',
  site: 'Booked at another location than the client’s',
  needs: 'Booked with a therapist who lacks a skill that the client needs',
  payer: 'Booked with a therapist who does not meet the payer’s requirements',
  team: 'Booked with a therapist who is new to a client who sees only familiar people',
  availability: 'Booked outside the therapist’s availability',
  authorization: 'Booked without an authorization that pays for it',
};

/** Returns the rules that these sessions break, in their order. */
async function brokenBy(trx: Db, bookings: readonly Booking[], asks: boolean): Promise<Broken[]> {
  await trx
    .selectFrom('therapist')
    .select('id')
    .where('id', '=', anyOf(new Set(bookings.flatMap(({ therapistId }) => therapistId ?? []))))
    .orderBy('id')
    .forShare() // a shared lock, for the same reason as in `selectMatch`
    .execute();
  return [...(await brokenRulesOf(trx, bookings, asks)).values()].flat();
}

/** Returns the rules that each of these sessions breaks, by its place in the list; sessions that break none are left out. */
export async function brokenRulesOf(
  db: Db,
  bookings: readonly Booking[],
  asks = false,
): Promise<ReadonlyMap<number, readonly Broken[]>> {
  const keys = bookings.map((booking, i) => booking.key ?? String(i));
  const rows = bookings.map((booking, i) => ({
    ...UNPLACED,
    ...timesOf(booking),
    id: keys[i] ?? '',
    parent_id: booking.parentId ?? null,
    location: booking.location,
    client_id: booking.clientId,
    therapist_id: booking.therapistId,
    service: booking.service,
    subject: booking.subject,
  }));
  const placeOf = new Map(keys.map((key, i) => [key, i]));
  const ruled = await selectRuled(db, rows, { admin: true });
  return new Map(
    ruled.flatMap((session) => {
      const broken = brokenRules(asks ? { ...session, agreed: [session] } : session);
      const place = placeOf.get(session.id);
      return broken.length === 0 || place === undefined ? [] : [[place, broken] as const];
    }),
  );
}

/** What no rule of a session asks about. */
const UNPLACED = { wire_id: '', status: 'pending', place: '', client_place: '', seat: 1 } as const;

/** Returns the first date for which the units of a client's authorizations do not pay; empty if all are paid for. */
async function unpaidBookings(trx: Db, bookings: readonly Booking[], wall: WallPresent): Promise<Broken[]> {
  const clients = new Set(bookings.flatMap(({ clientId }) => clientId ?? []));
  if (clients.size === 0) return [];
  const now = careNow(wall, await cutOf(trx, wall));
  for (const client of clients) {
    const own = bookings.filter(({ clientId }) => clientId === client);
    const date = await firstUnpaid(trx, client, own, now);
    if (date !== null) return [{ rule: 'authorization', why: unpaidSentence(date) }];
  }
  return [];
}
