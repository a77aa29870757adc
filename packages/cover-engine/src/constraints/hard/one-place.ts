import { clockTime, pushTo } from '@clinic/domain';
import { minuteOf, SLOTS, timeOf } from '../../slots.ts';
import type { PlanView, ViewPiece } from '../view.ts';
import type { Violation } from '../violation.ts';

/**
 * Returns the slots [from, to) in which two pieces of one therapist overlap; null if there are none, or if both pieces
 * stay as booked.
 */
function clashes(a: ViewPiece, b: ViewPiece): [number, number] | null {
  if (a.stays && b.stays) return null;
  const from = Math.max(a.from, b.from, 0);
  const to = Math.min(a.to, b.to, SLOTS);
  return from < to ? [from, to] : null;
}

/**
 * Rule 6: a therapist is in one place at a time. Two sessions that were booked at overlapping times are allowed if both
 * stay as booked.
 */
export function onePlace(view: PlanView): Violation[] {
  const byTherapist = new Map<string, ViewPiece[]>();
  for (const p of view.pieces) if (p.therapist) pushTo(byTherapist, p.therapist.id, p);
  const found: Violation[] = [];
  for (const [id, pieces] of byTherapist) {
    pieces.forEach((a, i) => {
      for (const b of pieces.slice(i + 1)) {
        const clash = clashes(a, b);
        if (!clash) continue;
        const [start, end] = [timeOf(clash[0]), timeOf(clash[1])];
        const [from, to] = [clockTime(minuteOf(clash[0])), clockTime(minuteOf(clash[1]))];
        const detail = `${a.therapist?.name ?? id} would be in two places from ${from} to ${to}.`;
        for (const p of [a, b])
          found.push({ rule: 6, name: 'onePlace', session: p.part.session.id, therapist: id, start, end, detail });
      }
    });
  }
  return found;
}
