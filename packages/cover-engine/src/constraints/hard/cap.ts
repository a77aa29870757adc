import { SLOT_MINUTES } from '../../slots.ts';
import { duration } from '@clinic/domain';
import type { PlanView, ViewPiece } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

/**
 * Rule 9: the slots of other therapists' sessions that a therapist takes are at most their cap plus the slots that
 * their own absent clients leave free.
 */
export function cap(view: PlanView): Violation[] {
  return view.model.therapists.flatMap((t) => {
    if (t.cap === null) return [];
    const pieces: ViewPiece[] = view.others.filter((p) => p.therapist === t);
    const given = pieces.reduce((n, p) => n + p.to - p.from, 0);
    const most = t.cap + t.freed;
    if (given <= most) return [];
    const [has, may] = [duration(given * SLOT_MINUTES), duration(most * SLOT_MINUTES)];
    return pieces.map((p) =>
      atPiece(9, 'cap', p, `${t.name} would take ${has} of others’ sessions, but may take at most ${may}.`),
    );
  });
}
