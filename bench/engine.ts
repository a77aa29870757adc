/**
 * Measures the cover engine as the product runs it, in the server's own pool with one warm worker. The
 * independent checker checks every plan. Prints Markdown; exits with 1 when it finds an error.
 * `node bench/engine.ts [--quick] [--cpu]`
 * The file is over 250 lines because the engine and all rivals are measured in one run.
 */
import { pathToFileURL } from 'node:url';
import { loadHighs, solve, toAnswer, type CoverProblem } from '@clinic/cover-engine';
import { coverDay, randomFrom } from '@clinic/testkit';
import type { SolverPool } from '../apps/server/src/solver/pool.ts';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { plainProgram, searchAlone } from './engine-alone.ts';
import { measureTrade } from './engine-trade.ts';
import { measureMemory, measureWhys } from './engine-whys.ts';
import { openPool } from './pools.ts';
import {
  countProcessorTime,
  countsProcessorTime,
  machine,
  milliseconds,
  now,
  spread,
  spreadText,
  table,
} from './figures.ts';

interface Size {
  therapists: number;
  clients: number;
  absent: number;
  hard: boolean;
  days: number;
  /** The number of days on which the plain program runs as well. */
  plainDays: number;
}

const SIZES: Size[] = [
  { therapists: 12, clients: 12, absent: 0.1, hard: false, days: 100, plainDays: 20 },
  { therapists: 40, clients: 45, absent: 0.1, hard: false, days: 60, plainDays: 6 },
  { therapists: 40, clients: 45, absent: 0.2, hard: true, days: 30, plainDays: 0 },
  { therapists: 100, clients: 110, absent: 0.1, hard: false, days: 20, plainDays: 1 },
];
const PLAIN_SECONDS = 120;
const SEARCH_ROUNDS = 400;
const LARGEST = { therapists: 250, clients: 270, absent: 0.1, days: 5, seconds: 3 };

const nameOf = (s: { therapists: number; clients: number; absent: number; hard?: boolean }): string =>
  `${s.therapists} × ${s.clients}, ${Math.round(100 * s.absent)} % away${s.hard ? ', hard' : ''}`;

/** All problems that were found during the run. */
const faults: string[] = [];

interface Timed {
  ms: number;
  best: number;
  proven: boolean;
  uncoveredPins: CoverProblem['pins'];
}

/**
 * Solves a day in the pool and checks the answer. Also returns two random sessions of the last option, as pins for a
 * refresh.
 */
async function timed(
  pool: SolverPool,
  problem: CoverProblem,
  options: number,
  seconds: number,
  seed: number,
): Promise<Timed> {
  const start = now();
  const answer = await pool.solve(problem, { options, seconds });
  const ms = now() - start;
  if (!answer.ok) throw new Error(`refused: ${answer.refusal.detail}`);
  const given = answer.options.map((o) => o.option);
  faults.push(...judgeAnswer(problem, { format: 'cover-options/1', options: given }).map((f) => `day ${seed}: ${f}`));
  const first = given[0];
  const total = first?.score.total ?? Number.NaN;
  const pins = randomFrom(seed).sample(given.at(-1)?.sessions ?? [], 2);
  return { ms, best: total, proven: given.every((o) => o.proven), uncoveredPins: pins };
}

/**
 * Measures the engine and its rivals on days of one size; returns a row for the engine's table and one for the rivals'.
 */
async function measure(pool: SolverPool, size: Size): Promise<{ row: string[]; rivals: string[] }> {
  const ms = {
    first: [] as number[],
    best: [] as number[],
    five: [] as number[],
    refresh: [] as number[],
  };
  const rivals = {
    plain: [] as number[],
    plainRatio: [] as number[],
    search: [] as number[],
    searchRatio: [] as number[],
    over: [] as number[],
  };
  let [unproven, unsolved] = [0, 0];
  for (let seed = 1; seed <= size.days; seed++) {
    const problem = coverDay({ ...size, seed });
    const first = searchAlone(problem, 0);
    faults.push(...first.faults);
    ms.first.push(first.ms);
    const best = await timed(pool, problem, 1, 60, seed);
    const five = await timed(pool, problem, 5, 60, seed);
    const refresh = await timed(pool, { ...problem, pins: five.uncoveredPins ?? [] }, 5, 60, seed);
    ms.best.push(best.ms);
    ms.five.push(five.ms);
    ms.refresh.push(refresh.ms);
    for (const one of [best, five, refresh]) if (!one.proven) unproven++;
    const search = searchAlone(problem, SEARCH_ROUNDS);
    faults.push(...search.faults);
    rivals.search.push(search.ms);
    rivals.searchRatio.push(search.ms / best.ms);
    rivals.over.push(best.best > 0 ? (100 * (search.score - best.best)) / best.best : 0);
    if (seed > size.plainDays) continue;
    const plain = await plainProgram(problem, PLAIN_SECONDS);
    rivals.plain.push(plain.ms);
    rivals.plainRatio.push(plain.ms / best.ms);
    if (Number.isNaN(plain.score)) unsolved++;
    else if (plain.score !== best.best) faults.push(`day ${seed}: plain program ${plain.score}, engine ${best.best}`);
  }
  const proof = unproven === 0 ? 'all' : `all but ${unproven}`;
  const row = [
    nameOf(size),
    String(size.days),
    ...[ms.first, ms.best, ms.five, ms.refresh].map((v) => (v.length === 0 ? '–' : spreadText(spread(v)))),
    proof,
  ];
  const ratio = (values: number[]): string => (values.length === 0 ? '–' : `${milliseconds(spread(values).median)} ×`);
  const plainTime =
    rivals.plain.length === 0
      ? '–'
      : spreadText(spread(rivals.plain)) + (unsolved > 0 ? ` (${unsolved} not solved in ${PLAIN_SECONDS} s)` : '');
  const over = spread(rivals.over);
  const dearer = `${over.median.toFixed(1)} / ${over.p95.toFixed(1)} / ${over.worst.toFixed(1)} %`;
  return {
    row,
    rivals: [
      nameOf(size),
      plainTime,
      ratio(rivals.plainRatio),
      spreadText(spread(rivals.search)),
      ratio(rivals.searchRatio),
      dearer,
    ],
  };
}

