import type { Interval } from './interval.ts';
import { pushTo } from './lists.ts';

/**
 * Checks whether options that a coordinator chose client by client fit together. Choices from the same option always
 * do. In a mix of options, one therapist could be in two places at once, so each choice lists the times for which it
 * needs each therapist.
 */
export interface Claim {
  therapist: string;
  /** Minutes; `to` itself is not included. */
  from: number;
  to: number;
  /** False for a piece that stays as booked; two such pieces may overlap, since they did before. */
  changed: boolean;
  /** Whether the session was booked with another therapist, or with none. */
  other?: boolean | undefined;
  /** The exact minutes of work, if they differ from `from` and `to`, which are quarter hours. */
  exact?: Interval | undefined;
  /**
   * Set when the client would know the therapist only because of choices on other dates. If so, the mix must include at
   * least one choice from each of these lists.
   */
  knownBy?: OneChoice[][] | undefined;
}

/** The option chosen for one client on one date. */
export interface OneChoice {
  date: string;
  client: string;
  option: string;
}

/**
 * The claims of each client's options, by client and option name. A client without claims in an option takes no
 * therapist's time there.
 */
export type ClaimsByClient = Readonly<Record<string, Readonly<Record<string, readonly Claim[]>>>>;
/** The name of the chosen option, by client. */
export type Choice = Readonly<Record<string, string>>;

export interface Clash {
  therapist: string;
  from: number;
  to: number;
  /** The clients whose choices clash. */
  clients: [string, string];
  options: [string, string];
}

/** Finds every pair of choices that need the same therapist at the same time. O(n log n + hits). */
export function findClashes(claims: ClaimsByClient, choice: Choice): Clash[] {
  const byTherapist = new Map<string, (Claim & { client: string; option: string })[]>();
  for (const [client, option] of Object.entries(choice)) {
    for (const claim of claims[client]?.[option] ?? [])
      pushTo(byTherapist, claim.therapist, { ...claim, client, option });
  }
  const clashes: Clash[] = [];
  for (const [therapist, list] of byTherapist) {
    list.sort((a, b) => a.from - b.from || a.to - b.to);
    list.forEach((a, i) => {
      for (let j = i + 1; j < list.length; j++) {
        const b = list[j];
        if (!b || b.from >= a.to) break;
        if (a.client === b.client || !(a.changed || b.changed)) continue;
        clashes.push({
          therapist,
          from: Math.max(a.from, b.from),
          to: Math.min(a.to, b.to),
          clients: [a.client, b.client],
          options: [a.option, b.option],
        });
      }
    });
  }
  return clashes;
}
