/**
 * What one solve of a day knows, for a solve of the same day with more pins (*Pins* in docs/cover-engine.md). More pins
 * only take plans away. So columns and rows that they leave possible are a good start, a bound stays a bound, and a best
 * plan that keeps them is still the best.
 */
import { viewPlan } from './constraints/view.ts';
import { countUnits } from './count.ts';
import type { Plan } from './model.ts';
import type { Pin, Strategy } from './problem.ts';
import { checkPlan } from './judge.ts';
import type { Basis } from './search/basis.ts';
import type { Row } from './search/column.ts';
import type { Effort } from './search/column-generation.ts';
import { columnKey } from './search/columns.ts';
import type { Instance } from './search/instance.ts';
import { buildInstance } from './search/instance.ts';
import type { Kept } from './search/master.ts';
import { rowKey } from './search/rows.ts';
import type { First, Handed } from './search/strategy.ts';
import { Translation, type Outline } from './translate.ts';
import { HELD_TERMS, STRATEGIES } from './strategies.ts';

/** The columns or rows of a basis, as alternating positions in a list and statuses. */
type Marks = readonly number[];

interface KnownSearch {
  readonly strategy: Strategy;
  /** No plan of the day costs less under the strategy and, if Option 1 limits it, within Option 1's care. */
  readonly bound: number;
  /** The best plan. */
  readonly plan: Plan;
  readonly basis: { readonly columns: Marks; readonly rows: Marks } | null;
}

/** What a solve of a day knows, as plain data that can be sent to another thread and kept. */
export interface KnownDay {
  /** The pins of the solve. */
  readonly pins: readonly Pin[];
  /** How many rounds of column generation the strategies took. */
  readonly rounds: number;
  /** Kind, owner and pieces (therapist, start and end) of each column, by the numbers of this solve. */
  readonly columns: readonly (readonly number[])[];
  readonly rows: readonly Row[];
  /** How many of the first columns and rows are from Option 1's program. */
  readonly kept: { readonly columns: number; readonly rows: number };
  readonly relaxed: number;
  /** Option 1's search comes first. */
  readonly searches: readonly KnownSearch[];
}

const KINDS = ['pattern', 'move', 'lunch', 'over', 'union', 'charge', 'slack', 'unmoved', 'arc'] as const;

function listing<Item>(keyOf: (item: Item) => string) {
  const items: Item[] = [];
  const places = new Map<string, number>();
  return {
    items,
    place(item: Item): number {
      const key = keyOf(item);
      const known = places.get(key) ?? items.push(item) - 1;
      places.set(key, known);
      return known;
    },
  };
}

/** Writes down what a solve knows. `searches`: what each strategy's search found, Option 1's first. */
export function packDay(
  pins: readonly Pin[],
  { relaxed, kept }: Pick<First, 'relaxed' | 'kept'>,
  searches: readonly {
    readonly strategy: Strategy;
    readonly bound: number;
    readonly anyPrice?: number;
    readonly plan: Plan;
    readonly basis: Basis | null;
    readonly effort: Effort;
  }[],
): KnownDay {
  const columns = listing(columnKey);
  const rows = listing(rowKey);
  for (const column of kept.columns) columns.place(column);
  for (const row of kept.rows) rows.place(row);
  const count = { columns: columns.items.length, rows: rows.items.length };
  const packed = searches.map(({ strategy, bound, anyPrice = bound, plan, basis }) => ({
    strategy,
    bound: anyPrice,
    plan,
    basis: basis && {
      columns: [...basis.columns.values()].flatMap(({ column, status }) => [columns.place(column), status]),
      rows: [...basis.rows.values()].flatMap(({ row, status }) => [rows.place(row), status]),
    },
  }));
  return {
    pins,
    rounds: searches.reduce((sum, { effort }) => sum + effort.rounds, 0),
    columns: columns.items.map(({ kind, owner, pieces }) => [
      KINDS.indexOf(kind),
      owner,
      ...pieces.flatMap((p) => [p.therapist, p.from, p.to]),
    ]),
    rows: rows.items,
    kept: count,
    relaxed,
    searches: packed,
  };
}

/** What is known of a day from the same day with fewer pins. */
export interface HandedDay {
  readonly kept: Kept;
  readonly relaxed: number;
  readonly option1: Handed;
  /** The best plans of the day with fewer pins that keep all pins. */
  readonly plans: readonly Plan[];
  /** What is known of the other strategies, given this day's Option 1. */
  given(option1: Plan): ReadonlyMap<Strategy, Handed>;
}

const pairs = (marks: Marks): [number, number][] =>
  Array.from({ length: marks.length / 2 }, (_, i) => [marks[2 * i]!, marks[2 * i + 1]!]);

function outlineOf([kind = 0, owner = 0, ...numbers]: readonly number[]): Outline {
  const pieces = Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [therapist, from, to] = numbers.slice(3 * i, 3 * i + 3);
    return { therapist: therapist!, from: from!, to: to! };
  });
  return { kind: KINDS[kind]!, owner, pieces };
}

/** Reads, for a day with more pins, what a solve of the same day knows. */
export function unpackDay(pinned: Instance, known: KnownDay): HandedDay | null {
  const { model } = pinned;
  const free = buildInstance({ ...model, problem: { ...model.problem, pins: [...known.pins] } });
  const translation = new Translation(free, pinned);
  const { rows, kept, relaxed } = known;
  const columns = known.columns.map(outlineOf);
  const [one, ...others] = known.searches;
  if (!one) return null;
  const handedOf = ({ basis, bound }: KnownSearch): Handed => ({
    bound,
    basis: basis && translation.basis(columns, rows, { columns: pairs(basis.columns), rows: pairs(basis.rows) }),
  });
  const limits = countUnits(viewPlan(model, one.plan));
  return {
    kept: {
      columns: columns.slice(0, kept.columns).flatMap((column) => translation.column(column) ?? []),
      rows: rows.slice(0, kept.rows).flatMap((row) => translation.rows(row)),
    },
    relaxed,
    option1: handedOf(one),
    plans: known.searches.map(({ plan }) => plan).filter((plan) => checkPlan(model, plan).length === 0),
    given(option1) {
      const units = countUnits(viewPlan(model, option1));
      const within = HELD_TERMS.every((term) => units[term] <= limits[term]);
      return new Map(
        others.map((search) => {
          const { bound, basis } = handedOf(search);
          return [search.strategy, { basis, bound: within || !STRATEGIES[search.strategy].held ? bound : -Infinity }];
        }),
      );
    },
  };
}
