import { UNASSIGNED, type Conflict } from '@clinic/contract';
import type { Pin, Refusal as EngineRefusal } from '@clinic/cover-engine';
import { formatTime, parseTime, timeSlot } from '@clinic/domain';
import { onlyHeld, withExtra } from '../problem/extra-hours.ts';
import type { PlannedDay, PlannedExtra, PlannedSession } from '../problem/planned-day.ts';
import { gridPieces, segmentsOf, shownSegments } from '../problem/segments.ts';
import { findChosen, type Chosen } from './choices.ts';
import { findSelected, requireOffered, type Selection } from '../problem/selection.ts';
import { changedSince } from '../problem/stale.ts';
import { optionOf, type StoredProposal } from '../problem/stored-proposal.ts';
import { Refusal, refusal } from '../../platform/refusal.ts';

/**
 * Reads a refresh's pins and compares them with the stored options: at most one option for each client and date,
 * unchanged. Refuses if the page did not send options that it should have sent.
 */
export function checkSelections(
  stored: StoredProposal,
  sent: Readonly<Record<string, unknown>>,
  selections: readonly Selection[],
): Selection[] {
  requireOffered(stored, sent);
  if (Object.keys(sent).length === 0 && Object.keys(stored.data).length > 0) throw refusal('options-not-sent');
  const chosen = new Map<string, Selection>();
  for (const selection of selections) {
    const { date, client, option } = selection;
    findSelected(stored, sent, selection, 'refresh');
    const key = JSON.stringify([date, client]);
    if ((chosen.get(key)?.option ?? option) !== option) throw refusal('two-options-selected', client, date);
    chosen.set(key, { date, client, option });
  }
  return [...chosen.values()];
}

/** Returns the sessions that a selection pins, as they were when they were offered. */
function sessionsOf(stored: StoredProposal, selection: Selection): PlannedSession[] {
  const day = stored.days[selection.date];
  const ids = new Set(day?.listed.find((l) => l.name === selection.client)?.sessions);
  return day?.planned.sessions.filter((s) => ids.has(s.id)) ?? [];
}

/**
 * Adds pins for the selected sessions, and for the therapist chosen for a cell, to a day's problem. Refuses with 410
 * when these sessions have changed on the calendar.
 */
export function pinDay(
  stored: StoredProposal,
  planned: PlannedDay,
  selections: readonly Selection[],
  chosen: Chosen | null = null,
): PlannedDay {
  const conflicts: Conflict[] = [];
  const extra: PlannedExtra[] = [];
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
            therapist: s.therapistId === null ? UNASSIGNED : (day.planned.names[s.therapistId] ?? ''),
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
  if (chosen?.date === planned.date) {
    const { session, pin, extra: asked } = findChosen(stored.days[planned.date], chosen);
    const why = changedSince(session, planned);
    if (why === null) {
      pins.set(session.id, pin);
      extra.push(...asked);
    } else conflicts.push({ ...chosen, time: chosen.time_slot, why });
  }
  if (conflicts.length > 0) throw new Refusal('pins-conflict', { conflicts });
  const all = [...pins.values()];
  return onlyHeld(withExtra({ ...planned, problem: { ...planned.problem, pins: all } }, extra), all);
}

/**
 * Converts the engine's refusal of pins to the API's conflicts: one for each clash that it names, or else one for the
 * whole day.
 */
export function conflictsOfPins(
  planned: PlannedDay,
  refused: EngineRefusal,
  by?: { readonly stored: StoredProposal; readonly selections: readonly Selection[] },
): Conflict[] {
  const of = (id: string): Selection | undefined =>
    by?.selections.find(
      (s) => s.date === planned.date && sessionsOf(by.stored, s).some((session) => session.id === id),
    );
  const conflicts = (refused.conflicts ?? []).map((c): Conflict => {
    const selection = of(c.session);
    return {
      date: planned.date,
      time: timeSlot(parseTime(c.start) ?? 0, parseTime(c.end) ?? 0),
      therapist: c.therapist === null ? UNASSIGNED : (planned.names[c.therapist] ?? c.therapist),
      ...(selection ? { client: selection.client, option: selection.option } : {}),
      why: c.why,
    };
  });
  if (conflicts.length > 0) return conflicts;
  return [{ date: planned.date, time: '', therapist: '', why: refused.detail }];
}
