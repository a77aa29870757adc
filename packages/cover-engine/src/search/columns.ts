/**
 * Makes the columns of the master program (*The program* in docs/cover-engine.md) and their coefficients in its rows: a
 * pattern divides one open part, a move gives a movable part to another therapist. Most rows are added only when a
 * solution breaks them; until then their price is zero. The file is over 250 lines because a new kind of row or column
 * needs all of it.
 */
import type { Part, Plan, PlanPiece } from '../model.ts';
import { emptyPlan, NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './column.ts';
import { LIMITED, scaleOf, type Limited } from './limited.ts';
import { chargesIn, columnUnits } from './objective.ts';
import type { Instance } from './instance.ts';

function pieceColumn(
  instance: Instance,
  kind: 'pattern' | 'arc' | 'move',
  owner: number,
  part: Part,
  pieces: readonly PlanPiece[],
): Column {
  const uses: number[] = [];
  for (const p of pieces)
    if (p.therapist !== NOBODY) for (let k = p.from; k < p.to; k++) uses.push(p.therapist * SLOTS + k);
  const column = { kind, owner, part, pieces, uses, direct: [], shared: [], ends: null };
  return {
    ...column,
    direct: chargesIn(instance, column, false),
    shared: chargesIn(instance, column, true),
  };
}

/**
 * Makes the column of a pattern for the open part with index `owner`. The column occupies every slot of its pieces that
 * has a therapist.
 */
export function patternColumn(instance: Instance, owner: number, pieces: readonly PlanPiece[]): Column {
  return pieceColumn(instance, 'pattern', owner, instance.open[owner]!, pieces);
}

/** Makes the column of one piece of an open part: an arc between two nodes of the part's graph. */
export function arcColumn(instance: Instance, owner: number, piece: PlanPiece, ends: Column['ends']): Column {
  return { ...pieceColumn(instance, 'arc', owner, instance.open[owner]!, [piece]), ends };
}

/** For each instance: the columns of moves made so far. Pricing asks for every move in every round. */
const moves = new WeakMap<Instance, Map<number, Column>>();

/** The column that moves a whole movable part to a therapist; both are given by index. */
export function moveColumn(instance: Instance, owner: number, target: number): Column {
  let known = moves.get(instance);
  if (!known) moves.set(instance, (known = new Map<number, Column>()));
  const key = owner * instance.model.therapists.length + target;
  let column = known.get(key);
  if (!column) {
    const { part } = instance.movable[owner]!;
    column = pieceColumn(instance, 'move', owner, part, [{ therapist: target, from: part.from, to: part.to }]);
    known.set(key, column);
  }
  return column;
}

/** Makes a column that belongs to no part and has no pieces. */
export function plainColumn(kind: 'unmoved' | 'slack' | 'lunch' | 'over' | 'union' | 'charge', owner: number): Column {
  return { kind, owner, part: null, pieces: [], uses: [], direct: [], shared: [], ends: null };
}

/** The `owner` of the slack column that pays for exceeding a limit; the column costs more than any plan. */
export const limitSlack = (what: Limited): number => -1 - LIMITED.indexOf(what);

/** Whether a therapist's slot is occupied by exactly one movable part, and by nothing that must stay. */
function heldAlone(instance: Instance, at: number): boolean {
  return instance.hard[at] === 0 && instance.stays[at]?.length === 1;
}

/** Whether a therapist's slot is occupied by several movable parts, and by nothing that must stay. */
export function heldTogether(instance: Instance, at: number): boolean {
  return instance.hard[at] === 0 && (instance.stays[at]?.length ?? 0) > 1;
}

/** Makes the rows for lunch slots that several movable parts occupy. Such a slot is free if all of them move away. */
export function unionRows(instance: Instance, therapist: number): Row[] {
  const rows: Row[] = [];
  for (let at = therapist * SLOTS; at < (therapist + 1) * SLOTS; at++)
    if (instance.lunchSlot[at] && heldTogether(instance, at))
      for (const p of instance.stays[at] ?? []) rows.push({ kind: 'union', at, stay: instance.movableOf[p]! });
  return rows;
}

/**
 * How many lunch slots the booked therapist gets back when this part moves away: the slots that only this part
 * occupied. With `capped`: all of the part's lunch slots, up to the therapist's `lunchSpare`.
 */
export function lunchFreed(instance: Instance, part: Part, capped: boolean): number {
  let n = 0;
  for (let at = part.booked * SLOTS + part.from; at < part.booked * SLOTS + part.to; at++)
    if (instance.lunchSlot[at] && (capped || heldAlone(instance, at))) n++;
  return capped ? Math.min(n, Math.max(0, instance.lunchSpare[part.booked]!)) : n;
}

/** How many lunch slots a piece takes from its therapist. `mask` marks lunch slots at [therapist × 48 + slot]. */
export function lunchSlots(mask: Uint8Array, piece: PlanPiece): number {
  let slots = 0;
  for (let k = piece.from; k < piece.to; k++) slots += mask[piece.therapist * SLOTS + k]!;
  return slots;
}

/**
 * How many lunch slots a column's pieces take from the therapist, minus the slots that a move gives back. In each
 * piece, only the slots beyond `room` count.
 */
function lunchCoefficient(
  instance: Instance,
  column: Column,
  therapist: number,
  capped: boolean,
  room: number,
): number {
  if (column.kind === 'lunch') return column.owner === therapist ? -1 : 0;
  if (column.kind === 'union') return !capped && Math.floor(column.owner / SLOTS) === therapist ? -1 : 0;
  let n = 0;
  for (const p of column.pieces)
    if (p.therapist === therapist)
      n += Math.max(0, lunchSlots(capped ? instance.lunchFree : instance.lunchSlot, p) - room);
  return column.kind === 'move' && column.part?.booked === therapist
    ? n - lunchFreed(instance, column.part, capped)
    : n;
}

/** How many slots of others' work a column gives a therapist. In each piece only the slots beyond `room` count. */
function overCoefficient(column: Column, therapist: number, step: number, room: number): number {
  if (column.kind === 'over') return column.owner === step ? -1 : 0;
  if (!column.part || column.part.booked === therapist) return 0;
  let n = 0;
  for (const p of column.pieces) if (p.therapist === therapist) n += Math.max(0, p.to - p.from - room);
  return n;
}

/** The number of slots in which these pieces of a part have the same person as in an earlier option. */
export function sameSlots(part: Part, pieces: readonly PlanPiece[], who: Int32Array): number {
  let n = 0;
  if (part.affected)
    for (const p of pieces) for (let k = p.from; k < p.to; k++) if (who[part.index * SLOTS + k] === p.therapist) n++;
  return n;
}

/** The coefficient of a column in a row. */
export function coefficient(instance: Instance, row: Row, column: Column): number {
  const moves = column.kind === 'move' ? column.owner : -1;
  switch (row.kind) {
    case 'part':
      return groupOf(instance, column) === row.owner && (column.ends?.tail ?? 0) === 0 ? 1 : 0;
    case 'once':
      return column.kind === 'arc' && column.owner === row.owner && column.pieces[0]?.therapist === row.therapist
        ? 1
        : 0;
    case 'flow':
      if (column.owner !== row.owner) return 0;
      return (column.ends?.head === row.node ? 1 : 0) - (column.ends?.tail === row.node ? 1 : 0);
    case 'move':
      return (column.kind === 'move' || column.kind === 'unmoved') && column.owner === row.owner ? 1 : 0;
    case 'place':
      if (column.kind === 'charge')
        return row.stay < 0 && column.owner === instance.callOf[Math.floor(row.at / SLOTS)] ? -1 : 0;
      return (column.uses.includes(row.at) ? 1 : 0) - (row.stay >= 0 && moves === row.stay ? 1 : 0);
    case 'lunch':
      return lunchCoefficient(instance, column, row.therapist, false, 0);
    case 'lunch-free':
      return lunchCoefficient(instance, column, row.therapist, true, 0);
    case 'lunch-piece':
      return lunchCoefficient(instance, column, row.therapist, true, row.room);
    case 'over':
      return overCoefficient(column, row.therapist, row.step, 0);
    case 'cap':
      return overCoefficient(column, row.therapist, -1, 0);
    case 'charge':
      if (column.kind === 'charge') return column.owner === row.charge ? -1 : 0;
      return groupOf(instance, column) === row.group && column.shared.includes(row.charge) ? 1 : 0;
    case 'limit':
      if (column.kind === 'slack') return column.owner === limitSlack(row.what) ? -1 : 0;
      return scaleOf(row.what) * columnUnits(instance, row.what, column);
    case 'over-piece':
      return overCoefficient(column, row.therapist, row.step, row.room);
    case 'union':
      if (column.kind === 'union') return column.owner === row.at ? 1 : 0;
      return moves === row.stay ? -1 : 0;
    case 'unlike':
      if (column.kind === 'slack') return column.owner === row.id ? -1 : 0;
      return column.part && column.kind !== 'move' ? sameSlots(column.part, column.pieces, row.who) : 0;
  }
}

/** The group of a pattern or a move, as `Charge` defines groups; -1 for any other column. */
export function groupOf(instance: Instance, { kind, owner }: Column): number {
  return kind === 'pattern' || kind === 'arc' ? owner : kind === 'move' ? instance.open.length + owner : -1;
}

/**
 * The columns that leave a whole open part without a therapist, one for each open part. They are always in the program,
 * so the program always has a solution.
 */
export function uncoveredColumns(instance: Instance): Column[] {
  return instance.open.map((part, i) =>
    patternColumn(instance, i, [{ therapist: NOBODY, from: part.from, to: part.to }]),
  );
}

/** Whether choosing the column leaves a whole part without a therapist. */
export const leavesAll = ({ kind, pieces }: Column): boolean =>
  kind === 'pattern' && pieces.length === 1 && pieces[0]?.therapist === NOBODY;

/** The columns that make up a plan. */
export function columnsOf(instance: Instance, plan: Plan): Column[] {
  const columns = instance.open.map((part, i) => patternColumn(instance, i, plan[part.index] ?? []));
  instance.movable.forEach((m, i) => {
    const therapist = plan[m.part.index]?.[0]?.therapist ?? m.part.booked;
    if (therapist !== m.part.booked) columns.push(moveColumn(instance, i, therapist));
  });
  return columns;
}

/** The pieces that the chosen arcs stand for, by part. */
function pathsOf(arcs: readonly Column[]): Map<Part, PlanPiece[]> {
  const paths = new Map<Part, PlanPiece[]>();
  for (const { part, pieces } of [...arcs].sort((a, b) => a.pieces[0]!.from - b.pieces[0]!.from))
    paths.set(part!, [...(paths.get(part!) ?? []), ...pieces]);
  return paths;
}

/** Joins neighboring pieces of the same person. */
export function mergePieces(pieces: readonly PlanPiece[]): PlanPiece[] {
  const whole: PlanPiece[] = [];
  for (const p of pieces) {
    const last = whole.at(-1);
    if (last && last.therapist === p.therapist) whole[whole.length - 1] = { ...last, to: p.to };
    else whole.push(p);
  }
  return whole;
}

/**
 * Whether a column stands for something that no plan may do, such as breaking a limit. Such a column costs more than
 * any plan.
 */
export const pays = (column: Column): boolean => column.kind === 'slack' || column.kind === 'unmoved';

/** Whether a solution uses every pattern and move fully or not at all. */
export function isWhole(columns: readonly Column[], values: Float64Array): boolean {
  return columns.every(
    (c, j) => (c.kind !== 'pattern' && c.kind !== 'move') || Math.abs(values[j]! - Math.round(values[j]!)) < 1e-6,
  );
}

/** The plan that these columns make; null if a part is missing or a column stands for something forbidden. */
export function planOf(instance: Instance, columns: readonly Column[]): Plan | null {
  const plan: PlanPiece[][] = emptyPlan(instance.model);
  for (const { part, pieces } of instance.fixed) plan[part.index] = [...pieces];
  let patterns = 0;
  const arcs: Column[] = [];
  for (const column of columns) {
    if (column.kind === 'unmoved' || column.kind === 'slack') return null;
    if (column.kind === 'arc') arcs.push(column);
    else if (column.part) plan[column.part.index] = [...column.pieces];
    if (column.kind === 'pattern') patterns++;
  }
  for (const [part, pieces] of pathsOf(arcs)) {
    plan[part.index] = pieces;
    patterns++;
  }
  return patterns === instance.open.length ? plan : null;
}

/** A string that identifies a column. */
export function columnKey(column: Column): string {
  return `${column.kind}:${column.owner}:${column.pieces.map((p) => `${p.therapist},${p.from},${p.to}`).join(';')}`;
}
