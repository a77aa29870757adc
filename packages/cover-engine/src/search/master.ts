/**
 * The restricted master program of column generation (*From bound to proof*, step 2, in docs/cover-engine.md): the
 * columns and rows known so far, in a HiGHS model that is kept between solves. Its duals give the prices, and rows that
 * a solution breaks are found here. The file is over 250 lines because the columns, rows and bounds of a model change
 * together.
 */
import type { Highs, Model } from 'highs';
import { separateRows } from './separate-rows.ts';
import { basisOf, statusesIn, type Basis, type Statuses } from './basis.ts';
import type { Column, Row } from './column.ts';
import { ColumnIndex } from './column-index.ts';
import { columnKey, leavesAll, plainColumn } from './columns.ts';
import type { Objective } from './objective.ts';
import type { Instance } from './instance.ts';
import { RowIndex } from './row-index.ts';
import { KEPT } from './tuned.ts';
import type { Pricing } from './dual-prices.ts';
import { lowerDuals, pricingOf } from './dual-prices.ts';
import { columnCost, leftSide, payingColumn, rightSide, rowKey } from './rows.ts';

/** HiGHS's codes for the status of a model, and for a basis that can be used. */
const OPTIMAL = 7;
const OUT_OF_TIME = 13;
const VALID = 1;

/** The kinds of columns that have an upper bound of 1. */
const ONCE: ReadonlySet<Column['kind']> = new Set(['union', 'charge', 'pattern', 'move']);

export interface Relaxed {
  values: Float64Array;
  pricing: Pricing;
  objective: number;
}

/** The columns and rows of a program, from which another can begin. */
export interface Kept {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export class Master {
  readonly columns: Column[] = [];
  /** A cost above that of any plan: if the relaxation costs more, there is no plan. */
  never: number;
  private readonly instance: Instance;
  private readonly model: Model;
  private readonly infinity: number;
  private readonly keys = new Set<string>();
  private readonly rowKeys = new Set<string>();
  private index: RowIndex;
  private columnIndex: ColumnIndex;
  private readonly signature: Float64Array;
  private reduced = new Float64Array(0);
  /** The basis at which HiGHS last stopped. Columns and rows that were added later have no entry. */
  private stopped: Statuses | null = null;
  constructor(highs: Highs, objective: Objective, never: number, kept: Kept | null = null) {
    this.instance = objective.instance;
    this.never = never;
    this.index = new RowIndex(objective.instance);
    this.columnIndex = new ColumnIndex(objective.instance);
    this.infinity = highs.infinity;
    this.signature = new Float64Array(objective.instance.hard.length);
    this.model = highs.createModel();
    this.model.options.set({ output_flag: false, presolve: 'off', solver: 'simplex' });
    this.addRows(
      objective,
      objective.instance.open.map((_, owner): Row => ({ kind: 'part', owner })),
    );
    objective.instance.movable.forEach((m, owner) => {
      if (!m.must) return;
      this.addRows(objective, [{ kind: 'move', owner }]);
      this.addColumns(objective, [plainColumn('unmoved', owner)]);
    });
    this.addRows(objective, kept?.rows ?? []);
    this.addColumns(objective, kept?.columns ?? []);
  }

  /** Drops all but the columns nearest to the last solution, and returns what another program can begin with. */
  keep(): Kept {
    this.forget();
    return { columns: [...this.columns], rows: [...this.rows] };
  }

  /** The columns' reduced costs in the last solution. Columns that were added later have none. */
  get reducedCosts(): Float64Array {
    return this.reduced;
  }

  get rows(): readonly Row[] {
    return this.index.rows;
  }

