import { modelOf, checkSessions, type PlannedSession as EngineSession, type Violation } from '@clinic/cover-engine';
import type { Conflict } from '@clinic/contract';
import { UNASSIGNED } from '@clinic/contract';
import { formatTime, parseTime, timeSlot } from '@clinic/domain';
import type { PlannedDay, PlannedSession } from '../problem/planned-day.ts';
import { gridPieces, segmentsOf, shownSegments } from '../problem/segments.ts';
import { changedSince, sessionNow } from '../problem/stale.ts';
import type { StoredDay } from '../problem/stored-proposal.ts';
import type { Selected } from '../problem/selection.ts';

/**
 * Says why a day's choice no longer fits the calendar: sessions that have changed, and rules that the resulting plan
 * would break. Empty if the choice fits.
 */
export function conflictsOf(stored: StoredDay, fresh: PlannedDay, chosen: readonly Selected[]): Conflict[] {
  const conflicts: Conflict[] = [];
  const planned = new Map<string, EngineSession>();
  for (const choice of chosen) {
    for (const session of sessionsOf(stored, choice)) {
      const why = changedSince(session, fresh);
      if (why !== null) conflicts.push(...cellsOf(stored, choice, session, why));
      else plan(planned, sessionNow(fresh, session.id), choice);
    }
  }
  // Sessions outside the choice keep their therapist, or have no therapist if that therapist is away.
  for (const session of fresh.sessions)
    if (!planned.has(session.id) && session.parts.some((p) => p.affected)) plan(planned, session, null);
  const violations = checkSessions(modelOf(fresh.problem), [...planned.values()]);
  const seen = new Set<string>();
  for (const violation of violations) {
    const conflict = conflictOf(stored, fresh, chosen, violation);
    const key = JSON.stringify(conflict);
    if (!seen.has(key)) conflicts.push(conflict);
    seen.add(key);
  }
  return conflicts;
}

/** Returns the chosen sessions as they were when the options were made. */
export function sessionsOf(stored: StoredDay, choice: Selected): PlannedSession[] {
  const ids = new Set(choice.sessions);
  return stored.planned.sessions.filter((s) => ids.has(s.id));
}

function plan(planned: Map<string, EngineSession>, session: PlannedSession | undefined, choice: Selected | null): void {
  if (!session?.grid || session.parts.length === 0) return;
  const pieces = gridPieces(session, choice?.option.pieces[session.id]).map((p) => ({
    therapist: p.therapistId,
    start: formatTime(p.start),
    end: formatTime(p.end),
  }));
  planned.set(session.id, { session: session.id, pieces });
}

function cellsOf(stored: StoredDay, choice: Selected, session: PlannedSession, why: string): Conflict[] {
  return shownSegments(segmentsOf(session, choice.option.pieces[session.id])).map((s) => ({
    date: choice.date,
    time: timeSlot(s.start, s.end),
    therapist: s.therapistId === null ? UNASSIGNED : (stored.planned.names[s.therapistId] ?? UNASSIGNED),
    client: choice.client,
    option: choice.option.name,
    why,
  }));
}

function conflictOf(stored: StoredDay, fresh: PlannedDay, chosen: readonly Selected[], violation: Violation): Conflict {
  const choice = chosen.find((c) => c.sessions.includes(violation.session));
  const session = sessionNow(fresh, violation.session);
  const client = choice?.client ?? session?.listedAs;
  const who = violation.therapist;
  const left = who !== null && fresh.names[who] === undefined;
  const therapist = who === null ? UNASSIGNED : (fresh.names[who] ?? stored.planned.names[who] ?? UNASSIGNED);
  // Only the clinic day records when the therapist said no; the engine's violation does not.
  const declined =
    who !== null && fresh.problem.declined?.some((d) => d.therapist === who && d.session === violation.session);
  const saysNo =
    declined && violation.name === 'mayServe' ? `${therapist} ${fresh.declined?.[who] ?? 'said no'}.` : undefined;
  return {
    date: fresh.date,
    time: timeSlot(parseTime(violation.start) ?? 0, parseTime(violation.end) ?? 0),
    therapist,
    ...(client === undefined ? {} : { client }),
    ...(choice ? { option: choice.option.name } : {}),
    why: saysNo ?? (left ? `${therapist} is no longer with the clinic.` : violation.detail),
  };
}
