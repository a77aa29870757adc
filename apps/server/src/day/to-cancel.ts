import { intersect, type Interval } from '@clinic/domain';
import type { DayAppointment } from './facts/day.ts';
import { plannedFrom } from './facts/grid-plan.ts';
import type { AwayWindows } from './facts/uncovered.ts';

type Cancelled = Pick<DayAppointment, 'occupies' | 'service' | 'clientId'> & Interval;

/**
 * When the client of a session is away, although the session is not cancelled yet; empty if it need not be cancelled.
 * Time before `cut` is left as it is.
 */
export function toCancelOf({ occupies, service, clientId, ...time }: Cancelled, away: AwayWindows, cut: number | null) {
  const windows = away.get(clientId ?? '');
  if (!windows || !occupies || service === 'admin') return [];
  const ahead = { start: Math.max(time.start, plannedFrom(cut)), end: time.end };
  return windows.flatMap((window) => intersect(window, ahead) ?? []);
}
