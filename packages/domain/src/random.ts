/**
 * Seeded pseudo-random numbers: the same seed gives the same numbers on every machine. Generator: mulberry32 (Tommy
 * Ettinger, public domain). Good enough for data and search, not for secrets.
 */

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** Returns true with probability `share`. */
  chance(share: number): boolean;
  /** A random member of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
  /** A random value; a value with twice the weight is chosen twice as often. Weights are positive. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  /** A copy of the list in random order. */
  shuffle<T>(list: readonly T[]): T[];
  /** Up to `count` different members, in random order. */
  sample<T>(list: readonly T[], count: number): T[];
}

/** The 32-bit FNV-1a hash of a string. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}

/** A generator seeded with a string or a whole number. Neighboring seeds give unrelated numbers. */
export function randomFrom(seed: number | string): Random {
  let state = typeof seed === 'string' ? hashOf(seed) : Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error('nothing to pick from');
    return list[int(0, list.length - 1)] as T;
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  };
  return {
    next,
    int,
    pick,
    shuffle,
    chance: (share) => next() < share,
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) if ((left -= weight) < 0) return value;
      return pick(choices)[0];
    },
    sample: (list, count) => shuffle(list).slice(0, count),
  };
}
