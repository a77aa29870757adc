import { calendarEndpoints } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from './client.ts';
import { queryKeys } from './query-client.ts';
import { wholeDay } from './whole-replies.ts';

/** The query of a location's day; everything that needs the day at the same moment shares one request. */
export const slotsQuery = (location: Location, date: string) => ({
  queryKey: queryKeys.slots(location, date),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    wholeDay(await call(calendarEndpoints.slots, { signal, query: { location, date } })),
});
