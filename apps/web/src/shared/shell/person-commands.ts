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
  const all: (Pick<Command, 'label' | 'run' | 'writes'> & { what: string })[] = [
    { what: 'show', label: `Show ${name}`, run: show },
    ...(mark ? [{ what: 'absent', ...mark, writes: true } as const] : []),
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
  all.push({ ...found[type], writes: true, run: () => navigate({ to: '/find-a-time', search: { [type]: name } }) });
  return all.map(({ what, ...rest }, at) => ({
    id: `${what}:${type}:${name}`,
    kind: 'Person',
    hint,
    of: { name, at },
    ...rest,
  }));
}
