/** Measures how long the engine's explanations take, and how much memory many solves use. */
import {
  buildModel,
  coveringOf,
  loadHighs,
  solve,
  uncoveredStretches,
  whatItWouldTake,
  whyNobody,
  whyThisTherapist,
} from '@clinic/cover-engine';
import { coverDay } from '@clinic/testkit';
import { COVERING_SECONDS } from '../apps/server/src/solver/messages.ts';
import { countsProcessorTime, now, spread, spreadText } from './figures.ts';

/**
 * Asks every possible "why" on some days with 40 therapists and 45 clients, in this thread; returns the table's rows.
 */
export async function measureWhys(days: number): Promise<string[][]> {
  const highs = await loadHighs();
  const ms = { therapist: [] as number[], nobody: [] as number[], takes: [] as number[] };
  let uncertain = 0;
  const clock = async (list: number[], run: () => unknown): Promise<void> => {
    const start = now();
    await run();
    list.push(now() - start);
  };
  for (let seed = 1; seed <= days; seed++) {
    const problem = coverDay({ seed, therapists: 40, clients: 45, absent: 0.2, hard: true });
    const solved = solve(problem, { highs, options: 1 });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const plan = solved.options[0]?.plan ?? [];
    const model = buildModel(problem);
    for (const part of model.parts)
      for (const [i, piece] of (plan[part.index] ?? []).entries())
        if (part.affected && piece.therapist >= 0)
          await clock(ms.therapist, () => whyThisTherapist(model, plan, { part: part.index, piece: i }));
    for (const stretch of uncoveredStretches(model, plan)) {
      await clock(ms.nobody, () => whyNobody(model, plan, stretch));
      await clock(ms.takes, async () => {
        const start = now();
        const takes = await whatItWouldTake(model, plan, stretch, (asked, mustCover) => {
          // The same limit as on the server. HiGHS's own limit counts wall time, which means nothing while processor
          // time is counted.
          const seconds = (): number => COVERING_SECONDS - (now() - start) / 1000;
          const left = (): number => (seconds() > 0 && countsProcessorTime() ? 3600 : seconds());
          return coveringOf(solve(asked, { highs, options: 1, strategies: ['balanced'], mustCover, left }));
        });
        if (!takes.proven) uncertain++;
      });
    }
  }
  const row = (name: string, list: number[]): string[] => [name, String(list.length), spreadText(spread(list))];
  return [
    row('Why this therapist', ms.therapist),
    row('Why no one', ms.nobody),
    row(`What it would take (${uncertain} not certain in ${COVERING_SECONDS} s)`, ms.takes),
  ];
}

/** How much memory HiGHS and the process use over many solves, in MiB. */
export async function measureMemory(solves: number): Promise<string[][]> {
  const highs = await loadHighs();
  const rows: string[][] = [];
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
  for (let n = 1; n <= solves; n++) {
    const big = n % 10 === 0;
    const size = big ? { therapists: 40, clients: 45 } : { therapists: 12, clients: 12 };
    solve(coverDay({ seed: n, absent: 0.15, ...size }), { highs, options: 5 });
    if (n === 1 || n % Math.ceil(solves / 4) === 0)
      rows.push([String(n), mib(highs.memoryBytes), mib(process.memoryUsage().rss)]);
  }
  return rows;
}
