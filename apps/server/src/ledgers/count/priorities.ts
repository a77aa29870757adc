import { NO_CARE, priorityOf } from '@clinic/domain';
import { careOfDate } from './care-hours.ts';
import { groupOf, type ClinicDay, type DayClient } from '../../day/facts/day.ts';
import type { AwayWindows } from '../../day/facts/uncovered.ts';

/**
 * Returns the day's clients by id, each with the priority that holds in a plan for the day: by the care of the 28 days
 * before, or of the week before, and that of the day at this location, if no one came to what needs cover. It depends
 * only on the day and on what is to be planned as if it had no therapist, so every plan for the same day has the same
 * priorities.
 * @param unheld the appointments to count as if they had no therapist; of a group, all count
 */
export function withPriorities(
  day: Pick<ClinicDay, 'location' | 'clients' | 'appointments'>,
  away: AwayWindows,
  unheld: readonly string[] = [],
): Map<string, DayClient> {
  const here = day.appointments.filter(({ location }) => location === day.location);
  const left = new Set(here.flatMap((a) => (unheld.includes(a.key) ? [groupOf(a)] : [])));
  const onDate = careOfDate(left.size === 0 ? here : here.map((a) => (left.has(groupOf(a)) ? nobodyIn(a) : a)), away);
  return new Map(
    day.clients.map((client) => {
      const priority = priorityOf(client.priority, client.care, onDate.get(client.id) ?? NO_CARE);
      return [client.id, { ...client, priority }];
    }),
  );
}

const nobodyIn = <Row extends object>(row: Row): Row & { therapistId: null } => ({ ...row, therapistId: null });
