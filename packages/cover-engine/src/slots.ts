/** The day in slots of 15 minutes: slot 0 begins at 07:00, and slot 47 ends at 19:00. Files write times as `HH:MM`. */
import { DAY_START, formatTime, parseTime, SLOT_MINUTES, SLOTS, slotStart } from '@clinic/domain';

export { SLOT_MINUTES, SLOTS };
/** When a slot begins, in minutes after midnight. */
export const minuteOf = slotStart;

/** A range of slots; `to` is not included. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The slot of a time: a fraction between slots, below 0 or above 48 outside the day, NaN when the string is not a time.
 */
export function exactSlotOf(time: string): number {
  const minutes = parseTime(time);
  return minutes === null ? Number.NaN : (minutes - DAY_START) / SLOT_MINUTES;
}

/** The slot of a time, a fraction between slots. Times outside the day are moved to its start or end. */
export function slotOf(time: string): number {
  return Math.min(SLOTS, Math.max(0, exactSlotOf(time)));
}

/** A slot's start as `HH:MM`. */
export const timeOf = (slot: number): string => formatTime(slotStart(slot));
