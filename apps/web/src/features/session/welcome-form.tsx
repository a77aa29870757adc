import { useEffect, useState, type FormEvent } from 'react';
import { ownAccountEndpoints, passkeyEndpoints } from '@clinic/contract';
import { formText } from '../../shared/form-text.ts';
import css from './login.module.css';
import { call, fieldsIn } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { navigate } from '../../shared/router/history.ts';
import { LENGTH_WORDS, isTooShort } from '../../shared/session/password-length.ts';
import { canUsePasskeys, deviceName, makePasskey, passkeyFailure } from '../../shared/session/passkeys.ts';
import { signOut } from '../../shared/session/sign-out.ts';
import { getSession } from '../../shared/session/session-store.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Input } from '../../shared/ui/field.tsx';
import { Logo } from '../../shared/ui/icon.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { enter } from './enter.ts';
import { LoginArt } from './login-art.tsx';

interface Fault {
  readonly password?: string | undefined;
  readonly all?: string | undefined;
}

/**
 * The form that an invitation link opens, where someone chooses how they will log in. The link's secret comes after
 * the `#`, which browsers do not send, so no server logs it.
 */
export function WelcomeForm() {
  const [secret] = useState(() => window.location.hash.slice(1));
  const [done, setDone] = useState<string | null>(null);
  useEffect(() => {
    document.title = 'Welcome to Scheduler';
  }, []);
  return (
    <div className={css.login}>
      <main className={css.left}>
        {done === null ? <FirstUse secret={secret} onDone={setDone} /> : <Ready email={done} />}
      </main>
      <LoginArt />
    </div>
  );
}

/** The choice between a passkey and a password. Where passkeys do not work, only a password is offered. */
function FirstUse({ secret, onDone }: { secret: string; onDone: (email: string) => void }) {
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
      const all = passkeyFailure(error) ?? failureWords(error, 'whether you can log in');
      setFault(ofPassword ? { password: ofPassword.text } : { all });
      setBusy(false);
    }
  };

  const usePassword = (form: FormData): void => {
    const password = formText(form, 'password');
    const again = formText(form, 'again');
    if (isTooShort(password)) return setFault({ password: LENGTH_WORDS });
    if (password !== again) return setFault({ password: 'The passwords do not match' });
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
      <h1>Welcome to Scheduler</h1>
      <p className={css.said}>
        {way === 'open'
          ? 'Choose how to log in.'
          : 'Choose a password. From then on, you will log in with it and your email.'}
      </p>
      {fault.all === undefined ? null : <Notice tone="error" title={fault.all} />}
      {way === 'open' ? (
        <>
          <Button variant="primary" size="lg" unavailable={busy} onClick={usePasskey} aria-describedby="passkey-hint">
            Use a passkey
          </Button>
          <p className="small muted" id="passkey-hint">
            Your face, fingerprint or screen lock. Nothing to remember.
          </p>
          <Button size="lg" unavailable={busy} onClick={() => setWay('password')}>
            Set a password
          </Button>
        </>
      ) : (
        <>
          <PasswordForm busy={busy} error={fault.password} onSubmit={usePassword} />
          {canUsePasskeys() ? (
            <Button size="lg" unavailable={busy} onClick={usePasskey}>
              Use a passkey instead
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
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className={css.fields} noValidate onSubmit={submit}>
      <Input
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint={`${LENGTH_WORDS}.`}
        required
        autoFocus
        large
        error={error}
        announce
      />
      <Input label="Repeat password" name="again" type="password" autoComplete="new-password" required large />
      <Button type="submit" variant="primary" size="lg" unavailable={busy}>
        Save Password
      </Button>
    </form>
  );
}

function Ready({ email }: { email: string }) {
  return (
    <div className={css.form}>
      <Logo className={css.mark} />
      <h1>Your account is ready</h1>
      <p className={css.said} role="status">
        Log in as {email}.
      </p>
      <Button variant="primary" size="lg" onClick={() => navigate({ to: '/login' })}>
        Go to Login
      </Button>
    </div>
  );
}

/** Logs out any account still logged in on this browser before the new account logs in. */
async function leaveOtherAccount(): Promise<void> {
  if (getSession().signedIn) await signOut();
}
