/**
 * Compares the engine with CP-SAT, as well set as we know, on one thread: every strategy on ordinary, uniform and hard
 * days. Both are counted by processor time, so that a busy machine gives the same results. The independent checker
 * checks every plan of the engine, and where both prove a strategy, their scores must be equal.
 */
import { loadHighs, solve, STRATEGY_ORDER, toAnswer, type CoverProblem, type Strategy } from '@clinic/cover-engine';
import { coverDay, hardDays, uniformDay } from '@clinic/testkit';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { judge } from '../packages/cover-engine/src/proof/judge.ts';
import { HELD, mostBeside } from '../packages/cover-engine/src/proof/judge-model.ts';
import { limitProcessorTime, machine, milliseconds, now, spread, spreadText, table } from './figures.ts';
import { cpSat, hasCpSat, type RivalAnswer } from './rivals/cp-sat.ts';

/** The engine's time for all strategies of a day, and CP-SAT's for each of them. */
const SECONDS = 10;
/** What CP-SAT proves within this time, the engine must have proven within SECONDS. */
const SOON = 5;
/** How many days of each kind run without `--quick`. */
const HARD_DAYS = 2;

interface Day {
  kind: string;
  seed: number;
  problem: () => CoverProblem;
}

const seeds = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

function ordinaryDays(): Day[] {
  const sizes = [
    { therapists: 12, clients: 12, absent: 0.1, hard: false, days: 20 },
    { therapists: 40, clients: 45, absent: 0.1, hard: false, days: 6 },
    { therapists: 40, clients: 45, absent: 0.2, hard: true, days: 4 },
    { therapists: 100, clients: 110, absent: 0.1, hard: false, days: 3 },
  ];
  return [
    ...sizes.flatMap(({ days, ...size }) =>
      seeds(days).map((seed) => ({
        kind: `${size.therapists} × ${size.clients}, ${100 * size.absent} % away`,
        seed,
        problem: () => coverDay({ ...size, seed }),
      })),
    ),
    ...seeds(4).map((seed) => ({
      kind: '44 × 44, uniform',
      seed,
      problem: () => uniformDay({ seed, therapists: 44, spare: seed % 4, away: 2 + (seed % 3), knows: 12 }),
    })),
  ];
}

