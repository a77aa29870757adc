/**
 * Right-hand sides, costs and keys of the master program's rows and columns (*The program* in docs/cover-engine.md).
 */
import type { Column, Row } from './columns.ts';
import { coefficient, plainColumn } from './columns.ts';
import { cutCoefficient, cutKey, cutSide } from './cover-cuts.ts';
import type { Objective } from './objective.ts';
import { overloadRoom, partCost } from './objective.ts';
import type { Instance } from './instance.ts';
import { lunchRoom } from './prices.ts';

/** A column's coefficient in any row. */
export const entry = (instance: Instance, row: Row, column: Column): number =>
  row.kind === 'cover' ? cutCoefficient(instance, row, column) : coefficient(instance, row, column);

/** Right-hand side of a row (upper bound of its activity). */
export function rightSide(instance: Instance, row: Row): number {
  switch (row.kind) {
    case 'part':
    case 'move':
      return 1;
    case 'place':
      return row.stay >= 0 ? 0 : 1;
    case 'lunch':
    case 'lunch-free':
      return lunchRoom(instance, row.therapist);
    case 'over':
      return overloadRoom(instance, row.therapist);
    case 'lunch-piece':
    case 'over-piece':
    case 'union':
      return 0;
    case 'unlike':
    case 'uncovered':
      return row.most;
    case 'cover':
      return cutSide(row);
  }
}

/** Whether a row holds with equality: every part is given once; what must move does. */
export function isEquality(instance: Instance, row: Row): boolean {
  return row.kind === 'part' || (row.kind === 'move' && instance.movable[row.owner]?.must === true);
}

/** The column that pays for breaking a row; null for one that cannot be paid for. */
export function payingColumn(row: Row): Column | null {
  switch (row.kind) {
    case 'lunch':
    case 'lunch-free':
    case 'lunch-piece':
      return plainColumn('lunch', row.therapist);
    case 'over':
    case 'over-piece':
      return plainColumn('over', row.therapist);
    case 'cover':
      return plainColumn(row.what, row.therapist);
    case 'union':
      return plainColumn('union', row.at);
    case 'unlike':
      return plainColumn('slack', row.id);
    case 'uncovered':
      return plainColumn('slack', -1);
    default:
      return null;
  }
}

/** One text for one row. */
export function rowKey(row: Row): string {
  if (row.kind === 'place' || row.kind === 'union') return `${row.kind}:${row.at}:${row.stay}`;
  if (row.kind === 'cover') return cutKey(row);
  if (row.kind === 'unlike') return `unlike:${row.id}`;
  if (row.kind === 'uncovered') return row.kind;
  return `${row.kind}:${'owner' in row ? row.owner : row.therapist}`;
}

/** Points of a column; `unmoved` stands for a session that must move and cannot, dearer than any plan. */
export function columnCost({ instance, weights }: Objective, column: Column, never: number): number {
  if (column.kind === 'lunch') return weights.lunch;
  if (column.kind === 'over') return weights.overload;
  if (column.kind === 'unmoved' || column.kind === 'slack') return never;
  return column.part ? partCost(instance, weights, column.part, column.pieces) : 0;
}
