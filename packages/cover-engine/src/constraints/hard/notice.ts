import { NOTICE } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/**
 * Rule 8: on the current day, a substitute may take a piece that starts within the next hour only if that start lies
 * within their booked day.
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
