import { formatWireDateTime, parseStatus, parseWireDateTime, type SlotsReply } from '@clinic/contract';
import {
  MINUTES_A_DAY,
  addDays,
  daysBetween,
  formatTime,
  intersect,
  isPersonKind,
  parseTime,
  parseTimeOfDay,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { wallTime } from '../clinic-clock.ts';
import { isRecord } from './client.ts';
import { flag, listOf, nullable, number, text, withFields, words, type Read } from './lenient.ts';

/** How many entries of a day could not be read, and so are not shown. */
export interface Unread {
  readonly sessions: number;
  readonly availabilities: number;
  readonly absences: number;
}

/** A location's day as the pages use it. */
export type ShownDay = SlotsReply & { readonly unread: Unread };

/** The day that was asked for. */
interface Asked {
  readonly location: Location;
  readonly date: IsoDate;
}

/** What one entry of a list reads as: `none` of this day's, or null if it cannot be read. */
type Entry<T> = T | 'none' | null;

type Received = Partial<SlotsReply> & Pick<SlotsReply, 'appointments' | 'availabilities'>;

/**
 * Reads the reply to `GET /slots`. Our server sends more fields than the specification names; another one may leave them
 * out, write times in another usual form, or send sessions of other days. Whatever is of this day is shown, cut at its
 * midnights. What cannot be read is counted. Without `people`, everyone booked or available gets a row, and an
 * appointment without a therapist is unassigned.
 */
export function wholeDay(reply: Received, on: Asked): ShownDay {
  const sessions = readAll(reply.appointments, (each) => readSession(each, on));
  const availabilities = readAll(reply.availabilities, (each) => readAvailability(each, on));
  const absences = readAll(reply.absences, readAbsence);
  return {
    ...reply,
    appointments: sessions.read,
    availabilities: availabilities.read,
    absences: absences.read,
    people: readAll(reply.people, readPerson).read,
    closed: listOf(readClosed)(reply.closed),
    to_cancel: number(reply.to_cancel),
    version: number(reply.version) ?? 0,
    now: text(reply.now) ?? '',
    unread: { sessions: sessions.unread, availabilities: availabilities.unread, absences: absences.unread },
  };
}

function readAll<T extends object>(list: unknown, read: (entry: unknown, index: number) => Entry<T>) {
  const all = Array.isArray(list) ? list.map(read) : [];
  const isRead = (entry: Entry<T>): entry is T => entry !== null && entry !== 'none';
  return { read: all.filter(isRead), unread: all.filter((entry) => entry === null).length };
}

/**
 * A date and time as minutes after the midnight with which the date begins; null if the text has none. A time without a
 * date is of that date, and one with a zone is the clinic's own at that moment.
 */
function minutesOn(value: unknown, { location, date }: Asked): number | null {
  const given = text(value);
  if (given === undefined) return null;
  const read = parseWireDateTime(given);
  if (!read) return parseTimeOfDay(given);
  const { offset } = read;
  const instant = offset === undefined ? null : Date.parse(`${read.date}T00:00:00Z`) + (read.minutes - offset) * 60_000;
  const wall = instant === null ? read : wallTime(location, instant);
  return daysBetween(date, wall.date) * MINUTES_A_DAY + wall.minutes;
}

const DAY = { start: 0, end: MINUTES_A_DAY };

/** The part of a time that is on the day. An end at midnight of the same date is the end of that date. */
function timeOn(from: unknown, to: unknown, on: Asked): Entry<Interval> {
  const start = minutesOn(from, on);
  const given = minutesOn(to, on);
  if (start === null || given === null) return null;
  const isMidnight = given % MINUTES_A_DAY === 0 && given <= start && start < given + MINUTES_A_DAY;
  const end = isMidnight ? given + MINUTES_A_DAY : given;
  if (end <= start) return null;
  return intersect({ start, end }, DAY) ?? 'none';
}

const readLoss: Read<object> = (value) =>
  isRecord(value)
    ? withFields(value, {
        cause: nullable(text),
        label: nullable(text),
        lost_by: text,
        known: nullable(text),
        late: nullable(flag),
      })
    : undefined;

/** The fields of a session that our server adds; each is left out if it is of another kind. */
const SESSION_FIELDS: Readonly<Record<string, Read<unknown>>> = {
  key: text,
  version: number,
  service: text,
  needs_cover: flag,
  uncovered: listOf((each) => (isRecord(each) && text(each['start']) && text(each['end']) ? each : undefined)),
  clash: flag,
  group: nullable(text),
  booked_with: text,
  had_nobody: flag,
  part_of: text,
  loss: readLoss,
};

/** A session without a client's name is shown: someone's time is taken. */
const NO_NAME = 'No name';

function readSession(entry: unknown, on: Asked): Entry<SlotsReply['appointments'][number]> {
  if (!isRecord(entry)) return null;
  const status = words(entry['Appointment_Status']) ?? '';
  if (parseStatus(status) === 'entered-in-error') return 'none';
  const time = timeOn(entry['StartDateTime'], entry['EndDateTime'], on);
  if (time === null || time === 'none') return time;
  const field = (name: string): string => words(entry[name]) ?? '';
  return {
    ...withFields(entry, SESSION_FIELDS),
    Id: field('Id'),
    StartDateTime: formatWireDateTime(on.date, time.start),
    EndDateTime: formatWireDateTime(on.date, time.end),
    Subject: field('Subject'),
    Preferred_Provider_Name: field('Preferred_Provider_Name'),
    Appointment_Status: status,
    'Client Name': field('Client Name') || NO_NAME,
    Location: field('Location'),
    'Location Group': field('Location Group'),
  };
}

function readAvailability(entry: unknown, on: Asked): Entry<SlotsReply['availabilities'][number]> {
  const name = isRecord(entry) && text(entry['therapist_name']);
  if (!isRecord(entry) || !name) return null;
  const time = timeOn(entry['start_time'], entry['end_time'], on);
  if (time === null || time === 'none') return time;
  const at = (minutes: number): string =>
    minutes < MINUTES_A_DAY ? `${on.date}T${formatTime(minutes)}:00` : `${addDays(on.date, 1)}T00:00:00`;
  return { therapist_name: name, start_time: at(time.start), end_time: at(time.end), location: on.location };
}

function readAbsence(entry: unknown, index: number): Entry<SlotsReply['absences'][number]> {
  if (!isRecord(entry)) return null;
  const [name, type] = [text(entry['name']), text(entry['type'])?.toLowerCase()];
  const start = parseTimeOfDay(text(entry['startTime']) ?? '');
  const end = parseTimeOfDay(text(entry['endTime']) ?? '');
  if (!name || !isPersonKind(type) || start === null || end === null || end <= start) return null;
  return {
    ...withFields(entry, { former: flag, untold: flag, loss: readLoss }),
    id: words(entry['id']) ?? `${type} ${name} ${index}`,
    name,
    type,
    startTime: formatTime(start),
    endTime: formatTime(Math.min(end, MINUTES_A_DAY - 1)),
  };
}

function readClosed(entry: unknown): NonNullable<SlotsReply['closed']>[number] | undefined {
  if (!isRecord(entry)) return undefined;
  const [start, end, name] = [text(entry['start']), text(entry['end']), text(entry['name'])];
  const isTime = (time: string | undefined): time is string => time !== undefined && parseTime(time) !== null;
  return isTime(start) && isTime(end) && name !== undefined ? { start, end, name } : undefined;
}

function readPerson(entry: unknown): Entry<SlotsReply['people'][number]> {
  if (!isRecord(entry)) return 'none';
  const [name, type] = [text(entry['name']), text(entry['type'])?.toLowerCase()];
  if (!name || !isPersonKind(type)) return 'none';
  return { ...withFields(entry, { credential: text, former: flag }), id: words(entry['id']) ?? '', name, type };
}
