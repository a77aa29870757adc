/**
 * Finds a good plan quickly (*From bound to proof*, step 1, in docs/cover-engine.md): greedy insertion, then
 * large-neighborhood search. The search stops after a number of rounds rather than a time, so its results are
 * repeatable.
 */
import { randomFrom } from '@clinic/domain';
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

/**
 * In each round, takes out a random part and up to three parts that overlap it in time, and puts them back in random
 * order. Keeps the result unless it is worse.
 */
export function improve(insertion: Insertion, best: Found, rounds: number, seed: number, stop: () => boolean): Found {
  const { open } = insertion.objective.instance;
  if (open.length === 0) return best;
  const random = randomFrom(seed);
  const pick = (n: number) => random.int(0, n - 1);
  for (let round = 0; round < rounds && !stop(); round++) {
    const before = snapshot(insertion);
    const first = pick(open.length);
    const part = open[first];
    const near = open
      .map((p, i) => ({ p, i }))
      .filter(({ p, i }) => i !== first && part && p.from < part.to && part.from < p.to);
    const out = [first];
    for (let n = 1 + pick(3); n > 0 && near.length > 0; n--) {
      const [taken] = near.splice(pick(near.length), 1);
      if (taken) out.push(taken.i);
    }
    for (let i = out.length - 1; i > 0; i--) {
      const j = pick(i + 1);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    insertion.remove(out);
    for (const i of out) insertion.insert(i, true);
    const cost = insertion.cost();
    if (cost <= best.cost) best = { plan: insertion.plan(), cost };
    else insertion.restore(before.patterns, before.moves);
  }
  return best;
}
