/**
 * Simulates a quarter: made-up clinics of 30 to 60 therapists live through the same 60 working days twice, once with
 * the ledgers of hours and care in its plans and once without them. Prints each figure; exits with 1 when a figure
 * misses its target. `--shapes` shows other shapes of the clinic too; `--limit` adds two columns with what plans could
 * reach at most if they cared for nothing but fairness.
 */
import { loadHighs, type CoverProblem } from '@clinic/cover-engine';
import { medianOf, minutesOf } from '@clinic/domain';
import { clinicQuarter, type Quarter, type QuarterShape } from '@clinic/testkit';
import { liveQuarter, type QuarterFigures, type QuarterRun } from '../apps/server/src/testing/quarter.ts';
import { machine, table } from './figures.ts';

const SEEDS = [1, 2, 3, 4, 5];
const DAYS = 60;

/** How many therapists a seed's clinic has: 30 to 60. */
const sizeOf = (seed: number): number => 30 + ((seed * 7) % 31);

interface Row {
  readonly name: string;
  readonly of: (figures: QuarterFigures) => number;
  readonly unit: 'h' | '%' | '';
  /** The target: the maximum with ledgers, given the figure without ledgers. Left out when the figure is only shown. */
  readonly most?: (without: number) => number;
}

const covers = ({ cover }: QuarterFigures): number[] => [...cover.values()];
const shares = ({ lostShare }: QuarterFigures): number[] => [...lostShare.values()];

/** The standard deviation. */
function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
}

const ROWS: readonly Row[] = [
  { name: 'Care lost', of: ({ lost }) => lost, unit: 'h', most: (without) => without },
  {
    name: 'Most cover on one therapist, above the median',
    of: (f) => Math.max(...covers(f)) - medianOf(covers(f)),
    unit: 'h',
    most: (without) => without / 2,
  },
  {
    name: 'Share of care that a child loses, standard deviation',
    of: (f) => spreadOf(shares(f)),
    unit: '%',
    most: (without) => without / 2,
  },
  {
    name: 'Hours above the weekly limit because of cover',
    of: ({ aboveLimit }) => aboveLimit,
    unit: 'h',
    most: () => 0,
  },
  { name: 'Cover', of: (f) => covers(f).reduce((sum, v) => sum + v, 0), unit: 'h' },
  { name: 'Cover by someone new to the child', of: ({ newFaceMinutes }) => newFaceMinutes, unit: 'h' },
  { name: 'Cover by BCBAs', of: ({ bcbaMinutes }) => bcbaMinutes, unit: 'h' },
  { name: 'New faces', of: ({ newFaces }) => newFaces, unit: '' },
  { name: 'People to call', of: ({ calls }) => calls, unit: '' },
];

function text(value: number, unit: Row['unit']): string {
  if (unit === 'h') return `${(value / 60).toFixed(1)} h`;
  return unit === '%' ? `${(100 * value).toFixed(2)} %` : String(value);
}

/** The shapes of the clinics, each with its clients per therapist; the first one decides whether the targets are met. */
const SHAPES: readonly { readonly name: string; readonly shape: QuarterShape; readonly perTherapist: number }[] = [
  { name: 'A usual clinic', shape: 'usual', perTherapist: 1.1 },
  { name: 'With fewer children', shape: 'usual', perTherapist: 1 },
  { name: 'With more children', shape: 'usual', perTherapist: 1.3 },
  { name: 'Nearly every hour booked', shape: 'full', perTherapist: 1.3 },
];

type AtMost = NonNullable<QuarterRun['atMost']>;
/** By the name of the column that shows it. */
type Limits = Readonly<Record<string, AtMost>>;
type Highs = Awaited<ReturnType<typeof loadHighs>>;

/** Loses no more care than it must, and otherwise gives cover to those who have had the least of it. */
const fairestCover: AtMost = (problem, { cover }) => {
  const median = medianOf([...cover.values()]);
  const therapists = problem.therapists.map((t): CoverProblem['therapists'][number] => {
    const above = Math.max(0, (cover.get(t.id) ?? 0) - median) / 60;
    return {
      ...t,
      load: [
        [0, Math.round(10 * above ** 1.5)],
        [8, 4],
      ],
    };
  });
  const clients = problem.clients.map((c) => ({ ...c, priority: 100 }));
  return { ...problem, therapists, clients };
};

