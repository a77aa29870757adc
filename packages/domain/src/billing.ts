import { UNIT_MINUTES, unitsOf } from './authorizations.ts';
import { BILLING_CODES, type BillingCode } from './billing-codes.ts';
import { minutesOf, subtract, type Interval } from './interval.ts';

/** Two billing codes, the lower code first; the two may be equal. */
export type CodePair = `${BillingCode}+${BillingCode}`;

export const codePair = (a: BillingCode, b: BillingCode): CodePair => (a < b ? `${a}+${b}` : `${b}+${a}`);

const PAIRS = new Map<string, CodePair>(
  BILLING_CODES.flatMap((a) => BILLING_CODES.map((b) => [`${a}+${b}`, codePair(a, b)])),
);

/** Parses a pair of codes such as `97155+97153`, in either order; null when `text` is not a pair. */
export const codePairOf = (text: string): CodePair | null => PAIRS.get(text) ?? null;

/** A session's billing code, and the time when the session took place. */
export interface KeptTime {
  readonly code: BillingCode;
  readonly kept: readonly Interval[];
}

/**
 * Returns how many minutes of each session may be billed. The sessions are one client's on one date, sorted by start.
 * Time that an earlier session already bills is not billed again, unless both codes may be billed at the same time. The
 * minutes of each code are added up, and only whole units count (`unitsOf`). A session gets the units that it adds to
 * the sum, so its billable minutes can be more or fewer than its length.
 */
export function billableMinutes(
  sessions: readonly KeptTime[],
  together: (a: BillingCode, b: BillingCode) => boolean,
): number[] {
  const billed: { code: BillingCode; time: readonly Interval[] }[] = [];
  const minutes = new Map<BillingCode, number>();
  return sessions.map(({ code, kept }) => {
    const time = subtract(
      kept,
      billed.flatMap((earlier) => (together(earlier.code, code) ? [] : earlier.time)),
    );
    billed.push({ code, time });
    const before = minutes.get(code) ?? 0;
    const after = before + minutesOf(time);
    minutes.set(code, after);
    return (unitsOf(after) - unitsOf(before)) * UNIT_MINUTES;
  });
}
