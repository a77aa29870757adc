/** The day as slots: a slot is a quarter hour, 0 begins at 07:00 and 48 is 19:00. Times in files are `HH:MM`. */
import { DAY_START, formatTime, parseTime, SLOT_MINUTES, SLOTS, slotStart } from '@clinic/domain';

export { SLOT_MINUTES, SLOTS };
/** Minutes since midnight of a slot's start. */
export const minuteOf = slotStart;

/** Slots [from, to) of a day. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** The slot of a time, not clamped, and fractional off the grid; NaN when it is not a time of day. */
export function exactSlotOf(time: string): number {
  const minutes = parseTime(time);
  return minutes === null ? Number.NaN : (minutes - DAY_START) / SLOT_MINUTES;
}

/** The slot of a time, clamped to the day, and fractional off the grid. */
export function slotOf(time: string): number {
  return Math.min(SLOTS, Math.max(0, exactSlotOf(time)));
}

/** `HH:MM` of a slot's start. */
export const timeOf = (slot: number): string => formatTime(slotStart(slot));
