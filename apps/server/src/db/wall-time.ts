import { addDays, formatTime, MINUTES_A_DAY, type IsoDate } from '@clinic/domain';

/** Minutes after `date`'s midnight of a `timestamp` as the database writes it; midnight at its end is 1440. */
export function minutesAfter(date: IsoDate, timestamp: string): number {
  const minutes = Number(timestamp.slice(11, 13)) * 60 + Number(timestamp.slice(14, 16));
  return timestamp.slice(0, 10) > date ? minutes + MINUTES_A_DAY : minutes;
}

/** The `timestamp` of a wall time, `YYYY-MM-DD HH:MM:00`; 1440 is the next day's midnight. */
export function timestampOf(date: IsoDate, minutes: number): string {
  return minutes >= MINUTES_A_DAY
    ? `${addDays(date, 1)} ${formatTime(minutes - MINUTES_A_DAY)}:00`
    : `${date} ${formatTime(minutes)}:00`;
}
