/**
 * Finds a good plan quickly (*From bound to proof*, step 1, in docs/cover-engine.md): greedy insertion, then
 * large-neighborhood search. The search stops after a number of rounds rather than a time, so its results are
 * repeatable.
 */
import { randomFrom, type Random } from '@clinic/domain';
import type { Plan } from '../model.ts';
import type { Insertion } from './insertion.ts';

export interface Found {
  plan: Plan;
  cost: number;
}

const snapshot = (insertion: Insertion) => ({ patterns: [...insertion.patterns], moves: insertion.moves.slice() });

/**
 * Inserts every open part, heaviest first. A part's weight is its length times the client's priority for direct care,
 * or times 40 for other services.
 */
export function greedy(insertion: Insertion): Found {
  const { open } = insertion.objective.instance;
  const order = open
    .map((part, i) => ({
      i,
      weight: (part.to - part.from) * (part.session.service === 'direct' ? part.client.priority : 40),
    }))
    .sort((a, b) => b.weight - a.weight || a.i - b.i);
  for (const { i } of order) insertion.insert(i, true);
  return { plan: insertion.plan(), cost: insertion.cost() };
}

/** Adds up to `most` random parts that overlap one of those in `out` in time. */
function addNear(insertion: Insertion, out: number[], most: number, random: Random): void {
  const { open } = insertion.objective.instance;
  const near = [...open.keys()].filter(
    (i) => !out.includes(i) && out.some((j) => open[j]!.from < open[i]!.to && open[i]!.from < open[j]!.to),
  );
  for (let n = most; n > 0 && near.length > 0; n--) out.push(...near.splice(random.int(0, near.length - 1), 1));
}

/** Takes these parts out and puts them back in random order. */
function insertAgain(insertion: Insertion, out: number[], random: Random): void {
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.int(0, i);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  insertion.remove(out);
  for (const i of out) insertion.insert(i, true);
}

/**
 * In each round, takes out a random part and up to three parts that overlap it in time, and puts them back in random
 * order. Keeps the result unless it is worse.
 */
export function improve(insertion: Insertion, best: Found, rounds: number, seed: number, stop: () => boolean): Found {
  const { open } = insertion.objective.instance;
  if (open.length === 0) return best;
  const random = randomFrom(seed);
  let { cost } = best;
  for (let round = 0; round < rounds && !stop(); round++) {
    const before = snapshot(insertion);
    const out = [random.int(0, open.length - 1)];
    addNear(insertion, out, 1 + random.int(0, 2), random);
    insertAgain(insertion, out, random);
    const now = insertion.cost();
    if (now <= cost) cost = now;
    else insertion.restore(before.patterns, before.moves);
  }
  return { plan: insertion.plan(), cost };
}
