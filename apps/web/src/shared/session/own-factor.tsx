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
import { useAccountWords, type AccountWords } from './account-words.ts';
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
  const words = useAccountWords();
  const { t } = words;
  const query = queryOf(queryKeys.ownFactor, secondFactorEndpoints.secondFactor, {});
  const { data } = useQuery({ ...query, staleTime: 0 });
  if (!data) return null;
  const again = (next: Open): void => {
    setOpen(next);
    for (const queryKey of [queryKeys.ownFactor, queryKeys.session]) void queryClient.invalidateQueries({ queryKey });
  };
  const setUp = (): void =>
    void acts.actProven(t('ask.app'), async (body) => {
      setOpen({ what: 'set-up', ...(await call(secondFactorEndpoints.setUpFactor, { body })) });
    });
  const confirm = (code: string): void =>
    void acts.act(async () => {
      again({ what: 'codes', ...(await call(secondFactorEndpoints.confirmFactor, { body: { code } })) });
    }, t('appSetUp'));
  const newCodes = (): void =>
    void acts.actProven(t('ask.codes'), async (body) => {
      again({ what: 'codes', ...(await call(secondFactorEndpoints.makeCodes, { body })) });
    });
  const remove = (): void =>
    void acts.actProven(
      t('ask.removeApp'),
      async (body) => {
        await call(secondFactorEndpoints.removeFactor, { body });
        again(null);
      },
      t('appRemoved'),
    );
  return (
    <section className={css.part} aria-labelledby="own-factor">
      <h3 id="own-factor">{t('app')}</h3>
      <p className="small muted">{stateWords(data, words)}</p>
      {open?.what === 'set-up' ? <SetUp {...open} busy={acts.busy} onConfirm={confirm} /> : null}
      {open?.what === 'codes' ? <Codes codes={open.codes} onDone={() => setOpen(null)} /> : null}
      {open?.what === 'remove' ? (
        <div className={css.open} role="group" aria-label={t('removeAppGroup')}>
          <p>{t('removeAppText')}</p>
          <div className={css.acts}>
            <Button variant="danger" unavailable={acts.busy} onClick={remove}>
              {t('removeApp')}
            </Button>
            <Button onClick={() => setOpen(null)}>{t('cancel')}</Button>
          </div>
        </div>
      ) : null}
      {open !== null ? null : data.on ? (
        <div className={css.acts}>
          <Button unavailable={acts.busy} onClick={newCodes}>
            {t('newCodes')}
          </Button>
          <Button onClick={() => setOpen({ what: 'remove' })}>{t('remove')}</Button>
        </div>
      ) : (
        <Button unavailable={acts.busy} onClick={setUp}>
          {t('setUpApp')}
        </Button>
      )}
    </section>
  );
}

type State = { readonly on: boolean; readonly codes_left: number; readonly required: boolean };
function stateWords({ on, codes_left, required }: State, { t }: AccountWords): string {
  return on ? t('appOn', { count: String(codes_left) }) : t(required ? 'appRequired' : 'appOff');
}

interface SetUpProps {
  readonly secret: string;
  readonly address: string;
  readonly busy: boolean;
  readonly onConfirm: (code: string) => void;
}

function SetUp({ secret, address, busy, onConfirm }: SetUpProps) {
  const { t } = useAccountWords();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onConfirm(formText(new FormData(event.currentTarget), 'code'));
  };
  return (
    <form className={css.open} onSubmit={submit}>
      <p>{t('scan')}</p>
      <QrCode text={address} label={t('qrCode')} />
      <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      <Input label={t('appCode')} name="code" autoComplete="one-time-code" inputMode="numeric" required />
      <div>
        <Button type="submit" variant="primary" unavailable={busy}>
          {t('confirm')}
        </Button>
      </div>
    </form>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useAccountWords();
  return (
    <div className={css.open} role="group" aria-label={t('codes')}>
      <p>{t('codesText')}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button variant="primary" onClick={onDone}>
          {t('codesKept')}
        </Button>
      </div>
    </div>
  );
}

/** A QR code as one path; dark on light whatever the theme, since cameras expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
