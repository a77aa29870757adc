/**
 * A list of columns (*From bound to proof*, steps 4 and 5, in docs/cover-engine.md). Since every column is listed
 * individually, prices and cuts can charge each column exactly.
 */
import type { Column, Cut } from './column.ts';
import { sameSlots } from './columns.ts';
import { cutCoefficient } from './cover-cuts.ts';
import type { Objective } from './objective.ts';
import type { Pricing } from './dual-prices.ts';
import type { Prices } from './prices.ts';
import { LENGTHS, limitPrice, personPrice } from './prices.ts';
import { columnCost, rowKey } from './rows.ts';
import { SLOTS } from '../slots.ts';

const WIDTH = SLOTS + 1;

/** A hash of a column's part and pieces; equal columns have equal hashes. */
function markOf({ kind, owner, pieces }: Column): number {
  let mark = kind === 'move' ? owner + 1 : -owner;
  for (const p of pieces) {
    mark = Math.imul(mark, 16_777_619) ^ (p.therapist + 2);
    mark = Math.imul(mark, 16_777_619) ^ (p.from * SLOTS + p.to);
  }
  return mark;
}

/** The columns in the pool that one cut charges, each with its coefficient. */
interface Entries {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

export class ColumnPool {
  readonly columns: readonly Column[];
  /**
   * The part of each column, as a number: an open part's index, or a movable part's index plus the number of open
   * parts.
   */
  readonly group: Int32Array;
  readonly groups: number;
  private readonly objective: Objective;
  /** The points of each column, before any prices are added. */
  private readonly cost: Float64Array;
  private readonly ofGroup: number[][];
  /** At [therapist × 49 + border]: how many of the therapist's free lunch slots come before that slot border. */
  private readonly lunchBefore: Int32Array;
  private readonly slotsBefore: Float64Array;
  private readonly entries = new Map<string, Entries>();
  private readonly marks: ReadonlySet<number>;

  constructor(objective: Objective, columns: readonly Column[], moveBase: readonly Float64Array[]) {
    const { instance } = objective;
    this.objective = objective;
    this.columns = columns;
    this.marks = new Set(columns.map(markOf));
    this.groups = instance.open.length + instance.movable.length;
    this.group = Int32Array.from(columns, (c) => (c.kind === 'pattern' ? c.owner : instance.open.length + c.owner));
    this.ofGroup = Array.from({ length: this.groups }, () => []);
    this.group.forEach((g, j) => this.ofGroup[g]?.push(j));
    this.cost = Float64Array.from(columns, (c) => {
      if (!c.part) return 0;
      if (c.kind === 'pattern') return columnCost(objective, c, 0);
      const target = instance.movable[c.owner]?.targets.indexOf(c.pieces[0]?.therapist ?? -1) ?? -1;
      return moveBase[c.owner]![target]!;
    });
    const { length } = instance.model.therapists;
    this.lunchBefore = new Int32Array(length * WIDTH);
    this.slotsBefore = new Float64Array(length * WIDTH);
    for (let t = 0; t < length; t++)
      for (let k = 0; k < SLOTS; k++)
        this.lunchBefore[t * WIDTH + k + 1] = this.lunchBefore[t * WIDTH + k]! + instance.lunchFree[t * SLOTS + k]!;
  }

  /**
   * The points of every column at these prices and cuts, before the duals of the columns' own parts and moves are
   * subtracted.
   */
  price({ prices, credits, cuts }: Pricing): Float64Array {
    const { slotsBefore } = this;
    const { instance } = this.objective;
    const therapists = this.objective.instance.model.therapists.length;
    for (let t = 0; t < therapists; t++)
      for (let k = 0; k < SLOTS; k++)
        slotsBefore[t * WIDTH + k + 1] = slotsBefore[t * WIDTH + k]! + prices.slots[t * SLOTS + k]!;
    const reduced = this.cost.slice();
    this.columns.forEach((column, j) => {
      let sum = column.kind === 'move' ? -credits[column.owner]! : 0;
      for (const p of column.pieces)
        if (p.therapist >= 0) sum += this.piece(prices, p.therapist, p.from, p.to, p.therapist !== column.part?.booked);
      const { part, pieces } = column;
      sum += personPrice(instance, prices, column) + limitPrice(instance, prices, column);
      if (column.kind === 'pattern' && part)
        for (const { who, price } of prices.likenesses) if (price > 0) sum += price * sameSlots(part, pieces, who);
      reduced[j]! += sum;
    });
    for (const { cut, price } of cuts) {
      const { at, values } = this.entriesOf(cut);
      at.forEach((j, i) => (reduced[j]! += price * values[i]!));
    }
    return reduced;
  }

  /** Whether a column is listed; in rare cases also true for an unlisted column with an equal hash. */
  has(column: Column): boolean {
    return this.marks.has(markOf(column));
  }

  private piece(prices: Prices, t: number, from: number, to: number, other: boolean): number {
    const row = t * WIDTH;
    const { lunchBefore, slotsBefore } = this;
    const lunch = lunchBefore[row + to]! - lunchBefore[row + from]!;
    let sum = slotsBefore[row + to]! - slotsBefore[row + from]!;
    sum += prices.lunchExcess[t]! * Math.max(0, lunch - prices.lunchRoom[t]!);
    return other ? sum + prices.lengths[t * LENGTHS + to - from]! : sum;
  }

  private entriesOf(cut: Cut): Entries {
    const key = rowKey(cut);
    const known = this.entries.get(key);
    if (known) return known;
    const { instance } = this.objective;
    const touched = new Set<number>();
    const group = (g: number) => this.ofGroup[g]?.forEach((j) => touched.add(j));
    for (const m of cut.members) group(m.kind === 'pattern' ? m.owner : instance.open.length + m.owner);
    for (const m of instance.staysOf[cut.therapist] ?? []) group(instance.open.length + m);
    const at: number[] = [];
    const values: number[] = [];
    for (const j of touched) {
      const value = cutCoefficient(instance, cut, this.columns[j] as Column);
      if (value === 0) continue;
      at.push(j);
      values.push(value);
    }
    this.entries.set(key, { at, values });
    return { at, values };
  }
}
