import type { Interval } from '@clinic/domain';
import { initials, shortName as shorten } from '../../shared/initials.ts';
import { remembered } from './appointments.ts';

export const shortName = remembered(shorten);

/** The initials of a name: `JO` for `Jamal O'Brien`. */
export const initialsOf = remembered((name) => initials(name.replace(/\(\d+\)$/, '')));

/** Short forms of a person's windows, to fit beside their name; empty when there are none. */
export const briefWindows = (windows: readonly Interval[]): string =>
  windows.map(({ start, end }) => briefWindow(start, end)).join(', ');

/** A short form of a window, to fit beside a name: `all day`, `7 - 10 AM`, `from 1 PM`, `to 10:30 AM`. */
export function briefWindow(start: number, end: number): string {
  const clock = (minutes: number): [string, string] => {
    const hour = Math.floor(minutes / 60) % 12 || 12;
    const past = minutes % 60;
    return [past === 0 ? String(hour) : `${hour}:${String(past).padStart(2, '0')}`, minutes % 1440 < 720 ? 'AM' : 'PM'];
  };
  const toEnd = end >= 1439;
  if (start === 0 && toEnd) return 'all day';
  const [from, fromHalf] = clock(start);
  const [to, toHalf] = clock(end);
  if (toEnd) return `from ${from} ${fromHalf}`;
  if (start === 0) return `to ${to} ${toHalf}`;
  return fromHalf === toHalf ? `${from} - ${to} ${toHalf}` : `${from} ${fromHalf} - ${to} ${toHalf}`;
}
