import { contains, listWords, possessive, timeSlot } from '@clinic/domain';
import type { PlannedDay, PlannedRow, PlannedSession } from './planned-day.ts';

/** Finds the same session in a day that was loaded later; undefined when it is gone. */
export const sessionNow = (fresh: Pick<PlannedDay, 'sessions'>, id: string): PlannedSession | undefined =>
  fresh.sessions.find((s) => s.id === id);

/**
 * Says in a sentence how a session has changed since a plan was made for it; null when the plan still fits. Changes
 * that do not matter to the plan (a newly confirmed status, or changes to other sessions) do not count.
 */
export function changedSince(stored: PlannedSession, fresh: Pick<PlannedDay, 'sessions' | 'names'>): string | null {
  const now = sessionNow(fresh, stored.id);
  const session = `${possessive(stored.listedAs)} session`;
  const nameOf = (id: string): string => fresh.names[id] ?? 'another therapist';
  if (!now || now.start !== stored.start || now.end !== stored.end) {
    const pieces = piecesOf(stored, fresh).map(({ start, end, rows: [row] }) => {
      const holder = row?.therapistId ?? null;
      return `${timeSlot(start, end)} ${holder === null ? 'has no therapist' : `is with ${nameOf(holder)}`}`;
    });
    if (pieces.length > 1) return `${session} was divided: ${listWords(pieces)}.`;
    if (!now) return `${session} is no longer on the calendar as it was.`;
    return `${session} was moved to ${timeSlot(now.start, now.end)}.`;
  }
  const holder = now.rows[0]?.therapistId ?? null;
  if (now.declined !== undefined && stored.declined !== now.declined && holder !== null)
    return `${session} needs another therapist: ${fresh.names[holder] ?? 'its therapist'} ${now.declined}.`;
  if (holder !== (stored.rows[0]?.therapistId ?? null))
    return `${session} is now ${holder === null ? 'without a therapist' : `with ${nameOf(holder)}`}.`;
  if (fingerprint(now) === fingerprint(stored)) return null;
  return now.parts.length === 0
    ? `Nothing is left to cover in ${session}.`
    : `The part of ${session} that needs cover has changed: an absence was changed, or time has passed.`;
}

/** The sessions that a session was divided into, by time. */
function piecesOf(stored: PlannedSession, fresh: Pick<PlannedDay, 'sessions'>): PlannedSession[] {
  const roots = new Set(stored.rows.map(rootOfRow));
  return fresh.sessions
    .filter((each) => contains(stored, each) && each.rows.some((row) => roots.has(rootOfRow(row))))
    .sort((a, b) => a.start - b.start);
}

const rootOfRow = ({ root, key }: PlannedRow): string => root ?? key;

const fingerprint = (s: PlannedSession): string =>
  JSON.stringify([
    s.rows.map((r) => [r.key, r.clientId, r.therapistId]),
    s.service,
    s.therapistId,
    s.parts.map((p) => [p.start, p.end, p.affected]),
    s.fixed.map((f) => [f.kind, f.start, f.end]),
  ]);
