/**
 * Translates columns, rows and bases of a day to the same day with more pins (*Pins* in docs/cover-engine.md), where
 * parts, moves and charges have other numbers. What the pins make impossible is left out.
 */
import type { PlanPiece } from './model.ts';
import { NOBODY } from './model.ts';
import { SLOTS } from './slots.ts';
import { BASIC, type Basis } from './search/basis.ts';
import type { Column, Row } from './search/column.ts';
import { columnKey, heldTogether, moveColumn, patternColumn, plainColumn, unionRows } from './search/columns.ts';
import { isShared, type Instance } from './search/instance.ts';
import { stepRoom } from './search/objective.ts';
import { lunchRoom } from './search/prices.ts';
import { rowKey } from './search/rows.ts';

/** A column as far as it does not depend on pins; `owner` is by the numbers of the day with fewer pins. */
export type Outline = Pick<Column, 'kind' | 'owner' | 'pieces'>;

/** Columns or rows of a list that are in a basis, each with its status. */
export type Marked = readonly (readonly [number, number])[];

export class Translation {
  private readonly free: Instance;
  private readonly pinned: Instance;
  private readonly openOf = new Map<number, number>();
  private readonly charges: ReadonlyMap<string, number>;

  constructor(free: Instance, pinned: Instance) {
    this.free = free;
    this.pinned = pinned;
    pinned.open.forEach((part, i) => this.openOf.set(part.index, i));
    this.charges = new Map(pinned.charges.map(({ name }, id) => [name, id]));
  }

  /** The column in the day with more pins; null if the pins make it impossible. */
  column({ kind, owner, pieces }: Outline): Column | null {
    const { pinned } = this;
    switch (kind) {
      case 'pattern': {
        const open = this.open(owner);
        return open !== undefined && this.fits(pinned.open[open]!.booked, pieces)
          ? patternColumn(pinned, open, pieces)
          : null;
      }
      case 'move': {
        const movable = this.movable(owner);
        const target = pieces[0]!.therapist;
        return pinned.movable[movable]?.targets.includes(target) ? moveColumn(pinned, movable, target) : null;
      }
      case 'charge': {
        const charge = this.charge(owner);
        return charge === undefined ? null : plainColumn('charge', charge);
      }
      case 'union':
        return heldTogether(pinned, owner) ? plainColumn('union', owner) : null;
      case 'lunch':
      case 'over':
        return plainColumn(kind, owner);
      // The program adds these by itself.
      case 'slack':
      case 'unmoved':
      case 'arc':
        return null;
    }
  }

  /** The rows in the day with more pins that a row becomes. */
  rows(row: Row): Row[] {
    switch (row.kind) {
      case 'place':
        return this.place(row.at, row.stay);
      case 'lunch':
      case 'lunch-free':
        // Lunch rows are right only together with all `union` rows of the therapist.
        return [row, ...unionRows(this.pinned, row.therapist)];
      case 'lunch-piece': {
        const room = lunchRoom(this.pinned, row.therapist);
        return room < 0 ? [] : [{ ...row, room }, ...unionRows(this.pinned, row.therapist)];
      }
      case 'over-piece': {
        const room = stepRoom(this.pinned, row.step);
        return room < 0 ? [] : [{ ...row, room }];
      }
      case 'charge': {
        const charge = this.charge(row.charge);
        const group = this.group(row.group);
        if (charge === undefined || group === undefined) return [];
        return this.pinned.charges[charge]!.groups.includes(group) ? [{ kind: 'charge', charge, group }] : [];
      }
      case 'over':
      case 'cap':
      case 'limit':
        return [row];
      default:
        return [];
    }
  }

  /** A basis of these columns and rows. What it does not name changes nothing. */
  basis(columns: readonly Outline[], rows: readonly Row[], marked: { columns: Marked; rows: Marked }): Basis {
    const basis = {
      columns: new Map<string, { readonly column: Column; readonly status: number }>(),
      rows: new Map<string, { readonly row: Row; readonly status: number }>(),
    };
    for (const [j, status] of marked.columns) {
      const column = this.column(columns[j]!);
      if (column) basis.columns.set(columnKey(column), { column, status });
    }
    for (const [r, status] of marked.rows) {
      this.rows(rows[r]!).forEach((row, i) => {
        const key = rowKey(row);
        if (i === 0) basis.rows.set(key, { row, status });
        else if (!basis.rows.has(key)) basis.rows.set(key, { row, status: BASIC });
      });
    }
    return basis;
  }

  private open(owner: number): number | undefined {
    return this.openOf.get(this.free.open[owner]!.index);
  }

  private movable(owner: number): number {
    return this.pinned.movableOf[this.free.movable[owner]!.part.index]!;
  }

  private charge(id: number): number | undefined {
    const charge = this.charges.get(this.free.charges[id]!.name);
    return charge !== undefined && isShared(this.pinned.charges[charge]!) ? charge : undefined;
  }

  private group(group: number): number | undefined {
    const { length } = this.free.open;
    if (group < length) return this.open(group);
    const movable = this.movable(group - length);
    return movable < 0 ? undefined : this.pinned.open.length + movable;
  }

  private place(at: number, stay: number): Row[] {
    const movable = stay < 0 ? -1 : this.movable(stay);
    // Without the session that had to leave, its therapist's time is either free or never free.
    return movable < 0 && this.pinned.hard[at] ? [] : [{ kind: 'place', at, stay: movable }];
  }

  private fits(booked: number, pieces: readonly PlanPiece[]): boolean {
    const given = new Map<number, number>();
    for (const { therapist, from, to } of pieces) {
      if (therapist === NOBODY) continue;
      for (let at = therapist * SLOTS + from; at < therapist * SLOTS + to; at++) if (this.pinned.hard[at]) return false;
      if (therapist !== booked) given.set(therapist, (given.get(therapist) ?? 0) + to - from);
    }
    return [...given].every(([therapist, slots]) => slots <= this.pinned.capRoom[therapist]!);
  }
}
