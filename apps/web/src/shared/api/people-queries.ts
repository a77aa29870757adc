import { profilesEndpoints } from '@clinic/contract';
import { call } from './client.ts';
import { queryKeys } from './query-client.ts';
import { wholeClient, wholeTherapist } from './whole-profiles.ts';

/** The therapists at all locations that this account may see, without those who have left. */
export const therapistsQuery = {
  queryKey: queryKeys.therapists,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(profilesEndpoints.listTherapists, { signal, query: {}, on401: 'throw' })).map(wholeTherapist),
};

/** The clients, likewise. */
export const clientsQuery = {
  queryKey: queryKeys.clients,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(profilesEndpoints.listClients, { signal, query: {}, on401: 'throw' })).map(wholeClient),
};
