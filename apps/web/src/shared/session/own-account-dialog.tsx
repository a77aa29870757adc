import { useRef, useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ownAccountEndpoints, type OwnSession } from '@clinic/contract';
import { formText } from '../form-text.ts';
import { call, fieldsIn } from '../api/client.ts';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { FIELD_LABELS } from '../field-labels.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Notice } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import css from './own-account-dialog.module.css';

const SHORTEST_PASSWORD = 12;
const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

interface Failure {
  readonly field: 'current' | 'new' | null;
  readonly text: string;
}

/** A failure's message, and the field it is about. */
function failureOf(error: unknown): Failure {
  for (const { field, text } of fieldsIn(error)) {
    if (field === 'current_password') return { field: 'current', text };
    if (field === 'new_password') return { field: 'new', text };
  }
  return { field: null, text: error instanceof Error ? error.message : 'Something went wrong.' };
}

/** Makes one change at a time, and shows that it worked or why it failed. */
function useAct(onFailure: (failure: Failure) => void) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setFailure(null);
    try {
      await work();
      toast({ text: done });
      void queryClient.invalidateQueries({ queryKey: queryKeys.ownSessions });
      return true;
    } catch (error) {
      const found = failureOf(error);
      setFailure(found);
      onFailure(found);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { failure, setFailure, busy, act };
}

/** The person's own password, and where they are logged in. Every change needs the current password. */
export function OwnAccountDialog({ onClose }: { onClose: () => void }) {
  const current = useRef<HTMLInputElement>(null);
  const { failure, setFailure, busy, act } = useAct(({ field }) => {
    if (field === 'current') current.current?.select();
  });
  const missing = (field: 'current' | 'new', text: string): void => setFailure({ field, text });

  const change = async (event: FormEvent<HTMLFormElement>, close: () => void): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const old = formText(form, 'current');
    const wanted = formText(form, 'new');
    if (!old) return missing('current', 'Enter your current password');
    if (wanted.length < SHORTEST_PASSWORD) return missing('new', `At least ${SHORTEST_PASSWORD} characters`);
    const body = { current_password: old, new_password: wanted };
    if (await act(() => call(ownAccountEndpoints.changePassword, { body }), 'Password changed')) close();
  };

  const endOthers = async (): Promise<void> => {
    const password = current.current?.value ?? '';
    if (password === '') return missing('current', 'Enter your password to log out everywhere else');
    const body = { current_password: password };
    await act(() => call(ownAccountEndpoints.endOtherSessions, { body }), 'Logged out everywhere else');
  };

  return (
    <Dialog
      title="Password and sessions"
      width="30rem"
      onClose={onClose}
      bar={failure && failure.field === null ? <Notice tone="error" title={failure.text} /> : null}
    >
      {(close) => (
        <form className={css.form} noValidate onSubmit={(event) => void change(event, close)}>
          <Input
            ref={current}
            label={FIELD_LABELS.current_password}
            name="current"
            type="password"
            autoComplete="current-password"
            data-autofocus
            error={failure?.field === 'current' ? failure.text : null}
            announce
          />
          <Input
            label={FIELD_LABELS.new_password}
            name="new"
            type="password"
            autoComplete="new-password"
            hint={`At least ${SHORTEST_PASSWORD} characters. A new one logs you out everywhere else.`}
            error={failure?.field === 'new' ? failure.text : null}
            announce
          />
          <div>
            <Button type="submit" variant="primary" unavailable={busy}>
              Change Password
            </Button>
          </div>
          <OwnSessions busy={busy} onEndOthers={() => void endOthers()} />
        </form>
      )}
    </Dialog>
  );
}

function OwnSessions({ busy, onEndOthers }: { busy: boolean; onEndOthers: () => void }) {
  const sessions = useQuery({
    queryKey: queryKeys.ownSessions,
    queryFn: ({ signal }) => call(ownAccountEndpoints.sessions, { signal }),
    staleTime: 0,
  });
  return (
    <section className={css.sessions} aria-label="Where you are logged in">
      <h3>Where you are logged in</h3>
      {sessions.error ? <p className="small muted">This could not be loaded.</p> : null}
      <ul>
        {(sessions.data ?? []).map((session) => (
          <li key={session.begun_at}>{sessionWords(session)}</li>
        ))}
      </ul>
      {sessions.data?.some((session) => !session.current) ? (
        <Button unavailable={busy} onClick={onEndOthers}>
          Log out everywhere else
        </Button>
      ) : null}
    </section>
  );
}

function sessionWords({ begun_at, seen_at, current }: OwnSession): string {
  const since = `since ${when.format(new Date(begun_at))}`;
  return current ? `Here, ${since}` : `Elsewhere, ${since}, last used ${when.format(new Date(seen_at))}`;
}
