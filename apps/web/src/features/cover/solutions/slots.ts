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

const hour = (minute: number): string => {
  const past = minute % 60;
  return `${((Math.floor(minute / 60) + 11) % 12) + 1}${past === 0 ? '' : `:${String(past).padStart(2, '0')}`}`;
};

/** `8–10`, `10:30–12`: a piece of a session whose row says morning or afternoon. */
export const briefRange = (start: number, end: number): string => `${hour(start)}–${hour(end)}`;

/** One booked session of a client, as a row: the slots into which options cut it, or the one that takes it whole. */
export interface SessionSlots {
  /** The key of the slot that takes it whole; where no option does, one made of its times. */
  slot: string;
  /** Minutes after midnight. */
  start: number;
  end: number;
  /** The solution's own keys, by time. */
  slots: readonly string[];
}

interface FoundSlot {
  slot: string;
  start: number;
  end: number;
  /** What the reply says of the session: pieces of different ones never share a row. */
  mark: string;
  /** The reply names the session: pieces with this mark belong together, wherever they are. */
  named: boolean;
  columns: readonly string[];
}

/**
 * A client's sessions by time, each with its pieces in every option. Without the session's name in the reply, slots of one
 * subject and booked therapist that overlap are one session, unless one option has both: then they are two at a time.
 */
export function sessionsOf(options: Solutions[string][string], columns: readonly string[]): SessionSlots[] {
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
  const over = session.filter((other) => slot.start < other.end && other.start < slot.end);
  return over.length > 0 && !over.some((other) => other.columns.some((name) => slot.columns.includes(name)));
}

function rowOf(session: readonly FoundSlot[]): SessionSlots {
  const start = Math.min(...session.map((s) => s.start));
  const end = Math.max(...session.map((s) => s.end));
  const whole = session.find((s) => s.start === start && s.end === end);
  return { slot: whole?.slot ?? timeSlot(start, end), start, end, slots: session.map((s) => s.slot) };
}

function findSlots(options: Solutions[string][string], columns: readonly string[]): FoundSlot[] {
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
