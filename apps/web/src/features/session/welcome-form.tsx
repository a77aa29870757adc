import { useState, type FormEvent } from 'react';
import { SHORTEST_PASSWORD, ownAccountEndpoints, passkeyEndpoints } from '@clinic/contract';
import { formText } from '../../shared/form-text.ts';
import css from './login.module.css';
import { ApiError, call, fieldsIn } from '../../shared/api/client.ts';
import { navigate } from '../../shared/router/history.ts';
import { useAccountWords } from '../../shared/session/account-words.ts';
import { isTooShort } from '../../shared/session/password-length.ts';
import { canUsePasskeys, deviceName, makePasskey } from '../../shared/session/passkeys.ts';
import { signOut } from '../../shared/session/sign-out.ts';
import { getSession } from '../../shared/session/session-store.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Input } from '../../shared/ui/field.tsx';
import { Logo } from '../../shared/ui/icon.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { enter } from './enter.ts';
import { InLanguage } from './in-language.tsx';
import { LoginArt } from './login-art.tsx';

interface Fault {
  readonly password?: string | undefined;
  readonly all?: string | undefined;
}

const SHORTEST = { count: String(SHORTEST_PASSWORD) };

/**
 * The form that an invitation link opens, where someone chooses how they will log in. The link's secret comes after
 * the `#`, which browsers do not send, so no server logs it.
 */
export function WelcomeForm() {
  const [secret] = useState(() => window.location.hash.slice(1));
  const [done, setDone] = useState<string | null>(null);
  return (
    <InLanguage title="welcomePage">
      <main className={css.left}>
        {done === null ? <FirstUse secret={secret} onDone={setDone} /> : <Ready email={done} />}
      </main>
      <LoginArt />
    </InLanguage>
  );
}

/** The choice between a passkey and a password. Where passkeys do not work, only a password is offered. */
function FirstUse({ secret, onDone }: { secret: string; onDone: (email: string) => void }) {
  const words = useAccountWords();
  const { code, t } = words;
  const [way, setWay] = useState<'open' | 'password'>(canUsePasskeys() ? 'open' : 'password');
  const [fault, setFault] = useState<Fault>({});
  const [busy, setBusy] = useState(false);

  const act = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault({});
    try {
      await work();
    } catch (error) {
      const ofPassword = fieldsIn(error).find(({ field }) => field === 'password');
      const isGone = error instanceof ApiError && error.status === 404 && code !== 'en';
      const all = isGone ? t('refused.invitation') : words.failure(error, t('look.login'));
      setFault(ofPassword ? { password: words.ofField(ofPassword.text, 'refused.new') } : { all });
      setBusy(false);
    }
  };

  const usePassword = (form: FormData): void => {
    const password = formText(form, 'password');
    const again = formText(form, 'again');
    if (isTooShort(password)) return setFault({ password: t('length', SHORTEST) });
    if (password !== again) return setFault({ password: t('noMatch') });
    void act(async () => {
      const { email } = await call(ownAccountEndpoints.acceptInvitation, { body: { secret, password } });
      await leaveOtherAccount();
      onDone(email);
    });
  };

  const usePasskey = (): void =>
    void act(async () => {
      const options = await call(passkeyEndpoints.welcomePasskeyOptions, { body: { secret } });
      const body = { secret, name: deviceName(), passkey: await makePasskey(options) };
      const reply = await call(passkeyEndpoints.welcomePasskey, { body });
      await leaveOtherAccount();
      enter(reply);
      navigate({ to: '/calendar', replace: true }); // a therapist is led on to their own page
    });

  return (
    <div className={css.form}>
      <Logo className={css.mark} />
      <h1>{t('welcomePage')}</h1>
      <p className={css.said}>{t(way === 'open' ? 'chooseWay' : 'choosePassword')}</p>
      {fault.all === undefined ? null : <Notice tone="error" title={fault.all} />}
      {way === 'open' ? (
        <>
          <Button variant="primary" size="lg" unavailable={busy} onClick={usePasskey} aria-describedby="passkey-hint">
            {t('usePasskey')}
          </Button>
          <p className="small muted" id="passkey-hint">
            {t('passkeyHint')}
          </p>
          <Button size="lg" unavailable={busy} onClick={() => setWay('password')}>
            {t('setPassword')}
          </Button>
        </>
      ) : (
        <>
          <PasswordForm busy={busy} error={fault.password} onSubmit={usePassword} />
          {canUsePasskeys() ? (
            <Button size="lg" unavailable={busy} onClick={usePasskey}>
              {t('passkeyInstead')}
            </Button>
          ) : null}
        </>
      )}
    </div>
  );
}

function PasswordForm({
  busy,
  error,
  onSubmit,
}: {
  busy: boolean;
  error: string | undefined;
  onSubmit: (form: FormData) => void;
}) {
  const { t } = useAccountWords();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className={css.fields} noValidate onSubmit={submit}>
      <Input
        label={t('newPassword')}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={t('lengthHint', SHORTEST)}
        required
        autoFocus
        large
        error={error}
        announce
      />
      <Input label={t('repeatPassword')} name="again" type="password" autoComplete="new-password" required large />
      <Button type="submit" variant="primary" size="lg" unavailable={busy}>
        {t('savePassword')}
      </Button>
    </form>
  );
}

function Ready({ email }: { email: string }) {
  const { t } = useAccountWords();
  return (
    <div className={css.form}>
      <Logo className={css.mark} />
      <h1>{t('ready')}</h1>
      <p className={css.said} role="status">
        {t('logInAs', { email })}
      </p>
      <Button variant="primary" size="lg" onClick={() => navigate({ to: '/login' })}>
        {t('toLogin')}
      </Button>
    </div>
  );
}

/** Logs out any account still logged in on this browser before the new account logs in. */
async function leaveOtherAccount(): Promise<void> {
  if (getSession().signedIn) await signOut();
}
