import { TEXTS } from '@clinic/contract';
import { locationLabel } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState, Notice } from '../../../shared/ui/states.tsx';
import { LOGIN_HINT, failureText, isLoginFailure } from '../api/use-profiles.ts';
import { KIND_WORDS } from '../model.ts';
import type { ProfileSearch } from '../use-profile-search.ts';
import { LogIn } from './log-in.tsx';
import { ProfileCards, ProfileCardsLoading } from './profile-cards.tsx';

/** The profiles found, empty cards while they load, or a message when there are none. */
export function ProfileResults({
  search: { kind, query, shown, typed, setTyped, location, setLocation, rulesOf },
  onOpen,
}: {
  search: ProfileSearch;
  onOpen: (id: string) => void;
}) {
  const words = KIND_WORDS[kind];
  return (
    <>
      {query.error ? (
        <Notice
          tone="error"
          title={`${TEXTS.loadFailed(words.many)} ${failureText(query.error)}`}
          actions={
            isLoginFailure(query.error) ? <LogIn /> : <Button onClick={() => void query.refetch()}>Try again</Button>
          }
        >
          {isLoginFailure(query.error) ? LOGIN_HINT : query.data ? 'This may be out of date.' : null}
        </Notice>
      ) : null}
      {query.isPending ? (
        <ProfileCardsLoading what={words.many} />
      ) : shown.length > 0 ? (
        <ProfileCards label={words.title} profiles={shown} rulesOf={rulesOf} onOpen={onOpen} />
      ) : query.data ? (
        <EmptyState
          title={TEXTS.noProfiles}
          action={
            location !== null ? (
              <Button onClick={() => setLocation(null)}>Search all locations</Button>
            ) : typed ? (
              <Button onClick={() => setTyped('')}>Show all {words.many}</Button>
            ) : undefined
          }
        >
          {typed ? `No one matches “${typed}”` : `There are no ${words.many}`}
          {location === null ? '.' : ` at ${locationLabel(location)}.`}
        </EmptyState>
      ) : null}
    </>
  );
}
