import type { Conflict } from '@clinic/contract';
import type { Pin, Refusal as EngineRefusal } from '@clinic/cover-engine';
import { formatTime, parseTime, timeSlot } from '@clinic/domain';
import { holdsClient, solutionsDiffer } from '../plan/echo.ts';
import type { PlannedDay, PlannedSession } from '../plan/planned-day.ts';
import { gridPieces, segmentsOf, shownSegments } from '../plan/segments.ts';
import { changedSince } from '../plan/stale.ts';
import { optionOf, type StoredProposal } from '../plan/stored-proposal.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** A client's option that a refresh holds fixed. */
export interface Selection {
  date: string;
  client: string;
  option: string;
}

/**
 * What a refresh selects, checked against what was offered: one option a client and date, and nothing edited. Options
 * that did not come back, all of them or those of a client who is selected, are refused: the page has lost them.
 */
export function checkSelections(
  stored: StoredProposal,
  solutions: Readonly<Record<string, unknown>>,
  selections: readonly Selection[],
): Selection[] {
  const refuse = (message: string, advice?: string): never => {
    throw new Refusal('invalid', { message: [message, 'Nothing was changed.', advice].filter(Boolean).join(' ') });
  };
  const again = 'Open the options again, choose, and refresh once more.';
  if (solutionsDiffer(solutions, stored)) refuse('The options that were sent back are not the ones that were offered.');
  if (Object.keys(solutions).length === 0 && Object.keys(stored.data).length > 0)
    refuse('The options to refresh did not come with the request: output.possible_solutions is empty.', again);
  const chosen = new Map<string, Selection>();
  for (const { date, client, option } of selections) {
    const day = Object.hasOwn(stored.days, date) ? stored.days[date] : undefined;
    if (!day) return refuse(`These options hold nothing for ${date}.`);
    if (!day.listed.some((l) => l.name === client)) refuse(`These options hold nothing for ${client} on ${date}.`);
    if (!optionOf(day, option)) refuse(`There is no ${option} on ${date}.`);
    if (!holdsClient(solutions, date, client))
      refuse(
        `${option} is selected for ${client} on ${date}, but the options of ${client} did not come with it.`,
        again,
      );
    const key = JSON.stringify([date, client]);
    const before = chosen.get(key);
    if (before && before.option !== option) refuse(`Two options are selected for ${client} on ${date}; select one.`);
    chosen.set(key, { date, client, option });
  }
  return [...chosen.values()];
}

/** The sessions that a selection holds, as they were when it was offered. */
function sessionsOf(stored: StoredProposal, selection: Selection): PlannedSession[] {
  const day = stored.days[selection.date];
  const ids = new Set(day?.listed.find((l) => l.name === selection.client)?.sessions);
  return day?.planned.sessions.filter((s) => ids.has(s.id)) ?? [];
}

/** A day's problem with the selected sessions pinned. Refused (410) when the calendar no longer has them as they were. */
export function pinDay(stored: StoredProposal, planned: PlannedDay, selections: readonly Selection[]): PlannedDay {
  const conflicts: Conflict[] = [];
  const pins = new Map<string, Pin>((planned.problem.pins ?? []).map((p) => [p.session, p]));
  for (const selection of selections) {
    const day = stored.days[selection.date];
    const option = day && optionOf(day, selection.option);
    if (selection.date !== planned.date || !day || !option) continue;
    for (const session of sessionsOf(stored, selection)) {
      const pieces = option.pieces[session.id];
      const why = changedSince(session, planned);
      if (why !== null) {
        for (const s of shownSegments(segmentsOf(session, pieces)))
          conflicts.push({
            ...selection,
            time: timeSlot(s.start, s.end),
            therapist: s.therapistId === null ? 'Unassigned' : (day.planned.names[s.therapistId] ?? ''),
            why,
          });
      } else if (session.grid && session.parts.length > 0) {
        const held = gridPieces(session, pieces).map((p) => ({
          therapist: p.therapistId,
          start: formatTime(p.start),
          end: formatTime(p.end),
        }));
        pins.set(session.id, { session: session.id, pieces: held });
      }
    }
  }
  if (conflicts.length > 0) throw new Refusal('pins-conflict', { conflicts });
  return { ...planned, problem: { ...planned.problem, pins: [...pins.values()] } };
}

/** What the engine says clashes, in the wire's words. */
export function conflictsOfPins(
  stored: StoredProposal,
  planned: PlannedDay,
  refused: EngineRefusal,
  selections: readonly Selection[],
): Conflict[] {
  const of = (id: string): Selection | undefined =>
    selections.find((s) => s.date === planned.date && sessionsOf(stored, s).some((session) => session.id === id));
  const conflicts = (refused.conflicts ?? []).map((c): Conflict => {
    const selection = of(c.session);
    return {
      date: planned.date,
      time: timeSlot(parseTime(c.start) ?? 0, parseTime(c.end) ?? 0),
      therapist: c.therapist === null ? 'Unassigned' : (planned.names[c.therapist] ?? c.therapist),
      ...(selection ? { client: selection.client, option: selection.option } : {}),
      why: c.why,
    };
  });
  if (conflicts.length > 0) return conflicts;
  return [{ date: planned.date, time: '', therapist: '', why: refused.detail }];
}
