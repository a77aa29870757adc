import { useEffect, useState, type FormEvent } from 'react';
import { ownAccountEndpoints } from '@clinic/contract';
import { formText } from '../../shared/form-text.ts';
import css from './login.module.css';
import { call, fieldsIn } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { navigate } from '../../shared/router/history.ts';
import { signOut } from '../../shared/session/sign-out.ts';
import { getSession } from '../../shared/session/session-store.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Input } from '../../shared/ui/field.tsx';
import { Logo } from '../../shared/ui/icon.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { LoginArt } from './login-art.tsx';

const SHORTEST = 12;

/**
 * Opened from an invitation link: a therapist chooses the password of their new account. The link's secret comes
 * after the `#`, which browsers do not send, so no server logs it.
 */
export function WelcomeForm() {
  const [secret] = useState(() => window.location.hash.slice(1));
  const [done, setDone] = useState<string | null>(null);
  const [fault, setFault] = useState<{ password?: string | undefined; all?: string | undefined }>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Welcome to Scheduler';
  }, []);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const password = formText(form, 'password');
    const again = formText(form, 'again');
    if (password === undefined || password.length < SHORTEST)
      return setFault({ password: `At least ${SHORTEST} characters` });
    if (password !== again) return setFault({ password: 'The passwords do not match' });
    setBusy(true);
    setFault({});
    try {
      const { email } = await call(ownAccountEndpoints.acceptInvitation, { body: { secret, password } });
      // Logs out any account still logged in on this browser before the new account logs in.
      if (getSession().signedIn) await signOut();
      setDone(email);
    } catch (error) {
      const ofPassword = fieldsIn(error).find(({ field }) => field === 'password');
      setFault(ofPassword ? { password: ofPassword.text } : { all: failureWords(error, 'whether you can log in') });
      setBusy(false);
    }
  };

  return (
    <div className={css.login}>
      <main className={css.left}>
        {done === null ? (
          <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
            <Logo className={css.mark} />
            <h1>Welcome to Scheduler</h1>
            <p className={css.said}>Choose a password. From then on you log in with your email and see your own day.</p>
            {fault.all === undefined ? null : <Notice tone="error" title={fault.all} />}
            <Input
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              hint={`At least ${SHORTEST} characters.`}
              required
              autoFocus
              large
              error={fault.password}
              announce
            />
            <Input label="Repeat password" name="again" type="password" autoComplete="new-password" required large />
            <Button type="submit" variant="primary" size="lg" unavailable={busy}>
              Save the Password
            </Button>
          </form>
        ) : (
          <div className={css.form}>
            <Logo className={css.mark} />
            <h1>Your account is ready</h1>
            <p className={css.said} role="status">
              Log in as {done}.
            </p>
            <Button variant="primary" size="lg" onClick={() => navigate({ to: '/login' })}>
              Go to Login
            </Button>
          </div>
        )}
      </main>
      <LoginArt />
    </div>
  );
}
