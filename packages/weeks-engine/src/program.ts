/**
 * An integer program with many columns, of which few matter: `minimize` finds its best solution and proves it. The
 * relaxation is solved over some columns, which grow until no other has a negative reduced cost. Then only columns
 * whose reduced cost fits between the bound and the best solution are given to the integer search.
 * The file is over 250 lines because the relaxation and the search read one program.
 */
import type { Highs, Model } from 'highs';

const OPTIMAL = 7;
const INFEASIBLE = 8;
const FAILED = -1;
const FEASIBLE = 2;
/** The most columns that one round of pricing adds. */
const BATCH = 400;
/** Points are whole numbers, so a bound that is this near below a whole number is that number. */
const EPSILON = 1e-4;

export class Program {
  readonly cost: number[] = [];
  readonly upper: number[] = [];
  readonly integer: boolean[] = [];
  /** Whether the relaxation has the column from the start. */
  readonly core: boolean[] = [];
  readonly rows: number[][] = [];
  readonly values: number[][] = [];
  readonly rowLower: number[] = [];
  readonly rowUpper: number[] = [];
  private readonly named = new Map<string, number>();

  row(lower: number, upper: number): number {
    this.rowLower.push(lower);
    return this.rowUpper.push(upper) - 1;
  }

  /** The row of this name, made when it is first needed, with the columns that `make` adds. */
  rowNamed(name: string, lower: number, upper: number, make?: (row: number) => void): number {
    let row = this.named.get(name);
    if (row === undefined) {
      row = this.row(lower, upper);
      this.named.set(name, row);
      make?.(row);
    }
    return row;
  }

  column(cost: number, kind: 'choice' | 'core choice' | 'follower', upper = 1): number {
    this.cost.push(cost);
    this.upper.push(upper);
    this.integer.push(kind !== 'follower');
    this.core.push(kind !== 'choice');
    this.rows.push([]);
    return this.values.push([]) - 1;
  }

  entry(row: number, column: number, value: number): void {
    this.rows[column]!.push(row);
    this.values[column]!.push(value);
  }
}

export interface Minimum {
  /** The value of each column in the best solution that is below the known cost; null when there is none. */
  values: Float64Array | null;
  /** No solution costs less. Infinity when there is no solution at all. */
  bound: number;
  /** Whether the search ended. */
  ended: boolean;
}

export interface Search {
  readonly highs: Highs;
  /** The seconds that are left. */
  readonly left: () => number;
}

const roundUp = (bound: number): number =>
  Number.isFinite(bound) ? Math.ceil(bound - EPSILON * Math.max(1, Math.abs(bound) * 1e-6)) : bound;

/**
 * Finds the cheapest solution, if one costs less than `known`. The search stops at the first good solution for which
 * `isWhole` is false: the caller then has rows to add before a proof is worth its time.
 */
export function minimize(
  search: Search,
  program: Program,
  known: number,
  isWhole: (values: Float64Array) => boolean,
): Minimum {
  // The program may lack columns if time ran out while it was made.
  if (search.left() <= 0) return { values: null, bound: -Infinity, ended: false };
  if (program.cost.length === 0) return { values: null, bound: 0, ended: true };
  const relaxed = relax(search, program);
  if (!relaxed.ended || (relaxed.bound === Infinity && known < Infinity))
    return { values: null, bound: -Infinity, ended: false };
  const bound = roundUp(relaxed.bound);
  if (bound >= known) return { values: null, bound, ended: true };
  // First among the relaxation's own columns, which gives a good solution soon; then among all that could beat it.
  const near = [...relaxed.active];
  const first = solveOver(search, program, near, known);
  const best = Math.min(known, first.cost);
  if (first.values && !isWhole(first.values)) return { values: first.values, bound, ended: first.ended };
  const could = [...program.cost.keys()].filter(
    (j) => program.core[j] || relaxed.bound + relaxed.reduced[j]! < best - 1 + EPSILON,
  );
  if (first.ended && could.every((j) => relaxed.active.has(j)))
    return { values: first.values, bound: best, ended: true };
  const second = solveOver(search, program, could, best);
  const values = second.values ?? first.values;
  if (!second.ended) return { values, bound: Math.min(best, Math.max(bound, roundUp(second.bound))), ended: false };
  return { values, bound: Math.min(best, second.cost), ended: true };
}

interface Relaxed {
  readonly active: ReadonlySet<number>;
  readonly reduced: Float64Array;
  readonly bound: number;
  readonly ended: boolean;
}

