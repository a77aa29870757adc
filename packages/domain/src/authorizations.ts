import { isoDate, mondayOf, shortDate, type IsoDate } from './time.ts';
import { isGroupSubject, type Service } from './services.ts';
import { nameKey } from './names.ts';

/** The billing codes (CPT) for adaptive behavior services. */
export const BILLING_CODES = ['97151', '97152', '97153', '97154', '97155', '97156', '97157', '97158'] as const;
export type BillingCode = (typeof BILLING_CODES)[number];

const NAMED_CODES = /(?<!\d)9715[1-8](?!\d)/g;

/** The billing codes that a text names, in the order in which it names them. */
export const codesIn = (text: string): BillingCode[] =>
  [...text.matchAll(NAMED_CODES)].flatMap(([found]) => BILLING_CODES.find((code) => code === found) ?? []);

/**
 * What tells one authorization of a client from the others: its code, number and first day. Without a number, the payer
 * does too.
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
  if (service === 'supervision') return nameKey(subject) === 'assessment' ? '97151' : '97155';
  return isGroupSubject(subject) ? '97154' : '97153';
}

export const UNIT_MINUTES = 15;

/**
 * Converts minutes to units of 15 minutes. Add up a date's minutes under one billing code first: a unit counts from its
 * eighth minute, so 7 minutes are 0 units, 8 to 22 are 1, and 23 to 37 are 2.
 */
export const unitsOf = (minutes: number): number => Math.floor((minutes + 7) / UNIT_MINUTES);

/** The start of the authorization's current period on `date`, but not before the authorization itself begins. */
export function countedFrom(
  { from_date, period }: { readonly from_date: string; readonly period: AuthorizationPeriod },
  date: IsoDate,
): IsoDate {
  const first = isoDate(from_date);
  if (period === 'total') return first;
  const start = period === 'week' ? mondayOf(date) : isoDate(`${date.slice(0, 8)}01`);
  return start < first ? first : start;
}

/** The weight of a session that no authorization pays for, in percent. */
export const UNPAID_WEIGHT = 30;

/** A valid authorization, and how many of its units remain after earlier dates. */
export interface UnitsLeft {
  readonly client: string;
  readonly code: BillingCode;
  readonly left: number;
}

interface BilledSession {
  readonly key: string;
  readonly client: string;
  readonly code: BillingCode | null;
  readonly start: number;
  /** How long the session lasts, without the time when the client is away. */
  readonly minutes: number;
}

/**
 * The sessions on one date that no authorization pays for, because every valid authorization for the client and the
 * session's billing code is used up when the session begins. Sessions use up units in the order in which they begin. If
 * a client has two valid authorizations for one code, a session counts against both. A session whose client is away all
 * the time uses none, and is never unpaid.
 * @param clients the clients who have an authorization on record; the rule does not apply to other clients
 */
export function unpaidSessions(
  sessions: readonly BilledSession[],
  live: readonly UnitsLeft[],
  clients: ReadonlySet<string>,
): Set<string> {
  const unpaid = new Set<string>();
  const given = new Map<string, number>();
  const inOrder = [...sessions].sort((a, b) => a.start - b.start || a.minutes - b.minutes);
  for (const { key, client, code, minutes } of inOrder) {
    if (code === null || minutes === 0 || !clients.has(client)) continue;
    const left = Math.max(
      0,
      ...live.filter((own) => own.client === client && own.code === code).map((own) => own.left),
    );
    const kind = `${code} ${client}`;
    const earlier = given.get(kind) ?? 0;
    if (left - unitsOf(earlier) <= 0) unpaid.add(key);
    given.set(kind, earlier + minutes);
  }
  return unpaid;
}

/** The sentence that tells people why a session weighs less. */
export const unpaidSentence = (date: IsoDate): string =>
  `No authorization pays for this session on ${shortDate(date)}.`;
