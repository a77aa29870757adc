import { HALF_HOUR } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/** Rule 4: a substitute's piece lasts at least half an hour, or is the whole part. */
export function pieceLength(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    p.to - p.from < HALF_HOUR && !p.whole
      ? [atPiece(4, 'pieceLength', p, 'No one comes for less than half an hour.')]
      : [],
  );
}
