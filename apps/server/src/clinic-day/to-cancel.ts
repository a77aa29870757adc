import { overlaps } from '@clinic/domain';
import { rootOf, type ClinicDay } from './day.ts';
import { plannedFrom } from './grid-plan.ts';
import { awayWindows } from './uncovered.ts';

/**
 * Counts the location's sessions whose client is away but which are not cancelled yet; time before `cut` is left as it
 * is.
 */
export function countToCancel(day: ClinicDay, cut: number | null): number {
  const away = awayWindows(day);
  const from = plannedFrom(cut);
  const booked = day.appointments.filter(
    ({ location, occupies, service, clientId, start, end }) =>
      location === day.location &&
      occupies &&
      service !== 'admin' &&
      (away.get(clientId ?? '') ?? []).some((window) => overlaps(window, { start: Math.max(start, from), end })),
  );
  return new Set(booked.map(rootOf)).size;
}
