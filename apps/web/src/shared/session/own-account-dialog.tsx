import { useRef, type FormEvent, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ownAccountEndpoints, type OwnSession } from '@clinic/contract';
import { formText } from '../form-text.ts';
import { call } from '../api/client.ts';
import { queryOf } from '../api/query-of.ts';
import { queryKeys } from '../api/query-client.ts';
import { FIELD_LABELS } from '../field-labels.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Notice, Skeleton } from '../ui/states.tsx';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import css from './own-account-dialog.module.css';
import { useOwnAccountActs, useOwnPasskeys, type Failure } from './own-account-acts.ts';
import { OwnFactor } from './own-factor.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { LENGTH_WORDS, isTooShort } from './password-length.ts';

const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * The user's own password and passkeys, and where the user is logged in. Every change needs the current password or a
 * passkey.
 */
export function OwnAccountDialog({ onClose }: { onClose: () => void }) {
  const current = useRef<HTMLInputElement>(null);
  const { data: own, isPending } = useOwnPasskeys();
  const acts = useOwnAccountActs(current, own);
  const { failure, busy, fail, actProven } = acts;
  const { mayClose, leave } = useUnsaved({ edited: false, saving: busy });
  const hasPassword = own?.password ?? true;
  const byPasskey = own !== undefined && own.passkeys.length > 0 && canUsePasskeys();

  const change = async (event: FormEvent<HTMLFormElement>, close: () => void): Promise<void> => {
    event.preventDefault();
    const wanted = formText(new FormData(event.currentTarget), 'new');
    if (!byPasskey && !current.current?.value) return fail({ field: 'current', text: 'Enter your current password' });
    if (isTooShort(wanted)) return fail({ field: 'new', text: LENGTH_WORDS });
    const send = (proof: object) =>
      call(ownAccountEndpoints.changePassword, { body: { ...proof, new_password: wanted } });
    const done = hasPassword ? 'Password changed' : 'Password set';
    if (await actProven('Enter your current password', send, done, 'which password works')) leave(close);
  };

  const endOthers = (): void =>
    void actProven(
      'Enter your password to log out everywhere else',
      (body) => call(ownAccountEndpoints.endOtherSessions, { body }),
      'Logged out everywhere else',
      'your sessions',
    );

  return (
    <Dialog
      title="Password, passkeys and sessions"
      width="30rem"
      mayClose={mayClose}
      onClose={onClose}
      bar={failure && failure.field === null ? <Notice tone="error" title={failure.text} /> : null}
    >
      {(close) =>
        isPending ? (
          <div className={css.parts} role="status" aria-label="Loading your account">
            <Skeleton style={{ height: '12rem' }} />
          </div>
        ) : (
          <div className={css.parts}>
            <form className={css.form} noValidate onSubmit={(event) => void change(event, close)}>
              <PasswordFields current={current} hasPassword={hasPassword} byPasskey={byPasskey} failure={failure} />
              <div>
                <Button type="submit" variant="primary" unavailable={busy}>
                  {hasPassword ? 'Change Password' : 'Set Password'}
                </Button>
              </div>
            </form>
            {own ? <OwnPasskeys own={own} acts={acts} /> : null}
            {hasPassword ? <OwnFactor acts={acts} /> : null}
            <OwnSessions busy={busy} onEndOthers={endOthers} />
          </div>
        )
      }
    </Dialog>
  );
}

function PasswordFields({
  current,
  hasPassword,
  byPasskey,
  failure,
}: {
  current: RefObject<HTMLInputElement | null>;
  hasPassword: boolean;
  /** Whether a passkey can confirm instead of the current password. */
  byPasskey: boolean;
  failure: Failure | null;
}) {
  return (
    <>
      {hasPassword ? (
        <Input
          ref={current}
          label={FIELD_LABELS.current_password}
          name="current"
          type="password"
          autoComplete="current-password"
          autoFocus
          data-autofocus
          hint={byPasskey ? 'Leave empty to confirm with a passkey.' : null}
          error={failure?.field === 'current' ? failure.text : null}
          announce
        />
      ) : null}
      <Input
        label={FIELD_LABELS.new_password}
        name="new"
        type="password"
        autoComplete="new-password"
        autoFocus={!hasPassword}
        data-autofocus={hasPassword ? undefined : ''}
        hint={`${LENGTH_WORDS}. A new one logs you out everywhere else.`}
        error={failure?.field === 'new' ? failure.text : null}
        announce
      />
    </>
  );
}

function OwnSessions({ busy, onEndOthers }: { busy: boolean; onEndOthers: () => void }) {
  const sessions = useQuery({ ...queryOf(queryKeys.ownSessions, ownAccountEndpoints.sessions, {}), staleTime: 0 });
  return (
    <section className={css.part} aria-label="Where you are logged in">
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
