import { useQuery } from '@tanstack/react-query';
import { calendarEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { wholeDay } from '../../../shared/api/whole-replies.ts';

/** A location's day (CAL-09). Loads nothing while `date` is null. Reloads after events about that day. */
export function useSlots(location: Location, date: IsoDate | null) {
  return useQuery({
    queryKey: queryKeys.slots(location, date ?? ''),
    queryFn: async ({ signal }) =>
      wholeDay(await call(calendarEndpoints.slots, { signal, query: { location, date: date ?? '' } })),
    enabled: date !== null,
  });
}
