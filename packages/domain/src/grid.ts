import { clockTime } from './time.ts';

/** The calendar shows 7:00 AM to 7:00 PM in 48 slots of 15 minutes. Times are minutes after midnight. */
export const SLOT_MINUTES = 15;
export const DAY_START = 7 * 60;
export const DAY_END = 19 * 60;
export const SLOTS = (DAY_END - DAY_START) / SLOT_MINUTES;
/** A session belongs to a slot when it starts at most 8 minutes before or 7 minutes after the slot's start. */
const START_BEFORE = 8;
const START_AFTER = 7;

export const slotStart = (slot: number): number => DAY_START + slot * SLOT_MINUTES;
export const slotLabel = (slot: number): string => clockTime(slotStart(slot));

/** Whether a session that starts at `start` may be shown in the slot. */
export function startsInSlot(start: number, slot: number): boolean {
  const off = start - slotStart(slot);
  return off >= -START_BEFORE && off <= START_AFTER;
}

/** The slot in which a session is shown: the earlier one when two slots fit, null outside the grid. */
export function startSlot(start: number): number | null {
  const slot = Math.max(0, Math.ceil((start - DAY_START - START_AFTER) / SLOT_MINUTES));
  return slot < SLOTS && startsInSlot(start, slot) ? slot : null;
}

/** Rounds minutes up to the next quarter hour. */
export const ceilToSlot = (minutes: number): number => Math.ceil(minutes / SLOT_MINUTES) * SLOT_MINUTES;
