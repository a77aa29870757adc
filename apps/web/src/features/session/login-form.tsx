import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { CODE_NEEDED, CODE_WRONG, SIGN_ON_PATH, authEndpoints, passkeyEndpoints } from '@clinic/contract';
import { formText } from '../../shared/form-text.ts';
import css from './login.module.css';
import { ApiError, NoReplyError, call } from '../../shared/api/client.ts';
import { saidWords } from '../../shared/api/failure-words.ts';
import { loadPage } from '../../shared/router/history.ts';
import { useAccountWords, type AccountWords } from '../../shared/session/account-words.ts';
import { canUsePasskeys, signWithPasskey } from '../../shared/session/passkeys.ts';
import { useSession } from '../../shared/session/session-store.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Input } from '../../shared/ui/field.tsx';
import { Logo } from '../../shared/ui/icon.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { enter } from './enter.ts';
import { InLanguage } from './in-language.tsx';
import { LoginArt } from './login-art.tsx';
import { useSignOn } from './use-sign-on.ts';

/**
 * The message when the login fails. A refused email or password gives `Invalid credentials` (AUTH-03). After too many
 * attempts, or if the server fails, the message comes from the server. If no reply arrives, the message says so.
 */
function failureText(error: unknown, { code, t, failure }: AccountWords): string {
  if (error instanceof NoReplyError && error.status === null) return t('unreachable');
  const said = code === 'en' ? saidWords(error) : failure(error, '');
  if (!(error instanceof ApiError)) return t('notLoggedInAgain', { why: said });
  if (error.status === 403) return code === 'en' ? said : t('refused.disabled');
  if (error.status === 429) return said;
  return error.status >= 500 ? t('notLoggedIn', { why: said }) : t('refused.login');
}

/** The message when a login with a passkey fails. */
function passkeyFailureText(error: unknown, words: AccountWords): string {
  if (!(error instanceof ApiError)) return words.passkeyWords(error) ?? failureText(error, words);
  if (error.status === 422) return words.failure(error, '');
  return error.status === 401 ? words.t('wrongPasskey') : failureText(error, words);
}

/** What the login form does: logs in with a password, and the code of a second factor if the server asks for it. */
function useLogin() {
  const [error, setError] = useState<string | null>(null);
  const [passkeyError, setPasskeyError] = useState<string | null>(null);
  /** Whether the password was right and a code is asked for, and what is wrong with the code typed last. */
  const [code, setCode] = useState<{ readonly error: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const words = useAccountWords();

  const begin = (): void => {
    setBusy(true);
    setError(null);
    setPasskeyError(null);
  };
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    begin();
    try {
      const typed = formText(form, 'code');
      const body = { username: formText(form, 'email'), password: formText(form, 'password') };
      enter(
        await call(authEndpoints.token, { form: true, body: { ...body, ...(code === null ? {} : { code: typed }) } }),
      );
    } catch (failure) {
      setBusy(false);
      const text = failure instanceof ApiError ? failure.detail : null;
      if (text === CODE_NEEDED) return setCode({ error: null });
      if (text === CODE_WRONG) return setCode({ error: words.t('refused.code') });
      setCode(null);
      setError(failureText(failure, words));
      password.current?.select();
    }
  };

  const logInWithPasskey = async (): Promise<void> => {
    if (busy) return;
    begin();
    try {
      const passkey = await signWithPasskey(await call(passkeyEndpoints.passkeySignInOptions, {}));
      enter(await call(passkeyEndpoints.passkeySignIn, { body: { passkey } }));
    } catch (failure) {
      setPasskeyError(passkeyFailureText(failure, words));
      setBusy(false);
    }
  };
  return { error, passkeyError, code, busy, password, submit, logInWithPasskey };
}

/** The login page (ROUTE-01). */
export const LoginForm = () => (
  <InLanguage title="loginTitle">
    <Login />
  </InLanguage>
);

