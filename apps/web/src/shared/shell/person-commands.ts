import type { Client, Therapist } from '@clinic/contract';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { personPath } from '../person-path.ts';
import { navigate } from '../router/history.ts';
import type { Command, FoundPerson } from './commands.ts';

/** The commands for a person, always in this order: show their row, mark them absent, open their profile or week. */
export function personCommands({ name, type, hint, show, mark }: FoundPerson): Command[] {
  const key = type === 'client' ? queryKeys.clients : queryKeys.therapists;
  const profile = queryClient
    .getQueryData<readonly (Client | Therapist)[]>(key)
    ?.find(({ display_name }) => display_name === name);
  const all = [
    { what: 'show', label: `Show ${name}`, run: show },
    ...(mark ? [{ what: 'absent', ...mark }] : []),
    ...(profile
      ? [
          {
            what: 'profile',
            label: `Profile of ${name}`,
            run: () => navigate({ to: personPath(type, profile.id) }),
          },
          {
            what: 'week',
            label: `Week of ${name}`,
            run: () =>
              navigate({
                to: '/calendar',
                search: { span: 'week', location: profile.location, view: type, person: profile.id },
              }),
          },
        ]
      : []),
  ];
  const found = {
    client: { what: 'time', label: `Find a time for ${name}` },
    therapist: { what: 'could', label: `Who could use ${name}’s time` },
  };
  all.push({ ...found[type], run: () => navigate({ to: '/find-a-time', search: { [type]: name } }) });
  return all.map(({ what, label, run }, at) => ({
    id: `${what}:${type}:${name}`,
    kind: 'Person',
    label,
    hint,
    of: { name, at },
    run,
  }));
}
