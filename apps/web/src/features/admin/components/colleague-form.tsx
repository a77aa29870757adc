import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { EmailOff, Invitation } from '@clinic/contract';
import { useOwnLocations } from '../../../shared/session/session-info.ts';
import { inviteColleague } from '../api/use-admin.ts';
import { accountBody, emailOffWords, newAccount, type AccountForm } from '../model.ts';
import { AccountFields } from './account-fields.tsx';
import { InvitationForm, WayChoice, type InvitationFormProps } from './invite-form.tsx';

/**
 * The choices in the form. The link is emailed if that is possible, unless *I will give it to them* is chosen.
 * @param again the invitation that the new link replaces, if there is one
 */
export function useColleaguePlan(again: Invitation | null, emailOff: EmailOff | null) {
  const own = useOwnLocations() ?? null;
  const form = useForm<AccountForm>({
    defaultValues: {
      ...newAccount(own),
      ...(again && {
        name: again.name,
        email: again.email,
        role: again.role,
        everywhere: again.locations === null,
        locations: again.locations ?? [],
      }),
    },
  });
  const [byHand, setByHand] = useState(false);
  const email = useWatch({ control: form.control, name: 'email' }).trim();
  const whyNot = emailOffWords(emailOff);
  const byEmail = !byHand && whyNot === null;
  const send = () => {
    const { name, role, locations } = accountBody(form.getValues(), true);
    return inviteColleague({
      name,
      email,
      role: role === 'admin' ? role : 'scheduler',
      locations,
      by_email: byEmail,
    });
  };
  const edited = form.formState.isDirty;
  return { form, email, edited, address: email === '' ? null : email, whyNot, byEmail, setByHand, send };
}

/** The form that invites someone who is not a therapist: who they are, what they may do and where. */
export const ColleagueForm = ({
  plan,
  again,
  errors,
  ...form
}: InvitationFormProps & { plan: ReturnType<typeof useColleaguePlan>; errors: Readonly<Record<string, string>> }) => (
  <InvitationForm {...form} again={again} hint="With the link, they choose their password.">
    <AccountFields account={null} form={plan.form} invitation={{ again: again !== null, errors }} />
    <WayChoice plan={plan} />
  </InvitationForm>
);