  /** Adds the columns that are not in the program yet; returns how many it added. */
  addColumns(objective: Objective, columns: readonly Column[]): number {
    const fresh: Column[] = [];
    const needed: Row[] = [];
    for (const column of columns) {
      const key = columnKey(column);
      if (this.keys.has(key)) continue;
      this.keys.add(key);
      fresh.push(column);
      if (column.kind === 'move' && !this.rowKeys.has(`move:${column.owner}`))
        needed.push({ kind: 'move', owner: column.owner });
      needed.push(...this.leavingRows(column));
    }
    if (fresh.length === 0) return 0;
    this.addRows(objective, needed);
    for (const column of fresh) this.list(column);
    this.model.addCols({
      cost: Float64Array.from(fresh, (c) => columnCost(objective, c, this.never)),
      lower: new Float64Array(fresh.length),
      upper: Float64Array.from(fresh, (c) => this.upper(c)),
      matrix: { format: 'csc', numRows: this.rows.length, numCols: fresh.length, ...this.index.matrix(fresh) },
    });
    return fresh.length;
  }

  private list(column: Column): void {
    const mark = Math.sin(this.columns.length + 1) * 1e4;
    for (const at of column.uses) this.signature[at]! += mark;
    this.columns.push(column);
    this.columnIndex.add(column);
  }

  /** Returns a test for columns that have one of the smallest reduced costs in the last solution, or are newer. */
  private nearest(): (j: number) => boolean {
    const costs = this.reduced.map(Math.abs);
    const most = Math.max(1e-9, costs.slice().sort()[KEPT] ?? Infinity);
    return (j) => (costs[j] ?? 0) <= most;
  }

  /**
   * Drops the patterns with the largest reduced costs in the last solution, except those that leave a whole part
   * without a therapist. The basis stays, since the reduced cost of its columns is zero. If a dropped pattern is
   * needed, pricing finds it again.
   */
  private forget(): void {
    const isNear = this.nearest();
    const { length } = this.columns;
    this.drop((column, j) => column.kind === 'pattern' && !leavesAll(column) && !isNear(j));
    if (this.columns.length === length) return;
    this.reduced = new Float64Array(0);
    this.stopped = null;
  }

  private drop(goes: (column: Column, j: number) => boolean): void {
    const gone = new Set([...this.columns.keys()].filter((j) => goes(this.columns[j]!, j)));
    if (gone.size === 0) return;
    this.model.deleteCols({ kind: 'set', indices: Int32Array.from(gone) });
    for (const j of gone) this.keys.delete(columnKey(this.columns[j]!));
    const kept = this.columns.filter((_, j) => !gone.has(j));
    this.signature.fill(0);
    this.columns.length = 0;
    this.columnIndex = new ColumnIndex(this.instance);
    for (const column of kept) this.list(column);
  }

  /**
   * Adds the rows that are not in the program yet, with the columns that pay for breaking them; returns how many rows
   * it added.
   */
  addRows(objective: Objective, rows: readonly Row[]): number {
    const fresh = rows.filter((row) => {
      const key = rowKey(row);
      if (this.rowKeys.has(key)) return false;
      this.rowKeys.add(key);
      return true;
    });
    if (fresh.length === 0) return 0;
    const entries = this.columnIndex.matrix(fresh, this.columns);
    for (const row of fresh) this.index.add(row);
    this.model.addRows({
      lower: Float64Array.from(fresh, (r) => Math.max(-this.infinity, leftSide(objective, r))),
      upper: Float64Array.from(fresh, (r) => this.rightSide(objective, r)),
      matrix: { format: 'csr', numRows: fresh.length, numCols: this.columns.length, ...entries },
    });
    const paying = fresh.flatMap((row) => payingColumn(this.instance, row) ?? []);
    this.addColumns(objective, paying);
    return fresh.length;
  }

  /**
   * The rows that make booked sessions leave before a column's pieces can use the sessions' time. They are added
   * together with the column: a busy day needs almost all of these rows, and waiting until a solution breaks them takes
   * twice as many rounds.
   */
  private leavingRows({ uses }: Column): Row[] {
    const { stays, movableOf } = this.instance;
    return uses.flatMap((at, i) =>
      (stays[at] ?? [])
        .filter((part) => uses[i - 1] !== at - 1 || !stays[at - 1]?.includes(part))
        .map((part): Row => ({ kind: 'place', at, stay: movableOf[part]! })),
    );
  }

  private rightSide(objective: Objective, row: Row): number {
    return Math.min(this.infinity, rightSide(objective, row));
  }

