import { useId, useState, type ReactNode } from 'react';
import type { EmailOff, Invitation } from '@clinic/contract';
import { fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { checkEmail } from '../model.ts';
import { ColleagueForm, useColleaguePlan } from './colleague-form.tsx';
import { InviteForm, useInvitePlan } from './invite-form.tsx';
import css from './admin.module.css';

/** A newly created link. It is shown only once, since the server does not keep it. */
interface Made {
  readonly name: string;
  readonly link: string;
}

interface Props {
  /** The invitation that the new link replaces, if there is one. */
  readonly again: Invitation | null;
  readonly emailOff: EmailOff | null;
  readonly onClose: () => void;
}

/** Invites a therapist. The link is emailed, or shown so that the administrator can hand it over. */
export function InviteTherapist({ again, emailOff, onClose }: Props) {
  const plan = useInvitePlan(again, emailOff);
  return (
    <InviteDialog title={again ? `New link for ${again.name}` : 'Invite a therapist'} plan={plan} onClose={onClose}>
      {({ errors, ...form }) => <InviteForm {...form} plan={plan} again={again} error={errors['email']} />}
    </InviteDialog>
  );
}

/** Invites someone with another role, in the same way. */
export function InviteColleague({ again, emailOff, onClose }: Props) {
  const plan = useColleaguePlan(again, emailOff);
  return (
    <InviteDialog title={again ? `New link for ${again.name}` : 'Invite a colleague'} plan={plan} onClose={onClose}>
      {(form) => <ColleagueForm {...form} plan={plan} again={again} />}
    </InviteDialog>
  );
}

/** What both forms need to know of the dialog around them. */
interface FormProps {
  readonly id: string;
  /** What is wrong, by field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onSubmit: () => void;
}

function InviteDialog({
  title,
  plan,
  onClose,
  children,
}: {
  title: string;
  plan: {
    readonly email: string;
    readonly edited: boolean;
    readonly byEmail: boolean;
    readonly address: string | null;
    readonly send: () => Promise<{ readonly name: string; readonly secret: string | null }>;
  };
  onClose: () => void;
  children: (form: FormProps) => ReactNode;
}) {
  const formId = useId();
  const [made, setMade] = useState<Made | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { mayClose, leave } = useUnsaved({
    edited: plan.edited && made === null,
    saving: busy, // the reply contains the link, which is shown only once
    about: 'The invitation has not been sent yet.',
  });

  const invite = async (): Promise<void> => {
    const fault = checkEmail(plan.email);
    if (fault !== true) return setErrors({ email: fault });
    setBusy(true);
    setErrors({});
    setFailure(null);
    try {
      const { name, secret } = await plan.send();
      if (secret !== null) return setMade({ name, link: `${window.location.origin}/welcome#${secret}` });
      toast({ text: `The link for ${name} will be emailed to ${plan.address}` });
      leave(onClose);
    } catch (error) {
      const ofFields = fieldsIn(error).filter(({ field }) => field === 'email' || field === 'name');
      setErrors(Object.fromEntries(ofFields.map(({ field, text }) => [field, text])));
      if (ofFields.length === 0) setFailure(failureWords(error, 'the list'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={title}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      bar={failure === null ? null : <Notice tone="error" title={failure} />}
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
      {made ? <HandOver made={made} /> : children({ id: formId, errors, onSubmit: () => void invite() })}
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
