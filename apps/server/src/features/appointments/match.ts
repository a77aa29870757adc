import { needsSentence, notEmployed, unmetNeeds, type IsoDate } from '@clinic/domain';
import { employmentOf } from '../../clinic-day/employment.ts';
import { mismatch, type Match } from '../../clinic-day/match.ts';
import type { Db } from '../../db/connection.ts';
import { refusal } from '../../platform/refusal.ts';
import { selectNeedsAndTags } from './placing.queries.ts';

/**
 * Refuses (422) a therapist who must not serve the client: the rules of the family and the clinic hold for manual
 * bookings as for plans. Availability and familiarity do not: people who book by hand know more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}

/** A session as it is to be booked: who, and when. */
export interface Booking {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly date: IsoDate;
}

/** What the caller passed with *Book anyway*: the text for the history, and the rules for the audit trail. */
export interface Passed {
  readonly reason: string;
  readonly rules: string;
}

/**
 * Refuses (409) bookings that a rule speaks against and that the caller may pass with `anyway`: dates before the
 * therapist's first day or after the last, and a therapist without what the client must have.
 * @returns what to record of those that were passed; null: none were
 */
export async function passRules(trx: Db, bookings: readonly Booking[], anyway: boolean): Promise<Passed | null> {
  const broken: { rule: Rule; reason: string }[] = [];
  for (const [pair, dates] of datesByPair(bookings)) broken.push(...(await brokenRules(trx, pair, dates)));
  const [first] = broken;
  if (first === undefined) return null;
  const rules = RULES.filter((rule) => broken.some((each) => each.rule === rule));
  const reasons = rules.flatMap((rule) => broken.find((each) => each.rule === rule)?.reason ?? []);
  if (!anyway) throw refusal('booking-needs-a-look', reasons.join(' ')).with({ extra: { anyway: true } });
  return { reason: rules.map((rule) => PASSED[rule]).join('; '), rules: rules.join(', ') };
}

const RULES = ['employment', 'needs'] as const;
type Rule = (typeof RULES)[number];
const PASSED: Readonly<Record<Rule, string>> = {
  employment: 'Booked outside the therapist’s first and last day',
  needs: 'Booked with a therapist without what the client needs',
};

type Pair = Pick<Booking, 'clientId'> & { readonly therapistId: string };

function datesByPair(bookings: readonly Booking[]): Map<Pair, IsoDate[]> {
  const pairs = new Map<string, [Pair, IsoDate[]]>();
  for (const { clientId, therapistId, date } of bookings) {
    if (therapistId === null) continue;
    const key = JSON.stringify([clientId, therapistId]);
    const own = pairs.get(key) ?? [{ clientId, therapistId }, []];
    own[1].push(date);
    pairs.set(key, own);
  }
  return new Map(pairs.values());
}

/** The rules that speak against the pair on these dates, each with its first sentence. */
async function brokenRules(trx: Db, { clientId, therapistId }: Pair, dates: readonly IsoDate[]) {
  const therapist = await trx
    .selectFrom('therapist')
    .select(['display_name', 'start_date', 'end_date'])
    .where('id', '=', therapistId)
    .forShare() // as in selectMatch
    .executeTakeFirstOrThrow();
  const { needs, tags, client } = await selectNeedsAndTags(trx, clientId, therapistId);
  const name = therapist.display_name;
  const sentences: Readonly<Record<Rule, (date: IsoDate) => string | null>> = {
    employment: (date) => notEmployed(name, employmentOf(therapist), date),
    needs: (date) => needsSentence(client, name, unmetNeeds(needs, tags, date)),
  };
  return RULES.flatMap((rule) => {
    const reason = dates.flatMap((date) => sentences[rule](date) ?? [])[0];
    return reason === undefined ? [] : [{ rule, reason }];
  });
}
