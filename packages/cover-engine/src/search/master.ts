/**
 * The restricted master program: the columns and rows known so far, in a HiGHS model that is kept warm. Prices come
 * from its duals; rows that a solution breaks are found here.
 */
import type { Highs, Model } from 'highs';
import { brokenRows } from './broken.ts';
import type { Column, Row } from './columns.ts';
import { columnKey, isRest, plainColumn } from './columns.ts';
import type { Decision, MoveDecision } from './decisions.ts';
import { keeps } from './decisions.ts';
import type { Field } from './field.ts';
import type { Ground } from './ground.ts';
import { RowIndex } from './matrix.ts';
import type { Pricing } from './pricing.ts';
import { pricingOf } from './pricing.ts';
import { columnCost, entry, isEquality, payingColumn, rightSide, rowKey } from './rows.ts';

/** HiGHS model statuses. */
const OPTIMAL = 7;
const OUT_OF_TIME = 13;

export interface Relaxed {
  values: Float64Array;
  pricing: Pricing;
  objective: number;
}

export class Master {
  readonly columns: Column[] = [];
  /** Dearer than any plan: a relaxation that costs more stands for none. */
  readonly never: number;
  private readonly ground: Ground;
  private readonly model: Model;
  private readonly infinity: number;
  private readonly keys = new Set<string>();
  private readonly rowKeys = new Set<string>();
  private index: RowIndex;
  private readonly signature: Float64Array;
  private decisions: readonly Decision[] = [];
  /** Moves that have to be made. */
  private decided: readonly MoveDecision[] = [];
  constructor(highs: Highs, field: Field, never: number) {
    this.ground = field.ground;
    this.never = never;
    this.index = new RowIndex(field.ground);
    this.infinity = highs.infinity;
    this.signature = new Float64Array(field.ground.hard.length);
    this.model = highs.createModel();
    this.model.options.set({ output_flag: false, presolve: 'off', solver: 'simplex' });
    this.addRows(
      field,
      field.ground.open.map((_, owner): Row => ({ kind: 'part', owner })),
    );
    field.ground.movable.forEach((m, owner) => {
      if (!m.must) return;
      this.addRows(field, [{ kind: 'move', owner }]);
      this.addColumns(field, [plainColumn('unmoved', owner)]);
    });
  }

  get rows(): readonly Row[] {
    return this.index.rows;
  }

  /** Adds the columns that are not there yet; how many that were. */
  addColumns(field: Field, columns: readonly Column[]): number {
    const fresh: Column[] = [];
    const needed: Row[] = [];
    for (const column of columns) {
      const key = columnKey(column);
      if (this.keys.has(key)) continue;
      this.keys.add(key);
      fresh.push(column);
      if (column.kind === 'move' && !this.rowKeys.has(`move:${column.owner}`))
        needed.push({ kind: 'move', owner: column.owner });
    }
    if (fresh.length === 0) return 0;
    this.addRows(field, needed);
    for (const column of fresh) {
      const mark = Math.sin(this.columns.length + 1) * 1e4;
      for (const at of column.uses) this.signature[at] = (this.signature[at] as number) + mark;
      this.columns.push(column);
    }
    this.model.addCols({
      cost: Float64Array.from(fresh, (c) => columnCost(field, c, this.never)),
      lower: new Float64Array(fresh.length),
      upper: Float64Array.from(fresh, (c) => (c.kind === 'union' ? 1 : this.infinity)),
      matrix: { format: 'csc', numRows: this.rows.length, numCols: fresh.length, ...this.index.matrix(fresh) },
    });
    return fresh.length;
  }

  /** Adds rows (those that are there already are left out), with the columns that pay for breaking them; how many. */
  addRows(field: Field, rows: readonly Row[]): number {
    const fresh = rows.filter((row) => {
      const key = rowKey(row);
      if (this.rowKeys.has(key)) return false;
      this.rowKeys.add(key);
      return true;
    });
    if (fresh.length === 0) return 0;
    const starts = new Int32Array(fresh.length + 1);
    const indices: number[] = [];
    const values: number[] = [];
    fresh.forEach((row, i) => {
      starts[i] = indices.length;
      this.columns.forEach((column, j) => {
        const value = entry(this.ground, row, column);
        if (value === 0) return;
        indices.push(j);
        values.push(value);
      });
      this.index.add(row);
    });
    starts[fresh.length] = indices.length;
    this.model.addRows({
      lower: Float64Array.from(fresh, (r) => (isEquality(this.ground, r) ? 1 : -this.infinity)),
      upper: Float64Array.from(fresh, (r) => rightSide(this.ground, r)),
      matrix: {
        format: 'csr',
        numRows: fresh.length,
        numCols: this.columns.length,
        starts,
        indices: Int32Array.from(indices),
        values: Float64Array.from(values),
      },
    });
    const paying = fresh.flatMap((row) => payingColumn(row) ?? []);
    this.addColumns(field, paying);
    return fresh.length;
  }

