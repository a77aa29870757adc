import { useQuery } from '@tanstack/react-query';
import { authEndpoints, type SessionReply } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryKeys } from '../api/query-client.ts';
import { useSession } from './session-store.ts';

/** Who is signed in and where the limits lie; undefined until the server has said it. */
export function useSessionInfo(): SessionReply | undefined {
  const { claims, signedIn } = useSession();
  const query = useQuery({
    queryKey: [...queryKeys.session, claims?.subject],
    queryFn: ({ signal }) => call(authEndpoints.session, { signal, background: true }),
    enabled: signedIn,
    staleTime: 300_000,
  });
  return query.data;
}
