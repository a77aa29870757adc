import { parseWireDateTime, type OfferedOptions } from '@clinic/contract';
import { overlaps, parseTimeOfDay, timeSlot, type Interval } from '@clinic/domain';

/**
 * Pure functions for time slots, which a proposal uses as keys: they read slots, put them into words, and arrange them
 * as a client's rows.
 */

/**
 * Reads a slot such as `8:30 AM - 11:30 AM`, with or without a subject in parentheses, or with its times in another usual
 * form; null for anything else.
 */
export function parseSlot(slot: string): Interval | null {
  const times = slot.replace(/\s*\(.*\)\s*$/s, '');
  const spaced = times.split(/\s+(?:[-–—]|to)\s+/i);
  const [from, to, ...others] = spaced.length === 2 ? spaced : times.split(/[-–—]/);
  const [start, end] = [timeIn(from), timeIn(to)];
  if (start === null || end === null || others.length > 0) return null;
  return { start, end: end <= start ? end + 1440 : end };
}

const timeIn = (text = ''): number | null => parseTimeOfDay(text) ?? parseWireDateTime(text)?.minutes ?? null;

/** A time range in words: `12:30 to 2:30 PM`, `11:30 AM to 12:30 PM`. */
export function rangeWords(start: number, end: number): string {
  const [a = '', b = ''] = timeSlot(start, end).split(' - ');
  return a.slice(-2) === b.slice(-2) ? `${a.slice(0, -3)} to ${b}` : `${a} to ${b}`;
}

const hour = (minute: number): string => {
  const past = minute % 60;
  return `${((Math.floor(minute / 60) + 11) % 12) + 1}${past === 0 ? '' : `:${String(past).padStart(2, '0')}`}`;
};

/** A piece's time without AM or PM, for a row that already shows them: `8–10`, `10:30–12`. */
export const briefRange = (start: number, end: number): string => `${hour(start)}–${hour(end)}`;

/** A client's booked session as a row of the table, with all the slots that the options have for it. */
export interface SessionSlots extends Interval {
  /** Unique among the client's sessions. If the reply names the session, it stays the same when more options arrive. */
  id: string;
  /** The key of the slot that spans the whole session; if no option has such a slot, a key made from its times. */
  slot: string;
  /** The keys of the session's slots in the reply, sorted by time. */
  slots: readonly string[];
}

interface FoundSlot extends Interval {
  slot: string;
  /** Identifies the session in the reply; pieces of different sessions are never in one row. */
  mark: string;
  /** Whether the reply names the session. If so, all pieces with this mark belong together. */
  named: boolean;
  columns: readonly string[];
}

/**
 * A client's sessions sorted by time, with their pieces in every option. If the reply does not name sessions, two
 * overlapping slots with the same subject and booked therapist count as one session, unless the same option contains
 * both; then they are separate sessions.
 */
export function sessionsOf(options: OfferedOptions[string][string], columns: readonly string[]): SessionSlots[] {
  const sessions: FoundSlot[][] = [];
  for (const slot of findSlots(options, columns)) {
    const own = sessions.find((session) => belongs(slot, session));
    if (own) own.push(slot);
    else sessions.push([slot]);
  }
  return sessions.map(rowOf).sort((a, b) => a.start - b.start || a.end - b.end);
}

function belongs(slot: FoundSlot, session: readonly FoundSlot[]): boolean {
  if (session[0]?.mark !== slot.mark) return false;
  if (slot.named) return true;
  const over = session.filter((other) => overlaps(slot, other));
  return over.length > 0 && !over.some((other) => other.columns.some((name) => slot.columns.includes(name)));
}

function rowOf(session: readonly FoundSlot[]): SessionSlots {
  const start = Math.min(...session.map((s) => s.start));
  const end = Math.max(...session.map((s) => s.end));
  const whole = session.find((s) => s.start === start && s.end === end);
  const [first] = session;
  return {
    id: (first?.named ? first.mark : first?.slot) ?? '',
    slot: whole?.slot ?? timeSlot(start, end),
    start,
    end,
    slots: session.map((s) => s.slot),
  };
}

function findSlots(options: OfferedOptions[string][string], columns: readonly string[]): FoundSlot[] {
  const found = new Map<string, FoundSlot>();
  for (const name of columns) {
    for (const [slot, cell] of Object.entries(options[name] ?? {})) {
      const times = parseSlot(slot) ?? { start: 1440, end: 1440 };
      const mark = cell.session ?? JSON.stringify([cell.subject, cell.from]);
      const before = found.get(slot)?.columns ?? [];
      found.set(slot, { slot, ...times, mark, named: cell.session !== undefined, columns: [...before, name] });
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}
