import { useCallback, useMemo, useRef, useState } from 'react';
import type { Client, Therapist } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { navigate, useSearch } from '../shared/router/history.ts';
import { useCommands } from '../shared/shell/commands.ts';
import { useShortcuts } from '../shared/shell/shortcuts.ts';
import { Button } from '../shared/ui/button.tsx';
import { SearchBox } from '../shared/ui/field.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { useClients, useTherapists } from '../features/profiles/api/use-profiles.ts';
import { LocationFilter } from '../features/profiles/components/location-filter.tsx';
import { ProfileResults } from '../features/profiles/components/profile-results.tsx';
import { KIND_WORDS, searchProfiles, type ProfileKind } from '../features/profiles/model.ts';
import { rulesInWords } from '../features/profiles/restrictions.ts';
import { OpenModal, openedBy, type Open } from '../features/profiles/open-modal.tsx';
import { keptDraft } from '../features/profiles/use-editing.ts';
import css from './profiles-page.module.css';

/** The page where therapists and clients are found, viewed, added and changed (PROF-01 to PROF-12). */
export function ProfilesPage() {
  const asked = useSearch();
  const [first] = useState(() => keptDraft() ?? openedBy(asked));
  const [kind, setKind] = useState<ProfileKind>(first?.kind ?? 'therapists');
  const [open, setOpen, close] = useOpening<Open>(() => first && { kind: first.kind, id: first.id });
  const [typed, setTyped] = useState('');
  const [location, setLocation] = useState<Location | null>(null);
  const search = useRef<HTMLDivElement>(null);
  const therapists = useTherapists();
  const clients = useClients(kind === 'clients');
  const query = kind === 'therapists' ? therapists : clients;
  const words = KIND_WORDS[kind];
  const shown = useMemo(
    () => searchProfiles<Therapist | Client>(query.data ?? [], typed, location),
    [query.data, typed, location],
  );
  const rulesOf = useCallback(
    (client: Client) => rulesInWords(client, (id) => therapists.data?.find((t) => t.id === id)?.display_name ?? id),
    [therapists.data],
  );
  const openProfile = useCallback((id: string) => setOpen({ kind, id }), [kind, setOpen]);
  const add = (of: ProfileKind): void => {
    setKind(of);
    setOpen({ kind: of, id: null });
  };
  useShortcuts([
    {
      keys: '/',
      label: 'Search profiles',
      group: 'Profiles',
      run: () => search.current?.querySelector('input')?.focus(),
    },
    { keys: 'n', label: `${words.add}`, group: 'Profiles', run: () => add(kind) },
  ]);
  useCommands(() =>
    (['therapists', 'clients'] as const).map((of) => ({
      id: `add:${of}`,
      kind: 'Action' as const,
      label: KIND_WORDS[of].add,
      run: () => add(of),
    })),
  );

  return (
    <Page
      title="Profiles"
      toolbar={
        <>
          <h1 className="sr">Profiles</h1>
          <Segmented
            label="Profiles of"
            value={kind}
            options={[
              { value: 'therapists', label: KIND_WORDS.therapists.title },
              { value: 'clients', label: KIND_WORDS.clients.title },
            ]}
            onChange={(next) => {
              setKind(next);
              setTyped('');
            }}
          />
          <div ref={search} className={css.search}>
            <SearchBox value={typed} onChange={setTyped} placeholder={words.search} />
          </div>
          <LocationFilter value={location} onChange={setLocation} />
          <span className="small muted" role="status">
            {query.data ? `${shown.length} ${shown.length === 1 ? words.one : words.many}` : ''}
          </span>
          <span className="grow" />
          <Button variant="primary" size="lg" onClick={() => add(kind)}>
            <Icon name="plus" />
            {words.add}
          </Button>
        </>
      }
    >
      <Sheet className={css.page}>
        <ProfileResults
          kind={kind}
          query={query}
          shown={shown}
          typed={typed}
          location={location}
          rulesOf={rulesOf}
          onOpen={openProfile}
          onAnyLocation={() => setLocation(null)}
          onAnyName={() => setTyped('')}
        />
      </Sheet>
      {open ? (
        <OpenModal
          key={open.key}
          {...open.value}
          therapists={therapists.data}
          clients={clients.data}
          onClose={() => {
            close(open.key);
            if (openedBy(asked)) navigate({ to: '/profiles', replace: true });
          }}
        />
      ) : null}
    </Page>
  );
}
