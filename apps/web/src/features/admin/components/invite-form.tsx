import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { profilesEndpoints, type BodyOf, type EmailOff, type Invitation, type adminEndpoints } from '@clinic/contract';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { inviteTherapist } from '../api/use-admin.ts';
import { mailAddress, whyNotByEmail } from '../model.ts';
import css from './admin.module.css';

/**
 * The choices in the form. The email comes from the therapist's profile until the administrator types another one. The
 * link is emailed if that is possible, unless *I will give it to them* is chosen.
 *
 * @param again the invitation that the new link replaces, if there is one
 */
export function useInvitePlan(again: Invitation | null, emailOff: EmailOff | null) {
  const [therapist, setTherapist] = useState(again?.therapist ?? undefined);
  const [typed, setTyped] = useState(again?.email);
  const [byHand, setByHand] = useState(false);
  const list = useQuery(queryOf(queryKeys.therapists, profilesEndpoints.listTherapists, { query: {} }));
  const therapists = list.data ?? [];
  const chosen = therapist ?? therapists[0]?.id ?? '';
  const { data: profile } = useQuery(
    queryOf(
      [...queryKeys.therapists, chosen, 'contacts'],
      profilesEndpoints.getTherapist,
      chosen === '' ? null : { params: { id: chosen } },
    ),
  );
  const address = mailAddress(profile?.contacts);
  const whyNot = profile ? whyNotByEmail(emailOff, profile.display_name, address) : null;
  const byEmail = !byHand && profile !== undefined && whyNot === null;
  const email = typed ?? address ?? '';
  const body: BodyOf<typeof adminEndpoints.invite> = {
    therapist: chosen,
    email: email.trim(),
    ...(byEmail && address !== null ? { send_to: address } : {}),
  };
  const edited = chosen !== (again?.therapist ?? therapists[0]?.id ?? '') || typed !== again?.email;
  const send = () => inviteTherapist(body);
  return { list, therapists, chosen, setTherapist, email, setTyped, edited, address, whyNot, byEmail, setByHand, send };
}

export interface InvitationFormProps {
  readonly id: string;
  readonly again: Invitation | null;
  readonly onSubmit: () => void;
}

/** The form around an invitation's fields, which says what the link does. */
export function InvitationForm({
  id,
  again,
  hint,
  onSubmit,
  children,
}: InvitationFormProps & { hint: string; children: ReactNode }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className={css.form} noValidate onSubmit={submit}>
      <p className="muted">{again ? `${again.name}’s current link will stop working.` : hint}</p>
      {children}
    </form>
  );
}

/** The fields that invite a therapist: the therapist, the email they will log in with, and how they get the link. */
export function InviteForm({
  plan,
  error,
  ...form
}: InvitationFormProps & { plan: ReturnType<typeof useInvitePlan>; error: string | undefined }) {
  const { again } = form;
  return (
    <InvitationForm
      {...form}
      hint="They get an account that shows only their own day. With the link, they choose their password."
    >
      <LoadFailure what="the therapists" query={plan.list} />
      <div className={css.two}>
        <Select
          label="Therapist"
          required
          value={plan.chosen}
          disabled={again !== null}
          onChange={(event) => plan.setTherapist(event.target.value)}
        >
          {plan.therapists.map((therapist) => (
            <option key={therapist.id} value={therapist.id}>
              {therapist.display_name}
            </option>
          ))}
        </Select>
        <Input
          label={LABELS.email}
          type="email"
          required
          autoComplete="off"
          hint="They log in with this email."
          value={plan.email}
          onChange={(event) => plan.setTyped(event.target.value)}
          error={error}
        />
      </div>
      <WayChoice plan={plan} />
    </InvitationForm>
  );
}

/** How a link can reach the invited person. */
interface Way {
  /** The address to which it is emailed; null if there is none. */
  readonly address: string | null;
  /** Why it cannot be emailed; null if it can be. */
  readonly whyNot: string | null;
  readonly byEmail: boolean;
  readonly setByHand: (byHand: boolean) => void;
}

/** The choice to send the link by email or to hand it over, with the reason when email is not possible. */
export function WayChoice({ plan }: { plan: Way }) {
  const name = useId();
  const { address, whyNot, byEmail, setByHand } = plan;
  return (
    <fieldset className={css.way}>
      <legend>The link</legend>
      <label>
        <input
          type="radio"
          name={name}
          checked={byEmail}
          disabled={whyNot !== null}
          onChange={() => setByHand(false)}
        />
        <span>
          {address === null || whyNot !== null ? 'By email' : `By email to ${address}`}
          {whyNot === null ? null : <span className="small muted">{whyNot}</span>}
        </span>
      </label>
      <label>
        <input type="radio" name={name} checked={!byEmail} onChange={() => setByHand(true)} />
        <span>I will give it to them</span>
      </label>
    </fieldset>
  );
}
