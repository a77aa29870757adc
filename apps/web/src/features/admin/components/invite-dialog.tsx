import { useId, useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { profilesEndpoints } from '@clinic/contract';
import { formText } from '../../../shared/form-text.ts';
import { call, fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { inviteTherapist } from '../api/use-admin.ts';
import { checkEmail } from '../model.ts';
import css from './admin.module.css';

/** A newly created link. It is shown only this once, since the server does not keep it. */
interface Made {
  readonly name: string;
  readonly link: string;
}

/** Asks for a therapist and an email, then shows the link to hand over. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [made, setMade] = useState<Made | null>(null);
  const [faults, setFaults] = useState<{ email?: string | undefined; all?: string | undefined }>({});
  const [busy, setBusy] = useState(false);

  const invite = async (form: FormData): Promise<void> => {
    const email = formText(form, 'email');
    const fault = checkEmail(email);
    if (fault !== true) return setFaults({ email: fault });
    setBusy(true);
    setFaults({});
    try {
      const { name, secret } = await inviteTherapist(formText(form, 'therapist'), email.trim());
      setMade({ name, link: `${window.location.origin}/welcome#${secret}` });
    } catch (error) {
      const ofEmail = fieldsIn(error).find(({ field }) => field === 'email');
      setFaults(ofEmail ? { email: ofEmail.text } : { all: failureWords(error, 'the list') });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title="Invite a therapist"
      width="34rem"
      onClose={onClose}
      bar={faults.all === undefined ? null : <Notice tone="error" title={faults.all} />}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          {made ? null : (
            <Button variant="primary" type="submit" form={formId} unavailable={busy}>
              Make the Link
            </Button>
          )}
        </>
      )}
    >
      {made ? <HandOver made={made} /> : <InviteForm id={formId} faults={faults} onSubmit={invite} />}
    </Dialog>
  );
}

function InviteForm({
  id,
  faults,
  onSubmit,
}: {
  id: string;
  faults: { email?: string | undefined };
  onSubmit: (form: FormData) => Promise<void>;
}) {
  const { data } = useQuery({
    queryKey: queryKeys.therapists,
    queryFn: ({ signal }) => call(profilesEndpoints.listTherapists, { query: {}, signal }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form id={id} className={css.form} noValidate onSubmit={submit}>
      <p className="muted">
        They get an account that shows only their own day. You give them a link, with which they choose their password.
      </p>
      <div className={css.two}>
        <Select label="Therapist" name="therapist" required>
          {(data ?? []).map((therapist) => (
            <option key={therapist.id} value={therapist.id}>
              {therapist.display_name}
            </option>
          ))}
        </Select>
        <Input label={LABELS.email} name="email" type="email" required autoComplete="off" error={faults.email} />
      </div>
    </form>
  );
}

function HandOver({ made }: { made: Made }) {
  const copy = (): void => {
    navigator.clipboard.writeText(made.link).then(
      () => toast({ text: 'Link copied' }),
      () => toast({ tone: 'warn', text: 'The link could not be copied. Select it and copy it.' }),
    );
  };
  return (
    <div className={css.form}>
      <p role="status">
        Give this link to {made.name}, and to no one else. It works once, for 7 days, and is not shown again.
      </p>
      <Input label="Link" value={made.link} readOnly onFocus={(event) => event.target.select()} />
      <p>
        <Button onClick={copy}>Copy the Link</Button>
      </p>
    </div>
  );
}
