import { useEffect, useId, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Account } from '@clinic/contract';
import { NoReplyError, fieldsIn } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { useOwnLocations } from '../../../shared/session/session-info.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { AlertDialog, Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { saveAccount } from '../api/use-admin.ts';
import { accountBody, accountForm, newAccount, type AccountForm } from '../model.ts';
import { AccountFields } from './account-fields.tsx';
import css from './admin.module.css';

/** The dialog that changes an account, or adds one when `account` is null. */
export function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const formId = useId();
  const [failure, setFailure] = useState<{ text: string; unknown: boolean } | null>(null);
  const leaving = useRef(false);
  const [asked, setAsked] = useState(false);
  const own = useOwnLocations() ?? null;
  const form = useForm<AccountForm>({ defaultValues: account ? accountForm(account) : newAccount(own) });
  const { handleSubmit, setError, setFocus, formState } = form;
  const { isSubmitting, isDirty } = formState;
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
      setFailure({ text: failureWords(error, 'the list'), unknown: error instanceof NoReplyError });
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
            onSubmit={(event) => void handleSubmit((values) => save(values, close))(event)}
          >
            <AccountFields account={account} form={form} />
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
