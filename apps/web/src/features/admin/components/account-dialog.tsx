import { useEffect, useId, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import type { Account } from '@clinic/contract';
import { NoReplyError, fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { differences, mergeEdits } from '../../../shared/edits/merge.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { isStale } from '../../../shared/edits/use-versioned.ts';
import { useOwnLocations } from '../../../shared/session/session-info.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { readKept, useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { reloadAccount, saveAccount } from '../api/use-admin.ts';
import { ACCOUNT_LABELS, accountBody, accountForm, newAccount, type AccountForm } from '../model.ts';
import { AccountFields } from './account-fields.tsx';
import css from './admin.module.css';

/** If the login session ends, the tab keeps the form's edits until the next login, but never the passwords. */
const NO_PASSWORDS = { password: '', yourPassword: '' };

/** The dialog that changes an account, or adds one when `account` is null. */
export function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const formId = useId();
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
    <Dialog
      title={account?.name ?? 'New account'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      bar={
        failure ? (
          <Notice tone="error" title={failure.text}>
            {failure.unknown ? null : 'Nothing was changed.'}
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
            onSubmit={(event) =>
              void handleSubmit(async (values) => {
                if (await save(values)) leave(close);
              })(event)
            }
          >
            <AccountFields account={current} form={form} />
          </form>
          {current && stale ? (
            <StaleAlert
              {...stale}
              name={current.name}
              onMine={() => void stale.onMine().then((saved) => saved && leave(close))}
            />
          ) : null}
        </>
      )}
    </Dialog>
  );
}

/**
 * `save` returns whether the account was saved. If not, `failure` says why, and messages are shown beside the fields.
 */
function useSaving(account: Account | null, form: UseFormReturn<AccountForm>) {
  const { setError, getValues, reset } = form;
  /**
   * The version of the account on which the edits are based: the one loaded, or a newer one that someone else saved.
   */
  const [current, setCurrent] = useState(account);
  const [theirs, setTheirs] = useState<Account | null>(null);
  const [failure, setFailure] = useState<{ text: string; unknown: boolean } | null>(null);
  const save = async (values: AccountForm, over = current): Promise<boolean> => {
    setFailure(null);
    try {
      await saveAccount(over, accountBody(values, account === null));
      toast({ text: account ? 'Account updated' : 'Account added' });
      return true;
    } catch (error) {
      const newest = over && isStale(error) ? await reloadAccount(over.id).catch(() => undefined) : undefined;
      if (newest) {
        setTheirs(newest);
        return false;
      }
      for (const { field, text } of fieldsIn(error)) {
        const name = field === 'your_password' ? 'yourPassword' : field;
        if (Object.hasOwn(values, name)) setError(name as keyof AccountForm, { message: text }, { shouldFocus: true });
      }
      setFailure({ text: failureWords(error, 'the list'), unknown: error instanceof NoReplyError });
      return false;
    }
  };
  const stale = current && theirs ? staleOf(current, theirs) : null;
  function staleOf(before: Account, now: Account) {
    const [base, newest] = [accountForm(before), accountForm(now)];
    const moveTo = (values: AccountForm): void => {
      reset(newest);
      reset(values, { keepDefaultValues: true });
      setCurrent(now);
      setTheirs(null);
    };
    return {
      theirs: differences(base, newest, ACCOUNT_LABELS),
      // The administrator's own password is not part of the account; it only confirms a change.
      mine: differences(base, { ...getValues(), yourPassword: '' }, ACCOUNT_LABELS),
      onKeep: () => setTheirs(null),
      onTheirs: () => moveTo(newest),
      onMine: (): Promise<boolean> => {
        const merged = mergeEdits(base, getValues(), newest);
        moveTo(merged);
        return save(merged, now);
      },
    };
  }
  return { current, failure, save, stale };
}
