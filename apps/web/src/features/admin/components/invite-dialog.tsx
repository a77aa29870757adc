import { useId, useState, type ReactNode } from 'react';
import type { Invitation } from '@clinic/contract';
import { fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { copyText } from '../../../shared/copy-text.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { checkEmail } from '../model.ts';
import css from './admin.module.css';

/** A newly created link. It is shown only once, since the server does not keep it. */
interface Made {
  readonly name: string;
  readonly link: string;
}

/** What an invitation needs of the fields in its form. */
interface Plan {
  /** The email with which the person will log in. */
  readonly email: string;
  readonly edited: boolean;
  /** The address to which the link can be emailed; null if there is none. */
  readonly address: string | null;
  /** Why the link cannot be emailed; null if it can be, undefined while that is not known. */
  readonly whyNot: string | null | undefined;
  readonly send: (byEmail: boolean) => Promise<{ readonly name: string; readonly secret: string | null }>;
}

/**
 * Invites someone. The link is emailed if that is possible, unless *I will give it to them* is chosen: then it is shown.
 */
export function InviteDialog({
  who,
  again,
  hint,
  plan,
  onClose,
  children,
}: {
  who: string;
  /** The invitation that the new link replaces, if there is one. */
  again: Invitation | null;
  hint: string;
  plan: Plan;
  onClose: () => void;
  /** The fields, with what is wrong by field. */
  children: (errors: Readonly<Record<string, string>>) => ReactNode;
}) {
  const [made, setMade] = useState<Made | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [byHand, setByHand] = useState(false);
  const byEmail = !byHand && plan.whyNot === null;
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
      const { name, secret } = await plan.send(byEmail);
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
    <FormDialog
      title={again ? `New link for ${again.name}` : `Invite a ${who}`}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure === null ? null : { text: failure }}
      save={made ? null : byEmail ? 'Send the Link' : 'Create the Link'}
      unavailable={busy}
      onSubmit={() => void (made || busy || invite())}
    >
      {made ? (
        <HandOver made={made} />
      ) : (
        <>
          <p className="muted">{again ? `${again.name}’s current link will stop working.` : hint}</p>
          {children(errors)}
          <WayChoice plan={plan} byEmail={byEmail} onByHand={setByHand} />
        </>
      )}
    </FormDialog>
  );
}

/** The choice to send the link by email or to hand it over, with the reason when email is not possible. */
function WayChoice(props: { plan: Plan; byEmail: boolean; onByHand: (byHand: boolean) => void }) {
  const name = useId();
  const { byEmail, onByHand } = props;
  const { address, whyNot = null } = props.plan;
  return (
    <fieldset className={css.way}>
      <legend>The link</legend>
      <label>
        <input type="radio" name={name} checked={byEmail} disabled={whyNot !== null} onChange={() => onByHand(false)} />
        <span>
          {address === null || whyNot !== null ? 'By email' : `By email to ${address}`}
          {whyNot === null ? null : <span className="small muted">{whyNot}</span>}
        </span>
      </label>
      <label>
        <input type="radio" name={name} checked={!byEmail} onChange={() => onByHand(true)} />
        <span>I will give it to them</span>
      </label>
    </fieldset>
  );
}

function HandOver({ made }: { made: Made }) {
  const copy = (): void => copyText(made.link, 'Link copied', 'The link could not be copied. Select it and copy it.');
  return (
    <>
      <p role="status">
        {`Give this link only to ${made.name}. It can be used once, expires after 7 days, and is not shown again.`}
      </p>
      <Input label="Link" value={made.link} readOnly onFocus={(event) => event.target.select()} />
      <p>
        <Button onClick={copy}>Copy the Link</Button>
      </p>
    </>
  );
}
