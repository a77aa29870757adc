import type { Solutions } from '@clinic/contract';
import { parseClockTime, timeSlot } from '@clinic/domain';

/** Time slots, as a proposal uses them for keys: read, put into words, and ordered as a client's rows. Pure. */

/**
 * The minutes of a slot key such as `8:30 AM - 11:30 AM`, with or without a subject in brackets; null for any other
 * text.
 */
export function parseSlot(slot: string): { start: number; end: number } | null {
  const m = /^(\d{1,2}:\d{2} [AP]M) - (\d{1,2}:\d{2} [AP]M)(?: \(.*\))?$/.exec(slot);
  const start = parseClockTime(m?.[1] ?? '');
  const end = parseClockTime(m?.[2] ?? '');
  if (start === null || end === null) return null;
  return { start, end: end <= start ? end + 1440 : end };
}

/** `12:30 to 2:30 PM`, `11:30 AM to 12:30 PM`. */
export function rangeWords(start: number, end: number): string {
  const [a = '', b = ''] = timeSlot(start, end).split(' - ');
  return a.slice(-2) === b.slice(-2) ? `${a.slice(0, -3)} to ${b}` : `${a} to ${b}`;
}

/** A row of a client. Minutes after midnight. */
export interface OrderedSlot {
  slot: string;
  start: number;
  end: number;
  subject: string | undefined;
  /** Part of the stretch in the nearest row above that is not a part; another option takes that stretch whole. */
  part: boolean;
  /** The first option that has it, counted from 0: parts with the same rank belong to one cut. */
  rank: number;
}

/**
 * Slots by time; different cuts of one stretch stay together. A stretch that an option takes whole comes first, and
 * below it the parts that other options cut it into, option by option. If no option takes it whole, the first option's
 * cut comes first.
 */
export function orderSlots(options: Solutions[string][string], columns: readonly string[]): OrderedSlot[] {
  // An option with both has two sessions at once, so neither is part of the other.
  const together = (a: OrderedSlot, b: OrderedSlot): boolean =>
    columns.some((name) => options[name]?.[a.slot] && options[name][b.slot]);
  return stretchesOf(findSlots(options, columns)).flatMap((stretch) => {
    const start = Math.min(...stretch.map((s) => s.start));
    const end = Math.max(...stretch.map((s) => s.end));
    const rows = stretch.sort((a, b) => a.rank - b.rank || a.start - b.start);
    const whole = rows.find((s) => s.start === start && s.end === end);
    if (!whole) return rows;
    const others = rows.filter((s) => s !== whole);
    return [whole, ...others.map((s) => ({ ...s, part: !together(s, whole) }))];
  });
}

function findSlots(options: Solutions[string][string], columns: readonly string[]): OrderedSlot[] {
  const found = new Map<string, OrderedSlot>();
  columns.forEach((name, rank) => {
    for (const [slot, cell] of Object.entries(options[name] ?? {})) {
      if (found.has(slot)) continue;
      const times = parseSlot(slot) ?? { start: 1440, end: 1440 };
      found.set(slot, { slot, ...times, rank, subject: cell.subject, part: false });
    }
  });
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Slots of one subject that overlap, directly or through others. */
function stretchesOf(slots: readonly OrderedSlot[]): OrderedSlot[][] {
  const stretches: OrderedSlot[][] = [];
  for (const slot of slots) {
    const joined = stretches.find((s) => s.some((other) => other.subject === slot.subject && slot.start < other.end));
    if (joined) joined.push(slot);
    else stretches.push([slot]);
  }
  return stretches;
}