interface Compared {
  day: Day;
  ms: number;
  proven: number;
  rival: RivalAnswer[];
  /** The strategies that CP-SAT proves soon and the engine not at all. */
  lost: string[];
  faults: string[];
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

interface Solve {
  day: Day;
  problem: CoverProblem;
  solved: ReturnType<typeof solve>;
  ms: number;
}

/** Solves a day with the engine alone, as a worker of the server does, with nothing else in between. */
function solveDay(day: Day, highs: Awaited<ReturnType<typeof loadHighs>>): Solve {
  const problem: CoverProblem = { ...day.problem(), pins: [] };
  const start = now();
  const left = (): number => SECONDS - (now() - start) / 1000;
  const solved = solve(problem, { highs, options: STRATEGY_ORDER.length, strategies: STRATEGY_ORDER, left });
  return { day, problem, solved, ms: now() - start };
}

function compare({ day, problem, solved, ms }: Solve): Compared | null {
  const answer = toAnswer(solved);
  const [option1] = answer.options;
  if (!option1) return null;
  const first = judge(problem, option1, 'balanced');
  const held = Object.fromEntries(HELD.map((unit) => [unit, mostBeside(unit, first.units[unit])]));
  const rival = cpSat(problem, STRATEGY_ORDER, held, SECONDS);
  /** The least score of the engine's options under a strategy, and whether it is proven. */
  const ours = (strategy: Strategy): { score: number; proven: boolean } => {
    const verdicts = answer.options.map((o) => judge(problem, o, strategy, undefined, first));
    const scores = verdicts.filter((v) => v.broken.length === 0).map((v) => v.score.total);
    const own = answer.options.find((o) => o.strategy === strategy);
    // A strategy without an option of its own is reached by an earlier option.
    return { score: Math.min(...scores), proven: own?.proven ?? true };
  };
  const faults = judgeAnswer(problem, answer);
  const lost: string[] = [];
  for (const { strategy, score, proven, ms: theirs } of rival) {
    const { score: own, proven: done } = ours(strategy);
    if (score === null) continue;
    if ((done && score < own) || (proven && own < score)) faults.push(`${strategy}: CP-SAT ${score}, engine ${own}`);
    const more = own > score ? `${((100 * (own - score)) / Math.max(1, score)).toFixed(1)} % costlier, ` : '';
    if (proven && !done && theirs <= 1000 * SOON) lost.push(`${strategy} (${more}CP-SAT ${milliseconds(theirs)} ms)`);
  }
  const proven = STRATEGY_ORDER.filter((s) => ours(s).proven).length;
  return { day, ms, proven, rival, lost, faults };
}

const ratioOf = ({ ms, rival }: Compared): number => ms / sum(rival.map((r) => r.ms));

function rowOf(kind: string, days: readonly Compared[]): string[] {
  const ratios = spread(days.map(ratioOf));
  const options = days.length * STRATEGY_ORDER.length;
  const theirs = sum(days.map((d) => d.rival.filter((r) => r.proven).length));
  return [
    kind,
    String(days.length),
    spreadText(spread(days.map((d) => d.ms))),
    spreadText(spread(days.map((d) => sum(d.rival.map((r) => r.ms))))),
    `${ratios.median.toFixed(2)} / ${ratios.worst.toFixed(2)}`,
    `${sum(days.map((d) => d.proven))} of ${options}`,
    `${theirs} of ${options}`,
  ];
}

/**
 * Compares all days and prints a row for each kind; true when no answer had an error. `--quick`: one day of each kind.
 * `--kind NAME`: only this kind.
 */
export async function benchRival(flags: readonly string[]): Promise<boolean> {
  if (!hasCpSat()) {
    console.log('CP-SAT is skipped: it needs Python 3 with `venv` and PyPI.');
    return true;
  }
  limitProcessorTime();
  const highs = await loadHighs();
  // Solves some days first, so that the code is compiled as in a server that has run for a while.
  for (const seed of seeds(40)) {
    const size = seed % 4 === 0 ? { therapists: 25, clients: 28 } : { therapists: 12, clients: 12 };
    solve(coverDay({ seed: 9000 + seed, ...size, absent: 0.15 }), { highs, strategies: STRATEGY_ORDER });
  }
  const only = flags.includes('--kind') ? flags[flags.indexOf('--kind') + 1] : undefined;
  const most = flags.includes('--quick') ? 1 : HARD_DAYS;
  const days = [
    ...ordinaryDays().filter(({ seed }) => !flags.includes('--quick') || seed === 1),
    ...hardDays().filter((day, i, all) => i - all.findIndex(({ kind }) => kind === day.kind) < most),
  ].filter(({ kind }) => only === undefined || kind === only);
  console.log(`## The engine and CP-SAT\n\n${machine()}. All strategies of ${days.length} days, milliseconds.\n`);
  const rows: string[][] = [];
  const all: Compared[] = [];
  for (const kind of new Set(days.map((d) => d.kind))) {
    const compared: Compared[] = [];
    const solves = days.filter((d) => d.kind === kind).map((day) => solveDay(day, highs));
    for (const each of solves) {
      const one = compare(each);
      if (one) compared.push(one);
    }
    all.push(...compared);
    rows.push(rowOf(kind, compared));
  }
  const head = [
    'Kind',
    'Days',
    'Engine',
    'CP-SAT',
    'Engine ÷ CP-SAT, median / worst',
    'Engine proves',
    'CP-SAT proves',
  ];
  console.log(table(head, rows));
  const ratios = spread(all.map(ratioOf));
  console.log(
    `\nEngine ÷ CP-SAT, all days: ${ratios.median.toFixed(2)} in the median, ${ratios.worst.toFixed(2)} at worst.`,
  );
  const name = ({ day }: Compared): string => `${day.kind}, day ${day.seed}`;
  const lost = all.flatMap((one) => one.lost.map((what) => `${name(one)}: ${what}`));
  console.log(
    `\nProven by CP-SAT within ${SOON} s, but not by the engine: ${lost.length === 0 ? 'none' : `\n${lost.join('\n')}`}`,
  );
  const faults = all.flatMap((one) => one.faults.map((fault) => `${name(one)}: ${fault}`));
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}
