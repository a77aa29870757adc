import { exactSlotOf, timeOf } from '../../slots.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';

/** Rule 7: a pinned session has exactly the pinned pieces. */
export function pins(view: PlanView): Violation[] {
  return (view.model.problem.pins ?? []).flatMap((pin) => {
    const session = view.model.sessionById.get(pin.session);
    const got = view.pieces
      .filter((p) => p.part.session.id === pin.session)
      .map((p) => ({ therapist: p.therapist?.id ?? null, from: p.from, to: p.to }));
    const want = pin.pieces
      .map((p) => ({ therapist: p.therapist ?? null, from: exactSlotOf(p.start), to: exactSlotOf(p.end) }))
      .sort((a, b) => a.from - b.from);
    const same =
      got.length === want.length &&
      got.every((g, i) => g.therapist === want[i]?.therapist && g.from === want[i].from && g.to === want[i].to);
    if (same) return [];
    const [start, end] = [timeOf(session?.from ?? 0), timeOf(session?.to ?? 0)];
    return [
      {
        rule: 7,
        name: 'pins',
        session: pin.session,
        therapist: null,
        start,
        end,
        detail: 'This session is not as it was pinned.',
      } satisfies Violation,
    ];
  });
}
