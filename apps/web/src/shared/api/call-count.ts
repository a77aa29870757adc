import { callsEndpoints, type CallCount } from '@clinic/contract';
import { daysBetween, MINUTES_A_DAY, parseTime, type IsoDate, type Location } from '@clinic/domain';
import { clinicNow, wallTime } from '../clinic-clock.ts';
import { onDay, queryOf } from './query-of.ts';
import { queryKeys } from './query-client.ts';

const MINUTE_MS = 60_000;
/** A browser's timer cannot run for more than 24 days. */
const LONGEST_MS = 12 * 60 * MINUTE_MS;
/** The server's clock may be a moment behind. It then names the same time again. */
const SHORTEST_MS = 1000;

/**
 * How long until a promise to ring a family again falls due, in milliseconds. Then the call list and the count change
 * without an event, and are loaded again. False if no promise is open.
 */
export function untilRing(
  location: Location,
  date: IsoDate | null,
  reply: { readonly next_ring: string | null } | undefined,
): number | false {
  const due = parseTime(reply?.next_ring ?? '');
  const now = clinicNow();
  if (due === null || now === null || date === null) return false;
  const { date: today, minutes } = wallTime(location, now);
  const left = (daysBetween(today, date) * MINUTES_A_DAY + due - minutes) * MINUTE_MS - (now % MINUTE_MS);
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, left));
}

/** The number of people who must be told. */
export const callCountQuery = (location: Location, date: IsoDate | null) => ({
  ...queryOf(queryKeys.callCount(location, date), callsEndpoints.count, onDay(location, date)),
  refetchInterval: ({ state }: { state: { data?: CallCount | undefined } }) => untilRing(location, date, state.data),
});
