import { useRef, type FormEvent, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { SHORTEST_PASSWORD, ownAccountEndpoints, type OwnSession } from '@clinic/contract';
import { formText } from '../form-text.ts';
import { call } from '../api/client.ts';
import { queryOf } from '../api/query-of.ts';
import { queryKeys } from '../api/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Notice, Skeleton } from '../ui/states.tsx';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useAccountWords, type AccountWords } from './account-words.ts';
import css from './own-account-dialog.module.css';
import { useOwnAccountActs, useOwnPasskeys, type Failure } from './own-account-acts.ts';
import { OwnFactor } from './own-factor.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { isTooShort } from './password-length.ts';

const SHORTEST = { count: String(SHORTEST_PASSWORD) };

/**
 * The user's own password and passkeys, and where the user is logged in. Every change needs the current password or a
 * passkey.
 */
export function OwnAccountDialog({ onClose }: { onClose: () => void }) {
  const current = useRef<HTMLInputElement>(null);
  const { data: own, isPending } = useOwnPasskeys();
  const acts = useOwnAccountActs(current, own);
  const { failure, busy, fail, actProven } = acts;
  const { t } = useAccountWords();
  const { mayClose, leave } = useUnsaved({ edited: false, saving: busy });
  const hasPassword = own?.password ?? true;
  const byPasskey = own !== undefined && own.passkeys.length > 0 && canUsePasskeys();

  const change = async (event: FormEvent<HTMLFormElement>, close: () => void): Promise<void> => {
    event.preventDefault();
    const wanted = formText(new FormData(event.currentTarget), 'new');
    if (!byPasskey && !current.current?.value) return fail({ field: 'current', text: t('ask.change') });
    if (isTooShort(wanted)) return fail({ field: 'new', text: t('length', SHORTEST) });
    const send = (proof: object) =>
      call(ownAccountEndpoints.changePassword, { body: { ...proof, new_password: wanted } });
    const done = t(hasPassword ? 'passwordChanged' : 'passwordSet');
    if (await actProven(t('ask.change'), send, done, t('look.password'))) leave(close);
  };

  const endOthers = (): void =>
    void actProven(
      t('ask.end'),
      (body) => call(ownAccountEndpoints.endOtherSessions, { body }),
      t('othersEnded'),
      t('look.sessions'),
    );

  return (
    <Dialog
      title={t('accountTitle')}
      dismiss={t('dismiss')}
      width="30rem"
      mayClose={mayClose}
      onClose={onClose}
      bar={failure && failure.field === null ? <Notice tone="error" title={failure.text} /> : null}
    >
      {(close) =>
        isPending ? (
          <div className={css.parts} role="status" aria-label={t('loadingAccount')}>
            <Skeleton style={{ height: '12rem' }} />
          </div>
        ) : (
          <div className={css.parts}>
            <form className={css.form} noValidate onSubmit={(event) => void change(event, close)}>
              <PasswordFields current={current} hasPassword={hasPassword} byPasskey={byPasskey} failure={failure} />
              <div>
                <Button type="submit" variant="primary" unavailable={busy}>
                  {t(hasPassword ? 'changePassword' : 'setPasswordButton')}
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
  const { t } = useAccountWords();
  return (
    <>
      {hasPassword ? (
        <Input
          ref={current}
          label={t('currentPassword')}
          name="current"
          type="password"
          autoComplete="current-password"
          autoFocus
          data-autofocus
          hint={byPasskey ? t('orPasskey') : null}
          error={failure?.field === 'current' ? failure.text : null}
          announce
        />
      ) : null}
      <Input
        label={t('newPassword')}
        name="new"
        type="password"
        autoComplete="new-password"
        autoFocus={!hasPassword}
        data-autofocus={hasPassword ? undefined : ''}
        hint={t('newLogsOut', SHORTEST)}
        error={failure?.field === 'new' ? failure.text : null}
        announce
      />
    </>
  );
}

function OwnSessions({ busy, onEndOthers }: { busy: boolean; onEndOthers: () => void }) {
  const words = useAccountWords();
  const { t } = words;
  const sessions = useQuery({ ...queryOf(queryKeys.ownSessions, ownAccountEndpoints.sessions, {}), staleTime: 0 });
  return (
    <section className={css.part} aria-label={t('loggedInAt')}>
      <h3>{t('loggedInAt')}</h3>
      {sessions.error ? <p className="small muted">{t('notLoaded')}</p> : null}
      <ul>
        {(sessions.data ?? []).map((session) => (
          <li key={session.begun_at}>{sessionWords(session, words)}</li>
        ))}
      </ul>
      {sessions.data?.some((session) => !session.current) ? (
        <Button unavailable={busy} onClick={onEndOthers}>
          {t('endOthers')}
        </Button>
      ) : null}
    </section>
  );
}

function sessionWords({ begun_at, seen_at, current }: OwnSession, { t, moment }: AccountWords): string {
  const since = moment(begun_at);
  return current ? t('here', { since }) : t('elsewhere', { since, used: moment(seen_at) });
}
