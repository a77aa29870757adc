import { useEffect, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import type { Account } from '@clinic/contract';
import { ApiError, fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { useTheirs } from '../../../shared/edits/use-theirs.ts';
import { useOwnLocations } from '../../../shared/session/session-info.ts';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { readKept, useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { reloadAccount, saveAccount } from '../api/use-admin.ts';
import { ACCOUNT_LABELS, accountBody, accountForm, newAccount, type AccountForm } from '../model.ts';
import { AccountFields } from './account-fields.tsx';

/** If the login session ends, the tab keeps the form's edits until the next login, but never the passwords. */
const NO_PASSWORDS = { password: '', yourPassword: '' };

/** The dialog that changes an account, or adds one when `account` is null. */
export function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const own = useOwnLocations() ?? null;
  const form = useForm<AccountForm>({ defaultValues: account ? accountForm(account) : newAccount(own) });
  const { handleSubmit, setFocus, reset, formState } = form;
  const { isSubmitting, isDirty } = formState;
  const kept = `account:${account ? `${account.id}:${account.version}` : 'new'}`;
  useEffect(() => {
    const edits = readKept<AccountForm>(kept);
    if (edits) reset(edits, { keepDefaultValues: true });
    setFocus('name');
  }, [kept, reset, setFocus]);
  const { current, failure, save, stale } = useSaving(account, form);
  const { mayClose, leave } = useUnsaved({
    edited: isDirty,
    saving: isSubmitting,
    about: account ? `Your changes to ${account.name} are not saved yet.` : 'The account has not been added yet.',
    keep: { key: kept, value: () => ({ ...form.getValues(), ...NO_PASSWORDS }) },
  });

  return (
    <FormDialog
      title={account?.name ?? 'New account'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure}
      unavailable={isSubmitting}
      onSubmit={(close) => void handleSubmit((values) => save(values, () => leave(close)))()}
      over={current && stale ? <StaleAlert {...stale} name={current.name} /> : null}
    >
      <AccountFields account={current} form={form} />
    </FormDialog>
  );
}

/** Saves the account. If that fails, `failure` says why, and messages are shown beside the fields. */
function useSaving(account: Account | null, form: UseFormReturn<AccountForm>) {
  const { setError, getValues, reset } = form;
  /**
   * The version of the account on which the edits are based: the one loaded, or a newer one that someone else saved.
   */
  const [current, setCurrent] = useState(account);
  const [failure, setFailure] = useState<{ text: string; means?: string } | null>(null);
  const { refused, stale } = useTheirs<Account, AccountForm>({
    labels: ACCOUNT_LABELS,
    formOf: accountForm,
    before: current ? accountForm(current) : newAccount(null),
    mine: getValues,
    onTake: (theirs, values) => {
      reset(accountForm(theirs));
      reset(values, { keepDefaultValues: true });
      setCurrent(theirs);
    },
  });
  const save = async (values: AccountForm, close: () => void, over = current): Promise<void> => {
    setFailure(null);
    try {
      await saveAccount(over, accountBody(values, account === null));
      toast({ text: account ? 'Account updated' : 'Account added' });
      close();
    } catch (error) {
      const newest = async () => over && reloadAccount(over.id);
      if (await refused(error, newest, (theirs, merged) => void save(merged, close, theirs))) return;
      for (const { field, text } of fieldsIn(error)) {
        const name = field === 'your_password' ? 'yourPassword' : field;
        if (Object.hasOwn(values, name)) setError(name as keyof AccountForm, { message: text }, { shouldFocus: true });
      }
      setFailure({
        text: failureWords(error, 'the list'),
        ...(error instanceof ApiError && error.status < 500 ? { means: 'Nothing was changed.' } : {}),
      });
    }
  };
  return { current, failure, save, stale };
}
