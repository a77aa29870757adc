import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type HoursRow } from '@clinic/contract';
import { duration, type IsoDate, type Location } from '@clinic/domain';
import { onDay, queryOf } from './query-of.ts';
import { queryKeys } from './query-client.ts';

/** The hours of a location's therapists around a date. Loads nothing while the date is null. */
export const useHours = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.hours(location, date), ledgersEndpoints.hours, onDay(location, date)));

/** A therapist's hours as a line beside their name: `8 of 40 h this week`, with the cover that they took of late. */
export const hoursBeside = ({ booked, most, cover_7: cover }: HoursRow): string =>
  `${halfHours(booked)} of ${halfHours(most)} h this week${cover === 0 ? '' : `, ${duration(cover)} of cover in 7 days`}`;

/** Hours, to the nearest half hour: enough to compare people by. */
const halfHours = (minutes: number): string => (Math.round(minutes / 30) / 2).toLocaleString('en-US');
