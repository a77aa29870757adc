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
import css from './own-account-dialog.module.css';
import { canUsePasskeys, deviceName, makePasskey } from './passkeys.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** What is open in the list: a passkey that is being renamed or removed, or a new one that is being named. */
type Open =
  | { readonly what: 'rename' | 'remove'; readonly id: string }
  | { readonly what: 'add'; readonly options: CreateOptions }
  | null;

/** The changes that users can make to their passkeys, one at a time. */
function usePasskeyActs(acts: OwnAccountActs) {
  const [open, setOpen] = useState<Open>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = (): void => {
    setOpen(null);
    heading.current?.focus(); // the element that had the focus is gone
  };
  const askToAdd = (): void =>
    void acts.actProven('Enter your password to add a passkey', async (body) => {
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
    await acts.act(work, 'Passkey added');
    // The server accepts these options only once, so the form closes after the request. If the user cancelled in the
    // browser, no request was sent, and the user can try again.
    if (sent) close();
  };
  const rename = async (id: string, name: string): Promise<void> => {
    const work = () => call(passkeyEndpoints.renamePasskey, { params: { id }, body: { name } });
    if (await acts.act(work, 'Passkey renamed')) close();
  };
  const remove = async (id: string): Promise<void> => {
    const work = (body: object) => call(passkeyEndpoints.removePasskey, { params: { id }, body });
    if (await acts.actProven('Enter your password to remove a passkey', work, 'Passkey removed')) close();
  };
  return { open, setOpen, heading, close, askToAdd, add, rename, remove };
}

/**
 * The user's passkeys, with buttons to add, rename and remove them. Renders nothing if the user has no passkeys and
 * cannot add any on this page.
 */
export function OwnPasskeys({ own, acts }: { own: Own; acts: OwnAccountActs }) {
  const { open, setOpen, heading, close, askToAdd, add, rename, remove } = usePasskeyActs(acts);
  const usable = canUsePasskeys();
  if (!usable && own.passkeys.length === 0) return null;

  return (
    <section className={css.part} aria-labelledby="own-passkeys">
      <h3 id="own-passkeys" tabIndex={-1} ref={heading}>
        Passkeys
      </h3>
      {own.passkeys.length === 0 ? (
        <p className="small muted">Log in with your face, fingerprint or screen lock instead of a password.</p>
      ) : (
        <ul>
          {own.passkeys.map((passkey) => (
            <li key={passkey.id}>
              {open !== null && open.what !== 'add' && open.id === passkey.id ? (
                open.what === 'rename' ? (
                  <NameForm
                    name={passkey.name}
                    act="Save Name"
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
          act="Create Passkey"
          busy={acts.busy}
          onSave={(name) => void add(open.options, name)}
          onCancel={close}
        />
      ) : usable ? (
        <Button unavailable={acts.busy} onClick={askToAdd}>
          Add a Passkey
        </Button>
      ) : (
        <p className="small muted">Passkeys cannot be added or used at this address.</p>
      )}
    </section>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (what: 'rename' | 'remove') => void }) {
  const { name, created_at, used_at } = passkey;
  const used = used_at === null ? 'not used yet' : `last used ${day.format(new Date(used_at))}`;
  return (
    <div className={css.row}>
      <span className="grow">
        <b>{name}</b>
        <br />
        {`Added ${day.format(new Date(created_at))}, ${used}`}
      </span>
      <Button size="sm" onClick={() => onOpen('rename')}>
        Rename<span className="sr"> {name}</span>
      </Button>
      <Button size="sm" onClick={() => onOpen('remove')}>
        Remove<span className="sr"> {name}</span>
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
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = formText(new FormData(event.currentTarget), 'name').trim();
    if (typed === '') return setError('A passkey needs a name');
    setError(null);
    onSave(typed);
  };
  return (
    <form className={css.open} noValidate onSubmit={submit}>
      <Input
        label="Name of the passkey"
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
  return (
    <div className={css.open} role="group" aria-label={`Remove ${passkey.name}`}>
      <p>{`Remove “${passkey.name}”? You will no longer be able to log in with it, and you will be logged out everywhere else.`}</p>
      <Acts busy={busy} onCancel={onCancel}>
        <Button variant="danger" unavailable={busy} onClick={onRemove}>
          Remove Passkey
        </Button>
      </Acts>
    </div>
  );
}

function Acts({ busy, onCancel, children }: { busy: boolean; onCancel: () => void; children: ReactNode }) {
  return (
    <div className={css.acts}>
      {children}
      <Button unavailable={busy} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
