import type { Holiday } from '@clinic/contract';
import { addDays, daysBetween, formatTime, parseDate, tidyText, type IsoDate } from '@clinic/domain';
import { refusal } from '../../platform/refusal.ts';

/** How many days ahead holidays are read, and how many days one of them may have. */
const DAYS_AHEAD = 732;
const MOST_DAYS = 31;

/** A moment of an .ics file: a date, and the minute if it has a time. */
interface Moment {
  readonly date: IsoDate;
  readonly minute: number | null;
}

/** A property's value and its parameters. */
interface Property {
  readonly value: string;
  readonly parameters: string;
}

/**
 * Reads the holidays of the coming two years from an .ics file (RFC 5545): events of whole days, and events of one day
 * with times by the clinic's clock. Leaves out, by name, what it does not understand: events that repeat, times of another
 * zone, and what is too long. Refuses a file that is not a calendar.
 */
export function readIcs(text: string, today: IsoDate): { holidays: Holiday[]; leftOut: string[] } {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  if (
    lines
      .find((line) => line.trim() !== '')
      ?.replace(/^\uFEFF/, '')
      .trim()
      .toUpperCase() !== 'BEGIN:VCALENDAR'
  )
    throw refusal('not-an-ics-file', 'it does not begin like a calendar');
  const holidays: Holiday[] = [];
  const leftOut: string[] = [];
  for (const event of eventsOf(lines)) {
    const name = nameOf(event);
    const read = readEvent(event, name);
    if (typeof read === 'string') leftOut.push(`${name === '' ? 'An event without a name' : name}: ${read}`);
    else holidays.push(...read.filter(({ date }) => date >= today && daysBetween(today, date) <= DAYS_AHEAD));
  }
  const key = ({ date, from_time, name }: Holiday): string => `${date} ${from_time} ${name}`;
  const unique = new Map(holidays.map((each) => [key(each), each]));
  return { holidays: [...unique.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)), leftOut };
}

function eventsOf(lines: readonly string[]): Map<string, Property>[] {
  const events: Map<string, Property>[] = [];
  let inside: Map<string, Property> | null = null;
  /** What is nested in an event, such as an alarm, is not read. */
  let depth = 0;
  for (const line of lines) {
    const found = /^([A-Za-z-]+)((?:;[^:"]*(?:"[^"]*")?)*):(.*)$/.exec(line);
    if (!found) continue;
    const [, name = '', parameters = '', value = ''] = found;
    const upper = name.toUpperCase();
    const isEvent = value.trim().toUpperCase() === 'VEVENT';
    if (upper === 'BEGIN' && isEvent) [inside, depth] = [new Map(), 0];
    else if (upper === 'END' && isEvent && inside) {
      events.push(inside);
      inside = null;
    } else if (upper === 'BEGIN') depth += 1;
    else if (upper === 'END') depth -= 1;
    else if (inside && depth === 0) inside.set(upper, { value, parameters: parameters.toUpperCase() });
  }
  return events;
}

const nameOf = (event: ReadonlyMap<string, Property>): string =>
  tidyText((event.get('SUMMARY')?.value ?? '').replace(/\\n/gi, ' ').replace(/\\([\\;,])/g, '$1'))
    .slice(0, 80)
    .trim();

/** An event as holidays, one for each of its dates; a sentence if it is not understood. */
function readEvent(event: ReadonlyMap<string, Property>, name: string): Holiday[] | string {
  if (name === '') return 'it has no name';
  if (event.get('STATUS')?.value.toUpperCase() === 'CANCELLED') return 'it is cancelled';
  if (event.has('RRULE') || event.has('RDATE')) return 'it repeats; add each of its days by hand';
  if (event.has('DURATION')) return 'it has a length instead of an end';
  const start = momentOf(event.get('DTSTART'));
  if (start === null) return 'its beginning is not a date, or a time of another zone';
  const end = event.has('DTEND') ? momentOf(event.get('DTEND')) : start;
  if (end === null || (end.minute === null) !== (start.minute === null)) return 'its end cannot be read';
  if (start.minute !== null && end.minute !== null) {
    if (start.date !== end.date || end.minute <= start.minute) return 'it has times, and is not within one day';
    return [
      { location: null, date: start.date, from_time: formatTime(start.minute), to_time: formatTime(end.minute), name },
    ];
  }
  // The end of an event of whole days is the day after the last one.
  const days = end.date > start.date ? daysBetween(start.date, end.date) : 1;
  if (days > MOST_DAYS) return `it has ${days} days`;
  return Array.from({ length: days }, (_, i) => ({
    location: null,
    date: addDays(start.date, i),
    from_time: '00:00',
    to_time: '24:00',
    name,
  }));
}

/** A date (`20261126`), or a time by the clinic's clock (`20261224T120000`). A time of a zone is not the clinic's. */
function momentOf(property: Property | undefined): Moment | null {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d)\d\d)?$/.exec(property?.value.trim() ?? '');
  if (!found || (property?.parameters.includes('TZID') && !property.parameters.includes('AMERICA/NEW_YORK')))
    return null;
  const [, year, month, day, hour, minute] = found;
  const date = parseDate(`${year}-${month}-${day}`);
  return date && { date, minute: hour === undefined ? null : Number(hour) * 60 + Number(minute) };
}
