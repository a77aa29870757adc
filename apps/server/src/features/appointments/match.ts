import {
  contains,
  credentialOn,
  dayOfWeek,
  holdsOn,
  longDate,
  needsSentence,
  notEmployed,
  timeSlot,
  union,
  unmetNeeds,
  type Interval,
  unpaidSentence,
  type IsoDate,
  type Service,
} from '@clinic/domain';
import { firstUnpaid } from '../../clinic-day/authorizations.ts';
import { careNow } from '../../clinic-day/care-hours.ts';
import { employmentOf } from '../../clinic-day/employment.ts';
import { mismatch, needsBcba, tooLow, type Match } from '../../clinic-day/match.ts';
import { selectPaidCodes, unmetRequirement } from '../../clinic-day/payers.ts';
import { cutOf, type WallPresent } from '../../clinic-day/present.ts';
import type { Db } from '../../db/connection.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { refusal } from '../../platform/refusal.ts';
import { selectDated, selectNeedsAndTags, type WeeklyWindow } from './placing.queries.ts';

/**
 * Refuses (422) a therapist whom the family's or the clinic's rules exclude for the client; this applies to manual
 * bookings, too. Ignores availability and familiarity, because coordinators know more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}

/** A session that is about to be booked or changed: its people and its time. */
export interface Booking extends Interval {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly date: IsoDate;
  readonly service: Service;
  readonly subject: string;
  readonly status: AppointmentStatus | null;
  /** The key of the session, if it is already on the calendar. */
  readonly key?: string | undefined;
}

/** The rules that *Book anyway* has overridden: in words for the history, and by name for the audit trail. */
export interface Passed {
  readonly reason: string;
  readonly rules: string;
}

/**
 * Refuses (409) bookings that break a rule which `anyway` may override. A booking breaks such a rule if, on its date,
 * the therapist is not employed or has no valid availability or credential; if the therapist lacks a tag that the
 * client needs or the client's payer requires; or if no authorization pays for the date.
 * @returns the rules that were overridden; null if none
 */
export async function passRules(
  trx: Db,
  bookings: readonly Booking[],
  anyway: boolean,
  now: WallPresent,
): Promise<Passed | null> {
  const broken: { rule: Rule; reason: string }[] = [];
  for (const [pair, own] of byPair(bookings)) broken.push(...(await brokenRules(trx, pair, own)));
  broken.push(...(await unpaidBookings(trx, bookings, now)));
  const [first] = broken;
  if (first === undefined) return null;
  const rules = RULES.filter((rule) => broken.some((each) => each.rule === rule));
  const reasons = rules.flatMap((rule) => broken.find((each) => each.rule === rule)?.reason ?? []);
  if (!anyway) throw refusal('booking-needs-a-look', reasons.join(' ')).with({ extra: { anyway: true } });
  return { reason: rules.map((rule) => PASSED[rule]).join('; '), rules: rules.join(', ') };
}

/** The rules about a client and a therapist together. */
const PAIR_RULES = ['employment', 'availability', 'credential', 'needs', 'payer'] as const;
type PairRule = (typeof PAIR_RULES)[number];
const RULES = [...PAIR_RULES, 'authorization'] as const;
type Rule = (typeof RULES)[number];
const PASSED: Readonly<Record<Rule, string>> = {
  employment: 'Booked before the therapist’s first day or after their last',
  availability: 'Booked outside the dates of the therapist’s availability',
  credential: 'Booked with a therapist whose credential has expired',
  needs: 'Booked with a therapist who lacks a skill that the client needs',
  payer: 'Booked with a therapist who does not meet the payer’s requirements',
  authorization: 'Booked without an authorization that pays for it',
};

type Pair = Pick<Booking, 'clientId'> & { readonly therapistId: string };

function byPair(bookings: readonly Booking[]): Map<Pair, Booking[]> {
  const pairs = new Map<string, [Pair, Booking[]]>();
  for (const booking of bookings) {
    const { clientId, therapistId } = booking;
    if (therapistId === null) continue;
    const key = JSON.stringify([clientId, therapistId]);
    const own = pairs.get(key) ?? [{ clientId, therapistId }, []];
    own[1].push(booking);
    pairs.set(key, own);
  }
  return new Map(pairs.values());
}

