/**
 * The restricted master program: the columns and rows known so far, in a HiGHS model that is kept warm. Prices come
 * from its duals; rows that a solution breaks are found here.
 */
import type { Highs, Model } from 'highs';
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './columns.ts';
import { coefficient, columnKey, heldTogether, lunchFreed, lunchSlots, plainColumn } from './columns.ts';
import type { Field } from './field.ts';
import { overloadRoom, partCost } from './field.ts';
import type { Ground, Movable } from './ground.ts';
import type { Prices } from './prices.ts';
import { lunchRoom, noPrices } from './prices.ts';

const EPSILON = 1e-6;
/** HiGHS model statuses. */
const OPTIMAL = 7;
const OUT_OF_TIME = 13;

/** Prices, and what they leave of the rest of the bound. */
export interface Pricing {
  prices: Prices;
  /** By movable part: what its going is worth. */
  credits: Float64Array;
  /** By movable part: price of its own row, for reduced costs alone. */
  moveDuals: Float64Array;
  /** By open part: dual of its row, what its cheapest column costs at these prices. */
  partDuals: Float64Array;
  /** Everything in the Lagrangian bound that does not depend on ways and moves. */
  constant: number;
}

export interface Relaxed {
  values: Float64Array;
  pricing: Pricing;
  objective: number;
}

/** Right-hand side of a row (upper bound of its activity). */
export function rightSide(ground: Ground, row: Row): number {
  switch (row.kind) {
    case 'part':
    case 'move':
      return 1;
    case 'place':
      return row.stay >= 0 ? 0 : 1;
    case 'lunch':
    case 'lunch-free':
      return lunchRoom(ground, row.therapist);
    case 'over':
      return overloadRoom(ground, row.therapist);
    case 'lunch-piece':
    case 'over-piece':
    case 'union':
      return 0;
    case 'unlike':
    case 'uncovered':
      return row.most;
  }
}

/** Whether a row holds with equality: every part is given once; what must move does. */
export function isEquality(ground: Ground, row: Row): boolean {
  return row.kind === 'part' || (row.kind === 'move' && ground.movable[row.owner]?.must === true);
}

/** One text for one row. */
export function rowKey(row: Row): string {
  if (row.kind === 'place' || row.kind === 'union') return `${row.kind}:${row.at}:${row.stay}`;
  if (row.kind === 'unlike') return `unlike:${row.id}`;
  if (row.kind === 'uncovered') return row.kind;
  return `${row.kind}:${'owner' in row ? row.owner : row.therapist}`;
}

/** Points of a column; `unmoved` stands for a session that must move and cannot, dearer than any plan. */
export function columnCost({ ground, weights }: Field, column: Column, never: number): number {
  if (column.kind === 'lunch') return weights.lunch;
  if (column.kind === 'over') return weights.overload;
  if (column.kind === 'unmoved' || column.kind === 'slack') return never;
  return column.part ? partCost(ground, weights, column.part, column.pieces) : 0;
}

/** What a solution asks of each therapist's day; the last two are [therapist × 2], lunch and overload. */
interface Days {
  readonly usage: Float64Array;
  readonly gone: Float64Array;
  readonly given: Float64Array;
  readonly paid: Float64Array;
  readonly alone: Float64Array;
}

export class Master {
  readonly columns: Column[] = [];
  readonly rows: Row[] = [];
  /** Dearer than any plan: a relaxation that costs more stands for none. */
  readonly never: number;
  private readonly ground: Ground;
  private readonly model: Model;
  private readonly infinity: number;
  private readonly keys = new Set<string>();
  private readonly rowKeys = new Set<string>();
  private readonly rowsAt = new Map<number, number[]>();
  private readonly otherRows: number[] = [];
  private readonly signature: Float64Array;
  /** By therapist: their movable parts. */
  private readonly staysOf: number[][];

