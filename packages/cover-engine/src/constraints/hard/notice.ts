import { NOTICE } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/**
 * Rule 8: on the day itself, a substitute may start within the next hour only if the piece starts within their booked
 * day.
 */
export function notice(view: PlanView): Violation[] {
  const { model } = view;
  if (!model.today) return [];
  return view.others.flatMap((p) =>
    p.from < model.now + NOTICE && !(p.therapist.dayFrom <= p.from && p.from < p.therapist.dayTo)
      ? [atPiece(8, 'notice', p, `${p.therapist.name} would be called in with less than an hour's notice.`)]
      : [],
  );
}
