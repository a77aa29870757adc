import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 4: pieces that follow each other have different therapists. */
export function neighbours(view: PlanView): Violation[] {
  return view.parts.flatMap((p) =>
    p.pieces
      .filter((x, i) => i > 0 && p.pieces[i - 1]?.therapist === x.therapist)
      .map((x) => atPiece(4, 'neighbours', x, 'Two pieces in a row have the same therapist, or none.')),
  );
}