/** Solves the relaxation over all columns. When some columns have no solution among them, all are used. */
function relax({ highs, left }: Search, program: Program): Relaxed {
  const all = program.cost.length;
  const active: number[] = [];
  const listed = new Set<number>();
  const reduced = new Float64Array(all);
  const model = highs.createModel();
  const add = (columns: readonly number[]) => {
    for (const j of columns) listed.add(j);
    active.push(...columns);
    model.addCols(columnsOf(program, columns));
  };
  try {
    model.options.set({ output_flag: false, presolve: 'off', solver: 'simplex' });
    const { rowLower: lower, rowUpper: upper } = rowsOf(highs, program);
    const numRows = lower.length;
    const none = { starts: new Int32Array(numRows + 1), indices: new Int32Array(0), values: new Float64Array(0) };
    model.addRows({ lower, upper, matrix: { format: 'csr', numRows, numCols: 0, ...none } });
    add(program.cost.flatMap((_, j) => (program.core[j] ? [j] : [])));
    for (;;) {
      const time = left();
      if (time <= 0) return { active: listed, reduced, bound: -Infinity, ended: false };
      model.zeroAllClocks();
      model.options.set('time_limit', time);
      const status = statusAfterRun(model);
      if (status === INFEASIBLE) {
        if (listed.size === all) return { active: listed, reduced, bound: Infinity, ended: true };
        add(program.cost.flatMap((_, j) => (listed.has(j) ? [] : [j])));
        continue;
      }
      if (status !== OPTIMAL) return { active: listed, reduced, bound: -Infinity, ended: false };
      const { rowDual, colDual } = model.getSolution();
      const worst: number[] = [];
      for (let j = 0; j < all; j++) {
        if (listed.has(j)) continue;
        const [rows, values] = [program.rows[j]!, program.values[j]!];
        let cost = program.cost[j]!;
        for (let k = 0; k < rows.length; k++) cost -= rowDual[rows[k]!]! * values[k]!;
        reduced[j] = cost;
        if (cost < -1e-6) worst.push(j);
      }
      if (worst.length === 0) {
        active.forEach((j, i) => (reduced[j] = Math.max(0, colDual[i]!)));
        return { active: listed, reduced, bound: Number(model.info.get('objective_function_value')), ended: true };
      }
      worst.sort((a, b) => reduced[a]! - reduced[b]! || a - b);
      add(worst.slice(0, BATCH));
    }
  } finally {
    model.dispose();
  }
}

interface Found {
  values: Float64Array | null;
  cost: number;
  bound: number;
  ended: boolean;
}

/** Solves the integer program over some of its columns. Only solutions below `known` count. */
function solveOver({ highs, left }: Search, program: Program, columns: readonly number[], known: number): Found {
  const nothing = { values: null, cost: Infinity, bound: -Infinity, ended: false };
  const time = left();
  if (time <= 0) return nothing;
  const { cost, lower, upper, matrix } = columnsOf(program, columns);
  const model = highs.createModel({
    numCols: columns.length,
    numRows: program.rowLower.length,
    colCost: cost,
    colLower: lower,
    colUpper: upper,
    ...rowsOf(highs, program),
    integrality: Int32Array.from(columns, (j) => (program.integer[j] ? 1 : 0)),
    matrix,
  });
  try {
    // NOTE: HiGHS's presolve doubles the time on the hardest problems, and saves little on others (measured).
    model.options.set({ output_flag: false, presolve: 'off', mip_rel_gap: 0, mip_abs_gap: 0.999, time_limit: time });
    if (known < Infinity) model.options.set('objective_bound', known - 0.5);
    const status = statusAfterRun(model);
    if (status === FAILED) return nothing;
    if (status === INFEASIBLE) return { ...nothing, bound: Infinity, ended: true };
    const bound = Number(model.info.get('mip_dual_bound'));
    if (model.info.get('primal_solution_status') !== FEASIBLE)
      return { ...nothing, bound, ended: status === OPTIMAL && bound >= known - 0.5 };
    const { colValue } = model.getSolution();
    const values = new Float64Array(program.cost.length);
    let found = 0;
    columns.forEach((j, i) => {
      values[j] = program.integer[j] ? Math.round(colValue[i]!) : colValue[i]!;
      found += values[j] * program.cost[j]!;
    });
    found = Math.round(found);
    // NOTE: HiGHS has called solutions optimal whose stated bound is far below; that proves nothing.
    const ended = status === OPTIMAL && bound > found - 1;
    return found < known ? { values, cost: found, bound, ended } : { ...nothing, bound, ended };
  } finally {
    model.dispose();
  }
}

/** Runs HiGHS. When it fails, nothing is learned, as when time runs out. */
function statusAfterRun(model: Model): number {
  try {
    model.run();
    return model.getModelStatus();
  } catch (error) {
    if (error instanceof Error && 'operation' in error) return FAILED;
    throw error;
  }
}

/** The limits of the rows, as HiGHS wants them. */
const rowsOf = ({ infinity }: Highs, { rowLower, rowUpper }: Program) => ({
  rowLower: Float64Array.from(rowLower, (x) => (x === -Infinity ? -infinity : x)),
  rowUpper: Float64Array.from(rowUpper, (x) => (x === Infinity ? infinity : x)),
});

/** Columns for HiGHS. */
function columnsOf(program: Program, columns: readonly number[]) {
  const starts = new Int32Array(columns.length + 1);
  columns.forEach((j, i) => (starts[i + 1] = starts[i]! + program.rows[j]!.length));
  const indices = new Int32Array(starts[columns.length]!);
  const values = new Float64Array(starts[columns.length]!);
  columns.forEach((j, i) => {
    indices.set(program.rows[j]!, starts[i]);
    values.set(program.values[j]!, starts[i]);
  });
  return {
    cost: Float64Array.from(columns, (j) => program.cost[j]!),
    lower: new Float64Array(columns.length),
    upper: Float64Array.from(columns, (j) => program.upper[j]!),
    matrix: {
      format: 'csc' as const,
      numRows: program.rowLower.length,
      numCols: columns.length,
      starts,
      indices,
      values,
    },
  };
}
