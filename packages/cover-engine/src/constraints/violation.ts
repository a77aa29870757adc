import { timeOf } from '../slots.ts';
import type { ViewPart, ViewPiece } from './view.ts';

/** A broken rule, as people can see it: the session, its time, and the therapist concerned. */
export interface Violation {
  /** Number of the rule in the design (1 to 9). */
  rule: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** Name of the function that found it. */
  name: string;
  /** Session id. */
  session: string;
  /** Therapist id; null when no particular therapist is concerned. */
  therapist: string | null;
  /** `HH:MM`. */
  start: string;
  end: string;
  /** One sentence for a person; names no client. */
  detail: string;
}

/** A violation in a piece. */
export function atPiece(rule: Violation['rule'], name: string, piece: ViewPiece, detail: string): Violation {
  return {
    rule,
    name,
    session: piece.part.session.id,
    therapist: piece.therapist?.id ?? null,
    start: timeOf(piece.from),
    end: timeOf(piece.to),
    detail,
  };
}

/** A violation in a whole part. */
export function atPart(rule: Violation['rule'], name: string, { part }: ViewPart, detail: string): Violation {
  return {
    rule,
    name,
    session: part.session.id,
    therapist: null,
    start: timeOf(part.from),
    end: timeOf(part.to),
    detail,
  };
}
