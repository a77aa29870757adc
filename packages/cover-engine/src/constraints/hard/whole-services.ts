import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 3: only direct sessions may be covered in pieces. */
export function wholeServices(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    p.part.session.service !== 'direct' && !p.whole
      ? [atPiece(3, 'wholeServices', p, `A ${p.part.session.service} session is covered as a whole or not at all.`)]
      : [],
  );
}
