import { useMutation, useQuery } from '@tanstack/react-query';
import { profilesEndpoints, seriesEndpoints, timesEndpoints, type TimesWay } from '@clinic/contract';
import { compareNames, type Location } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { SUBJECTS, type TimesWish } from './model.ts';

const KEY = 'times';

/** The best ways for a wish. */
export const useTimes = (wish: TimesWish | null) =>
  useQuery(queryOf([KEY, 'ways', wish], timesEndpoints.findTimes, wish && { body: wish }));

/** Single changes of a wish that would give a better way; looked for once its ways are shown. */
export const useChanges = (wish: TimesWish) =>
  useQuery(queryOf([KEY, 'changes', wish], timesEndpoints.timesChanges, { body: wish }));

/** Who could use a therapist's free time on a day of the week. */
export const useWhoCould = (location: Location, therapist: string, weekday: number) =>
  useQuery(
    queryOf([KEY, 'who', location, therapist, weekday], timesEndpoints.whoCould, {
      query: { location, therapist, weekday: WEEKDAYS[weekday] ?? '1' },
    }),
  );

const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;

/** The names of the location's clients. */
export const useClientNames = (location: Location) =>
  useQuery({
    ...queryOf([KEY, 'clients', location], profilesEndpoints.listClients, { query: { location } }),
    select: (clients) => clients.map(({ display_name }) => display_name).sort(compareNames),
  });

/** Books a way as series, all or nothing. */
export const useBooking = () =>
  useMutation({
    mutationFn: ({ wish, way }: { wish: TimesWish; way: TimesWay }) => {
      const { location, client, from, until = null, except = [] } = wish;
      const body = { location, client, from, until, except, subject: SUBJECTS[wish.service], days: way.days };
      return call(seriesEndpoints.book, { body });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['slots'] }),
        queryClient.invalidateQueries({ queryKey: [KEY] }),
      ]),
  });
