/**
 * Keeps the prices of a large relaxation near the best ones so far (*From bound to proof*, step 2, in
 * docs/cover-engine.md), after du Merle, Villeneuve, Desrosiers and Hansen, *Stabilized column generation* (1999). With
 * few columns, many prices solve the program, and each round of HiGHS ends in others, far from the last. So each row may
 * be broken a little at slightly more than its best price, or be kept with room to spare at slightly less. Only duals
 * change, and the bound is true for any prices.
 */
import type { Relaxed, Master } from './master.ts';
import type { Column, Row } from './column.ts';
import { plainColumn } from './columns.ts';
import type { Objective } from './objective.ts';

/** From this many open parts on, a relaxation takes long enough to gain from a box. With fewer, it is slower with one. */
const MANY_PARTS = 45;
/**
 * The box is used once the bound is above this share of the program's cost. If it is so in the first round, the program
 * begins with good prices.
 */
const FROM = 0.5;
/** How far a price may go from the best one for nothing: this share of the program's cost for each open part. */
const WIDTH = 0.1;
/** How much of a row may be broken or left at the edge of the box; each number is for a smaller box. */
const SIZES = [1, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015];
/** The next box is for prices that raised the bound by at least this share of what the program promised. */
const GOOD = 0.5;

/** The rows that may have boxes: those whose prices patterns and moves share. */
const BOXED: ReadonlySet<Row['kind']> = new Set([
  'place',
  'charge',
  'cap',
  'lunch',
  'lunch-free',
  'lunch-piece',
  'over',
  'over-piece',
  'union',
]);

export class PriceBox {
  private readonly objective: Objective;
  private readonly master: Master;
  /** The position of the first of a row's two boxes, by the row's position; -1 for a row without boxes. */
  private readonly places: number[] = [];
  /** The prices of the rows in the best bound, by position. A newer row has none. */
  private centre = new Float64Array(0);
  private best = -Infinity;
  /** The best bound when the last box was made. */
  private before = -Infinity;
  private width = 0;
  private rounds = 0;
  /** The index in `SIZES`; -1 before the first box. */
  private size = -1;
  /** Whether there is no box any more. */
  private ended: boolean;

  constructor(objective: Objective, master: Master) {
    this.objective = objective;
    this.master = master;
    this.ended = objective.instance.open.length < MANY_PARTS;
  }

  /**
   * Makes the next box from a round's solution and its bound. `nothing`: whether the round added no column and no row.
   * Returns false if the round had no box, so that its solution is one of the program itself.
   */
  next({ values, duals, objective }: Relaxed, bound: number, nothing: boolean): boolean {
    if (this.ended) return false;
    const cost = this.objective.fixedCost + objective;
    if (bound > this.best) {
      this.best = bound;
      this.centre = Float64Array.from(duals, (dual) => Math.max(0, -dual));
    }
    if (this.size < 0) {
      const near = bound > FROM * cost;
      this.ended = nothing || (near && this.rounds === 0);
      this.rounds++;
      if (this.ended || !near) return false;
      this.width = (WIDTH * cost) / this.objective.instance.open.length;
      this.size = 0;
    } else if (nothing || bound - this.before >= GOOD * (cost - this.before)) this.size++;
    this.ended = this.size === SIZES.length || (nothing && !this.isUsed(values));
    this.make(this.ended ? 0 : SIZES[this.size]!);
    this.before = this.best;
    return true;
  }

  /** Takes the boxes out of the program if there are any; returns the values of all other columns. */
  leave(values: Float64Array): Float64Array {
    return this.places.splice(0).length > 0 ? this.master.dropBoxes(values) : values;
  }

  private isUsed(values: Float64Array): boolean {
    return this.places.some((at) => at >= 0 && (values[at] ?? 0) + (values[at + 1] ?? 0) > 1e-9);
  }

  /**
   * Makes boxes that may be used up to `most`. At the end that is 0, and they stay with their costs: where many prices
   * solve the program, they still hold those near the best ones.
   */
  private make(most: number): void {
    const { master, objective, places, centre, width } = this;
    const { length } = master.columns;
    const fresh: Column[] = [];
    for (let row = places.length; row < master.rows.length; row++) {
      const boxed = BOXED.has(master.rows[row]!.kind);
      places.push(boxed ? length + fresh.length : -1);
      if (boxed) fresh.push(plainColumn('box', 2 * row), plainColumn('box', 2 * row + 1));
    }
    master.addColumns(objective, fresh);
    master.setBoxes(
      places.flatMap((at, row) => {
        if (at < 0) return [];
        const price = centre[row] ?? 0;
        const least = Math.max(0, price - width);
        return [
          { at, cost: -least, most: least > 0 ? most : 0 },
          { at: at + 1, cost: price + width, most },
        ];
      }),
    );
  }
}
