/** The columns and rows of the master program (*The program* in docs/cover-engine.md). */
import type { Part, PlanPiece } from '../model.ts';
import type { SlotRange } from '../slots.ts';
import type { Limited } from './limited.ts';

export interface Column {
  readonly kind: 'pattern' | 'arc' | 'move' | 'unmoved' | 'slack' | 'lunch' | 'over' | 'union' | 'charge';
  /**
   * A number whose meaning depends on the kind: open index (pattern, arc), movable index (move, unmoved), therapist
   * (lunch), load step (over), charge (charge), therapist × 48 + slot (union), row (slack).
   */
  readonly owner: number;
  readonly part: Part | null;
  readonly pieces: readonly PlanPiece[];
  /** The places [therapist × 48 + slot] that the column's changed pieces occupy. */
  readonly uses: readonly number[];
  /**
   * The charges for which only this column pays (`direct`), and those for which other columns can pay too (`shared`);
   * see `Charge`.
   */
  readonly direct: readonly number[];
  readonly shared: readonly number[];
  /**
   * For an arc: the nodes of its part's graph that it connects, and the stretch of care that ends with it, if that is
   * shorter than an hour; null for other columns.
   */
  readonly ends: { readonly tail: number; readonly head: number; readonly care: SlotRange | null } | null;
}

export type Row =
  | { readonly kind: 'part'; readonly owner: number }
  | { readonly kind: 'move'; readonly owner: number }
  /** A substitute has at most one of a part's arcs. */
  | { readonly kind: 'once'; readonly owner: number; readonly therapist: number }
  /** At every node except a part's ends, as many of the part's arcs end as begin. */
  | { readonly kind: 'flow'; readonly owner: number; readonly node: number }
  /**
   * In each slot, a therapist is in only one place. `stay` is the movable part (index in `movable`) that must leave
   * first, or -1.
   */
  | { readonly kind: 'place'; readonly at: number; readonly stay: number }
  | { readonly kind: 'lunch'; readonly therapist: number }
  | { readonly kind: 'over'; readonly therapist: number; readonly step: number }
  /** A hard limit, which no price can lift, on a therapist's slots of others' work. */
  | { readonly kind: 'cap'; readonly therapist: number }
  /** When a column of the group causes a charge, the charge is paid. */
  | { readonly kind: 'charge'; readonly charge: number; readonly group: number }
  /** The maximum number of units of one term that a plan may have (see `Objective`). */
  | { readonly kind: 'limit'; readonly what: Limited }
  /**
   * A second row for lunch, which counts only time without booked sessions. Without it, moving a fraction of a session
   * could free a whole lunch.
   */
  | { readonly kind: 'lunch-free'; readonly therapist: number }
  /**
   * A third row for lunch, which counts in each piece only the slots beyond `room`. A mix of several pieces cannot
   * avoid this row.
   */
  | { readonly kind: 'lunch-piece'; readonly therapist: number; readonly room: number }
  | { readonly kind: 'over-piece'; readonly therapist: number; readonly step: number; readonly room: number }
  /** Lunch time that several movable sessions occupy counts as free only when all of these sessions have left. */
  | { readonly kind: 'union'; readonly at: number; readonly stay: number }
  /** Limits how many slots have the same person as in an earlier option. */
  | { readonly kind: 'unlike'; readonly id: number; readonly who: Int32Array; readonly most: number };
