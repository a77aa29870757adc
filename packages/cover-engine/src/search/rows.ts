/**
 * The right-hand sides and keys of the master program's rows, and the costs of its columns (*The program* in
 * docs/cover-engine.md).
 */
import type { Column, Row } from './column.ts';
import { SLOTS } from '../slots.ts';
import { limitSlack, plainColumn } from './columns.ts';
import type { Objective } from './objective.ts';
import { scaleOf, type Limited } from './limited.ts';
import { columnPoints, stepRoom } from './objective.ts';
import type { Instance } from './instance.ts';
import { lunchRoom } from './prices.ts';

const limitSide = ({ fixedUnits }: Objective, what: Limited, units: number): number =>
  scaleOf(what) * (units - fixedUnits[what]);

/** The least that the columns of a row may add up to. */
export function leftSide(objective: Objective, row: Row): number {
  if (row.kind === 'limit') return limitSide(objective, row.what, objective.atLeast[row.what] ?? -Infinity);
  return isEquality(objective.instance, row) ? rightSide(objective, row) : -Infinity;
}

/** The right-hand side of a row: the most that its columns may add up to. */
export function rightSide(objective: Objective, row: Row): number {
  const { instance } = objective;
  switch (row.kind) {
    case 'part':
    case 'move':
    case 'once':
      return 1;
    case 'flow':
      return 0;
    case 'place':
      return row.stay >= 0 || instance.callOf[Math.floor(row.at / SLOTS)]! >= 0 ? 0 : 1;
    case 'lunch':
    case 'lunch-free':
      return lunchRoom(instance, row.therapist);
    case 'over':
      return stepRoom(instance, row.step);
    case 'cap':
      return instance.capRoom[row.therapist]!;
    case 'limit':
      return limitSide(objective, row.what, objective.limits[row.what] ?? Infinity);
    case 'charge':
    case 'lunch-piece':
    case 'over-piece':
    case 'union':
      return 0;
    case 'unlike':
      return row.most;
  }
}

/**
 * Whether a row demands an exact number: an open part has exactly one pattern, the chosen arcs of a part form one path,
 * and a part that must move moves exactly once.
 */
function isEquality(instance: Instance, row: Row): boolean {
  return (
    row.kind === 'part' || row.kind === 'flow' || (row.kind === 'move' && instance.movable[row.owner]?.must === true)
  );
}

/** The column that pays when a row is broken; null if the row must not be broken. */
export function payingColumn(instance: Instance, row: Row): Column | null {
  switch (row.kind) {
    case 'lunch':
    case 'lunch-free':
    case 'lunch-piece':
      return plainColumn('lunch', row.therapist);
    case 'over':
    case 'over-piece':
      return plainColumn('over', row.step);
    case 'charge':
      return plainColumn('charge', row.charge);
    case 'place': {
      const call = row.stay < 0 ? instance.callOf[Math.floor(row.at / SLOTS)]! : -1;
      return call < 0 ? null : plainColumn('charge', call);
    }
    case 'union':
      return plainColumn('union', row.at);
    case 'unlike':
      return plainColumn('slack', row.id);
    case 'limit':
      return plainColumn('slack', limitSlack(row.what));
    default:
      return null;
  }
}

/** A string that identifies a row. */
export function rowKey(row: Row): string {
  if (row.kind === 'place' || row.kind === 'union') return `${row.kind}:${row.at}:${row.stay}`;
  if (row.kind === 'flow') return `flow:${row.owner}:${row.node}`;
  if (row.kind === 'once') return `once:${row.owner}:${row.therapist}`;
  if (row.kind === 'unlike') return `unlike:${row.id}`;
  if (row.kind === 'limit') return `limit:${row.what}`;
  if (row.kind === 'charge') return `charge:${row.charge}:${row.group}`;
  if (row.kind === 'over' || row.kind === 'over-piece') return `${row.kind}:${row.step}`;
  return `${row.kind}:${'owner' in row ? row.owner : row.therapist}`;
}

/** The points of a column. `unmoved` stands for a session that must move and cannot, and costs more than any plan. */
export const columnCost = ({ instance, weights }: Objective, column: Column, never: number): number =>
  column.kind === 'unmoved' || column.kind === 'slack' ? never : columnPoints(instance, weights, column);