  constructor(highs: Highs, field: Field, never: number) {
    this.ground = field.ground;
    this.never = never;
    this.staysOf = field.ground.model.therapists.map(() => []);
    field.ground.movable.forEach((m, i) => this.staysOf[m.part.booked]?.push(i));
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
    const starts = new Int32Array(fresh.length + 1);
    const indices: number[] = [];
    const values: number[] = [];
    fresh.forEach((column, j) => {
      starts[j] = indices.length;
      const rows = new Set(this.otherRows);
      for (const at of column.uses) for (const r of this.rowsAt.get(at) ?? []) rows.add(r);
      if (column.kind === 'move' && column.part)
        for (let k = column.part.from; k < column.part.to; k++)
          for (const r of this.rowsAt.get(column.part.booked * SLOTS + k) ?? []) rows.add(r);
      if (column.kind === 'way') rows.add(column.owner);
      for (const r of rows) {
        const value = coefficient(this.ground, this.rows[r] as Row, column);
        if (value === 0) continue;
        indices.push(r);
        values.push(value);
      }
      const mark = Math.sin(this.columns.length + 1) * 1e4;
      for (const at of column.uses) this.signature[at] = (this.signature[at] as number) + mark;
      this.columns.push(column);
    });
    starts[fresh.length] = indices.length;
    this.model.addCols({
      cost: Float64Array.from(fresh, (c) => columnCost(field, c, this.never)),
      lower: new Float64Array(fresh.length),
      upper: Float64Array.from(fresh, (c) => (c.kind === 'union' ? 1 : this.infinity)),
      matrix: {
        format: 'csc',
        numRows: this.rows.length,
        numCols: fresh.length,
        starts,
        indices: Int32Array.from(indices),
        values: Float64Array.from(values),
      },
    });
    return fresh.length;
  }

