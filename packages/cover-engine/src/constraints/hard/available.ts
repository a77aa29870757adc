import { countMarked } from '../view.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 3: a substitute is available throughout their piece. */
export function available(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    countMarked(p.therapist.free, p.from, p.to) < p.to - p.from
      ? [atPiece(3, 'available', p, `${p.therapist.name} is not available all of this time.`)]
      : [],
  );
}
