import type { Pin } from '@clinic/cover-engine';
import { formatTime } from '@clinic/domain';
import type { PlannedSession } from './planned-day.ts';

/** Makes a pin that keeps a session as it is on the calendar; none if no part of the session can be planned. */
export function asItIs(session: PlannedSession): Pin[] {
  if (!session.grid || session.parts.length === 0) return [];
  const pieces = session.parts.map(({ start, end, affected }) => {
    return { therapist: affected ? null : session.therapistId, start: formatTime(start), end: formatTime(end) };
  });
  return [{ session: session.id, pieces }];
}
