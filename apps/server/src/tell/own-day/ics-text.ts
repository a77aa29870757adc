/** Writes an iCalendar file (RFC 5545). No library does it: ical-generator writes times by the server's own zone. */
import { tzlib_get_ical_block as zoneBlock } from 'timezones-ical-library';
import type { Interval, IsoDate } from '@clinic/domain';

export interface IcsEvent extends Interval {
  readonly uid: string;
  /** Grows with every change. */
  readonly sequence: number;
  /** The date at the place; times are minutes after midnight by the clock of `zone`. */
  readonly date: IsoDate;
  readonly zone: string;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  readonly summary: string;
  readonly place: string;
}

/** The longest line, in bytes. */
const LINE_BYTES = 75;
const REFRESH = 'PT1H';

/**
 * The text of a calendar. Each zone's rules are repetitions (`RRULE`), since Outlook misreads lists of dates.
 * @param at when the calendar is read, in ISO 8601, UTC
 */
export function icsText(name: string, events: readonly IcsEvent[], at: string): string {
  const zones = [...new Set(events.map(({ zone }) => zone))].sort();
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Clinic Scheduler//Own calendar//EN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...zones.flatMap((zone) => (zoneBlock(zone)[0] ?? '').split(/\r?\n/).filter(Boolean)),
    ...events.flatMap((event) => eventLines(event, at)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

const eventLines = (event: IcsEvent, at: string): string[] => [
  'BEGIN:VEVENT',
  `UID:${event.uid}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${at.slice(0, 19).replace(/[-:]/g, '')}Z`,
  `DTSTART;TZID=${event.zone}:${moment(event.date, event.start)}`,
  `DTEND;TZID=${event.zone}:${moment(event.date, event.end)}`,
  `STATUS:${event.status}`,
  `SUMMARY:${escaped(event.summary)}`,
  `LOCATION:${escaped(event.place)}`,
  'END:VEVENT',
];

const digits = (value: number): string => String(value).padStart(2, '0');
const moment = (date: IsoDate, minute: number): string =>
  `${date.replaceAll('-', '')}T${digits(Math.floor(minute / 60))}${digits(minute % 60)}00`;

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** Folds a line at LINE_BYTES, never within a character. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
