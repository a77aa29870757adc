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

interface WallMinute {
  /** The minute, counted since 1970. */
  readonly at: number;
  readonly date: IsoDate;
  readonly minutes: number;
  /** `YYYY-MM-DDTHH:MM:`; the seconds follow. */
  readonly text: string;
}

/** Each time zone's last minute, since a request asks for the time again within the same minute. */
const lastMinutes = new Map<string, WallMinute>();

/** The current time by a location's clock. Only imports use its time zone too (`clinic-zone.ts`). */
export function wallNow(clock: Clock, location: Location): WallNow {
  const now = clock.now();
  const { zone } = locationOf(location);
  const at = Math.floor(now / MINUTE_MS);
  let minute = lastMinutes.get(zone);
  if (minute?.at !== at) lastMinutes.set(zone, (minute = wallMinute(zone, at)));
  const { date, minutes, text } = minute;
  const second = Math.floor(now / 1000) - at * 60;
  return { date, minutes, text: text + String(second).padStart(2, '0') };
}

/** Reads the current time by each location's clock. */
export type WallClock = (location: Location) => WallNow;

export const wallClock =
  (clock: Clock): WallClock =>
  (location) =>
    wallNow(clock, location);

const MINUTE_MS = 60_000;

/** A minute by the clock of a zone. Zones differ from UTC by whole minutes, so the seconds are the same everywhere. */
function wallMinute(zone: string, at: number): WallMinute {
  const time = Temporal.Instant.fromEpochMilliseconds(at * MINUTE_MS)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  return {
    at,
    date: time.toPlainDate().toString() as IsoDate,
    minutes: time.hour * 60 + time.minute,
    text: time.toString({ smallestUnit: 'second' }).slice(0, -2),
  };
}
