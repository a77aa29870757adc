import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import type { Closure } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { slotsQuery } from '../../../shared/api/slots-query.ts';
import type { ShownDay } from '../../../shared/api/whole-day.ts';
import type { View } from '../bars.ts';
import { closedOn, readWeekDay, weekDates, type DayOfWeek } from '../week.ts';

/** The days of a week at a location, each loaded as the day's calendar loads it, so that events reload single days. */
export function useWeek(
  location: Location,
  date: IsoDate,
  view: View,
  adminClient: string,
  closures: readonly Closure[] | undefined,
) {
  const dates = weekDates(date);
  const loaded = useQueries({
    queries: dates.map((each) => slotsQuery(location, each)),
    combine: (all) => ({
      error: all.find((each) => each.error)?.error ?? null,
      fetching: all.some((each) => each.isFetching),
      replies: all.map((each) => each.data),
      refetch: () => all.forEach((each) => void each.refetch()),
    }),
  });
  const { replies } = loaded;
  const days = useMemo(() => {
    const read: DayOfWeek[] = [];
    for (const [i, each] of weekDates(date).entries()) {
      const reply = replies[i];
      if (!reply) return null;
      read.push(readWeekDay(each, reply, view, adminClient, closedOn(closures ?? [], location, each)));
    }
    return read;
  }, [location, date, view, adminClient, closures, replies]);
  const people = useMemo(() => {
    const known = new Map<string, ShownDay['people'][number]>();
    for (const reply of replies) for (const person of reply?.people ?? []) known.set(person.id, person);
    return [...known.values()];
  }, [replies]);
  return { ...loaded, days, people, data: days ?? undefined };
}
