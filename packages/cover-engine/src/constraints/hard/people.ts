import { PIECES } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPart } from '../violation.ts';

/**
 * Rule 4: at most two people serve a part. With twice the substitutes' pieces plus the booked therapist's pieces, the
 * sum is at most 4; the booked therapist has at most 2.
 */
export function people(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    const others = p.pieces.filter((x) => x.other).length;
    const own = p.pieces.filter((x) => x.own).length;
    return 2 * others + own > PIECES.together || own > PIECES.own
      ? [atPart(4, 'people', p, 'Too many people come and go in one session.')]
      : [];
  });
}
