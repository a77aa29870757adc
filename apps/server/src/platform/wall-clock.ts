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

/** The current time by a location's clock. No other code uses the location's time zone. */
export function wallNow(clock: Clock, location: Location): WallNow {
  const at = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(locationOf(location).zone);
  const time = at.toPlainDateTime();
  return {
    date: time.toPlainDate().toString() as IsoDate,
    minutes: time.hour * 60 + time.minute,
    text: time.toString({ smallestUnit: 'second' }),
  };
}
