import type { Client, Therapist } from '@clinic/contract';
import { longDate } from '@clinic/domain';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { clinicNow, wallTime } from '../clinic-clock.ts';
import { navigate, usePath } from '../router/history.ts';
import { useLocations, usePickedLocation } from '../session/session-info.ts';
import { useCommands, type Command } from './commands.ts';

const OWN_COMMANDS = '/calendar';

/**
 * Adds people, dates and locations to the palette; each opens the calendar. Does nothing on the calendar page, which
 * adds its own commands.
 */
export function useGlobalCommands(): void {
  const path = usePath();
  const location = usePickedLocation(undefined);
  const locations = useLocations();
  useCommands((typed, read) => {
    if (path === OWN_COMMANDS) return [];
    const commands: Command[] = [];
    const now = clinicNow();
    const date = now === null ? null : read.date(typed, wallTime(location, now).date);
    if (date)
      commands.push({
        id: `date:${date}`,
        kind: 'Date',
        label: longDate(date),
        run: () => navigate({ to: '/calendar', search: { date, location } }),
      });
    for (const { value, label, group } of locations)
      commands.push({
        id: `location:${value}`,
        kind: 'Location',
        label,
        hint: group,
        run: () => navigate({ to: '/calendar', search: { location: value } }),
      });
    if (typed.trim() === '') return commands;
    const people = [
      ...(queryClient.getQueryData<Therapist[]>(queryKeys.therapists) ?? []).map((p) => ({
        p,
        view: 'therapist' as const,
      })),
      ...(queryClient.getQueryData<Client[]>(queryKeys.clients) ?? []).map((p) => ({ p, view: 'client' as const })),
    ];
    for (const { p, view } of people) {
      commands.push(
        ...read.person({
          name: p.display_name,
          type: view,
          hint: view === 'client' ? 'Client' : 'Therapist',
          show: () => navigate({ to: '/calendar', search: { location: p.location, view, find: p.display_name } }),
        }),
      );
    }
    return commands;
  });
}