/** Returns the rules that these sessions break, each with a sentence about the first session that breaks it. */
async function brokenRules(trx: Db, { clientId, therapistId }: Pair, bookings: readonly Booking[]) {
  const therapist = await trx
    .selectFrom('therapist')
    .select(['display_name', 'start_date', 'end_date', 'specialization'])
    .where('id', '=', therapistId)
    .forShare() // a shared lock, for the same reason as in `selectMatch`
    .executeTakeFirstOrThrow();
  const { needs, tags, client } = await selectNeedsAndTags(trx, clientId, therapistId);
  const { windows, credentials } = await selectDated(trx, therapistId);
  const paid = clientId === null ? [] : ((await selectPaidCodes(trx, [clientId])).get(clientId) ?? []);
  const name = therapist.display_name;
  const counts = (date: IsoDate) => credentialOn(therapist.specialization, credentials, date);
  const sentences: Readonly<Record<PairRule, (booking: Booking) => string | null>> = {
    employment: ({ date }) => notEmployed(name, employmentOf(therapist), date),
    availability: (booking) => (isOutsideDates(windows, booking) ? notAvailable(name, booking) : null),
    credential: (booking) => {
      const dated = { ...therapist, counts: counts(booking.date) };
      // If the profile says BT, `refuseMismatch` has already refused the therapist.
      const isTooLow = client?.rbt_or_above === true && therapist.specialization !== 'BT';
      const low = isTooLow ? tooLow(client.display_name, dated) : null;
      // A therapist who never was a BCBA passes without a question: coordinators know more than the calendar.
      return low ?? (therapist.specialization === 'BCBA' ? needsBcba(booking, dated) : null);
    },
    needs: ({ date }) => needsSentence(client?.display_name ?? '', name, unmetNeeds(needs, tags, date)),
    payer: (booking) => unmetRequirement(paid, booking, { name, credential: counts(booking.date), tags }),
  };
  return PAIR_RULES.flatMap((rule) => {
    const reason = bookings.flatMap((booking) => sentences[rule](booking) ?? [])[0];
    return reason === undefined ? [] : [{ rule, reason }];
  });
}

/**
 * Returns the rule `authorization` with a sentence about the first date for which no authorization pays; empty if all
 * bookings are paid for.
 */
async function unpaidBookings(
  trx: Db,
  bookings: readonly Booking[],
  wall: WallPresent,
): Promise<{ rule: Rule; reason: string }[]> {
  const taking = bookings.filter(
    ({ status }) => status === null || ['pending', 'booked', 'fulfilled'].includes(status),
  );
  const clients = new Set(taking.flatMap(({ clientId }) => clientId ?? []));
  if (clients.size === 0) return [];
  const now = careNow(wall, await cutOf(trx, wall));
  for (const client of clients) {
    const date = await firstUnpaid(
      trx,
      client,
      taking.filter(({ clientId }) => clientId === client),
      now,
    );
    if (date !== null) return [{ rule: 'authorization', reason: unpaidSentence(date) }];
  }
  return [];
}

const notAvailable = (name: string, { date, start, end }: Booking): string =>
  `${name} is available ${timeSlot(start, end)} on other dates, but not on ${longDate(date)}.`;

/**
 * Whether the therapist is available at this time and day of the week on other dates, but not on this date. A time
 * outside every window is allowed, because coordinators know more than the calendar.
 */
function isOutsideDates(windows: readonly WeeklyWindow[], { date, start, end }: Booking): boolean {
  const own = windows
    .filter((window) => window.day_of_week === dayOfWeek(date))
    .map((window) => ({ ...window, start: window.start_minute, end: window.end_minute }));
  const covers = (list: readonly Interval[]) => union(list).some((window) => contains(window, { start, end }));
  return covers(own) && !covers(own.filter((window) => holdsOn(window, date)));
}
