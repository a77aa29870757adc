import { timeSlot } from '@clinic/domain';
import type { PlannedDay, PlannedSession } from './planned-day.ts';

/** Finds the same session in a day that was loaded later; undefined when it is gone. */
export const sessionNow = (fresh: PlannedDay, id: string): PlannedSession | undefined =>
  fresh.sessions.find((s) => s.id === id);

/**
 * Says in a sentence how a session has changed since a plan was made for it; null when the plan still fits. Changes
 * that do not matter to the plan (a newly confirmed status, or changes to other sessions) do not count.
 */
export function changedSince(stored: PlannedSession, fresh: PlannedDay): string | null {
  const now = sessionNow(fresh, stored.id);
  const who = stored.listedAs;
  if (!now) return `${who}'s session is no longer on the calendar as it was.`;
  if (now.start !== stored.start || now.end !== stored.end)
    return `${who}'s session was moved to ${timeSlot(now.start, now.end)}.`;
  const holder = now.rows[0]?.therapistId ?? null;
  if (now.declined !== undefined && stored.declined !== now.declined && holder !== null)
    return `${who}'s session needs another therapist: ${fresh.names[holder] ?? 'its therapist'} ${now.declined}.`;
  if (holder !== (stored.rows[0]?.therapistId ?? null))
    return `${who}'s session is now ${holder === null ? 'without a therapist' : `with ${fresh.names[holder] ?? 'another therapist'}`}.`;
  if (fingerprint(now) === fingerprint(stored)) return null;
  return now.parts.length === 0
    ? `Nothing is left to cover in ${who}'s session.`
    : `The part of ${who}'s session that needs cover has changed: an absence was changed, or time has passed.`;
}

const fingerprint = (s: PlannedSession): string =>
  JSON.stringify([
    s.rows.map((r) => [r.key, r.clientId, r.therapistId]),
    s.service,
    s.therapistId,
    s.parts.map((p) => [p.start, p.end, p.affected]),
    s.fixed.map((f) => [f.kind, f.start, f.end]),
  ]);
