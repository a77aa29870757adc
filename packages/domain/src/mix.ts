/**
 * Whether options chosen separately for each client fit together. Within one option they always do. In a mix one
 * therapist can be in two places, so each client's choice lists the time it takes and from whom.
 */
export interface Claim {
  therapist: string;
  /** Minutes, [from, to). */
  from: number;
  to: number;
  /** False for an unchanged piece: two unchanged pieces may overlap, as they did before. */
  changed: boolean;
}

/** By client, then option name. A client without a claim in an option takes no therapist's time there. */
export type ClaimsByClient = Readonly<Record<string, Readonly<Record<string, readonly Claim[]>>>>;
/** Client to option name. */
export type Choice = Readonly<Record<string, string>>;

export interface Clash {
  therapist: string;
  from: number;
  to: number;
  /** The two clients and the options chosen for them. */
  clients: [string, string];
  options: [string, string];
}

/** Every pair of claims that collide under the choice: no false alarm, no miss. O(n log n + hits). */
export function findClashes(claims: ClaimsByClient, choice: Choice): Clash[] {
  const byTherapist = new Map<string, (Claim & { client: string; option: string })[]>();
  for (const [client, option] of Object.entries(choice)) {
    for (const claim of claims[client]?.[option] ?? []) {
      const list = byTherapist.get(claim.therapist);
      if (list) list.push({ ...claim, client, option });
      else byTherapist.set(claim.therapist, [{ ...claim, client, option }]);
    }
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
 * Makes a mix consistent by changing as few other clients' choices as possible, keeping `kept` as chosen. Searches
 * breadth-first over clashing clients, at most `limit` mixes; then it moves every client to the kept client's option,
 * which is always consistent. Null when even that clashes (kept clients from different options).
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
