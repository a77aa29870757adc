import { profilesEndpoints } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { wholeClient, wholeTherapist } from '../api/whole-profiles.ts';

/** Loads the people whom the palette can find. If loading fails, the palette finds no people. */
export function loadPeople(): void {
  void queryClient.prefetchQuery({
    queryKey: queryKeys.therapists,
    queryFn: async ({ signal }) =>
      (await call(profilesEndpoints.listTherapists, { signal, query: {}, on401: 'throw' })).map(wholeTherapist),
  });
  void queryClient.prefetchQuery({
    queryKey: queryKeys.clients,
    queryFn: async ({ signal }) =>
      (await call(profilesEndpoints.listClients, { signal, query: {}, on401: 'throw' })).map(wholeClient),
  });
}
