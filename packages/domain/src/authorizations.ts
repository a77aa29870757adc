import { addDays, isoDate, mondayOf, shortDate, type IsoDate } from './time.ts';
import { isGroupSubject, type Service } from './services.ts';
import { codesIn, type BillingCode } from './billing-codes.ts';
import { holdsOn } from './dated.ts';
import { groupBy, partition } from './lists.ts';
import { compareText, nameKey, tidyText } from './names.ts';

/**
 * What identifies one of a client's authorizations: its code, number and first day, and its payer if it has no number.
 */
export const authorizationIdentity = (own: {
  readonly payer: string;
  readonly code: string;
  readonly number: string;
  readonly from_date: string;
}): string[] => [own.code, own.number, own.from_date, own.number === '' ? nameKey(own.payer) : ''];

/** The period for which an authorization grants its units: all of its dates, each week from Monday, or each month. */
export const AUTHORIZATION_PERIODS = ['total', 'week', 'month'] as const;
export type AuthorizationPeriod = (typeof AUTHORIZATION_PERIODS)[number];

/** The longest authorization, in days. */
export const MOST_AUTHORIZED_DAYS = 731;

/**
 * A session's billing code: the first one in its subject (`97155 Protocol modification`), otherwise the code for its
 * service: assessment 97151, supervision 97155, parent training 97156, a group 97154, other direct therapy 97153. Null
 * for administrative time.
 */
export function codeOf(service: Service, subject: string): BillingCode | null {
  if (service === 'admin') return null;
  const [named] = codesIn(subject);
  if (named) return named;
  if (service === 'parent-training') return '97156';
  if (service === 'supervision') return ASSESSMENT.test(tidyText(subject)) ? '97151' : '97155';
  return isGroupSubject(subject) ? '97154' : '97153';
}

/** A subject that begins with *assessment*; the database has the same pattern (`codeColumn`). */
const ASSESSMENT = /^(?:initial |re-?)?assessment(?![a-z0-9_])/i;

export const UNIT_MINUTES = 15;

/**
 * Converts minutes to units of 15 minutes. A unit counts from its eighth minute, so 7 minutes are 0 units, 8 to 22 are
 * 1, and 23 to 37 are 2. Add up a date's minutes under one billing code before you convert them.
 */
export const unitsOf = (minutes: number): number => Math.floor((minutes + 7) / UNIT_MINUTES);

/** The start of the authorization's current period on `date`, but not before the authorization itself begins. */
export function countedFrom(
  { from_date, period }: { readonly from_date: IsoDate; readonly period: AuthorizationPeriod },
  date: IsoDate,
): IsoDate {
  if (period === 'total') return from_date;
  const start = period === 'week' ? mondayOf(date) : isoDate(`${date.slice(0, 8)}01`);
  return start < from_date ? from_date : start;
}

/** The last day of the authorization's period on `date`. */
export function countedThrough(
  { until_date, period }: { readonly until_date: IsoDate; readonly period: AuthorizationPeriod },
  date: IsoDate,
): IsoDate {
  if (period === 'total') return until_date;
  const next = isoDate(`${addDays(isoDate(`${date.slice(0, 8)}28`), 4).slice(0, 8)}01`);
  const end = period === 'week' ? addDays(mondayOf(date), 6) : addDays(next, -1);
  return end < until_date ? end : until_date;
}

/** Decides which units are drawn from an authorization, and when. */
export interface Granted {
  readonly payer: string;
  readonly number: string;
  readonly from_date: IsoDate;
  readonly until_date: IsoDate;
  readonly units: number;
  readonly period: AuthorizationPeriod;
  /** Units used through the date `prior_until`, on the calendar or not; null if no one has said. */
  readonly prior_units: number | null;
  readonly prior_until: IsoDate | null;
}

/**
 * Whether what was used on the date `on` is part of the authorization's `prior_units`, as seen on `date`. On the day of
 * the number itself, what is used that day counts beside it, since it is not known how much of it the number contains.
 * From the next day on the number contains it, so no session counts twice.
 */
const isPrior = ({ prior_until }: Granted, on: IsoDate, date: IsoDate): boolean =>
  prior_until !== null && prior_until <= date && (on < prior_until || (on === prior_until && date > prior_until));

/** The prior units that count in the period that begins on `since`, as seen on `date`. */
const priorIn = (own: Granted, since: IsoDate, date: IsoDate): number =>
  own.prior_until !== null && own.prior_until <= date && countedFrom(own, own.prior_until) === since
    ? (own.prior_units ?? 0)
    : 0;

/** The order in which units are drawn from authorizations that are valid on the same date: the first to end comes first. */
const drawOrder = (a: Granted, b: Granted): number =>
  compareText(a.until_date, b.until_date) ||
  compareText(a.from_date, b.from_date) ||
  compareText(a.number, b.number) ||
  compareText(a.payer, b.payer);

/** Units that a session, or a date's sessions, drew from an authorization. */
export interface Draw<A, Used> {
  readonly authorization: A;
  readonly by: Used;
  readonly units: number;
}

