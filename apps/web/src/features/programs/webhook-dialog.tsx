import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { copyText } from '../../shared/copy-text.ts';
import { StaleAlert } from '../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../shared/edits/use-versioned.ts';
import { FIELD_LABELS } from '../../shared/field-labels.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Checkbox, Input } from '../../shared/ui/field.tsx';
import { FormDialog } from '../../shared/ui/form-dialog.tsx';
import { reloadWebhook, saveWebhook } from './api.ts';
import { Choices, Places } from './choices.tsx';
import css from './programs.module.css';

interface WebhookForm {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly locations: readonly Location[] | null;
  readonly disabled: boolean;
}

const LABELS = {
  url: FIELD_LABELS.url,
  events: FIELD_LABELS.events,
  locations: FIELD_LABELS.locations,
  disabled: 'Ended',
};

const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'appointment.changed': 'a session changes',
  'day.changed': 'a day changes',
  'therapist.changed': 'a therapist’s profile changes',
  'client.changed': 'a client’s profile changes',
};
const CHOICES = WEBHOOK_EVENTS.map((event) => [event, EVENTS[event]] as const);

export const eventWords = (event: string): string => CHOICES.find(([each]) => each === event)?.[1] ?? event;

const storedAs = (webhook: Webhook | null): Versioned<WebhookForm> => ({
  version: String(webhook?.version ?? ''),
  form: {
    url: webhook?.url ?? '',
    events: webhook ? WEBHOOK_EVENTS.filter((event) => webhook.events.includes(event)) : ['appointment.changed'],
    locations: webhook?.locations ?? null,
    disabled: webhook?.disabled ?? false,
  },
});

/** The dialog that adds a webhook, or changes or ends one. `onSecret` gets the secret of a new one. */
export function WebhookDialog({
  webhook,
  onSecret,
  onClose,
}: {
  webhook: Webhook | null;
  onSecret: (secret: string) => void;
  onClose: () => void;
}) {
  const { form, busy, failure, edit, save, stale, mayClose, leave } = useVersioned(storedAs(webhook), {
    labels: LABELS,
    key: `webhook:${webhook?.id ?? 'new'}`,
    about: webhook ? 'Your changes to this address are not saved yet.' : 'The address has not been added yet.',
    look: 'the list',
    newest: async () => {
      const newest = webhook && (await reloadWebhook(webhook.id));
      return newest ? storedAs(newest) : null;
    },
  });
  const submit = (close: () => void): Promise<boolean> =>
    save(async ({ version, form: { url, events, locations, disabled } }) => {
      const body = { url: url.trim(), events: [...events], locations: locations && [...locations] };
      const secret = await saveWebhook(webhook, body, { disabled, version: Number(version) });
      leave(close);
      if (secret !== null) onSecret(secret);
      return null;
    });
  return (
    <FormDialog
      title={webhook ? 'Webhook' : 'New webhook'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure === null ? null : { text: failure }}
      unavailable={busy || form.url.trim() === '' || form.events.length === 0}
      onSubmit={(close) => void submit(close)}
      over={webhook && stale ? <StaleAlert name="this address" {...stale} /> : null}
    >
      <Input
        label={LABELS.url}
        type="url"
        hint="Messages have ids and versions, and never a name."
        value={form.url}
        autoComplete="off"
        data-autofocus=""
        onChange={({ target }) => edit({ url: target.value })}
      />
      <Choices legend={LABELS.events} of={CHOICES} chosen={form.events} onChange={(events) => edit({ events })} />
      <Places locations={form.locations} onChange={(locations) => edit({ locations })} />
      {webhook ? (
        <label className={css.all}>
          <Checkbox checked={form.disabled} onChange={({ target }) => edit({ disabled: target.checked })} />
          Ended: nothing more is sent to it
        </label>
      ) : null}
    </FormDialog>
  );
}

/** Shows a secret, once. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog
    title="Secret"
    width="34rem"
    onClose={onClose}
    footer={(close) => (
      <>
        <span className="grow" />
        <Button
          onClick={() => copyText(secret, 'Secret copied', 'The secret could not be copied. Select it and copy it.')}
        >
          Copy
        </Button>
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </>
    )}
  >
    {() => (
      <>
        <p role="status">
          The program checks signatures with this secret. It is not shown again. An earlier secret also works for a day.
        </p>
        <Input label="Secret" value={secret} readOnly onFocus={({ target }) => target.select()} />
      </>
    )}
  </Dialog>
);
