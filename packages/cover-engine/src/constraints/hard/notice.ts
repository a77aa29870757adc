import { NOTICE } from '../../limits.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/**
 * Rule 8: on the current day, a piece that starts within the next hour needs a substitute whose booked day includes
 * that start.
 */
export function notice(view: PlanView): Violation[] {
  const { model } = view;
  if (!model.today) return [];
  return view.others.flatMap((p) =>
    p.from < model.now + NOTICE && !(p.therapist.dayFrom <= p.from && p.from < p.therapist.dayTo)
      ? [atPiece(8, 'notice', p, `${p.therapist.name} would be called in with less than an hour’s notice.`)]
      : [],
  );
}
