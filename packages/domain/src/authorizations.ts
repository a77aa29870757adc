import { isoDate, mondayOf, shortDate, type IsoDate } from './time.ts';
import { isGroupSubject, type Service } from './services.ts';
import { nameKey } from './names.ts';

/** The codes under which payers pay for adaptive behavior services. */
export const BILLING_CODES = ['97151', '97152', '97153', '97154', '97155', '97156', '97157', '97158'] as const;
export type BillingCode = (typeof BILLING_CODES)[number];

/** What the units of an authorization are for: all of its dates, or each week (from Monday) or month. */
export const AUTHORIZATION_PERIODS = ['total', 'week', 'month'] as const;
export type AuthorizationPeriod = (typeof AUTHORIZATION_PERIODS)[number];

/** The most days from an authorization's first to its last. */
export const MOST_AUTHORIZED_DAYS = 731;

/**
 * The code of a session: the one that its subject names (`97155 Protocol modification`), otherwise that of its service:
 * assessment 97151, supervision 97155, parent training 97156, a group 97154, other direct therapy 97153. Administrative
 * time has none.
 */
export function codeOf(service: Service, subject: string): BillingCode | null {
  if (service === 'admin') return null;
  const named = BILLING_CODES.find((code) => new RegExp(`(?<!\\d)${code}(?!\\d)`).test(subject));
  if (named !== undefined) return named;
  if (service === 'parent-training') return '97156';
  if (service === 'supervision') return nameKey(subject) === 'assessment' ? '97151' : '97155';
  return isGroupSubject(subject) ? '97154' : '97153';
}

export const UNIT_MINUTES = 15;

/**
 * Units of 15 minutes by the midpoint rule: the minutes of one code on one date are added up, and a unit counts from its
 * eighth minute on. 7 minutes are none, 8 to 22 one, 23 to 37 two.
 */
export const unitsOf = (minutes: number): number => Math.floor((minutes + 7) / UNIT_MINUTES);

/** The first date whose sessions count against an authorization's units on the date. */
export function countedFrom(
  { from_date, period }: { readonly from_date: string; readonly period: AuthorizationPeriod },
  date: IsoDate,
): IsoDate {
  const first = isoDate(from_date);
  if (period === 'total') return first;
  const start = period === 'week' ? mondayOf(date) : isoDate(`${date.slice(0, 8)}01`);
  return start < first ? first : start;
}

/** How much a session weighs, in percent, that no live authorization pays for. */
export const UNPAID_WEIGHT = 30;

/** A live authorization, with the units of its period that earlier dates have left. */
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
  readonly end: number;
}

/**
 * The sessions of one date that no live authorization pays for: when they begin, no live authorization of the client for
 * their code has a unit left. Sessions of a code use the units in the order in which they begin; where two authorizations
 * for a code are live, each counts all of them.
 * @param clients those of whom any authorization is recorded; for others the rule is off
 */
export function unpaidSessions(
  sessions: readonly BilledSession[],
  live: readonly UnitsLeft[],
  clients: ReadonlySet<string>,
): Set<string> {
  const unpaid = new Set<string>();
  const minutes = new Map<string, number>();
  for (const { key, client, code, start, end } of [...sessions].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (code === null || !clients.has(client)) continue;
    const left = Math.max(
      0,
      ...live.filter((own) => own.client === client && own.code === code).map((own) => own.left),
    );
    const kind = `${code} ${client}`;
    const earlier = minutes.get(kind) ?? 0;
    if (left - unitsOf(earlier) <= 0) unpaid.add(key);
    minutes.set(kind, earlier + end - start);
  }
  return unpaid;
}

/** Why a session weighs less, as a sentence. */
export const unpaidSentence = (date: IsoDate): string =>
  `No authorization pays for this session on ${shortDate(date)}.`;
