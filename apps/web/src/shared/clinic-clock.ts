import { useSyncExternalStore } from 'react';
import { clockTime, isLocation, locationOf, type ClinicLocation, type IsoDate, type Location } from '@clinic/domain';
import { clockOffset, onServerClock, serverNow } from './server-clock.ts';

/** The clinic's current time: the server's clock (which `CLOCK` may set) in a location's time zone. */
const formats = new Map<string, Intl.DateTimeFormat>();
type Wall = { date: IsoDate; minutes: number };
/** Caches the last result, since pages ask many times in the same minute. */
let known = { zone: '', minute: Number.NaN, wall: null as Wall | null };

/** A location's date and minutes after midnight at `instant`, which is in milliseconds since 1970. */
export function wallTime(location: Location, instant: number): Wall {
  const { zone } = locationOf(location);
  const minute = Math.floor(instant / 60_000);
  if (known.wall && known.zone === zone && known.minute === minute) return known.wall;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
  const wall = {
    date: `${parts['year']}-${parts['month']}-${parts['day']}` as IsoDate,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
  known = { zone, minute, wall };
  return wall;
}

const subscribe = (listener: () => void): (() => void) => {
  const stop = onServerClock(listener);
  // Moves a page left open overnight to the new day.
  const timer = setInterval(listener, 30_000);
  return () => {
    stop();
    clearInterval(timer);
  };
};

/** The clinic's current time in milliseconds since 1970; null until the server has sent it. */
export const clinicNow = (): number | null => (clockOffset() === null ? null : serverNow());

/**
 * The time of day at a location, `h:mm AM/PM`. `at` is an instant by this browser's clock, in milliseconds since 1970.
 */
export const wallClock = (location: Location, at: number): string =>
  clockTime(wallTime(location, at + (clockOffset() ?? 0)).minutes);

/**
 * Whether a date from an address is today at the location from the address; false until the server has sent its time.
 */
export function isToday(location: string | undefined, date: string | undefined): boolean {
  const now = clinicNow();
  return now !== null && isLocation(location) && wallTime(location, now).date === date;
}

/** Whether a location is not closed for good yet. */
export const isOpen = ({ value, closedFrom }: ClinicLocation): boolean =>
  closedFrom === null || wallTime(value, clinicNow() ?? Date.now()).date < closedFrom;

/** Today's date at a location; null until the server has sent its time. */
export const useToday = (location: Location): IsoDate | null =>
  useSyncExternalStore(subscribe, () => {
    const now = clinicNow();
    return now === null ? null : wallTime(location, now).date;
  });

/** The minutes after midnight at a location, updated every minute; null until the server has sent its time. */
export const useWallMinutes = (location: Location): number | null =>
  useSyncExternalStore(subscribe, () => {
    const now = clinicNow();
    return now === null ? null : wallTime(location, now).minutes;
  });
