import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useQuery } from '@tanstack/react-query';
import { profilesEndpoints, type EmailOff, type Invitation } from '@clinic/contract';
import { therapistsQuery } from '../../../shared/api/people-queries.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { useOwnLocations } from '../../../shared/session/session-info.ts';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { inviteColleague, inviteTherapist } from '../api/use-admin.ts';
import { accountBody, emailOffWords, mailAddress, newAccount, whyNotByEmail, type AccountForm } from '../model.ts';
import { AccountFields } from './account-fields.tsx';
import css from './admin.module.css';
import { InviteDialog } from './invite-dialog.tsx';

interface Props {
  /** The invitation that the new link replaces, if there is one. */
  readonly again: Invitation | null;
  readonly emailOff: EmailOff | null;
  readonly onClose: () => void;
}

/** Invites a therapist. The email comes from their profile until the administrator types another one. */
export function InviteTherapist({ again, emailOff, onClose }: Props) {
  const [therapist, setTherapist] = useState(again?.therapist ?? undefined);
  const [typed, setTyped] = useState(again?.email);
  const list = useQuery(therapistsQuery);
  const therapists = list.data ?? [];
  const first = again?.therapist ?? therapists[0]?.id ?? '';
  const chosen = therapist ?? first;
  const { data: profile } = useQuery(
    queryOf(
      [...queryKeys.therapists, chosen, 'contacts'],
      profilesEndpoints.getTherapist,
      chosen === '' ? null : { params: { id: chosen } },
    ),
  );
  const address = mailAddress(profile?.contacts);
  const email = (typed ?? address ?? '').trim();
  return (
    <InviteDialog
      who="therapist"
      again={again}
      hint="They get an account that shows only their own day. With the link, they choose their password."
      plan={{
        email,
        edited: chosen !== first || typed !== again?.email,
        address,
        whyNot: profile ? whyNotByEmail(emailOff, profile.display_name, address) : undefined,
        send: (byEmail) =>
          inviteTherapist({
            therapist: chosen,
            email,
            ...(byEmail && address !== null ? { send_to: address } : {}),
          }),
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <LoadFailure what="the therapists" query={list} />
          <div className={css.two}>
            <Select
              label="Therapist"
              required
              value={chosen}
              disabled={again !== null}
              onChange={(event) => setTherapist(event.target.value)}
            >
              <Options of={therapists.map(({ id, display_name }) => [id, display_name])} />
            </Select>
            <Input
              label={LABELS.email}
              type="email"
              required
              autoComplete="off"
              hint="They log in with this email."
              value={typed ?? address ?? ''}
              onChange={(event) => setTyped(event.target.value)}
              error={errors['email']}
            />
          </div>
        </>
      )}
    </InviteDialog>
  );
}

/** Invites someone who is not a therapist: who they are, what they may do and where. */
export function InviteColleague({ again, emailOff, onClose }: Props) {
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
  const email = useWatch({ control: form.control, name: 'email' }).trim();
  const { isDirty } = form.formState;
  return (
    <InviteDialog
      who="colleague"
      again={again}
      hint="With the link, they choose their password."
      plan={{
        email,
        edited: isDirty,
        address: email === '' ? null : email,
        whyNot: emailOffWords(emailOff),
        send: (byEmail) => {
          const { name, role, locations } = accountBody(form.getValues(), true);
          return inviteColleague({
            name,
            email,
            role: role === 'therapist' ? 'scheduler' : role,
            locations,
            by_email: byEmail,
          });
        },
      }}
      onClose={onClose}
    >
      {(errors) => <AccountFields account={null} form={form} invitation={{ again: again !== null, errors }} />}
    </InviteDialog>
  );
}
