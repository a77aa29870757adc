import { useQueries, useQuery } from '@tanstack/react-query';
import { todayEndpoints, type Presence } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import { callCountQuery } from '../../../shared/api/call-count.ts';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { useLocations } from '../../../shared/session/session-info.ts';
import { todayQuery } from './use-today.ts';
import type { LocationMorning } from '../components/morning.tsx';

/**
 * The day at every location that the account may see. The call list and the pages of a single location share these
 * queries, so that all show the same figures. Loads nothing for an account with one location.
 */
export function useMorning(date: IsoDate | null): readonly LocationMorning[] {
  const places = useLocations();
  const asked = date !== null && places.length > 1 ? places : [];
  const days = useQueries({ queries: asked.map(({ value }) => todayQuery(value, date)) });
  const counts = useQueries({ queries: asked.map(({ value }) => callCountQuery(value, date)) });
  return asked.map(({ value, label }, i) => ({
    location: value,
    label,
    today: days[i]?.data,
    calls: counts[i]?.data,
  }));
}

/**
 * Returns what other users are working on. Events report changes, but a server process that dies sends no event, so the
 * page also reloads the list regularly.
 */
export function useWork(): readonly Presence[] {
  const { data } = useQuery({
    queryKey: queryKeys.presence,
    queryFn: ({ signal }) => call(todayEndpoints.presence, { signal, background: true }),
    refetchInterval: 60_000,
  });
  return data ?? [];
}
