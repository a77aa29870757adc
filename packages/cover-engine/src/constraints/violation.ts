import { timeOf } from '../slots.ts';
import type { ViewPart, ViewPiece } from './view.ts';

/** One broken rule: the session, the time and the therapist concerned. */
export interface Violation {
  /** The rule's number in the design, 1 to 9. */
  rule: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** The name of the function that found the violation. */
  name: string;
  /** The session's id. */
  session: string;
  /** The therapist's id; null when no therapist in particular is concerned. */
  therapist: string | null;
  /** When the violation starts, `HH:MM`. */
  start: string;
  end: string;
  /** One sentence for staff, without clients' names. */
  detail: string;
}

/** A violation that concerns one piece. */
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

/** A violation that concerns a whole part. */
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
