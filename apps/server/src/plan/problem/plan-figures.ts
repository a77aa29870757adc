import { coverFigures, type CoverFigures, type PlannedStretch } from '@clinic/domain';
import type { PlannedDay, PlannedSession, Segment } from './planned-day.ts';
import { shownSegments, statusOf } from './segments.ts';

/** A session, and what a plan does with each part of it. */
export interface SessionPlan {
  readonly session: PlannedSession;
  readonly segments: readonly Segment[];
}

/** Works out the figures of a plan for these sessions. */
export const planFigures = (planned: PlannedDay, plans: readonly SessionPlan[]): CoverFigures =>
  coverFigures(plans.flatMap((plan) => stretchesOf(planned, plan)));

function stretchesOf(planned: PlannedDay, { session, segments }: SessionPlan): PlannedStretch[] {
  const hadNobody = (session.rows[0]?.therapistId ?? null) === null;
  return shownSegments(segments).flatMap((segment) => {
    const status = statusOf(session, segment);
    const isNew =
      (status === 'Cover' || status === 'Swap') && familiarityOf(planned, session, segment.therapistId) === 'new';
    const newFace = isNew ? JSON.stringify([session.listedAs, segment.therapistId]) : null;
    const { start, end, affected } = segment;
    const stretch = { start, end, status, hadNobody, affected, newFace };
    return session.rows.map(({ key, root = key }) => ({ ...stretch, session: root, appointment: key }));
  });
}

/** How well a session's client knows a therapist. */
export function familiarityOf(
  planned: PlannedDay,
  session: PlannedSession,
  therapistId: string | null,
): 'team' | 'known' | 'new' {
  const client = planned.problem.clients.find((c) => c.id === session.problemClient);
  return client?.knows?.[therapistId ?? ''] ?? 'new';
}