/**
 * Draws units from a client's authorizations for one code. Each unit comes from one authorization: of those valid on the
 * date, the one that ends first and has units left in its current period. If none has any left, the unit counts against
 * the one that ends last, so that what was delivered beyond the authorized units stays visible.
 * @param used the units used under the code, in chronological order
 * @param date the date on which one asks: an authorization's prior units count from their own date on
 */
export function drawUnits<A extends Granted, Used extends { readonly date: IsoDate; readonly units: number }>(
  authorizations: readonly A[],
  used: readonly Used[],
  date: IsoDate,
): Draw<A, Used>[] {
  const periods = authorizations.toSorted(drawOrder).map((own) => ({ own, since: '', used: 0 }));
  const draws: Draw<A, Used>[] = [];
  for (const by of used) {
    const valid = periods.filter(({ own }) => holdsOn(own, by.date));
    let rest = by.units;
    for (const [i, period] of valid.entries()) {
      const since = countedFrom(period.own, by.date);
      if (since !== period.since) Object.assign(period, { since, used: 0 });
      if (!isPrior(period.own, by.date, date)) period.used = Math.max(period.used, priorIn(period.own, since, date));
      const isLast = i === valid.length - 1;
      const units = isLast ? rest : Math.min(rest, Math.max(0, period.own.units - period.used));
      if (units === 0) continue;
      period.used += units;
      rest -= units;
      draws.push({ authorization: period.own, by, units });
    }
  }
  return draws;
}

/**
 * How many units count against the authorization in its current period on the date: those drawn, but through the date of
 * its prior units at least these.
 */
export const usedUnits = <A extends Granted>(
  draws: readonly Draw<A, { readonly date: IsoDate }>[],
  authorization: A,
  date: IsoDate,
): number => {
  const since = countedFrom(authorization, date);
  const own = draws.filter((draw) => draw.authorization === authorization && draw.by.date >= since);
  const [prior, later] = partition(own, ({ by }) => isPrior(authorization, by.date, date));
  const sum = (of: typeof own): number => of.reduce((n, { units }) => n + units, 0);
  return Math.max(sum(prior), priorIn(authorization, since, date)) + sum(later);
};

/**
 * Returns how many units each session adds to the total of its date. The sessions are one client's, under one code, in
 * chronological order.
 */
export function unitsAdded(sessions: readonly { readonly date: IsoDate; readonly minutes: number }[]): number[] {
  const minutes = new Map<IsoDate, number>();
  return sessions.map(({ date, minutes: own }) => {
    const before = minutes.get(date) ?? 0;
    minutes.set(date, before + own);
    return unitsOf(before + own) - unitsOf(before);
  });
}

/** The weight of a session that no authorization pays for, in percent. */
export const UNPAID_WEIGHT = 30;

/** How many of a valid authorization's units remain after earlier dates. */
export interface UnitsLeft {
  readonly client: string;
  readonly code: BillingCode;
  readonly units: number;
  readonly used: number;
}

/** How many units are left of all these authorizations together. */
export const unitsLeft = (live: readonly Pick<UnitsLeft, 'units' | 'used'>[]): number =>
  live.reduce((sum, { units, used }) => sum + Math.max(0, units - used), 0);

interface BilledSession {
  readonly key: string;
  readonly client: string;
  readonly code: BillingCode | null;
  readonly start: number;
  /** How long the session lasts, without the time when the client is away. */
  readonly minutes: number;
}

/**
 * The sessions on one date that no authorization pays for, because all valid authorizations for the client and the
 * session's billing code are used up when the session begins. Sessions use up units in the order in which they begin. A
 * session whose client is away all the time uses none, and is never unpaid.
 * @param clients the clients who have an authorization on record; the rule does not apply to other clients
 */
export function unpaidSessions(
  sessions: readonly BilledSession[],
  live: readonly UnitsLeft[],
  clients: ReadonlySet<string>,
): Set<string> {
  const unpaid = new Set<string>();
  const given = new Map<string, number>();
  const kindOf = ({ code, client }: { code: BillingCode | null; client: string }): string => `${code} ${client}`;
  const byKind = groupBy(live, kindOf);
  const inOrder = [...sessions].sort((a, b) => a.start - b.start || a.minutes - b.minutes);
  for (const { key, client, code, minutes } of inOrder) {
    if (code === null || minutes === 0 || !clients.has(client)) continue;
    const kind = kindOf({ code, client });
    const earlier = given.get(kind) ?? 0;
    if (unitsLeft(byKind.get(kind) ?? []) <= unitsOf(earlier)) unpaid.add(key);
    given.set(kind, earlier + minutes);
  }
  return unpaid;
}

/** A sentence that says why a session weighs less. */
export const unpaidSentence = (date: IsoDate): string =>
  `No authorization pays for this session on ${shortDate(date)}.`;

/** A sentence that says which child of a group no authorization pays for, while the group's other children are paid for. */
export const unpaidMemberSentence = (name: string, date: IsoDate): string =>
  `No authorization pays for ${name} in this group on ${shortDate(date)}.`;