  /** Adds rows (those that are there already are left out), with the columns that pay for breaking them. */
  addRows(field: Field, rows: readonly Row[]): void {
    const fresh = rows.filter((row) => {
      const key = rowKey(row);
      if (this.rowKeys.has(key)) return false;
      this.rowKeys.add(key);
      return true;
    });
    if (fresh.length === 0) return;
    const starts = new Int32Array(fresh.length + 1);
    const indices: number[] = [];
    const values: number[] = [];
    fresh.forEach((row, i) => {
      starts[i] = indices.length;
      this.columns.forEach((column, j) => {
        const value = coefficient(this.ground, row, column);
        if (value === 0) return;
        indices.push(j);
        values.push(value);
      });
      if (row.kind === 'place') this.rowsAt.set(row.at, [...(this.rowsAt.get(row.at) ?? []), this.rows.length]);
      else if (row.kind !== 'part') this.otherRows.push(this.rows.length);
      this.rows.push(row);
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
    const paying: Column[] = [];
    for (const row of fresh) {
      if (row.kind === 'lunch' || row.kind === 'lunch-free' || row.kind === 'lunch-piece')
        paying.push(plainColumn('lunch', row.therapist));
      if (row.kind === 'over' || row.kind === 'over-piece') paying.push(plainColumn('over', row.therapist));
      if (row.kind === 'union') paying.push(plainColumn('union', row.at));
      if (row.kind === 'unlike') paying.push(plainColumn('slack', row.id));
      if (row.kind === 'uncovered') paying.push(plainColumn('slack', -1));
    }
    this.addColumns(field, paying);
  }

  /** Takes another strategy's weights. */
  reweigh(field: Field): void {
    const { length } = this.columns;
    if (length === 0) return;
    this.model.changeColsCost(
      { kind: 'range', from: 0, to: length - 1 },
      Float64Array.from(this.columns, (c) => columnCost(field, c, this.never)),
    );
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
        pricing: this.pricing(field, new Float64Array(0)),
        objective: field.fixedCost,
      };
    if (!this.run()) return null;
    const { colValue, rowDual } = this.model.getSolution();
    return { values: colValue, pricing: this.pricing(field, rowDual), objective: this.model.getObjectiveValue() };
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

  private pricing({ ground, weights, fixedCost }: Field, duals: Float64Array): Pricing {
    const prices = noPrices(ground);
    const credits = new Float64Array(ground.movable.length);
    const moveDuals = new Float64Array(ground.movable.length);
    const partDuals = new Float64Array(ground.open.length);
    const unions = new Map<number, number>();
    let constant = fixedCost;
    const add = (list: Float64Array, at: number, value: number) => (list[at] = (list[at] as number) + value);
    const paid = new Map<string, number>();
    this.rows.forEach((row, r) => {
      const dual = duals[r] as number;
      if (row.kind === 'part') return (partDuals[row.owner] = dual);
      if (row.kind === 'move') return (moveDuals[row.owner] = dual);
      let price = Math.max(0, -dual);
      if (
        row.kind === 'lunch' ||
        row.kind === 'lunch-free' ||
        row.kind === 'lunch-piece' ||
        row.kind === 'over' ||
        row.kind === 'over-piece'
      ) {
        // Together the rows that one column pays for cannot be dearer than it.
        const lunch = row.kind.startsWith('lunch');
        const key = `${lunch}:${row.therapist}`;
        const spent = paid.get(key) ?? 0;
        price = Math.min(price, (lunch ? weights.lunch : weights.overload) - spent);
        paid.set(key, spent + price);
      }
      if (price === 0) return 0;
      constant -= price * rightSide(ground, row);
      if (row.kind === 'place') {
        add(prices.slots, row.at, price);
        if (row.stay >= 0) add(credits, row.stay, price);
      } else if (row.kind === 'over') add(prices.over, row.therapist, price);
      else if (row.kind === 'over-piece') add(prices.overExcess, row.therapist, price);
      else if (row.kind === 'unlike') prices.likenesses.push({ who: row.who, price });
      else if (row.kind === 'uncovered') prices.uncovered += price;
      else if (row.kind === 'union') {
        add(credits, row.stay, price);
        unions.set(row.at, (unions.get(row.at) ?? 0) + price);
      } else {
        if (row.kind === 'lunch-piece') add(prices.lunchExcess, row.therapist, price);
        const capped = row.kind !== 'lunch';
        const mask = capped ? ground.lunchFree : ground.lunchSlot;
        for (let at = row.therapist * SLOTS; at < (row.therapist + 1) * SLOTS; at++) {
          if (row.kind !== 'lunch-piece' && mask[at]) add(prices.slots, at, price);
          if (!capped && ground.lunchSlot[at] && heldTogether(ground, at))
            unions.set(at, (unions.get(at) ?? 0) - price);
        }
        for (const stay of this.staysOf[row.therapist] ?? [])
          add(credits, stay, price * lunchFreed(ground, (ground.movable[stay] as Movable).part, capped));
      }
      return 0;
    });
    for (const reduced of unions.values()) constant += Math.min(0, reduced);
    return { prices, credits, moveDuals, partDuals, constant };
  }

  /** Rows that a solution breaks and that are not there yet; of rows that look alike so far only the first. */
  broken(values: Float64Array): Row[] {
    const { ground } = this;
    const usage = new Float64Array(ground.hard.length);
    const gone = new Float64Array(ground.movable.length);
    const { therapists } = ground.model;
    const days: Days = {
      usage,
      gone,
      given: new Float64Array(therapists.length),
      paid: new Float64Array(therapists.length * 2),
      alone: new Float64Array(therapists.length * 2),
    };
    this.columns.forEach((column, j) => {
      const value = values[j] as number;
      if (value < 1e-9) return;
      if (column.kind === 'lunch') days.paid[column.owner * 2] = value;
      if (column.kind === 'over') days.paid[column.owner * 2 + 1] = value;
      if (!column.part) return;
      for (const at of column.uses) usage[at] = (usage[at] as number) + value;
      if (column.kind === 'move') gone[column.owner] = (gone[column.owner] as number) + value;
      for (const p of column.pieces) {
        const t = p.therapist;
        if (t < 0) continue;
        const lunch = lunchSlots(ground.lunchFree, p);
        days.alone[t * 2] =
          (days.alone[t * 2] as number) + value * Math.max(0, lunch - Math.max(0, lunchRoom(ground, t)));
        if (t === column.part.booked) continue;
        days.given[t] = (days.given[t] as number) + value * (p.to - p.from);
        days.alone[t * 2 + 1] =
          (days.alone[t * 2 + 1] as number) + value * Math.max(0, p.to - p.from - Math.max(0, overloadRoom(ground, t)));
      }
    });
    const rows: Row[] = [];
    const seen = new Set<string>();
    const place = (at: number, stay: number) => {
      const likeness = `${Math.floor(at / SLOTS)}:${stay}:${this.signature[at]}`;
      if (seen.has(likeness) || this.rowKeys.has(`place:${at}:${stay}`)) return;
      seen.add(likeness);
      rows.push({ kind: 'place', at, stay });
    };
    usage.forEach((value, at) => {
      if (value < EPSILON) return;
      const stays = ground.stays[at];
      if (!stays) {
        if (value > 1 + EPSILON) place(at, -1);
      } else
        for (const stay of stays)
          if (value > (gone[ground.movableOf[stay] as number] as number) + EPSILON)
            place(at, ground.movableOf[stay] as number);
    });
    this.brokenDays(days, rows);
    return rows;
  }

  private brokenDays({ usage, gone, given, paid, alone }: Days, rows: Row[]): void {
    const { ground } = this;
    for (const t of ground.model.therapists) {
      const overPaid = (paid[t.index * 2 + 1] as number) + EPSILON;
      const overRoom = overloadRoom(ground, t.index);
      if ((given[t.index] as number) - overRoom > overPaid) rows.push({ kind: 'over', therapist: t.index });
      if (overRoom >= 0 && (alone[t.index * 2 + 1] as number) > overPaid)
        rows.push({ kind: 'over-piece', therapist: t.index, room: overRoom });
      let used = 0;
      let usedFree = 0;
      for (let at = t.index * SLOTS; at < (t.index + 1) * SLOTS; at++) {
        if (!ground.lunchSlot[at]) continue;
        used += usage[at] as number;
        if (ground.lunchFree[at]) usedFree += usage[at] as number;
        const stays = ground.hard[at] ? [] : (ground.stays[at] ?? []);
        if (stays.length > 0) used -= Math.min(...stays.map((p) => gone[ground.movableOf[p] as number] as number));
      }
      let freed = 0;
      for (const stay of this.staysOf[t.index] ?? [])
        freed += (gone[stay] as number) * lunchFreed(ground, (ground.movable[stay] as Movable).part, true);
      const room = lunchRoom(ground, t.index);
      const lunchPaid = (paid[t.index * 2] as number) + EPSILON;
      const count = rows.length;
      if (used - room > lunchPaid) rows.push({ kind: 'lunch', therapist: t.index });
      if (usedFree - freed - room > lunchPaid) rows.push({ kind: 'lunch-free', therapist: t.index });
      if (room >= 0 && (alone[t.index * 2] as number) - freed > lunchPaid)
        rows.push({ kind: 'lunch-piece', therapist: t.index, room });
      if (rows.length === count) continue;
      for (let at = t.index * SLOTS; at < (t.index + 1) * SLOTS; at++)
        if (ground.lunchSlot[at] && heldTogether(ground, at))
          for (const p of ground.stays[at] ?? []) rows.push({ kind: 'union', at, stay: ground.movableOf[p] as number });
    }
  }

  dispose(): void {
    this.model.dispose();
  }
}
