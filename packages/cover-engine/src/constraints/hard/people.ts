import { PIECES } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPart } from '../violation.ts';

/**
 * Rule 4: limits how often people come and go in one part. A substitute's piece counts as two, a piece of the booked
 * therapist as one, and the sum is at most 4. The booked therapist has at most 2 pieces, every other at most one.
 */
export function people(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    const others = p.pieces.filter((x) => x.other).length;
    const own = p.pieces.filter((x) => x.own).length;
    const twice = p.pieces.find((x, i) => x.other && p.pieces.slice(0, i).some((y) => y.therapist === x.therapist));
    if (twice?.therapist) return [atPart(4, 'people', p, `${twice.therapist.name} comes to one session twice.`)];
    return 2 * others + own > PIECES.together || own > PIECES.own
      ? [atPart(4, 'people', p, 'Too many people come and go in one session.')]
      : [];
  });
}
