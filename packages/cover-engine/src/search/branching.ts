/**
 * Decisions that divide the plans (*From bound to proof*, step 7, in docs/cover-engine.md): whether a session moves,
 * whether a charge is paid, and whether a therapist has a part at a slot.
 */
import type { Column } from './column.ts';

export interface MoveDecision {
  readonly kind: 'move';
  /** The part's index in `movable`. */
  readonly movable: number;
  readonly goes: boolean;
}

export interface PersonDecision {
  readonly kind: 'person';
  /** The part's index in `open`. */
  readonly open: number;
  readonly slot: number;
  /** The therapist's index, or NOBODY. */
  readonly therapist: number;
  readonly has: boolean;
}

export interface ChargeDecision {
  readonly kind: 'charge';
  /**
   * The index, in `charges`, of the charge in question: a call to one person, or one therapist who is new to a client.
   */
  readonly charge: number;
  readonly goes: boolean;
}

export type Decision = MoveDecision | PersonDecision | ChargeDecision;

/** Whether each part moves, as far as the decisions settle this; the key is the part's index in `movable`. */
export const movesDecided = (decisions: readonly Decision[]): ReadonlyMap<number, boolean> =>
  new Map(decisions.flatMap((d) => (d.kind === 'move' ? [[d.movable, d.goes] as const] : [])));

/** Whether each charge is paid, as far as the decisions settle this; the key is the charge's index. */
export const chargesDecided = (decisions: readonly Decision[]): ReadonlyMap<number, boolean> =>
  new Map(decisions.flatMap((d) => (d.kind === 'charge' ? [[d.charge, d.goes] as const] : [])));

/** Whether the decisions allow a column. */
export function keeps(column: Column, decisions: readonly Decision[]): boolean {
  for (const d of decisions) {
    if (d.kind === 'charge') {
      if (!d.goes && column.shared.includes(d.charge)) return false;
    } else if (d.kind === 'move') {
      if (column.kind === 'move' && column.owner === d.movable && !d.goes) return false;
    } else if (column.kind === 'pattern' && column.owner === d.open) {
      const piece = column.pieces.find((p) => p.from <= d.slot && d.slot < p.to);
      if ((piece?.therapist === d.therapist) !== d.has) return false;
    }
  }
  return true;
}

const halfway = (value: number): number => Math.abs(value - 0.5);
/** A share between 0 and 1 counts as decided if it differs from one half by at least this much. */
const DECIDED = 0.45;

/**
 * Picks the decision that the relaxed solution leaves most open: a move, else a charge, else who has a part at a slot.
 * Null when everything is decided.
 */
export function branchingDecision(columns: readonly Column[], values: Float64Array): Decision | null {
  const charges: [number, number][] = [];
  const moves = new Map<number, number>();
  const people = new Map<string, { open: number; slot: number; therapist: number; share: number }>();
  columns.forEach((column, j) => {
    const value = values[j]!;
    if (value < 1e-6) return;
    if (column.kind === 'charge') charges.push([column.owner, value]);
    if (column.kind === 'move') moves.set(column.owner, (moves.get(column.owner) ?? 0) + value);
    if (column.kind !== 'pattern' || value > 1 - 1e-6) return;
    for (const p of column.pieces)
      for (let slot = p.from; slot < p.to; slot++) {
        const key = `${column.owner}:${slot}:${p.therapist}`;
        const seen = people.get(key) ?? { open: column.owner, slot, therapist: p.therapist, share: 0 };
        seen.share += value;
        people.set(key, seen);
      }
  });
  const [move] = [...moves].sort((a, b) => halfway(a[1]) - halfway(b[1]));
  if (move && halfway(move[1]) < DECIDED) return { kind: 'move', movable: move[0], goes: true };
  const [charge] = charges.sort((a, b) => halfway(a[1]) - halfway(b[1]));
  if (charge && halfway(charge[1]) < DECIDED) return { kind: 'charge', charge: charge[0], goes: true };
  const [person] = [...people.values()].sort((a, b) => halfway(a.share) - halfway(b.share));
  if (!person || halfway(person.share) > 0.5 - 1e-6) return null;
  return { kind: 'person', open: person.open, slot: person.slot, therapist: person.therapist, has: true };
}
