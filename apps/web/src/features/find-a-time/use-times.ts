import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import {
  profilesEndpoints,
  seriesEndpoints,
  timesEndpoints,
  type TimesChange,
  type TimesReply,
  type TimesWay,
} from '@clinic/contract';
import { compareNames, type Location } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { SUBJECTS, type TimesWish } from './model.ts';

const KEY = 'times';

/** The best ways for a wish. */
export const useTimes = (wish: TimesWish | null): UseQueryResult<TimesReply> =>
  useQuery({
    queryKey: [KEY, 'ways', wish],
    queryFn: ({ signal }) => call(timesEndpoints.findTimes, { body: sure(wish), signal }),
    enabled: wish !== null,
  });

/** Single changes of a wish that would give a better way; looked for once its ways are shown. */
export const useChanges = (wish: TimesWish | null): UseQueryResult<{ changes: TimesChange[] }> =>
  useQuery({
    queryKey: [KEY, 'changes', wish],
    queryFn: ({ signal }) => call(timesEndpoints.timesChanges, { body: sure(wish), signal }),
    enabled: wish !== null,
  });

/** Who could use a therapist's free time on a day of the week. */
export const useWhoCould = (location: Location, therapist: string, weekday: number) =>
  useQuery({
    queryKey: [KEY, 'who', location, therapist, weekday],
    queryFn: ({ signal }) =>
      call(timesEndpoints.whoCould, { query: { location, therapist, weekday: WEEKDAYS[weekday] ?? '1' }, signal }),
  });

const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;

/** The names of the location's clients. */
export const useClientNames = (location: Location) =>
  useQuery({
    queryKey: [KEY, 'clients', location],
    queryFn: async ({ signal }) => {
      const clients = await call(profilesEndpoints.listClients, { query: { location }, signal });
      return clients.map(({ display_name }) => display_name).sort(compareNames);
    },
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

function sure(wish: TimesWish | null): TimesWish {
  if (wish === null) throw new Error('no wish to look up');
  return wish;
}
