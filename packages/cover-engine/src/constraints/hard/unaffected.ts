import { FAMILIARITY } from '../../model.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPart } from '../violation.ts';

/**
 * Rule 2: an unaffected part stays as booked, with one exception: a direct session that has not begun may move as a
 * whole to a substitute whom the client knows.
 */
export function unaffected(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    if (!p.moved) return [];
    const [piece] = p.pieces;
    const broken = (detail: string) => [atPart(2, 'unaffected', p, detail)];
    if (p.part.session.service !== 'direct') return broken('Only direct sessions may move to free their therapist.');
    if (p.pieces.length !== 1 || !piece?.therapist)
      return broken('A session whose therapist is present may move only as a whole.');
    if (p.part.begun) return broken('This session has begun and stays with its therapist.');
    if (p.part.client.familiarity[piece.therapist.index] === FAMILIARITY.new)
      return broken(`A session moves only to someone the client knows, and ${piece.therapist.name} is new.`);
    return [];
  });
}