function Login() {
  const { t } = useAccountWords();
  const { error, passkeyError, code, busy, password, submit, logInWithPasskey } = useLogin();
  const about = useAbout();
  return (
    <>
      <main className={css.left}>
        <form className={css.form} onSubmit={(event) => void submit(event)}>
          <Logo className={css.mark} />
          <h1>{t('loginTitle')}</h1>
          <Ended />
          <ClinicAccount about={about} busy={busy} />
          <Input label={t('email')} name="email" type="email" autoComplete="username" required autoFocus large />
          <Input
            ref={password}
            label={t('password')}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            large
            error={error}
            announce
          />
          {code === null ? null : <CodeField error={code.error} />}
          <Button type="submit" variant={about?.sign_on === true ? 'default' : 'primary'} size="lg" unavailable={busy}>
            {t(busy ? 'loggingIn' : 'logIn')}
          </Button>
          {canUsePasskeys() ? (
            <Button size="lg" unavailable={busy} onClick={() => void logInWithPasskey()}>
              {t('usePasskey')}
            </Button>
          ) : null}
          {passkeyError === null ? null : <Notice tone="error" title={passkeyError} />}
        </form>
        <FirstSteps about={about} />
      </main>
      <LoginArt />
    </>
  );
}

/** The code of the second factor. It appears after the right password, and has the focus then. */
function CodeField({ error }: { error: string | null }) {
  const { t } = useAccountWords();
  return (
    <Input
      label={t('code')}
      name="code"
      autoComplete="one-time-code"
      hint={t('codeHint')}
      required
      autoFocus
      large
      error={error}
      announce
    />
  );
}

/** The way in with the clinic's account, where the clinic has a sign-on, and why it did not work. */
function ClinicAccount({ about, busy }: { about: ReturnType<typeof useAbout>; busy: boolean }) {
  const { code, t } = useAccountWords();
  const signOn = useSignOn();
  const why = code === 'en' ? signOn.failure : t('refused.clinicAccount');
  return (
    <>
      {signOn.failure === null ? null : <Notice tone="error" title={why} />}
      {about?.sign_on === true ? (
        <>
          <Button variant="primary" size="lg" unavailable={busy || signOn.busy} onClick={() => loadPage(SIGN_ON_PATH)}>
            {t(signOn.busy ? 'loggingIn' : 'clinicAccount')}
          </Button>
          <p className={css.or}>{t(about.admins_only ? 'administrators' : 'or')}</p>
        </>
      ) : null}
    </>
  );
}

/** What the server says before anyone has logged in. */
const useAbout = () =>
  useQuery({
    queryKey: ['login'],
    queryFn: ({ signal }) => call(authEndpoints.login, { signal }),
    gcTime: 0, // the answer may be another one at the next login
  }).data;

/** Says that the session has ended, if the user did not end it. */
function Ended() {
  const { t } = useAccountWords();
  const { reason } = useSession();
  return reason === 'expired' || reason === 'refused' ? (
    <p className={css.said} role="status">
      {t('loggedOut')}
    </p>
  ) : null;
}

/** For a new clinic: how to get the first account; for the demo: its logins. */
function FirstSteps({ about: data }: { about: ReturnType<typeof useAbout> }) {
  return (
    <div className={css.steps} role="status" lang="en">
      {data?.no_account ? (
        <div>
          <p>
            No account exists yet. See <a href="/help#first-account">“First account” in the guide</a>.
          </p>
          <code>npm run account -- add EMAIL --role admin</code>
        </div>
      ) : null}
      {data && data.demo_logins.length > 0 ? (
        <dl>
          {data.demo_logins.map(({ email, password, role }) => (
            <div key={email}>
              <dt>Demo {DEMO_ROLES[role]}</dt>
              <dd>
                <code>{email}</code> <code>{password}</code>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

const DEMO_ROLES = {
  scheduler: 'scheduler',
  admin: 'administrator',
  therapist: 'therapist',
  director: 'director',
  viewer: 'viewer',
} as const;
