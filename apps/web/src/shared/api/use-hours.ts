import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type HoursRow } from '@clinic/contract';
import { hoursSentence, type IsoDate, type Location } from '@clinic/domain';
import { call } from './client.ts';
import { queryKeys } from './query-client.ts';

/** The hours of a location's therapists around a date; null: not asked for yet. */
export const useHours = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.hours(location, date ?? ''),
    queryFn: ({ signal }) => call(ledgersEndpoints.hours, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });

/** Someone's hours in one sentence. */
export const hoursWords = ({ booked, most, cover_28: cover }: HoursRow): string => hoursSentence(booked, most, cover);
