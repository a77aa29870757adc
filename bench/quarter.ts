/**
 * Simulates a quarter: a made-up clinic of 30 to 60 therapists lives through the same 60 working days twice, once with
 * the ledgers of hours and care in its plans and once without them. Prints each figure; exits with 1 when a figure
 * misses its target.
 */
import { loadHighs } from '@clinic/cover-engine';
import { medianOf } from '@clinic/domain';
import { clinicQuarter } from '@clinic/testkit';
import { liveQuarter, type QuarterFigures } from '../apps/server/src/testing/quarter.ts';
import { machine, table } from './figures.ts';

const SEEDS = [1, 2, 3, 4, 5];
const DAYS = 60;

/** How many therapists a seed's clinic has: 30 to 60. */
const sizeOf = (seed: number): number => 30 + ((seed * 7) % 31);

interface Row {
  readonly name: string;
  readonly of: (figures: QuarterFigures) => number;
  readonly unit: 'h' | '%';
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
  { name: 'Cover by someone new to the child', of: ({ newFaces }) => newFaces, unit: 'h' },
];

const text = (value: number, unit: Row['unit']): string =>
  unit === 'h' ? `${(value / 60).toFixed(1)} h` : `${(100 * value).toFixed(2)} %`;

/** Measures and prints; returns whether every figure reaches its target with every seed. */
export async function benchQuarter(flags: readonly string[]): Promise<boolean> {
  const highs = await loadHighs();
  const seeds = flags.includes('--quick') ? SEEDS.slice(0, 1) : SEEDS;
  process.stdout.write(`\n## A quarter, with and without ledgers\n\n${machine()}\n`);
  let good = true;
  for (const seed of seeds) {
    const therapists = sizeOf(seed);
    const quarter = clinicQuarter({ seed, therapists, clients: Math.round(1.3 * therapists), days: DAYS });
    const [without, withLedgers] = [liveQuarter(highs, quarter, false), liveQuarter(highs, quarter, true)];
    const rows = ROWS.map(({ name, of, unit, most }) => {
      const [a, b] = [of(without), of(withLedgers)];
      const reached = most === undefined || b <= most(a);
      good &&= reached;
      const aim = most === undefined ? '' : `≤ ${text(most(a), unit)} ${reached ? '✓' : '✗'}`;
      return [name, text(a, unit), text(b, unit), aim];
    });
    const size = `${quarter.therapists.length} therapists, ${text(without.booked, 'h')} booked`;
    process.stdout.write(`\nSeed ${seed}, ${size}, every plan proven: ${without.proven && withLedgers.proven}\n\n`);
    process.stdout.write(`${table(['', 'Without', 'With', 'Aim'], rows)}\n`);
  }
  return good;
}
