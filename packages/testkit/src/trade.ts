/**
 * The fields that `cover-problem/3` adds to `/1`: tags, needs, caps, load steps, calls, weights, therapists who are new
 * at the clinic, and therapists who said no.
 */
import type { CoverProblem } from '@clinic/cover-engine';
import type { Random } from '@clinic/domain';

const TAGS = ['spanish', 'feeding', 'crisis-training'];
const LOADS: readonly [number, number][][] = [
  [[8, 4]],
  [
    [0, 3],
    [8, 4],
  ],
  [
    [4, 6],
    [10, 20],
  ],
  [],
  [
    [2, 1],
    [5, 7],
  ],
];

/** Adds these fields to a problem. `share`, from 0 to 1, scales how frequently each field appears. */
export function addTrade(random: Random, problem: CoverProblem, share: number): void {
  problem.format = 'cover-problem/3';
  const often = (usual: number): boolean => random.chance(usual * share);
  for (const t of problem.therapists) {
    if (often(0.8)) t.tags = random.sample(TAGS, random.int(0, 3));
    if (often(0.25)) t.onlyKnown = true;
    if (often(0.35)) t.cap = random.int(0, 14);
    if (often(0.5)) t.load = random.pick(LOADS);
    if (often(0.4)) t.call = random.int(0, 2);
  }
  for (const [i, c] of problem.clients.entries()) {
    if (often(0.25)) c.needs = [random.pick(TAGS)];
    if (often(0.5)) c.prefers = random.sample(TAGS, random.int(1, 2));
    if (c.needs && i % 3 === 0) c.payer = { name: 'Acme', needs: c.needs, credentials: null };
  }
  for (const s of problem.sessions) {
    if (s.service === 'admin') continue;
    if (often(0.3)) s.weight = random.pick([35, 60, 130, 155]);
    if (often(0.3)) (problem.declined ??= []).push({ therapist: random.pick(problem.therapists).id, session: s.id });
  }
}
