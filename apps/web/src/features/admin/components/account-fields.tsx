import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Account } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { useLocations, useOwnLocations } from '../../../shared/session/session-info.ts';
import { LENGTH_WORDS } from '../../../shared/session/password-length.ts';
import { Checkbox, Input, Select } from '../../../shared/ui/field.tsx';
import { ROLE_HINTS, checkEmail, checkPassword, roleWords, type AccountForm } from '../model.ts';
import css from './admin.module.css';

interface Props {
  /** The account to change; null for a new one. */
  account: Account | null;
  form: UseFormReturn<AccountForm>;
  /** Set for an invitation: the invited person chooses a password themselves. */
  invitation?: {
    /** Whether the new link replaces another one, which was for the same email. */
    again: boolean;
    /** What the server refused, by field. */
    errors: Readonly<Record<string, string>>;
  };
}

export const AccountFields = (props: Props) => (
  <>
    <Person {...props} />
    <Places {...props} />
  </>
);

function Person({ account, form, invitation }: Props) {
  const { register, control, formState } = form;
  const { errors } = formState;
  const [role, email, password, removes] = useWatch({ control, name: ['role', 'email', 'password', 'removeFactor'] });
  // A new email or password needs the administrator's own password, so that no one can change an account from a
  // computer left unattended.
  const confirms = account !== null && (password !== '' || removes || email.trim().toLowerCase() !== account.email);
  return (
    <div className={css.two}>
      <Input
        label={LABELS.name}
        required
        autoComplete="off"
        error={errors.name?.message ?? invitation?.errors['name']}
        {...register('name', { validate: (v) => v.trim() !== '' || 'Name is required' })}
      />
      <Input
        label={LABELS.email}
        type="email"
        required
        autoComplete="off"
        hint={invitation && 'They log in with this email.'}
        readOnly={invitation?.again}
        error={errors.email?.message ?? invitation?.errors['email']}
        {...register('email', { validate: checkEmail })}
      />
      <Select label={LABELS.role} hint={ROLE_HINTS[role]} {...register('role')}>
        {account?.role === 'therapist' ? (
          <option value="therapist">{roleWords('therapist')}</option>
        ) : (
          <>
            <option value="scheduler">{roleWords('scheduler')}</option>
            <option value="admin">{roleWords('admin')}</option>
            <option value="director">{roleWords('director')}</option>
            <option value="viewer">{roleWords('viewer')}</option>
          </>
        )}
      </Select>
      {invitation ? null : (
        <Input
          label={account ? LABELS.new_password : LABELS.password}
          type="password"
          autoComplete="new-password"
          hint={
            account
              ? 'Leave empty to keep the password. A new one signs them out everywhere. It also removes their passkeys and second factor.'
              : `${LENGTH_WORDS}.`
          }
          error={errors.password?.message}
          {...register('password', { validate: checkPassword(account === null) })}
        />
      )}
      {confirms ? (
        <Input
          label={LABELS.your_password}
          type="password"
          required
          autoComplete="current-password"
          hint="Required to change the email or the password, or to remove the second factor."
          error={errors.yourPassword?.message}
          {...register('yourPassword', { validate: (v) => v !== '' || `${LABELS.your_password} is required` })}
        />
      ) : null}
    </div>
  );
}

function Places({ account, form }: Props) {
  const { register, control } = form;
  const [everywhere, role] = useWatch({ control, name: ['everywhere', 'role'] });
  const own = useOwnLocations() ?? null;
  const choices = useLocations();
  return (
    <>
      {account?.role === 'therapist' ? null : (
        <fieldset className={css.places}>
          <legend>Locations</legend>
          {role !== 'viewer' && (own === null || account?.locations === null) ? (
            <label>
              <Checkbox {...register('everywhere')} />
              All locations
            </label>
          ) : null}
          {everywhere && role !== 'viewer'
            ? null
            : choices.map(({ value, label }) => (
                <label key={value}>
                  <Checkbox value={value} {...register('locations')} />
                  {label}
                </label>
              ))}
        </fieldset>
      )}
      {account ? (
        <label className={css.disable}>
          <Checkbox {...register('removeFactor')} />
          <span>
            Remove the second factor
            <br />
            <span className="small muted">For someone who lost their phone.</span>
          </span>
        </label>
      ) : null}
      {account ? (
        <label className={css.disable}>
          <Checkbox {...register('disabled')} />
          <span>
            Disabled
            <br />
            <span className="small muted">They will be logged out at once and will no longer be able to log in.</span>
          </span>
        </label>
      ) : null}
    </>
  );
}
