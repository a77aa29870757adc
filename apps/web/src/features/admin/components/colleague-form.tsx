import { useState, type FormEvent } from 'react';
import type { EmailOff, Invitation } from '@clinic/contract';
import { LOCATIONS, type Location } from '@clinic/domain';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { useLocations, useOwnLocations } from '../../../shared/session/session-info.ts';
import { Checkbox, Input, Select } from '../../../shared/ui/field.tsx';
import { inviteColleague } from '../api/use-admin.ts';
import { ROLE_HINTS, emailOffWords, roleWords } from '../model.ts';
import { WayChoice } from './invite-form.tsx';
import css from './admin.module.css';

const STAFF_ROLES = ['scheduler', 'admin'] as const;

/**
 * The choices in the form. The link is emailed if that is possible, unless *I will give it to them* is chosen.
 * @param again the invitation that the new link replaces, if there is one
 */
export function useColleaguePlan(again: Invitation | null, emailOff: EmailOff | null) {
  const own = useOwnLocations() ?? null;
  const [given] = useState(() => ({
    name: again?.name ?? '',
    email: again?.email ?? '',
    role: STAFF_ROLES.find((role) => role === again?.role) ?? STAFF_ROLES[0],
    everywhere: again ? again.locations === null : own === null,
    locations: again?.locations ?? (own?.length === 1 ? own : []),
  }));
  const [form, setForm] = useState(given);
  const [byHand, setByHand] = useState(false);
  const email = form.email.trim();
  const whyNot = emailOffWords(emailOff);
  const byEmail = !byHand && whyNot === null;
  const locations = form.everywhere ? null : LOCATIONS.map((l) => l.value).filter((l) => form.locations.includes(l));
  const send = () => inviteColleague({ name: form.name.trim(), email, role: form.role, locations, by_email: byEmail });
  const edited = form !== given;
  return { form, setForm, email, edited, address: email === '' ? null : email, whyNot, byEmail, setByHand, send };
}

/** The form that invites someone who is not a therapist: who they are, what they may do and where. */
export function ColleagueForm({
  id,
  plan,
  again,
  errors,
  onSubmit,
}: {
  id: string;
  plan: ReturnType<typeof useColleaguePlan>;
  again: Invitation | null;
  errors: Readonly<Record<string, string>>;
  onSubmit: () => void;
}) {
  const { form, setForm } = plan;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className={css.form} noValidate onSubmit={submit}>
      <p className="muted">
        {again ? `${again.name}’s current link will stop working.` : 'With the link, they choose their password.'}
      </p>
      <div className={css.two}>
        <Input
          label={LABELS.name}
          required
          autoComplete="off"
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.target.value })}
          error={errors['name']}
        />
        <Input
          label={LABELS.email}
          type="email"
          required
          autoComplete="off"
          hint="They log in with this email."
          value={form.email}
          disabled={again !== null}
          onChange={(event) => setForm({ ...form, email: event.target.value })}
          error={errors['email']}
        />
        <Select
          label={LABELS.role}
          hint={ROLE_HINTS[form.role]}
          value={form.role}
          onChange={(event) =>
            setForm({ ...form, role: STAFF_ROLES.find((role) => role === event.target.value) ?? form.role })
          }
        >
          {STAFF_ROLES.map((role) => (
            <option key={role} value={role}>
              {roleWords(role)}
            </option>
          ))}
        </Select>
      </div>
      <Places
        everywhere={form.everywhere}
        locations={form.locations}
        onChange={(places) => setForm({ ...form, ...places })}
      />
      <WayChoice plan={plan} />
    </form>
  );
}

interface Chosen {
  readonly everywhere: boolean;
  readonly locations: readonly Location[];
}

function Places({
  everywhere,
  locations,
  onChange,
}: Chosen & { onChange: (places: Partial<{ everywhere: boolean; locations: Location[] }>) => void }) {
  const own = useOwnLocations() ?? null;
  const choices = useLocations();
  return (
    <fieldset className={css.places}>
      <legend>Locations</legend>
      {own === null ? (
        <label>
          <Checkbox checked={everywhere} onChange={(event) => onChange({ everywhere: event.target.checked })} />
          All locations
        </label>
      ) : null}
      {everywhere
        ? null
        : choices.map(({ value, label }) => (
            <label key={value}>
              <Checkbox
                checked={locations.includes(value)}
                onChange={(event) =>
                  onChange({
                    locations: event.target.checked
                      ? [...locations, value]
                      : locations.filter((each) => each !== value),
                  })
                }
              />
              {label}
            </label>
          ))}
    </fieldset>
  );
}
