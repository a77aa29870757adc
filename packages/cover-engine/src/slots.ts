/** The day as slots: a slot is a quarter hour, 0 begins at 07:00 and 48 is 19:00. Times in files are `HH:MM`. */

export const DAY_START_MINUTE = 7 * 60;
export const SLOT_MINUTES = 15;
export const SLOTS = 48;

/** Minutes since midnight of an `HH:MM`, 00:00 to 24:00; null when it is not a time of day. */
export function minutesOf(time: string): number | null {
  const match = /^(\d\d):(\d\d)$/.exec(time);
  if (!match) return null;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minutes <= 24 * 60 ? minutes : null;
}

/** The slot of a time, not clamped, and fractional off the grid; NaN when it is not a time of day. */
export function exactSlotOf(time: string): number {
  const minutes = minutesOf(time);
  return minutes === null ? Number.NaN : (minutes - DAY_START_MINUTE) / SLOT_MINUTES;
}

/** The slot of a time, clamped to the day, and fractional off the grid. */
export function slotOf(time: string): number {
  return Math.min(SLOTS, Math.max(0, exactSlotOf(time)));
}

/** `HH:MM` of a slot's start. */
export function timeOf(slot: number): string {
  const minutes = minuteOf(slot);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Minutes since midnight of a slot's start. */
export function minuteOf(slot: number): number {
  return DAY_START_MINUTE + slot * SLOT_MINUTES;
}
