import { useEffect, useId, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Account } from '@clinic/contract';
import { LOCATIONS } from '@clinic/domain';
import { fieldsIn } from '../../../shared/api/client.ts';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { AlertDialog, Dialog } from '../../../shared/ui/dialog.tsx';
import { Checkbox, Input, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { saveAccount } from '../api/use-admin.ts';
import { accountBody, accountForm, checkEmail, checkPassword, newAccount, type AccountForm } from '../model.ts';
import css from './admin.module.css';

/** An account to add (null) or change. */
export function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const formId = useId();
  const [failure, setFailure] = useState<string | null>(null);
  const leaving = useRef(false);
  const [asked, setAsked] = useState(false);
  const form = useForm<AccountForm>({ defaultValues: account ? accountForm(account) : newAccount() });
  const { register, handleSubmit, setError, setFocus, formState } = form;
  const { errors, isSubmitting, isDirty } = formState;
  const [everywhere, role, email, password] = useWatch({
    control: form.control,
    name: ['everywhere', 'role', 'email', 'password'],
  });
  // Somebody would sign in otherwise than now: not by way of a session that was left open.
  const confirms = account !== null && (password !== '' || email.trim().toLowerCase() !== account.email);
  useEffect(() => setFocus('name'), [setFocus]);

  const save = async (values: AccountForm, close: () => void): Promise<void> => {
    setFailure(null);
    try {
      await saveAccount(account?.id ?? null, accountBody(values, account === null));
      leaving.current = true;
      toast({ text: account ? 'Account updated' : 'Account added' });
      close();
    } catch (error) {
      for (const { field, text } of fieldsIn(error)) {
        const name = field === 'your_password' ? 'yourPassword' : field;
        if (Object.hasOwn(values, name)) setError(name as keyof AccountForm, { message: text }, { shouldFocus: true });
      }
      setFailure(error instanceof Error ? error.message : 'Something went wrong.');
    }
  };

  return (
    <Dialog
      title={account?.name ?? 'New account'}
      width="34rem"
      onClose={onClose}
      mayClose={() => {
        if (leaving.current || !isDirty) return true;
        setAsked(true);
        return false;
      }}
      bar={
        failure ? (
          <Notice tone="error" title={failure}>
            Nothing was changed.
          </Notice>
        ) : null
      }
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          <Button variant="primary" type="submit" form={formId} unavailable={isSubmitting}>
            Save Changes
          </Button>
        </>
      )}
    >
      {(close) => (
        <>
          <form
            id={formId}
            className={css.form}
            noValidate
            onSubmit={(event) => void handleSubmit((values) => save(values, close))(event)}
          >
            <div className={css.two}>
              <Input
                label={LABELS.name}
                required
                autoComplete="off"
                error={errors.name?.message}
                {...register('name', { validate: (v) => v.trim() !== '' || 'Name is required' })}
              />
              <Input
                label={LABELS.email}
                type="email"
                required
                autoComplete="off"
                error={errors.email?.message}
                {...register('email', { validate: checkEmail })}
              />
              <Select
                label={LABELS.role}
                hint={
                  role === 'admin'
                    ? 'Also accounts and the audit trail.'
                    : 'Everything but accounts and the audit trail.'
                }
                {...register('role')}
              >
                <option value="scheduler">Scheduler</option>
                <option value="admin">Administrator</option>
              </Select>
              <Input
                label={account ? LABELS.new_password : LABELS.password}
                type="password"
                autoComplete="new-password"
                hint={account ? 'Empty: it stays. A new one ends their sessions.' : 'At least 12 characters.'}
                error={errors.password?.message}
                {...register('password', { validate: checkPassword(account === null) })}
              />
              {confirms ? (
                <Input
                  label={LABELS.your_password}
                  type="password"
                  required
                  autoComplete="current-password"
                  hint="Needed for another email or password."
                  error={errors.yourPassword?.message}
                  {...register('yourPassword', { validate: (v) => v !== '' || `${LABELS.your_password} is needed` })}
                />
              ) : null}
            </div>
            <fieldset className={css.places}>
              <legend>Locations</legend>
              <label>
                <Checkbox {...register('everywhere')} />
                All locations
              </label>
              {everywhere
                ? null
                : LOCATIONS.map(({ value, label }) => (
                    <label key={value}>
                      <Checkbox value={value} {...register('locations')} />
                      {label}
                    </label>
                  ))}
            </fieldset>
            {account ? (
              <label className={css.disable}>
                <Checkbox {...register('disabled')} />
                <span>
                  Disabled
                  <br />
                  <span className="small muted">Cannot log in; their sessions end at once.</span>
                </span>
              </label>
            ) : null}
          </form>
          {asked ? (
            <AlertDialog
              title="Leave without saving?"
              width="28rem"
              onClose={() => setAsked(false)}
              keep="Keep editing"
              acts={[
                {
                  text: 'Discard changes',
                  danger: true,
                  run: () => {
                    leaving.current = true;
                    close();
                  },
                },
              ]}
            />
          ) : null}
        </>
      )}
    </Dialog>
  );
}
