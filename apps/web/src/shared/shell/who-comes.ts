import { parseStatus, parseWireDateTime, UNASSIGNED, type CallsReply, type WireAppointment } from '@clinic/contract';
import {
  locationLabel,
  MINUTES_A_DAY,
  nameKey,
  overlaps,
  parseTime,
  timeSlot,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
} from '@clinic/domain';
import type { ShownDay } from '../api/whole-day.ts';
import { fit } from './commands.ts';
import { parseDateWords } from './parse-date-words.ts';

/** Someone who was asked about, as in *who comes to Maria on Thursday?* */
export interface Whose {
  readonly id: string;
  readonly name: string;
  readonly type: PersonKind;
  readonly location: Location;
}
export interface Asked extends Whose {
  readonly date: IsoDate;
}

/** How many people with that name are answered for. */
const MOST_ASKED = 3;
/** Of a name, so that a letter and a date do not ask about everyone. */
const LEAST_LETTERS = 2;
const MOST_DATE_WORDS = 3;

/** The words of a question before the name, as a parent asks it. */
const ASKING = /^who\s+(?:(?:comes|is|has|sees|takes)\s+)?(?:(?:to|for|with)\s+)?/i;

/**
 * Reads a name and a day, in either order, such as `maria thursday`, `dec 3 ben` or `who comes to maria on thursday?`:
 * whom it means, and which date.
 */
export function whoAsked(
  typed: string,
  people: readonly Whose[],
  todayAt: (location: Location) => IsoDate | null,
): Asked[] {
  const words = typed
    .trim()
    .replace(/\s*\?+$/, '')
    .replace(ASKING, '')
    .split(/\s+/);
  const most = Math.min(MOST_DATE_WORDS, words.length - 1);
  const splits = Array.from({ length: Math.max(0, most) }, (_, i) => most - i).flatMap((count) => [
    [words.slice(0, -count), words.slice(-count)] as const,
    [words.slice(count), words.slice(0, count)] as const,
  ]);
  for (const [named, dated] of splits) {
    const [name, day] = [named.join(' ').replace(/\s+on$/i, ''), dated.join(' ')];
    if (name.length < LEAST_LETTERS) continue;
    const asked = people
      .filter((person) => fit(person.name, name) < Infinity)
      .sort((a, b) => fit(a.name, name) - fit(b.name, name))
      .slice(0, MOST_ASKED)
      .flatMap((person): Asked[] => {
        const today = todayAt(person.location);
        const date = today && parseDateWords(day, today);
        return date ? [{ ...person, date }] : [];
      });
    if (asked.length > 0) return asked;
  }
  return [];
}

const isSame = (a: string, b: string): boolean => nameKey(a) === nameKey(b);

const timeOf = ({ StartDateTime, EndDateTime }: WireAppointment): Interval => {
  const [from, to] = [parseWireDateTime(StartDateTime), parseWireDateTime(EndDateTime)];
  return { start: from?.minutes ?? 0, end: from && to && to.date > from.date ? MINUTES_A_DAY : (to?.minutes ?? 0) };
};

/** Whether someone is asked on the call list for this session, and has not said yes. */
const isAsked = ({ lines }: CallsReply, { key, part_of }: WireAppointment): boolean =>
  lines.some(
    ({ call, sessions }) => call === 'ask' && sessions.some((each) => each.key === key || each.key === part_of),
  );

/** What is still open about a session: nothing is said of who comes while that is so. */
function openIn(session: WireAppointment, time: Interval, day: ShownDay, calls: CallsReply): string[] {
  const uncovered = (session.uncovered ?? []).map(({ start, end }) =>
    timeSlot(parseTime(start) ?? 0, parseTime(end) ?? 0),
  );
  const isAway = day.absences.some(
    ({ name, type, startTime, endTime }) =>
      type === 'client' &&
      isSame(name, session['Client Name']) &&
      overlaps({ start: parseTime(startTime) ?? 0, end: parseTime(endTime) ?? 0 }, time),
  );
  const whole = uncovered.length === 1 && uncovered[0] === timeSlot(time.start, time.end);
  return [
    ...(isAway ? ['the child is away, not cancelled yet'] : []),
    ...(uncovered.length > 0 && !whole ? [`needs cover ${uncovered.join(', ')}`] : []),
    ...(session.needs_cover && (uncovered.length === 0 || whole) ? ['needs cover'] : []),
    ...(isAsked(calls, session) ? ['not agreed yet'] : []),
  ];
}

/** Who comes to a client on a day, or where a therapist is, one line a session. */
export function comesLines({ name, type, location }: Whose, day: ShownDay, calls: CallsReply): string[] {
  const field = type === 'client' ? 'Client Name' : 'Preferred_Provider_Name';
  const lines = day.appointments
    .filter((each) => isSame(each[field], name))
    .map((session) => ({ session, time: timeOf(session) }))
    .sort((a, b) => a.time.start - b.time.start)
    .map(({ session, time }) => {
      const at = timeSlot(time.start, time.end);
      const status = parseStatus(session.Appointment_Status);
      if (status === 'cancelled' || status === 'noshow') return `${at}: cancelled`;
      const open = openIn(session, time, day, calls);
      const therapist = session.Preferred_Provider_Name;
      const other = type === 'therapist' ? session['Client Name'] : therapist;
      if (type === 'client' && (therapist === '' || isSame(therapist, UNASSIGNED))) return `${at}: needs cover`;
      // Time that is open as a whole is nobody's: the therapist is away.
      return `${at}: ${[...(open.includes('needs cover') ? [] : [other]), ...open].join(', ')}`;
    });
  const { sessions } = day.unread;
  return [
    ...(lines.length > 0 ? lines : [`No session at ${locationLabel(location)}`]),
    ...(sessions === 0
      ? []
      : [
          sessions === 1
            ? '1 session of the day could not be read'
            : `${sessions} sessions of the day could not be read`,
        ]),
  ];
}
