import { useQuery } from '@tanstack/react-query';
import {
  TEXTS,
  profilesEndpoints,
  type BodyOf,
  type UnfitSessions,
  type Client,
  type Endpoint,
  type ReplyOf,
  type Therapist,
} from '@clinic/contract';
import { ApiError, NotSignedInError, call, type CallInput } from '../../../shared/api/client.ts';
import { saidWords } from '../../../shared/api/failure-words.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';
import { wholeClient, wholeTherapist } from '../../../shared/api/whole-profiles.ts';
import { readToken } from '../../../shared/storage/keys.ts';
import { KIND_WORDS, type ProfileKind } from '../model.ts';

/**
 * Sends a request about profiles. Without a token, sends nothing (PROF-10). After a 401, the profiles page stays open
 * with a message and does not move to the login page (PROF-11).
 */
async function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
  if (readToken() === null) throw new NotSignedInError(TEXTS.authRequired);
  return call(endpoint, { ...input, on401: 'throw' });
}

const withLeft = (left: boolean): { left?: 'with' } => (left ? { left: 'with' } : {});
const keyOf = <K extends readonly unknown[]>(key: K, left: boolean) => (left ? [...key, 'left'] : key);

/** The therapists at all locations that this account may see; with `left`, also those who have left. */
export const useTherapists = (left = false) =>
  useQuery({
    queryKey: keyOf(queryKeys.therapists, left),
    queryFn: async ({ signal }): Promise<Therapist[]> =>
      (await ask(profilesEndpoints.listTherapists, { query: withLeft(left), signal })).map(wholeTherapist),
  });

/**
 * The clients at all locations that this account may see; with `left`, also those who have left. Only pages that show
 * clients load them, since the audit trail records every load.
 */
export const useClients = (wanted: boolean, left: boolean) =>
  useQuery({
    enabled: wanted,
    queryKey: keyOf(queryKeys.clients, left),
    queryFn: async ({ signal }): Promise<Client[]> =>
      (await ask(profilesEndpoints.listClients, { query: withLeft(left), signal })).map(wholeClient),
  });

/** A person's whole profile. Shares its reply with the form of the same person. */
export const useWholeProfile = (kind: ProfileKind, id: string) =>
  useQuery<Therapist | Client>({
    queryKey: [KIND_WORDS[kind].one, id],
    queryFn: ({ signal }) => (kind === 'clients' ? clientApi : therapistApi).read(id, signal),
  });

const unassigning = (unassign: boolean): { sessions?: 'unassign' } => (unassign ? { sessions: 'unassign' } : {});

/** The requests about a single profile, whether a therapist's or a client's. */
export interface ProfileApi<P, B> {
  read: (id: string, signal?: AbortSignal) => Promise<P>;
  /**
   * Saves a profile; `id` is null for a new one. With `unassign`, future sessions that no longer fit lose their
   * therapist and need cover.
   */
  save: (id: string | null, body: B, unassign: boolean) => Promise<P>;
  /** Returns the future sessions that would no longer fit after a save. Saves nothing. */
  check: (id: string, body: B) => Promise<UnfitSessions>;
}

export const therapistApi: ProfileApi<Therapist, BodyOf<typeof profilesEndpoints.createTherapist>> = {
  read: async (id, signal) => wholeTherapist(await ask(profilesEndpoints.getTherapist, { params: { id }, signal })),
  check: (id, body) => ask(profilesEndpoints.checkTherapist, { params: { id }, body }),
  save: async (id, body, unassign) => {
    const saved =
      id === null
        ? await ask(profilesEndpoints.createTherapist, { body })
        : await ask(profilesEndpoints.updateTherapist, { params: { id }, query: unassigning(unassign), body });
    void queryClient.invalidateQueries({ queryKey: queryKeys.therapists });
    return wholeTherapist(saved);
  },
};

export const clientApi: ProfileApi<Client, BodyOf<typeof profilesEndpoints.createClient>> = {
  read: async (id, signal) => wholeClient(await ask(profilesEndpoints.getClient, { params: { id }, signal })),
  check: (id, body) => ask(profilesEndpoints.checkClient, { params: { id }, body }),
  save: async (id, body, unassign) => {
    const saved =
      id === null
        ? await ask(profilesEndpoints.createClient, { body })
        : await ask(profilesEndpoints.updateClient, { params: { id }, query: unassigning(unassign), body });
    void queryClient.invalidateQueries({ queryKey: queryKeys.clients });
    return wholeClient(saved);
  },
};

/**
 * Deletes a therapist. With `unassign`, their future appointments become unassigned and need cover. Without it, the
 * server refuses while there are future appointments (409).
 */
export async function deleteTherapist(id: string, unassign: boolean): Promise<void> {
  await ask(profilesEndpoints.deleteTherapist, {
    params: { id },
    query: unassign ? { appointments: 'unassign' } : {},
  });
  const listed = (left: boolean) => ({ queryKey: keyOf(queryKeys.therapists, left), exact: true });
  await Promise.all([false, true].map((left) => queryClient.invalidateQueries(listed(left))));
}

/** The message when a request about profiles fails; the message of PROF-11 if the login has expired. */
export function failureText(error: unknown): string {
  return error instanceof ApiError && error.status === 401 ? TEXTS.authFailed : saidWords(error);
}

/** The hint shown when the login has expired (PROF-11). */
export const LOGIN_HINT = 'Use valid credentials: the email and password of your own account.';

export const isLoginFailure = (error: unknown): boolean =>
  error instanceof NotSignedInError || (error instanceof ApiError && error.status === 401);
