import { useQuery } from '@tanstack/react-query';
import { todayEndpoints, type Presence, type WellDay } from '@clinic/contract';
import { isoDate, type IsoDate } from '@clinic/domain';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';

/** A day of the week at a location, and how many people must be told about it; undefined while that loads. */
export type WeekDay = WellDay & { readonly to_tell: number | undefined };

/**
 * What is open on seven days from a date, at every location of the account. Undefined while it loads. The people to tell
 * come by themselves: each of their days has its own call list to make.
 */
export function useWeek(from: IsoDate) {
  const of = { query: { from } };
  const well = useQuery(queryOf(queryKeys.week('well', from), todayEndpoints.week, of));
  const calls = useQuery(queryOf(queryKeys.week('calls', from), todayEndpoints.weekToTell, of));
  const toTell = calls.data && new Map(calls.data.days.map((day) => [`${day.location} ${day.date}`, day.to_tell]));
  const days = well.data?.days.map((day): WeekDay => {
    const told = toTell && (toTell.get(`${day.location} ${day.date}`) ?? 0);
    return { ...day, date: isoDate(day.date), to_tell: told };
  });
  const failed = well.error ?? calls.error;
  return { days, failed: failed !== null, retry: () => void Promise.all([well.refetch(), calls.refetch()]) };
}

/**
 * Returns what other users are working on. Events report changes, but a server process that dies sends no event, so the
 * page also reloads the list regularly.
 */
export function useWork(): readonly Presence[] {
  const { data } = useQuery({
    ...queryOf(queryKeys.presence, todayEndpoints.presence, { background: true }),
    refetchInterval: 60_000,
  });
  return data ?? [];
}
