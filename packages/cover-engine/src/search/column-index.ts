/** Finds the columns that a new row may contain, without asking every column of the master program. */
import { pushTo } from '@clinic/domain';
import type { Column, Row } from './column.ts';
import { coefficient, groupOf } from './columns.ts';
import type { Instance } from './instance.ts';
import { sparse, type Sparse } from './sparse.ts';

/** The positions of the master's columns, by what they touch; each list is in ascending order. */
export class ColumnIndex {
  private readonly instance: Instance;
  private readonly places = new Map<number, number[]>();
  /** By group (see `Charge`). */
  private readonly groups = new Map<number, number[]>();
  /** By therapist: the columns that give them work, and the moves that take a booked part from them. */
  private readonly days = new Map<number, number[]>();
  /** The columns that belong to no part, such as those that pay for breaking a row. They are few. */
  private readonly plain: number[] = [];
  private readonly all: number[] = [];

  constructor(instance: Instance) {
    this.instance = instance;
  }

  add(column: Column): void {
    const j = this.all.length;
    this.all.push(j);
    if (!column.part) {
      this.plain.push(j);
      return;
    }
    for (const at of column.uses) pushTo(this.places, at, j);
    pushTo(this.groups, groupOf(this.instance, column), j);
    const people = new Set(column.pieces.map((p) => p.therapist));
    if (column.kind === 'move') people.add(column.part.booked);
    for (const t of people) pushTo(this.days, t, j);
  }

  /** The positions of all columns that can have a coefficient in this row, and of a few others, in ascending order. */
  touching(row: Row): readonly number[] {
    const { open } = this.instance;
    switch (row.kind) {
      case 'part':
        return this.with(this.groups.get(row.owner));
      case 'move':
        return this.with(this.groups.get(open.length + row.owner));
      case 'place':
        return this.with(this.places.get(row.at), row.stay < 0 ? [] : this.groups.get(open.length + row.stay));
      case 'union':
        return this.with(this.groups.get(open.length + row.stay));
      case 'charge':
        return this.with(this.groups.get(row.group));
      case 'flow':
      case 'limit':
      case 'unlike':
        return this.all;
      default:
        return this.with(this.days.get(row.therapist));
    }
  }

  /** The coefficients of these rows in the indexed columns, which are given by position. */
  matrix(rows: readonly Row[], columns: readonly Column[]): Sparse {
    return sparse(rows, (row, put) => {
      for (const j of this.touching(row)) put(j, coefficient(this.instance, row, columns[j]!));
    });
  }

  private with(some: readonly number[] = [], others: readonly number[] = []): number[] {
    return [...new Set([...this.plain, ...some, ...others])].sort((a, b) => a - b);
  }
}
