import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { adminEndpoints, type Account, type BodyOf } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys, showReply } from '../../../shared/api/query-client.ts';
import type { AccountBody } from '../model.ts';

export const useAccounts = () => useQuery(queryOf(queryKeys.accounts, adminEndpoints.listAccounts, {}));

/** Saves a change to `account`, based on its version; creates an account if `account` is null. */
export async function saveAccount(account: Account | null, body: AccountBody): Promise<Account> {
  const saved =
    account === null
      ? await call(adminEndpoints.createAccount, { body })
      : await call(adminEndpoints.updateAccount, {
          params: { id: account.id },
          body: { ...body, version: account.version },
        });
  void queryClient.invalidateQueries({ queryKey: queryKeys.accounts });
  return saved;
}

/** Loads the accounts again, and returns the account with the given id; undefined if there is none. */
export async function reloadAccount(id: string): Promise<Account | undefined> {
  const accounts = await showReply(queryKeys.accounts, call(adminEndpoints.listAccounts, {}));
  return accounts.find((account) => account.id === id);
}

/**
 * The open invitations, and whether links can be emailed. Reloads every three seconds while an email is waiting to be
 * sent.
 */
export const useInvitations = () =>
  useQuery({
    ...queryOf(queryKeys.invitations, adminEndpoints.listInvitations, {}),
    refetchInterval: ({ state: { data } }) =>
      data?.invitations.some(({ message }) => message?.state === 'waiting') ? 3000 : false,
  });

/** Waits for a change to the invitations, then reloads them. */
async function afterwards<T>(work: Promise<T>): Promise<T> {
  const done = await work;
  void queryClient.invalidateQueries({ queryKey: queryKeys.invitations });
  return done;
}

/**
 * Invites a therapist. If the administrator will hand over the link, the reply contains the link's secret, which the
 * server sends only once.
 */
export const inviteTherapist = (body: BodyOf<typeof adminEndpoints.invite>) =>
  afterwards(call(adminEndpoints.invite, { body }));

/** Like `inviteTherapist`, for everyone but therapists. */
export const inviteColleague = (body: BodyOf<typeof adminEndpoints.inviteColleague>) =>
  afterwards(call(adminEndpoints.inviteColleague, { body }));

export const withdrawInvitation = (id: string): Promise<unknown> =>
  afterwards(call(adminEndpoints.withdrawInvitation, { params: { id } }));

/** The audit trail, newest entries first, one page at a time. */
export const useAudit = (account: string, subject: string) =>
  useInfiniteQuery({
    queryKey: [...queryKeys.audit, account, subject],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call(adminEndpoints.audit, {
        signal,
        query: {
          ...(pageParam === undefined ? {} : { before: pageParam }),
          ...(account === '' ? {} : { account }),
          ...(subject === '' ? {} : { subject }),
        },
      }),
    // A page with fewer than 200 rows is the last one.
    getNextPageParam: (last) => (last.length >= 200 ? last.at(-1)?.id : undefined),
    staleTime: 0,
  });