/** Loses care, as far as it can choose, for the children who have lost the smallest share. */
const fairestCare: AtMost = (problem, { lostShare }) => {
  const shares = [...lostShare.values()];
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const clients = problem.clients.map((c) => {
    const ratio = mean > 0 ? Math.min(5, (lostShare.get(c.id) ?? 0) / mean) : 1;
    return { ...c, priority: Math.round(100 + 1000 * ratio ** 2) };
  });
  const therapists = problem.therapists.map((t): CoverProblem['therapists'][number] => ({ ...t, load: [[8, 4]] }));
  return { ...problem, therapists, clients };
};

/** A quarter that was lived through once, with the processor time that it took, in words. */
interface Lived {
  readonly figures: QuarterFigures;
  readonly took: string;
}

function live(highs: Highs, quarter: Quarter, run: QuarterRun): Lived {
  const before = process.cpuUsage();
  const figures = liveQuarter(highs, quarter, run);
  const { user, system } = process.cpuUsage(before);
  return { figures, took: `${((user + system) / 1e6).toFixed(1)} s` };
}

/** A figure's line in the table, and whether the figure with ledgers reaches its target. */
function lineOf({ name, of, unit, most }: Row, without: Lived, withLedgers: Lived, others: readonly Lived[]) {
  const [a, b] = [of(without.figures), of(withLedgers.figures)];
  const aim = most?.(a);
  const reached = aim === undefined || b <= aim;
  const aimText = aim === undefined ? '' : `≤ ${text(aim, unit)} ${reached ? '✓' : '✗'}`;
  const rest = others.map(({ figures }) => text(of(figures), unit));
  return { cells: [name, text(a, unit), text(b, unit), aimText, ...rest], reached };
}

/** Lives through a quarter with and without ledgers, prints the figures, and returns whether all reach their targets. */
function compare(highs: Highs, quarter: Quarter, { seed, limits }: { seed: number; limits: Limits }): boolean {
  const without = live(highs, quarter, { ledgers: false });
  const withLedgers = live(highs, quarter, { ledgers: true });
  const others = Object.values(limits).map((atMost) => live(highs, quarter, { ledgers: true, atMost }));
  const lines = ROWS.map((row) => lineOf(row, without, withLedgers, others));
  const took = ['Processor time', without.took, withLedgers.took, '', ...others.map((each) => each.took)];
  const proven = [without, withLedgers, ...others].every(({ figures }) => figures.proven);
  const booked = `${quarter.therapists.length} therapists, ${usedOf(quarter)} % of their hours booked`;
  const header = ['', 'Without', 'With', 'Aim', ...Object.keys(limits)];
  process.stdout.write(`\nSeed ${seed}, ${booked}, every plan proven: ${proven}\n\n`);
  process.stdout.write(`${table(header, [...lines.map(({ cells }) => cells), took])}\n`);
  return lines.every(({ reached }) => reached);
}

/** Measures and prints; returns whether every figure of a usual clinic reaches its target with every seed. */
export async function benchQuarter(flags: readonly string[]): Promise<boolean> {
  const highs = await loadHighs();
  const seeds = flags.includes('--quick') ? SEEDS.slice(0, 1) : SEEDS;
  const limits: Limits = flags.includes('--limit')
    ? { 'Fairest cover': fairestCover, 'Fairest care': fairestCare }
    : {};
  process.stdout.write(`\n## A quarter, with and without ledgers\n\n${machine()}\n`);
  let good = true;
  for (const [i, { name, shape, perTherapist }] of SHAPES.entries()) {
    if (i > 0 && !flags.includes('--shapes')) break;
    process.stdout.write(`\n### ${name}: ${perTherapist} children a therapist\n`);
    for (const seed of seeds) {
      const therapists = sizeOf(seed);
      const clients = Math.round(perTherapist * therapists);
      const quarter = clinicQuarter({ seed, therapists, clients, days: DAYS, shape });
      const reached = compare(highs, quarter, { seed, limits });
      if (i === 0) good &&= reached;
    }
  }
  return good;
}

/** Which percentage of the hours of all therapists but the BCBAs is booked. */
function usedOf({ therapists, week }: Quarter): number {
  const hands = new Map(therapists.flatMap((t) => (t.credential === 'BCBA' ? [] : [[t.id, t]])));
  const there = [...hands.values()].flatMap(({ available }) => [...available.values()].flat());
  const booked = [...week.values()].flat().filter(({ therapist }) => hands.has(therapist));
  return Math.round((100 * minutesOf(booked)) / minutesOf(there));
}
