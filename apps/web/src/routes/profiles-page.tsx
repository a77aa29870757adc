import { useCallback, useState } from 'react';
import { personPath } from '../shared/person-path.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { Link } from '../shared/router/link.tsx';
import { useCommands } from '../shared/shell/commands.ts';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { ProfileResults } from '../features/profiles/components/profile-results.tsx';
import { ProfileToolbar } from '../features/profiles/components/profile-toolbar.tsx';
import { KIND_WORDS, type ProfileKind } from '../features/profiles/model.ts';
import { OpenModal, openedBy, type Open } from '../features/profiles/open-modal.tsx';
import { keptDraft } from '../features/profiles/use-edit-form.ts';
import { useProfileSearch } from '../features/profiles/use-profile-search.ts';
import { PersonLeave } from '../features/leave/person-leave.tsx';
import css from './profiles-page.module.css';

/** The page where therapists and clients are found, viewed, added and changed (PROF-01 to PROF-12). */
export function ProfilesPage() {
  const asked = useSearch();
  const [first] = useState(() => keptDraft() ?? openedBy(asked));
  const [open, setOpen, close] = useOpening<Open>(() => first && { kind: first.kind, id: first.id });
  const search = useProfileSearch(first?.kind ?? (asked['kind'] === 'clients' ? 'clients' : 'therapists'));
  const { kind, setKind } = search;
  const openProfile = useCallback((id: string) => setOpen({ kind, id }), [kind, setOpen]);
  const add = (of: ProfileKind): void => {
    setKind(of);
    setOpen({ kind: of, id: null });
  };
  useCommands(() =>
    (['therapists', 'clients'] as const).map((of) => ({
      id: `add:${of}`,
      kind: 'Action' as const,
      label: KIND_WORDS[of].add,
      run: () => add(of),
    })),
  );

  return (
    <Page title="Profiles" toolbar={<ProfileToolbar search={search} onAdd={() => add(kind)} />}>
      <Sheet className={css.page}>
        <ProfileResults search={search} onOpen={openProfile} />
      </Sheet>
      {open ? (
        <OpenModal
          key={open.key}
          {...open.value}
          therapists={search.therapists}
          clients={search.clients}
          more={(of, person) => (
            <>
              <p>
                <Link to={personPath(of === 'therapists' ? 'therapist' : 'client', person.id)}>
                  Open {person.display_name}’s page: week, team and history
                </Link>
              </p>
              <PersonLeave
                type={of === 'therapists' ? 'therapist' : 'client'}
                name={person.display_name}
                location={person.location}
              />
            </>
          )}
          onClose={() => {
            close(open.key);
            if (openedBy(asked)) navigate({ to: '/profiles', replace: true });
          }}
        />
      ) : null}
    </Page>
  );
}
