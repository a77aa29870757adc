import { useId, useState } from 'react';
import type { EmailOff, Invitation } from '@clinic/contract';
import { fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { inviteTherapist } from '../api/use-admin.ts';
import { checkEmail } from '../model.ts';
import { InviteForm, useInvitePlan } from './invite-form.tsx';
import css from './admin.module.css';

/** A newly created link. It is shown only once, since the server does not keep it. */
interface Made {
  readonly name: string;
  readonly link: string;
}

/**
 * Invites a therapist. The link is emailed, or shown so that the administrator can hand it over.
 * @param again the invitation that the new link replaces, if there is one
 */
export function InviteDialog({
  again,
  emailOff,
  onClose,
}: {
  again: Invitation | null;
  emailOff: EmailOff | null;
  onClose: () => void;
}) {
  const formId = useId();
  const plan = useInvitePlan(again, emailOff);
  const [made, setMade] = useState<Made | null>(null);
  const [faults, setFaults] = useState<{ email?: string | undefined; all?: string | undefined }>({});
  const [busy, setBusy] = useState(false);
  const { mayClose, leave } = useUnsaved({
    edited: plan.edited && made === null,
    saving: busy, // the reply contains the link, which is shown only once
    about: 'The invitation has not been sent yet.',
  });

  const invite = async (): Promise<void> => {
    const { body } = plan;
    const fault = checkEmail(body.email);
    if (fault !== true) return setFaults({ email: fault });
    setBusy(true);
    setFaults({});
    try {
      const { name, secret } = await inviteTherapist(body);
      if (secret !== null) return setMade({ name, link: `${window.location.origin}/welcome#${secret}` });
      toast({ text: `The link for ${name} will be emailed to ${body.send_to}` });
      leave(onClose);
    } catch (error) {
      const ofEmail = fieldsIn(error).find(({ field }) => field === 'email');
      setFaults(ofEmail ? { email: ofEmail.text } : { all: failureWords(error, 'the list') });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={again ? `New link for ${again.name}` : 'Invite a therapist'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      bar={faults.all === undefined ? null : <Notice tone="error" title={faults.all} />}
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          {made ? null : (
            <Button variant="primary" type="submit" form={formId} unavailable={busy}>
              {plan.byEmail ? 'Send the Link' : 'Create the Link'}
            </Button>
          )}
        </>
      )}
    >
      {made ? (
        <HandOver made={made} />
      ) : (
        <InviteForm id={formId} plan={plan} again={again} error={faults.email} onSubmit={() => void invite()} />
      )}
    </Dialog>
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
        {`Give this link only to ${made.name}. It can be used once, expires after 7 days, and is not shown again.`}
      </p>
      <Input label="Link" value={made.link} readOnly onFocus={(event) => event.target.select()} />
      <p>
        <Button onClick={copy}>Copy the Link</Button>
      </p>
    </div>
  );
}
