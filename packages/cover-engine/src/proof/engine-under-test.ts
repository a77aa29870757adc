/**
 * The engine as the tests call it: HiGHS is loaded once, and there is no deadline, so results do not depend on the
 * machine's speed.
 */
import type { Highs } from 'highs';
import { loadHighs } from '../load-highs.ts';
import type { CoverAnswer } from '../answer.ts';
import type { Strategy } from '../problem.ts';
import { solve, toAnswer, type SolveSettings } from '../solve.ts';

let loaded: Promise<Highs> | undefined;

/** Returns HiGHS, loaded once for each test file. */
export function highs(): Promise<Highs> {
  loaded ??= loadHighs();
  return loaded;
}

/** Solves without a deadline. `options` is the maximum number of options to return. */
export async function solveDay(
  problem: unknown,
  options: number,
  strategies?: readonly Strategy[],
  settings: Partial<SolveSettings> = {},
): Promise<CoverAnswer> {
  const asked = strategies ? { strategies } : {};
  return toAnswer(solve(problem, { highs: await highs(), options, ...asked, ...settings }));
}
