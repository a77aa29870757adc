import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type HoursRow } from '@clinic/contract';
import { COVER_DAYS, duration, type IsoDate, type Location } from '@clinic/domain';
import { call } from './client.ts';
import { dayQuery } from './day-query.ts';
import { queryKeys } from './query-client.ts';

/** The hours of a location's therapists around a date. Loads nothing while the date is null. */
export const useHours = (location: Location, date: IsoDate | null) => useQuery(hours(location, date));
const hours = dayQuery(queryKeys.hours, (request) => call(ledgersEndpoints.hours, request));

/**
 * A therapist's hours as a line beside their name: `34 h booked that week, 28 h worked, of 40 h; cover: 2 h in 7
 * days, 6 h in 28`.
 */
export const hoursBeside = (row: HoursRow): string =>
  `${duration(row.booked)} booked that week, ${duration(row.worked)} worked, of ${duration(row.most)}; ${coverWords(row)}`;

/** Like a reason's words for someone without cover. */
const coverWords = ({ cover_7: week, cover_28: all }: HoursRow): string =>
  all === 0
    ? `no cover in ${COVER_DAYS} days`
    : `cover: ${duration(week)} in 7 days, ${duration(all)} in ${COVER_DAYS}`;
