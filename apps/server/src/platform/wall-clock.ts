import { locationOf, type IsoDate, type Location } from '@clinic/domain';
import { Temporal } from 'temporal-polyfill';
import type { Clock } from './clock.ts';

/** The current date and time by a clinic's clock. */
export interface WallNow {
  readonly date: IsoDate;
  /** The time of day in whole minutes after midnight. */
  readonly minutes: number;
  /** `YYYY-MM-DDTHH:MM:SS`, without a zone. */
  readonly text: string;
}

/** The current time by a location's clock. Only imports use its time zone too (`clinic-zone.ts`). */
export function wallNow(clock: Clock, location: Location): WallNow {
  const time = Temporal.Instant.fromEpochMilliseconds(clock.now())
    .toZonedDateTimeISO(locationOf(location).zone)
    .toPlainDateTime();
  return {
    date: time.toPlainDate().toString() as IsoDate,
    minutes: time.hour * 60 + time.minute,
    text: time.toString({ smallestUnit: 'second' }),
  };
}

/** Reads the current time by each location's clock. */
export type WallClock = (location: Location) => WallNow;

export const wallClock =
  (clock: Clock): WallClock =>
  (location) =>
    wallNow(clock, location);
