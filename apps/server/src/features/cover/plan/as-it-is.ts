import type { Pin } from '@clinic/cover-engine';
import { formatTime } from '@clinic/domain';
import type { PlannedSession } from './planned-day.ts';

/** A session as the calendar has it, as a pin; none where nothing of it is planned. */
export function asItIs(session: PlannedSession): Pin[] {
  if (!session.grid || session.parts.length === 0) return [];
  const pieces = session.parts.map(({ start, end, affected }) => {
    return { therapist: affected ? null : session.therapistId, start: formatTime(start), end: formatTime(end) };
  });
  return [{ session: session.id, pieces }];
}
