import { countMarked } from '../view.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 3: no therapist has a piece while they are absent, unless the part stays as booked. */
export function present(view: PlanView): Violation[] {
  return view.pieces.flatMap((p) =>
    p.therapist && !p.stays && countMarked(p.therapist.away, p.from, p.to) > 0
      ? [atPiece(3, 'present', p, `${p.therapist.name} is away.`)]
      : [],
  );
}
