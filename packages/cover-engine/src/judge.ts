/**
 * Checks a plan against every hard rule, and computes its score. Every plan from the solver, and every plan that the
 * server is about to save, must pass this check.
 */
import { HARD_RULES } from './constraints/hard.ts';
import { viewPlan } from './constraints/view.ts';
import type { Violation } from './constraints/violation.ts';
import { countUnits } from './count.ts';
import type { CoverModel, Plan, PlanPiece } from './model.ts';
import { emptyPlan, NOBODY } from './model.ts';
import type { PlannedSession, Score } from './answer.ts';
import type { Strategy } from './problem.ts';
import { POINTS, TERM_NAMES, type Term } from './terms.ts';
import { exactSlotOf, timeOf } from './slots.ts';
import { STRATEGIES } from './strategies.ts';

export interface ReadPlan {
  plan: Plan;
  /** What is wrong with the plan's form (rule 1): unknown sessions, pieces outside their parts, missing parts. */
  violations: Violation[];
}

const broken = (session: string, therapist: string | null, from: number, to: number, detail: string): Violation => ({
  rule: 1,
  name: 'listed',
  session,
  therapist,
  start: timeOf(from),
  end: timeOf(to),
  detail,
});

/** Reads a plan from a list of sessions; sessions that are not listed stay as they are. */
export function readPlan(model: CoverModel, sessions: readonly PlannedSession[]): ReadPlan {
  const plan: PlanPiece[][] = emptyPlan(model);
  const violations: Violation[] = [];
  const listed = new Set<string>();
  for (const said of sessions) {
    const session = model.sessionById.get(said.session);
    if (!session) {
      violations.push(broken(said.session, null, 0, 0, 'There is no such session to plan.'));
      continue;
    }
    if (listed.has(said.session))
      violations.push(broken(said.session, null, session.from, session.to, 'This session is listed twice.'));
    listed.add(said.session);
    for (const part of session.parts) plan[part.index] = [];
    for (const piece of said.pieces) {
      const [from, to] = [exactSlotOf(piece.start), exactSlotOf(piece.end)];
      const part = session.parts.find((p) => p.from <= from && to <= p.to && from < to);
      const therapist = piece.therapist == null ? NOBODY : model.therapistById.get(piece.therapist)?.index;
      if (!part)
        violations.push(
          broken(
            session.id,
            piece.therapist,
            from,
            to,
            'This piece is outside the parts of its session that can be planned.',
          ),
        );
      else if (therapist === undefined)
        violations.push(broken(session.id, piece.therapist, from, to, 'There is no such therapist.'));
      else plan[part.index]?.push({ therapist, from, to });
    }
    for (const part of session.parts) {
      const pieces = plan[part.index] ?? [];
      pieces.sort((a, b) => a.from - b.from);
      if (pieces.length === 0)
        violations.push(broken(session.id, null, part.from, part.to, 'This part of the session is left out.'));
    }
  }
  for (const part of model.parts)
    if (part.affected && !listed.has(part.session.id))
      violations.push(
        broken(part.session.id, null, part.from, part.to, 'This affected part of the session is not planned.'),
      );
  return { plan, violations };
}

/** Lists every violation of a hard rule in a plan; an empty list means that the plan is legal. */
export function checkPlan(model: CoverModel, plan: Plan): Violation[] {
  const view = viewPlan(model, plan);
  return Object.values(HARD_RULES).flatMap((rule) => rule(view));
}

/** Lists every violation in a plan that is given as a list of sessions, including errors in its form. */
export function checkSessions(model: CoverModel, sessions: readonly PlannedSession[]): Violation[] {
  const { plan, violations } = readPlan(model, sessions);
  return [...violations, ...checkPlan(model, plan)];
}

/** The score of a plan under a strategy, by term; terms that cost nothing are left out. */
export function scorePlan(model: CoverModel, plan: Plan, strategy: Strategy): Score {
  const units = countUnits(viewPlan(model, plan));
  const { lead }: { lead: { term: Term; points: number } | null } = STRATEGIES[strategy];
  const score: Score = { total: 0 };
  for (const term of TERM_NAMES) {
    const points = POINTS[term] * units[term];
    if (points === 0) continue;
    score[term] = points;
    score.total += points;
  }
  if (lead && units[lead.term] > 0) {
    score.lead = lead.points * units[lead.term];
    score.total += score.lead;
  }
  return score;
}

/** Writes a plan as a list of the sessions that are affected or change, each with all of its parts. */
export function writePlan(model: CoverModel, plan: Plan): PlannedSession[] {
  const view = viewPlan(model, plan);
  return model.sessions
    .filter((s) => s.parts.some((p) => p.affected || !view.parts[p.index]?.stays))
    .map((s) => ({
      session: s.id,
      pieces: s.parts.flatMap((part) =>
        (plan[part.index] ?? []).map((p) => ({
          therapist: model.therapists[p.therapist]?.id ?? null,
          start: timeOf(p.from),
          end: timeOf(p.to),
        })),
      ),
    }));
}
