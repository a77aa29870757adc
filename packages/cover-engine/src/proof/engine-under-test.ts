/** The engine as the tests call it: HiGHS loaded once, no deadline, so that answers depend only on the engine. */
import type { Highs } from 'highs';
import { loadHighs } from '../load-highs.ts';
import type { CoverAnswer, Strategy } from '../problem.ts';
import { solve, toAnswer, type SolveSettings } from '../solve.ts';

let loaded: Promise<Highs> | undefined;

/** The single HiGHS of a test file. */
export function highs(): Promise<Highs> {
  loaded ??= loadHighs();
  return loaded;
}

/** Solves to the end; `options`: most options to return. */
export async function solveDay(
  problem: unknown,
  options: number,
  strategies?: readonly Strategy[],
  settings: Partial<SolveSettings> = {},
): Promise<CoverAnswer> {
  const asked = strategies ? { strategies } : {};
  return toAnswer(solve(problem, { highs: await highs(), options, ...asked, ...settings }));
}