  /** Takes another strategy's weights. */
  reweigh(field: Field, cost = (c: Column): number => columnCost(field, c, this.never)): void {
    const { length } = this.columns;
    if (length === 0) return;
    this.model.changeColsCost({ kind: 'range', from: 0, to: length - 1 }, Float64Array.from(this.columns, cost));
  }

  /** Solves the relaxation of what is known; null when HiGHS gives no optimal solution. */
  solve(field: Field, seconds: number): Relaxed | null {
    if (Number.isFinite(seconds)) {
      this.model.zeroAllClocks();
      this.model.options.set('time_limit', Math.max(0.001, seconds));
    }
    if (this.columns.length === 0)
      return {
        values: new Float64Array(0),
        pricing: pricingOf(field, this.rows, new Float64Array(0)),
        objective: field.fixedCost,
      };
    if (!this.run()) return null;
    const { colValue, rowDual } = this.model.getSolution();
    return {
      values: colValue,
      pricing: pricingOf(field, this.rows, rowDual),
      objective: this.model.getObjectiveValue(),
    };
  }

  /** Runs HiGHS, once more from nothing if it stumbles over its own warm start. */
  private run(): boolean {
    for (const fresh of [false, true]) {
      try {
        if (fresh) this.model.clearSolver();
        this.model.run();
        const status = this.model.getModelStatus();
        if (status === OPTIMAL) return true;
        if (status === OUT_OF_TIME) return false;
      } catch (error) {
        if (fresh && !(error as { operation?: string }).operation) throw error;
      }
    }
    return false;
  }

  /** Leaves only what keeps these decisions (everything, when there are none). */
  decide(field: Field, decisions: readonly Decision[]): void {
    if (decisions.length === 0 && this.decisions.length === 0) return;
    for (const { movable } of this.decided) this.boundMove(movable, false);
    this.decided = decisions.filter((d) => d.kind === 'move').filter((d) => d.goes);
    for (const { movable } of this.decided) {
      this.addRows(field, [{ kind: 'move', owner: movable }]);
      this.addColumns(field, [plainColumn('unmoved', movable)]);
      this.boundMove(movable, true);
    }
    this.decisions = decisions;
    this.boundColumns(() => true);
  }

  private boundColumns(may: (column: Column) => boolean): void {
    const { length } = this.columns;
    if (length === 0) return;
    const upper = (c: Column) => (may(c) && keeps(c, this.decisions) ? (c.kind === 'union' ? 1 : this.infinity) : 0);
    this.model.changeColsBounds(
      { kind: 'range', from: 0, to: length - 1 },
      new Float64Array(length),
      Float64Array.from(this.columns, upper),
    );
  }

  /**
   * Leaves only these ways and moves, until `release`. Leaving a part with nobody stays possible, dearer than any plan
   * where it is not among them: so there is always a solution, and it says where there is no plan.
   */
  keepOnly(field: Field, may: (column: Column) => boolean): void {
    const among = (c: Column) => (c.kind !== 'way' && c.kind !== 'move') || may(c);
    this.boundColumns((c) => isRest(c) || among(c));
    this.reweigh(field, (c) => (isRest(c) && !among(c) ? this.never : columnCost(field, c, this.never)));
  }

  /** Takes the cuts out, and takes back what `keepOnly` did. */
  release(field: Field): void {
    this.dropCuts();
    this.boundColumns(() => true);
    this.reweigh(field);
  }

  private boundMove(movable: number, goes: boolean): void {
    const r = this.index.rowOfMove(movable);
    const must = goes || this.ground.movable[movable]?.must === true;
    if (r !== undefined) this.model.changeRowBounds(r, must ? 1 : -this.infinity, 1);
  }

  /** Rows that a solution breaks and that are not there yet. */
  broken(values: Float64Array): Row[] {
    return brokenRows(this.ground, this.columns, values, this.signature).filter(
      (row) => !this.rowKeys.has(rowKey(row)),
    );
  }

  private dropCuts(): void {
    const index = new RowIndex(this.ground);
    const cuts: number[] = [];
    this.rows.forEach((row, r) => {
      if (row.kind !== 'cover') return index.add(row);
      cuts.push(r);
      this.rowKeys.delete(rowKey(row));
    });
    if (cuts.length === 0) return;
    this.model.deleteRows({ kind: 'set', indices: Int32Array.from(cuts) });
    this.index = index;
  }

  dispose(): void {
    this.model.dispose();
  }
}