  /**
   * No pattern or move is chosen more than once, as its part's row says already. But only at a bound of its own can
   * HiGHS begin with a new column whose reduced cost is negative: otherwise it first solves another program, to get rid
   * of such columns.
   */
  private upper({ kind }: Column): number {
    return ONCE.has(kind) ? 1 : this.infinity;
  }

  /**
   * Switches to another objective: keeps the nearest columns, and updates their costs and the limits that already have
   * rows. The next solution starts from the basis `from` if there is one, otherwise from the last basis.
   */
  take(objective: Objective, never: number, from: Basis | null = null): void {
    this.forget();
    this.never = never;
    this.rows.forEach((row, r) => {
      if (row.kind === 'limit') {
        const least = Math.max(-this.infinity, leftSide(objective, row));
        this.model.changeRowBounds(r, least, this.rightSide(objective, row));
      }
    });
    this.reweigh(objective);
    if (from) this.startFrom(objective, from);
  }

  /**
   * The basis at which HiGHS last stopped, for a later `take`; null when there is none. `finished`: whether the
   * relaxation is solved. If not, a later search can go on from where it stopped.
   */
  basis(finished: boolean): Basis | null {
    if (!this.stopped) return null;
    return basisOf(this.columns, this.rows, this.stopped, finished ? () => false : this.nearest());
  }

  /**
   * Starts the next solution from an earlier basis. Rows and columns that the basis does not have change nothing at
   * first: the rows are basic and the columns are zero.
   */
  private startFrom(objective: Objective, basis: Basis): void {
    this.addRows(
      objective,
      [...basis.rows.values()].map(({ row }) => row),
    );
    this.addColumns(
      objective,
      [...basis.columns.values()].map(({ column }) => column),
    );
    this.model.setBasis(statusesIn(basis, this.columns, this.rows));
  }

  /** Sets the cost of every column by the objective's weights. */
  private reweigh(objective: Objective): void {
    const { length } = this.columns;
    if (length === 0) return;
    const costs = Float64Array.from(this.columns, (c) => columnCost(objective, c, this.never));
    this.model.changeColsCost({ kind: 'range', from: 0, to: length - 1 }, costs);
  }

  /** Solves the relaxation of the known columns and rows; null when HiGHS finds no optimum. */
  solve(objective: Objective, seconds: number): Relaxed | null {
    if (Number.isFinite(seconds)) {
      this.model.zeroAllClocks();
      this.model.options.set('time_limit', Math.max(0.001, seconds));
    }
    if (this.columns.length === 0)
      return {
        values: new Float64Array(0),
        pricing: pricingOf(objective, this.rows, new Float64Array(0)),
        objective: objective.fixedCost,
      };
    if (!this.run()) return null;
    const { colValue, colDual, rowDual } = this.model.getSolution();
    this.reduced = Float64Array.from(colDual);
    const pricing = pricingOf(objective, this.rows, rowDual);
    lowerDuals(pricing, this.columns, this.reduced, colValue);
    return { values: colValue, pricing, objective: this.model.getObjectiveValue() };
  }

  /** Runs HiGHS; if its warm start makes it fail, runs it again from scratch. */
  private run(): boolean {
    for (const fresh of [false, true]) {
      try {
        if (fresh) this.model.clearSolver();
        this.stopped = null;
        this.model.run();
        // HiGHS does not return the basis once columns or rows have been added.
        if (this.model.info.get('basis_validity') === VALID) this.stopped = this.model.getBasis();
        const status = this.model.getModelStatus();
        if (status === OPTIMAL) return true;
        if (status === OUT_OF_TIME) return false;
      } catch (error) {
        if (fresh && !(error as { operation?: string }).operation) throw error;
      }
    }
    return false;
  }

  /** The rows that a solution breaks and that are not in the program yet. */
  broken(values: Float64Array): Row[] {
    return separateRows(this.instance, this.columns, values, this.signature).filter(
      (row) => !this.rowKeys.has(rowKey(row)),
    );
  }

  dispose(): void {
    this.model.dispose();
  }
}
