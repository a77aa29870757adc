/** What a column and a row of the master program are (*The program* in docs/cover-engine.md). */
import type { Part, PlanPiece } from '../model.ts';
import type { Limited } from './limited.ts';

export interface Column {
  readonly kind: 'pattern' | 'arc' | 'move' | 'unmoved' | 'slack' | 'lunch' | 'over' | 'union' | 'charge';
  /**
   * Open index (pattern, arc), movable index (move, unmoved), therapist (lunch), load step (over), charge (charge),
   * therapist × 48 + slot (union), row (slack).
   */
  readonly owner: number;
  readonly part: Part | null;
  readonly pieces: readonly PlanPiece[];
  /** [therapist × 48 + slot] taken by changed pieces. */
  readonly uses: readonly number[];
  /** Charges that it pays by itself, and charges it shares with other columns (`Charge`). */
  readonly direct: readonly number[];
  readonly shared: readonly number[];
  /** The nodes of its part's graph between which an arc lies; null for other columns. */
  readonly ends: { readonly tail: number; readonly head: number } | null;
}

export type Row =
  | { readonly kind: 'part'; readonly owner: number }
  | { readonly kind: 'move'; readonly owner: number }
  /** As many of a part's arcs end in a node as begin there. */
  | { readonly kind: 'flow'; readonly owner: number; readonly node: number }
  /** One place at a time; `stay`: the movable part (index in `movable`) that has to leave first, or -1. */
  | { readonly kind: 'place'; readonly at: number; readonly stay: number }
  | { readonly kind: 'lunch'; readonly therapist: number }
  | { readonly kind: 'over'; readonly therapist: number; readonly step: number }
  /** Most slots of others' work, at any cost. */
  | { readonly kind: 'cap'; readonly therapist: number }
  /** A charge is paid if a column of the group causes it. */
  | { readonly kind: 'charge'; readonly charge: number; readonly group: number }
  /** Most units of a plan, see `Objective`. */
  | { readonly kind: 'limit'; readonly what: Limited }
  /** The same, counting only unoccupied time: then a fraction of a move frees no more than it should. */
  | { readonly kind: 'lunch-free'; readonly therapist: number }
  /** The same for each piece by itself, which no mix of pieces can get around: only what exceeds `room` counts. */
  | { readonly kind: 'lunch-piece'; readonly therapist: number; readonly room: number }
  | { readonly kind: 'over-piece'; readonly therapist: number; readonly step: number; readonly room: number }
  /** Time occupied by several movable sessions is free only when all have left. */
  | { readonly kind: 'union'; readonly at: number; readonly stay: number }
  /** Slots with the same person as an earlier option. */
  | { readonly kind: 'unlike'; readonly id: number; readonly who: Int32Array; readonly most: number }
  /** Pieces that together exceed by `excess` slots what costs a therapist nothing, see `cover-cuts.ts`. */
  | {
      readonly kind: 'cover';
      readonly therapist: number;
      readonly what: 'lunch' | 'over';
      /** The load step; -1 for lunch. */
      readonly step: number;
      readonly members: readonly {
        readonly kind: 'pattern' | 'move';
        readonly owner: number;
        readonly slots: number;
      }[];
      readonly excess: number;
    };

export type Cut = Extract<Row, { kind: 'cover' }>;
