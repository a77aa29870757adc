import { calendarEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from './client.ts';
import { queryKeys } from './query-client.ts';
import { wholeDay } from './whole-day.ts';

/** The query of a location's day; everything that needs the day at the same moment shares one request. */
export const slotsQuery = (location: Location, date: IsoDate) => ({
  queryKey: queryKeys.slots(location, date),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    wholeDay(await call(calendarEndpoints.slots, { signal, query: { location, date } }), { location, date }),
});
