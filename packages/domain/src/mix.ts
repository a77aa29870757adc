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

/**
 * Makes a mix possible by changing as few other clients' choices as it can; the clients in `kept` keep their choices.
 * Tries at most `limit` mixes, starting with the fewest changes. If none works, everyone else gets the option of the
 * first client in `kept`, since choices of one option always fit together. Returns null if even these choices clash,
 * because the clients in `kept` have different options.
 */
export function settle(
  claims: ClaimsByClient,
  choice: Choice,
  kept: readonly string[],
  optionNames: readonly string[],
  limit = 2000,
): { changes: Record<string, string> } | null {
  const held = new Set(kept);
  const seen = new Set<string>();
  let frontier: Record<string, string>[] = [{}];
  let looked = 0;
  while (frontier.length > 0) {
    const next: Record<string, string>[] = [];
    for (const changes of frontier) {
      if (looked++ > limit) break;
      const clashes = findClashes(claims, { ...choice, ...changes });
      const clash = clashes[0];
      if (!clash) return { changes };
      for (const client of clash.clients) {
        if (held.has(client) || Object.hasOwn(changes, client)) continue;
        for (const option of optionNames) {
          if (option === choice[client]) continue;
          const tried = { ...changes, [client]: option };
          const key = JSON.stringify(Object.entries(tried).sort());
          if (!seen.has(key)) {
            seen.add(key);
            next.push(tried);
          }
        }
      }
    }
    if (looked > limit) break;
    frontier = next;
  }
  const option = kept.map((c) => choice[c]).find((o) => o !== undefined) ?? optionNames[0];
  if (option === undefined) return null;
  const changes = Object.fromEntries(
    Object.keys(choice)
      .filter((c) => !held.has(c) && choice[c] !== option)
      .map((c) => [c, option]),
  );
  return findClashes(claims, { ...choice, ...changes }).length === 0 ? { changes } : null;
}
