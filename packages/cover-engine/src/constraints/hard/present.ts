import { countMarked } from '../view.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 3: no therapist is given time while they are absent. */
export function present(view: PlanView): Violation[] {
  return view.pieces.flatMap((p) =>
    p.therapist && !p.stays && countMarked(p.therapist.away, p.from, p.to) > 0
      ? [atPiece(3, 'present', p, `${p.therapist.name} is away.`)]
      : [],
  );
}
