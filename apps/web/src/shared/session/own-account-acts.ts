import { useState, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { passkeyEndpoints, type BodyOf, type OwnPasskeys } from '@clinic/contract';
import { call, fieldsIn } from '../api/client.ts';
import { queryOf } from '../api/query-of.ts';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { toast } from '../ui/toast.tsx';
import { useAccountWords, type AccountWords } from './account-words.ts';
import { canUsePasskeys, signWithPasskey } from './passkeys.ts';

export interface Failure {
  readonly field: 'current' | 'new' | null;
  readonly text: string;
}

/** A failure's message, and the field that must be corrected. `look` says where to check when no reply arrives. */
function failureOf(error: unknown, look: string, words: AccountWords): Failure {
  for (const { field, text } of fieldsIn(error)) {
    if (field === 'current_password') return { field: 'current', text: words.ofField(text, 'refused.current') };
    if (field === 'new_password') return { field: 'new', text: words.ofField(text, 'refused.new') };
  }
  return { field: null, text: words.failure(error, look) };
}

/** The user's own passkeys, and whether the user has a password. */
export const useOwnPasskeys = () =>
  useQuery({ ...queryOf(queryKeys.ownPasskeys, passkeyEndpoints.passkeys, {}), staleTime: 0 });

/** The proof that the change comes from the account's own user: the current password or a passkey. */
export type OwnerProof = BodyOf<typeof passkeyEndpoints.removePasskey>;

export interface OwnAccountActs {
  readonly failure: Failure | null;
  readonly busy: boolean;
  readonly fail: (failure: Failure) => void;
  /**
   * Makes one change at a time, and shows that it worked (`done`) or why it failed. Returns whether it worked. `look`
   * says where to check when no reply arrives.
   */
  readonly act: (work: () => Promise<unknown>, done?: string, look?: string) => Promise<boolean>;
  /**
   * Makes a change that needs proof: the typed password or, if none is typed, a passkey. If the user has no passkey
   * either, shows `ask`, a request to type the password.
   */
  readonly actProven: (
    ask: string,
    work: (proof: OwnerProof) => Promise<unknown>,
    done?: string,
    look?: string,
  ) => Promise<boolean>;
}

/** @param current the field with the user's current password */
export function useOwnAccountActs(
  current: RefObject<HTMLInputElement | null>,
  own: OwnPasskeys | undefined,
): OwnAccountActs {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const words = useAccountWords();
  const act: OwnAccountActs['act'] = async (work, done, look = words.t('look.passkeys')) => {
    if (busy) return false;
    setBusy(true);
    setFailure(null);
    try {
      await work();
      if (done !== undefined) toast({ text: done });
      return true;
    } catch (error) {
      const found = failureOf(error, look, words);
      setFailure(found);
      if (found.field === 'current') current.current?.select();
      return false;
    } finally {
      setBusy(false);
      for (const queryKey of [queryKeys.ownSessions, queryKeys.ownPasskeys])
        void queryClient.invalidateQueries({ queryKey });
    }
  };
  const actProven: OwnAccountActs['actProven'] = async (ask, work, done, look) => {
    const typed = current.current?.value ?? '';
    if (typed !== '') return act(() => work({ current_password: typed }), done, look);
    if (own && own.passkeys.length > 0 && canUsePasskeys())
      return act(
        async () => {
          const options = await call(passkeyEndpoints.confirmOptions, {});
          await work({ passkey: await signWithPasskey(options) });
        },
        done,
        look,
      );
    setFailure({ field: 'current', text: ask });
    current.current?.focus();
    return false;
  };
  return { failure, busy, fail: setFailure, act, actProven };
}
