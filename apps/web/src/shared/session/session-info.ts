import { useQuery } from '@tanstack/react-query';
import { authEndpoints, type SessionReply } from '@clinic/contract';
import type { ClinicLocation, Location } from '@clinic/domain';
import { call } from '../api/client.ts';
import { queryKeys } from '../api/query-client.ts';
import { isOpen } from '../clinic-clock.ts';
import { haveLocations, takeLocations, useClinicLocations } from '../clinic-locations.ts';
import { learnServerNow } from '../server-clock.ts';
import { pickLocation, saveOwnLocations, savedOwnLocations } from '../storage/keys.ts';
import { onlyReads } from './manages-clinic.ts';
import { useSession } from './session-store.ts';

/** The logged-in account and the limits of its session; undefined until the server has sent them. */
export function useSessionInfo(): SessionReply | undefined {
  return useSessionQuery().data;
}

/** Whether the account reads and changes nothing. */
export const useOnlyReads = (): boolean => onlyReads(useSessionInfo()?.account);

/**
 * The logged-in account's locations; null for all locations, undefined until known. Until the server replies, these are
 * the locations that this browser stored last time.
 */
export function useOwnLocations(): readonly Location[] | null | undefined {
  const { claims } = useSession();
  const query = useSessionQuery();
  if (query.data) return query.data.account.locations;
  // Until the reply arrives, the stored locations are used. The server refuses anything outside the account's
  // locations.
  const kept = haveLocations() ? savedOwnLocations(claims?.subject ?? '') : undefined;
  return kept === undefined && query.isError ? null : kept;
}

/** The location that a page shows; see `pickLocation`. */
export function usePickedLocation(fromUrl: unknown): Location {
  const open = useLocations();
  return pickLocation(
    fromUrl,
    open.map(({ value }) => value),
  );
}

/** The locations that the account may use and that are not closed. */
export function useLocations(): readonly ClinicLocation[] {
  const own = useOwnLocations() ?? null;
  return useClinicLocations().filter((each) => isOpen(each) && (own === null || own.includes(each.value)));
}

function useSessionQuery() {
  const { claims, signedIn } = useSession();
  return useQuery({
    queryKey: [...queryKeys.session, claims?.subject],
    queryFn: async ({ signal }) => {
      const reply = await call(authEndpoints.session, { signal, background: true });
      learnServerNow(Date.parse(reply.now));
      if (reply.locations) takeLocations(reply.locations);
      saveOwnLocations({ subject: claims?.subject ?? '', locations: reply.account.locations });
      return reply;
    },
    enabled: signedIn,
    staleTime: 300_000,
  });
}
