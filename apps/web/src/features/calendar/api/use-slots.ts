import { skipToken, useQuery } from '@tanstack/react-query';
import type { IsoDate, Location } from '@clinic/domain';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { slotsQuery } from '../../../shared/api/slots-query.ts';

/** A location's day (CAL-09). Loads nothing while `date` is null. Reloads after events about that day. */
export function useSlots(location: Location, date: IsoDate | null) {
  return useQuery({
    queryKey: queryKeys.slots(location, date ?? ''),
    queryFn: date === null ? skipToken : slotsQuery(location, date).queryFn,
  });
}
