import { BILLING_CODES, UNIT_MINUTES, unitsOf, type BillingCode } from './authorizations.ts';
import { minutesOf, subtract, type Interval } from './interval.ts';

/** Two billing codes, the lower one first; both may be the same. */
export type CodePair = `${BillingCode}+${BillingCode}`;

export const codePair = (a: BillingCode, b: BillingCode): CodePair => (a < b ? `${a}+${b}` : `${b}+${a}`);

const PAIRS = new Map<string, CodePair>(
  BILLING_CODES.flatMap((a) => BILLING_CODES.map((b) => [`${a}+${b}`, codePair(a, b)])),
);

/** The pair that a text names, with its codes in either order; null when it names none. */
export const codePairOf = (text: string): CodePair | null => PAIRS.get(text) ?? null;

/** The time of a session that took place, and the code under which it is billed. */
export interface KeptTime {
  readonly code: BillingCode;
  readonly kept: readonly Interval[];
}

/**
 * How many minutes of each session may be billed: those of one client on one date, in the order in which they begin.
 * Time that an earlier session bills already is not billed again, unless both codes may be billed at the same time.
 * The minutes of one code are added up, and only whole units count (`unitsOf`); a session's units are those that it
 * adds to the sum, so a session can have more or fewer minutes than it lasted.
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
