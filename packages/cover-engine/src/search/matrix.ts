/**
 * The coefficients of columns in rows, without asking every row about every column.
 */
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './columns.ts';
import { coefficient } from './columns.ts';
import type { Ground } from './ground.ts';

/** Sparse columns as HiGHS takes them (compressed by column). */
export interface SparseColumns {
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** Rows, found again by what a column touches. */
export class RowIndex {
  readonly rows: Row[] = [];
  private readonly ground: Ground;
  private readonly places = new Map<number, number[]>();
  private readonly parts = new Map<number, number>();
  private readonly moves = new Map<number, number>();
  private readonly days = new Map<number, number[]>();
  private readonly others: number[] = [];

  constructor(ground: Ground) {
    this.ground = ground;
  }

  add(row: Row): void {
    const r = this.rows.length;
    this.rows.push(row);
    const into = (map: Map<number, number[]>, key: number) => {
      const list = map.get(key);
      if (list) list.push(r);
      else map.set(key, [r]);
    };
    if (row.kind === 'place') into(this.places, row.at);
    else if (row.kind === 'part') this.parts.set(row.owner, r);
    else if (row.kind === 'move') this.moves.set(row.owner, r);
    else if (row.kind === 'union') this.others.push(r);
    else if ('therapist' in row) into(this.days, row.therapist);
    else this.others.push(r);
  }

  /** The row of a movable part's moves. */
  rowOfMove(movable: number): number | undefined {
    return this.moves.get(movable);
  }

  /** Rows in which a column may stand. */
  private touched(column: Column): Set<number> {
    const found = new Set(this.others);
    const take = (list: number[] | undefined) => list?.forEach((r) => found.add(r));
    for (const at of column.uses) take(this.places.get(at));
    for (const p of column.pieces) take(this.days.get(p.therapist));
    if (column.kind === 'way') found.add(this.parts.get(column.owner) ?? 0);
    if (column.kind === 'lunch' || column.kind === 'over') take(this.days.get(column.owner));
    if (column.kind === 'union') take(this.days.get(Math.floor(column.owner / SLOTS)));
    if (column.kind === 'move' || column.kind === 'unmoved') {
      const r = this.moves.get(column.owner);
      if (r !== undefined) found.add(r);
    }
    if (column.kind === 'move' && column.part) {
      const { booked, from, to } = column.part;
      for (let k = from; k < to; k++) take(this.places.get(booked * SLOTS + k));
      take(this.days.get(booked));
    }
    return found;
  }

  /** The coefficients of columns in all rows. */
  matrix(columns: readonly Column[]): SparseColumns {
    const starts = new Int32Array(columns.length + 1);
    const indices: number[] = [];
    const values: number[] = [];
    columns.forEach((column, j) => {
      starts[j] = indices.length;
      for (const r of this.touched(column)) {
        const value = coefficient(this.ground, this.rows[r] as Row, column);
        if (value === 0) continue;
        indices.push(r);
        values.push(value);
      }
    });
    starts[columns.length] = indices.length;
    return { starts, indices: Int32Array.from(indices), values: Float64Array.from(values) };
  }
}
