/**
 * What rows and columns are worth: right-hand sides, costs, names.
 */
import type { Column, Row } from './columns.ts';
import type { Field } from './field.ts';
import { overloadRoom, partCost } from './field.ts';
import type { Ground } from './ground.ts';
import { lunchRoom } from './prices.ts';

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
