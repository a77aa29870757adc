import { timeOf } from '../../slots.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPart } from '../violation.ts';

/** Rule 1: each part is divided into pieces without overlaps or gaps. */
export function division(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    let at = p.part.from;
    for (const piece of p.pieces) {
      const wrong =
        piece.from !== at || piece.to <= piece.from || !Number.isInteger(piece.from) || !Number.isInteger(piece.to);
      if (wrong) return [atPart(1, 'division', p, `The pieces overlap or leave a gap at ${timeOf(piece.from)}.`)];
      at = piece.to;
    }
    return at === p.part.to ? [] : [atPart(1, 'division', p, `The pieces end at ${timeOf(at)}.`)];
  });
}
