/**
 * Finds the coefficients of columns in rows (*The program* in docs/cover-engine.md) without checking every row for
 * every column.
 */
import { pushTo } from '@clinic/domain';
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './column.ts';
import { coefficient, groupOf } from './columns.ts';
import type { Instance } from './instance.ts';
import { STATES } from './piece-states.ts';
import { sparse, type Sparse } from './sparse.ts';

/** The number of nodes in the longest part's graph. */
const NODES = (SLOTS + 1) * STATES;
const flowKey = (owner: number, node: number): number => owner * NODES + node;

/** Finds the rows that contain a column, by the places, people and charges that the column touches. */
export class RowIndex {
  readonly rows: Row[] = [];
  private readonly instance: Instance;
  private readonly places = new Map<number, number[]>();
  private readonly parts = new Map<number, number>();
  private readonly flows = new Map<number, number>();
  private readonly moves = new Map<number, number>();
  private readonly days = new Map<number, number[]>();
  /** The rows that concern charges: by group, and by charge. */
  private readonly groups = new Map<number, number[]>();
  private readonly charges = new Map<number, number[]>();
  private readonly others: number[] = [];

  constructor(instance: Instance) {
    this.instance = instance;
  }

  add(row: Row): void {
    const r = this.rows.length;
    this.rows.push(row);
    if (row.kind === 'place') {
      pushTo(this.places, row.at, r);
      const call = row.stay < 0 ? this.instance.callOf[Math.floor(row.at / SLOTS)]! : -1;
      if (call >= 0) pushTo(this.charges, call, r);
    } else if (row.kind === 'charge') {
      pushTo(this.groups, row.group, r);
      pushTo(this.charges, row.charge, r);
    } else if (row.kind === 'part') this.parts.set(row.owner, r);
    else if (row.kind === 'flow') this.flows.set(flowKey(row.owner, row.node), r);
    else if (row.kind === 'move') this.moves.set(row.owner, r);
    else if (row.kind === 'union') this.others.push(r);
    else if ('therapist' in row) pushTo(this.days, row.therapist, r);
    else this.others.push(r);
  }

  /**
   * Calls `put` for each row that contains a column. Most are `place` rows, which are found without computing a
   * coefficient.
   */
  private eachEntry(column: Column, put: (row: number, value: number) => void): void {
    const { kind, owner } = column;
    const ask = (r: number) => put(r, coefficient(this.instance, this.rows[r] as Row, column));
    for (const at of column.uses) for (const r of this.places.get(at) ?? []) put(r, 1);
    if (kind === 'charge') {
      for (const r of this.charges.get(owner) ?? []) put(r, -1);
      this.others.forEach(ask);
      return;
    }
    if (column.shared.length > 0) for (const r of this.groups.get(groupOf(this.instance, column)) ?? []) ask(r);
    const days = new Set(column.pieces.map((p) => p.therapist));
    if (kind === 'lunch') days.add(owner);
    if (kind === 'over') days.add(this.instance.steps[owner]!.therapist);
    if (kind === 'union') days.add(Math.floor(owner / SLOTS));
    if (kind === 'move' && column.part) {
      const { booked, from, to } = column.part;
      days.add(booked);
      for (let at = booked * SLOTS + from; at < booked * SLOTS + to; at++)
        for (const r of this.places.get(at) ?? []) ask(r);
    }
    for (const t of days) this.days.get(t)?.forEach(ask);
    if (column.ends) {
      const { tail, head } = column.ends;
      const rows = [tail === 0 ? this.parts.get(owner) : this.flows.get(flowKey(owner, tail))];
      for (const r of [...rows, this.flows.get(flowKey(owner, head))]) if (r !== undefined) ask(r);
    }
    const own = kind === 'pattern' ? this.parts.get(owner) : this.moves.get(owner);
    if (own !== undefined && (kind === 'pattern' || kind === 'move' || kind === 'unmoved')) put(own, 1);
    this.others.forEach(ask);
  }

  /** The coefficients of these columns in all rows. */
  matrix(columns: readonly Column[]): Sparse {
    return sparse(columns, (column, put) => this.eachEntry(column, put));
  }
}
