import type { Random } from '@clinic/testkit';
import type { PlannedSession } from '../answer.ts';
import type { CoverProblem } from '../problem.ts';
import { exactSlotOf, SLOTS, timeOf } from './judge-model.ts';

/**
 * Returns a copy of a plan with `count` random changes: a different therapist, a moved time, a piece split or dropped,
 * a session dropped or listed twice. Most copies break a rule; some are legal and only cost more.
 */
export function mutate(
  random: Random,
  problem: CoverProblem,
  sessions: readonly PlannedSession[],
  count: number,
): PlannedSession[] {
  const copy = (s: PlannedSession): PlannedSession => ({ session: s.session, pieces: s.pieces.map((p) => ({ ...p })) });
  const plan = sessions.map(copy);
  for (let i = 0; i < count; i++) {
    const session = plan.length > 0 ? random.pick(plan) : undefined;
    const piece = session && session.pieces.length > 0 ? random.pick(session.pieces) : undefined;
    if (!session || !piece) return plan;
    const moved = (time: string): string => timeOf(Math.min(SLOTS, Math.max(0, exactSlotOf(time) + random.int(-2, 2))));
    const kind = random.int(0, 7);
    if (kind <= 1) piece.therapist = random.pick([...problem.therapists.map((t) => t.id), null, 'T99']);
    else if (kind === 2) piece.start = moved(piece.start);
    else if (kind === 3) piece.end = moved(piece.end);
    else if (kind === 4) session.pieces.splice(session.pieces.indexOf(piece), 1);
    else if (kind === 5) plan.splice(plan.indexOf(session), 1);
    else if (kind === 6 && random.chance(0.3)) plan.push(copy(session));
    else {
      const [from, to] = [exactSlotOf(piece.start), exactSlotOf(piece.end)];
      if (to - from < 2) continue;
      const middle = timeOf(random.int(from + 1, to - 1));
      session.pieces.push({ therapist: random.pick(problem.therapists).id, start: middle, end: piece.end });
      piece.end = middle;
    }
  }
  return plan;
}
