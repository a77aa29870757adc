import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import {
  LONGEST_PASSKEY_NAME,
  passkeyEndpoints,
  type CreateOptions,
  type OwnPasskeys as Own,
  type Passkey,
} from '@clinic/contract';
import { formText } from '../form-text.ts';
import { call } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import type { OwnAccountActs } from './own-account-acts.ts';
import { useAccountWords } from './account-words.ts';
import css from './own-account-dialog.module.css';
import { canUsePasskeys, deviceName, makePasskey } from './passkeys.ts';

/** What is open in the list: a passkey that is being renamed or removed, or a new one that is being named. */
type Open =
  | { readonly what: 'rename' | 'remove'; readonly id: string }
  | { readonly what: 'add'; readonly options: CreateOptions }
  | null;

/** The changes that users can make to their passkeys, one at a time. */
function usePasskeyActs(acts: OwnAccountActs) {
  const [open, setOpen] = useState<Open>(null);
  const { t } = useAccountWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const close = (): void => {
    setOpen(null);
    heading.current?.focus(); // the element that had the focus is gone
  };
  const askToAdd = (): void =>
    void acts.actProven(t('ask.passkey'), async (body) => {
      const options = await call(passkeyEndpoints.addPasskeyOptions, { body });
      setOpen({ what: 'add', options });
    });
  const add = async (options: CreateOptions, name: string): Promise<void> => {
    let sent = false;
    const work = async (): Promise<void> => {
      const passkey = await makePasskey(options);
      sent = true;
      await call(passkeyEndpoints.addPasskey, { body: { name, passkey } });
    };
    await acts.act(work, t('passkeyAdded'));
    // The server accepts these options only once, so the form closes after the request. If the user cancelled in the
    // browser, no request was sent, and the user can try again.
    if (sent) close();
  };
  const rename = async (id: string, name: string): Promise<void> => {
    const work = () => call(passkeyEndpoints.renamePasskey, { params: { id }, body: { name } });
    if (await acts.act(work, t('renamed'))) close();
  };
  const remove = async (id: string): Promise<void> => {
    const work = (body: object) => call(passkeyEndpoints.removePasskey, { params: { id }, body });
    if (await acts.actProven(t('ask.removePasskey'), work, t('passkeyRemoved'))) close();
  };
  return { open, setOpen, heading, close, askToAdd, add, rename, remove };
}

/**
 * The user's passkeys, with buttons to add, rename and remove them. Renders nothing if the user has no passkeys and
 * cannot add any on this page.
 */
export function OwnPasskeys({ own, acts }: { own: Own; acts: OwnAccountActs }) {
  const { open, setOpen, heading, close, askToAdd, add, rename, remove } = usePasskeyActs(acts);
  const { t } = useAccountWords();
  const usable = canUsePasskeys();
  if (!usable && own.passkeys.length === 0) return null;

  return (
    <section className={css.part} aria-labelledby="own-passkeys">
      <h3 id="own-passkeys" tabIndex={-1} ref={heading}>
        {t('passkeys')}
      </h3>
      {own.passkeys.length === 0 ? (
        <p className="small muted">{t('passkeysText')}</p>
      ) : (
        <ul>
          {own.passkeys.map((passkey) => (
            <li key={passkey.id}>
              {open !== null && open.what !== 'add' && open.id === passkey.id ? (
                open.what === 'rename' ? (
                  <NameForm
                    name={passkey.name}
                    act={t('saveName')}
                    busy={acts.busy}
                    onSave={(name) => void rename(passkey.id, name)}
                    onCancel={close}
                  />
                ) : (
                  <Removal
                    passkey={passkey}
                    busy={acts.busy}
                    onRemove={() => void remove(passkey.id)}
                    onCancel={close}
                  />
                )
              ) : (
                <PasskeyRow passkey={passkey} onOpen={(what) => setOpen({ what, id: passkey.id })} />
              )}
            </li>
          ))}
        </ul>
      )}
      {open?.what === 'add' ? (
        <NameForm
          name={deviceName()}
          act={t('createPasskey')}
          busy={acts.busy}
          onSave={(name) => void add(open.options, name)}
          onCancel={close}
        />
      ) : usable ? (
        <Button unavailable={acts.busy} onClick={askToAdd}>
          {t('addPasskey')}
        </Button>
      ) : (
        <p className="small muted">{t('passkeyNotHere')}</p>
      )}
    </section>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (what: 'rename' | 'remove') => void }) {
  const { t, day } = useAccountWords();
  const { name, created_at, used_at } = passkey;
  const added = day(created_at);
  return (
    <div className={css.row}>
      <span className="grow">
        <b>{name}</b>
        <br />
        {used_at === null ? t('addedUnused', { added }) : t('addedUsed', { added, used: day(used_at) })}
      </span>
      <Button size="sm" onClick={() => onOpen('rename')}>
        {t('rename')}
        <span className="sr"> {name}</span>
      </Button>
      <Button size="sm" onClick={() => onOpen('remove')}>
        {t('remove')}
        <span className="sr"> {name}</span>
      </Button>
    </div>
  );
}

function NameForm({
  name,
  act,
  busy,
  onSave,
  onCancel,
}: {
  name: string;
  act: string;
  busy: boolean;
  onSave: (name: string) => void;
  onCancel: () => void;
}) {
  const { t } = useAccountWords();
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = formText(new FormData(event.currentTarget), 'name').trim();
    if (typed === '') return setError(t('needsName'));
    setError(null);
    onSave(typed);
  };
  return (
    <form className={css.open} noValidate onSubmit={submit}>
      <Input
        label={t('passkeyName')}
        name="name"
        defaultValue={name}
        maxLength={LONGEST_PASSKEY_NAME}
        autoComplete="off"
        autoFocus
        onFocus={(event) => event.target.select()}
        error={error}
        announce
      />
      <Acts busy={busy} onCancel={onCancel}>
        <Button type="submit" variant="primary" unavailable={busy}>
          {act}
        </Button>
      </Acts>
    </form>
  );
}

function Removal({
  passkey,
  busy,
  onRemove,
  onCancel,
}: {
  passkey: Passkey;
  busy: boolean;
  onRemove: () => void;
  onCancel: () => void;
}) {
  const { t } = useAccountWords();
  const { name } = passkey;
  return (
    <div className={css.open} role="group" aria-label={t('removeNamed', { name })}>
      <p>{t('removeQuestion', { name })}</p>
      <Acts busy={busy} onCancel={onCancel}>
        <Button variant="danger" unavailable={busy} onClick={onRemove}>
          {t('removePasskey')}
        </Button>
      </Acts>
    </div>
  );
}

function Acts({ busy, onCancel, children }: { busy: boolean; onCancel: () => void; children: ReactNode }) {
  const { t } = useAccountWords();
  return (
    <div className={css.acts}>
      {children}
      <Button unavailable={busy} onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}
