import { coverDay } from '@clinic/testkit';
import type { SolverPool } from '../apps/server/src/solver/pool.ts';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { now, spread, spreadText } from './figures.ts';

const SIZE = { therapists: 40, clients: 45, absent: 0.1 };

/**
 * Measures what the rules of the trade cost: the time to five options of the same days with and without tags, needs,
 * caps, load steps, refusals and weights, each day's two solves one after the other. Returns a table row, and what the
 * checker found.
 */
export async function measureTrade(pool: SolverPool, days: number): Promise<{ row: string[]; faults: string[] }> {
  const faults: string[] = [];
  const ms = { without: [] as number[], with: [] as number[] };
  let unproven = 0;
  const timed = async (seed: number, trade: boolean): Promise<number> => {
    const problem = coverDay({ ...SIZE, seed, trade });
    const start = now();
    const answer = await pool.solve(problem, { options: 5, seconds: 60 });
    const took = now() - start;
    if (!answer.ok) throw new Error(`refused: ${answer.refusal.detail}`);
    const options = answer.options.map(({ option }) => option);
    if (!options.every(({ proven }) => proven)) unproven++;
    faults.push(...judgeAnswer(problem, { format: 'cover-options/1', options }).map((f) => `day ${seed}, trade: ${f}`));
    return took;
  };
  for (let seed = 1; seed <= days; seed++) {
    // Which of the two comes first changes from day to day.
    for (const trade of seed % 2 === 0 ? [true, false] : [false, true])
      ms[trade ? 'with' : 'without'].push(await timed(seed, trade));
  }
  const ratio = spread(ms.with).median / spread(ms.without).median;
  const each = spread(ms.with.map((took, i) => took / (ms.without[i] ?? Number.NaN)));
  return {
    row: [
      `${SIZE.therapists} × ${SIZE.clients}, 10 % away`,
      String(days),
      spreadText(spread(ms.without)),
      spreadText(spread(ms.with)),
      `${ratio.toFixed(2)} ×`,
      `${each.median.toFixed(2)} ×`,
      unproven === 0 ? 'all' : `all but ${unproven}`,
    ],
    faults,
  };
}