/**
 * Solves the largest days in this thread, and measures the proven gap between each plan and the best plan when time is
 * up.
 */
async function measureLargest(days: number): Promise<string[]> {
  const highs = await loadHighs();
  const ms = { first: [] as number[], best: [] as number[] };
  const gaps: number[] = [];
  let proven = 0;
  for (let seed = 1; seed <= days; seed++) {
    const problem = coverDay({ ...LARGEST, seed });
    ms.first.push(searchAlone(problem, 0).ms);
    const start = now();
    const seconds = (): number => LARGEST.seconds - (now() - start) / 1000;
    // HiGHS's own limit counts wall time, which means nothing while processor time is counted.
    const left = (): number => (seconds() > 0 && countsProcessorTime() ? 3600 : seconds());
    const answer = toAnswer(solve(problem, { highs, options: 1, left }));
    ms.best.push(now() - start);
    faults.push(...judgeAnswer(problem, answer).map((f) => `largest, day ${seed}: ${f}`));
    const [best] = answer.options;
    if (!best) throw new Error(`refused: ${answer.refused?.detail ?? ''}`);
    gaps.push(best.score.total > 0 ? (100 * (best.score.total - (best.bound ?? 0))) / best.score.total : 0);
    if (best.proven) proven++;
  }
  const { median, p95, worst } = spread(gaps);
  const percent = [median, p95, worst].map((g) => g.toFixed(2)).join(' / ');
  const times = [ms.first, ms.best].map((v) => spreadText(spread(v)));
  return [nameOf(LARGEST), String(days), ...times, `${percent} %`, `${proven} of ${days}`];
}

/**
 * Measures everything and prints it; true when no answer had an error. `--quick`: a tenth of the days. `--cpu`:
 * processor time.
 */
export async function benchEngine(flags: readonly string[]): Promise<boolean> {
  const quick = flags.includes('--quick');
  if (flags.includes('--cpu')) countProcessorTime();
  const few = (n: number): number => (quick && n > 0 ? Math.max(1, Math.ceil(n / 10)) : n);
  const pool = openPool(1);
  try {
    await pool.ready();
    // Solves some days first, so that the code is compiled as in a server that has run for a while.
    for (let seed = 9001; seed <= 9020; seed++) {
      const problem = coverDay({ seed, therapists: 25, clients: 28, absent: 0.15 });
      await pool.solve(problem, { options: 5 });
      searchAlone(problem, 20);
    }
    console.log(`## Cover engine\n\n${machine()}. Milliseconds: median / 95 % / worst.\n`);
    const measured: { row: string[]; rivals: string[] }[] = [];
    for (const size of SIZES)
      measured.push(await measure(pool, { ...size, days: few(size.days), plainDays: few(size.plainDays) }));
    console.log(
      table(
        ['Therapists × clients', 'Days', 'First plan', 'Proven best', 'Five options', 'Refresh, 2 pins', 'Proven'],
        measured.map((m) => m.row),
      ),
    );
    const trade = await measureTrade(pool, few(60));
    faults.push(...trade.faults);
    console.log(
      `\n${table(
        ['The trade’s rules', 'Days', 'Five options without', 'With', 'Medians', 'Median of the days', 'Proven'],
        [trade.row],
      )}`,
    );
    const largest = await measureLargest(few(LARGEST.days));
    console.log(
      `\n${table(['Largest', 'Days', 'First plan', `Best plan within ${LARGEST.seconds} s`, 'Certified gap', 'Proven'], [largest])}`,
    );
    console.log(`\nThe same days with other methods, from the same run:\n`);
    console.log(
      table(
        [
          'Therapists × clients',
          'Plain whole-day program',
          'Its time ÷ ours',
          'Greedy + local search',
          'Its time ÷ ours',
          'Extra cost of its plan',
        ],
        measured.map((m) => m.rivals),
      ),
    );
    console.log(`\n${table(['At 40 × 45, 20 % away, hard', 'Asked', 'ms'], await measureWhys(few(10)))}`);
    console.log(`\n${table(['Solves', 'HiGHS MiB', 'Process MiB'], await measureMemory(few(1000)))}`);
  } finally {
    await pool.close();
  }
  console.log(
    faults.length === 0
      ? '\nEvery plan passed the independent checker.'
      : `\n${faults.length} problems:\n${faults.slice(0, 20).join('\n')}`,
  );
  return faults.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await benchEngine(process.argv.slice(2))) ? 0 : 1;
