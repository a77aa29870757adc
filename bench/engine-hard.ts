/**
 * Runs the engine on hard days (`hardDays` in testkit): all strategies within 5 s of processor time, once with the day
 * unchanged and once with two sessions pinned. The independent checker checks every plan. Processor time is counted so
 * that a busy machine gives the same results.
 */
import { loadHighs, solve, toAnswer, type CoverOption, type CoverProblem } from '@clinic/cover-engine';
import { hardDays, randomFrom, type HardDay } from '@clinic/testkit';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { limitProcessorTime, machine, now, spread, spreadText, table } from './figures.ts';

const SECONDS = 5;
const QUICK_EVERY = 10;

interface Run {
  options: CoverOption[];
  first: number;
  all: number;
  faults: string[];
}

async function runHere(problem: CoverProblem): Promise<Run> {
  const highs = await loadHighs();
  const start = now();
  let first = Number.NaN;
  const onOption = (): void => {
    if (Number.isNaN(first)) first = now() - start;
  };
  const left = (): number => SECONDS - (now() - start) / 1000;
  const answer = toAnswer(solve(problem, { highs, options: 5, left, onOption }));
  const refused = answer.refused ? [`refused: ${answer.refused.detail}`] : [];
  return {
    options: answer.options.filter((o) => o.strategy !== 'alternative'),
    first,
    all: now() - start,
    faults: [...refused, ...judgeAnswer(problem, answer)],
  };
}

/** The option's gap: how much more it may cost than the best plan, as a percentage of the proven bound. */
const gapOf = ({ score, bound }: CoverOption): number =>
  score.total === 0 || bound === null ? 0 : (100 * (score.total - bound)) / Math.max(1, bound);

const share = (options: readonly CoverOption[]): string =>
  options.length === 0 ? '–' : `${((100 * options.filter((o) => o.proven).length) / options.length).toFixed(1)} %`;

interface Measured {
  free: Run;
  pinned: Run;
}

async function measure(day: HardDay): Promise<Measured> {
  const problem = day.problem();
  const free = await runHere(problem);
  const pins = randomFrom(day.seed).sample(free.options.at(-1)?.sessions ?? [], 2);
  return { free, pinned: await runHere({ ...problem, pins }) };
}

/**
 * Solves every day and prints a row for each kind; true when no answer had an error. `--quick`: every tenth day.
 * `--kind NAME`: only this kind.
 */
export async function benchHard(flags: readonly string[]): Promise<boolean> {
  limitProcessorTime();
  const only = flags.includes('--kind') ? flags[flags.indexOf('--kind') + 1] : undefined;
  const days = hardDays()
    .filter((day) => only === undefined || day.kind === only)
    .filter((_, i) => !flags.includes('--quick') || i % QUICK_EVERY === 0);
  console.log(`## Hard days\n\n${machine()}. ${days.length} days, ${SECONDS} s each.\n`);
  const faults: string[] = [];
  const rows: string[][] = [];
  const [free, pinned]: [CoverOption[], CoverOption[]] = [[], []];
  for (const kind of new Set(days.map((d) => d.kind))) {
    const measured: Measured[] = [];
    for (const day of days.filter((d) => d.kind === kind)) {
      const one = await measure(day);
      faults.push(...[one.free, one.pinned].flatMap((r) => r.faults).map((f) => `${kind}, ${day.seed}: ${f}`));
      measured.push(one);
    }
    const options = measured.flatMap((m) => m.free.options);
    const refreshed = measured.flatMap((m) => m.pinned.options);
    free.push(...options);
    pinned.push(...refreshed);
    rows.push([
      kind,
      String(measured.length),
      spreadText(spread(measured.map((m) => m.free.first))),
      spreadText(spread(measured.map((m) => m.free.all))),
      share(options),
      share(refreshed),
      `${Math.max(0, ...options.map(gapOf)).toFixed(1)} %`,
    ]);
  }
  console.log(
    table(['Kind', 'Days', 'Option 1, ms', 'All options, ms', 'Proven', 'Proven, 2 pins', 'Worst gap'], rows),
  );
  console.log(`\nProven within ${SECONDS} s: ${share(free)} of all options, ${share(pinned)} with two pins.\n`);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}
