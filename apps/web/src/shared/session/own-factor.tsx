import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { encode } from 'uqr';
import { secondFactorEndpoints } from '@clinic/contract';
import { formText } from '../form-text.ts';
import { call } from '../api/client.ts';
import { queryOf } from '../api/query-of.ts';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import type { OwnAccountActs } from './own-account-acts.ts';
import css from './own-account-dialog.module.css';

/** What is open: an app that is being set up, new recovery codes, or the question whether to remove the app. */
type Open =
  | { readonly what: 'set-up'; readonly secret: string; readonly address: string }
  | { readonly what: 'codes'; readonly codes: readonly string[] }
  | { readonly what: 'remove' }
  | null;

/** The user's second factor: an authenticator app beside the password, and recovery codes for a lost phone. */
export function OwnFactor({ acts }: { acts: OwnAccountActs }) {
  const [open, setOpen] = useState<Open>(null);
  const query = queryOf(queryKeys.ownFactor, secondFactorEndpoints.secondFactor, {});
  const { data } = useQuery({ ...query, staleTime: 0 });
  if (!data) return null;
  const again = (next: Open): void => {
    setOpen(next);
    for (const queryKey of [queryKeys.ownFactor, queryKeys.session]) void queryClient.invalidateQueries({ queryKey });
  };
  const setUp = (): void =>
    void acts.actProven('Enter your password to set up an app', async (body) => {
      setOpen({ what: 'set-up', ...(await call(secondFactorEndpoints.setUpFactor, { body })) });
    });
  const confirm = (code: string): void =>
    void acts.act(async () => {
      again({ what: 'codes', ...(await call(secondFactorEndpoints.confirmFactor, { body: { code } })) });
    }, 'Authenticator app set up');
  const newCodes = (): void =>
    void acts.actProven('Enter your password to make new codes', async (body) => {
      again({ what: 'codes', ...(await call(secondFactorEndpoints.makeCodes, { body })) });
    });
  const remove = (): void =>
    void acts.actProven(
      'Enter your password to remove the app',
      async (body) => {
        await call(secondFactorEndpoints.removeFactor, { body });
        again(null);
      },
      'Authenticator app removed',
    );
  return (
    <section className={css.part} aria-labelledby="own-factor">
      <h3 id="own-factor">Authenticator app</h3>
      <p className="small muted">{stateWords(data)}</p>
      {open?.what === 'set-up' ? <SetUp {...open} busy={acts.busy} onConfirm={confirm} /> : null}
      {open?.what === 'codes' ? <Codes codes={open.codes} onDone={() => setOpen(null)} /> : null}
      {open?.what === 'remove' ? (
        <div className={css.open} role="group" aria-label="Remove the app">
          <p>Your password alone will log you in. You will be logged out everywhere else.</p>
          <div className={css.acts}>
            <Button variant="danger" unavailable={acts.busy} onClick={remove}>
              Remove App
            </Button>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
          </div>
        </div>
      ) : null}
      {open !== null ? null : data.on ? (
        <div className={css.acts}>
          <Button unavailable={acts.busy} onClick={newCodes}>
            New Recovery Codes
          </Button>
          <Button onClick={() => setOpen({ what: 'remove' })}>Remove</Button>
        </div>
      ) : (
        <Button unavailable={acts.busy} onClick={setUp}>
          Set Up an App
        </Button>
      )}
    </section>
  );
}

function stateWords({ on, codes_left, required }: { on: boolean; codes_left: number; required: boolean }): string {
  if (on) return `Set up. Recovery codes left: ${codes_left}.`;
  return required
    ? 'Your role needs one: until it is set up, you can do nothing else here. A passkey does as well.'
    : 'After your password, you type a code that an app on your phone shows.';
}

interface SetUpProps {
  readonly secret: string;
  readonly address: string;
  readonly busy: boolean;
  readonly onConfirm: (code: string) => void;
}

function SetUp({ secret, address, busy, onConfirm }: SetUpProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onConfirm(formText(new FormData(event.currentTarget), 'code'));
  };
  return (
    <form className={css.open} onSubmit={submit}>
      <p>Scan this with an authenticator app, or type the key into it:</p>
      <QrCode text={address} />
      <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      <Input label="Code that the app shows" name="code" autoComplete="one-time-code" inputMode="numeric" required />
      <div>
        <Button type="submit" variant="primary" unavailable={busy}>
          Confirm
        </Button>
      </div>
    </form>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className={css.open} role="group" aria-label="Recovery codes">
      <p>
        Keep these recovery codes where you find them without your phone. Each logs you in once. They are shown only
        now.
      </p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button variant="primary" onClick={onDone}>
          I Have Kept Them
        </Button>
      </div>
    </div>
  );
}

/** A QR code as one path; dark on light whatever the theme, since cameras expect that. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key below">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
