import { clockTime } from '@clinic/domain';
import { HALF_HOUR } from '../../limits.ts';
import { minuteOf } from '../../slots.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/**
 * Rule 5: a piece with a therapist starts and ends on the half hour, at the part's start or end, or when its therapist
 * or the booked therapist comes or goes.
 */
export function boundary(view: PlanView): Violation[] {
  return view.pieces.flatMap((p) => {
    const therapist = p.therapist;
    const booked = view.model.therapists[p.part.booked];
    if (!therapist) return [];
    const wrong = [p.from, p.to].filter(
      (at) =>
        at % HALF_HOUR !== 0 && at !== p.part.from && at !== p.part.to && !therapist.events[at] && !booked?.events[at],
    );
    return wrong.map((at) =>
      atPiece(5, 'boundary', p, `No one comes or goes at ${clockTime(minuteOf(at))}; changes are on the half hour.`),
    );
  });
}
