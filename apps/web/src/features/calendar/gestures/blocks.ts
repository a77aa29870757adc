import { MINUTES_A_DAY, clockTime, overlaps, subtract, union, type Interval, type IsoDate } from '@clinic/domain';
import { isOff, isUnassigned, keyOf, type CalendarAppointment } from '../appointments.ts';
import type { Bar } from '../bars.ts';
import type { Day } from '../rows.ts';
import type { Closed } from '../week.ts';

/** What is known of the date of a row: it decides where a session can be. */
export interface Ground {
  readonly date: IsoDate;
  readonly day: Day;
  readonly availableOf: (therapist: string) => readonly Interval[];
  readonly closed: readonly Closed[];
  /** Who has a session that is moved to this row; undefined for the person who has it now, null for no one. */
  readonly therapist: string | null | undefined;
  /** The child whose row it is, when only that child's sessions can be in it. */
  readonly client?: string | undefined;
  /** What is said of a place in the row: `on Tue 24`, `with Ana Ruiz`. */
  readonly words: string;
}

/** A time that is taken, and why, in a sentence. */
export interface Block extends Interval {
  readonly why: string;
}

/** The session of a bar that can be moved by itself; null for a piece, a group, or a session that is over or off. */
export function movable(bar: Bar): CalendarAppointment | null {
  const [session, ...others] = bar.appointments;
  if (!session || others.length > 0 || bar.joins !== null || session.key === null) return null;
  return session.status === 'booked' || session.status === 'pending' ? session : null;
}

/** When a therapist does not work, in sentences. */
function offHours(name: string, windows: readonly Interval[]): Block[] {
  const gaps = subtract([{ start: 0, end: MINUTES_A_DAY }], windows);
  return gaps.map(({ start, end }) => ({
    start,
    end,
    why:
      windows.length === 0
        ? `${name} does not work that day`
        : start === 0
          ? `${name} works from ${clockTime(end)}`
          : end === MINUTES_A_DAY
            ? `${name} works until ${clockTime(start)}`
            : `${name} does not work ${clockTime(start)} - ${clockTime(end)}`,
  }));
}

const isWith = (of: readonly CalendarAppointment[], key: string, person: 'therapistKey' | 'clientKey') =>
  of.filter((each) => each[person] === key && !each.admin && !isOff(each));

/** Which times of a row a session cannot have. Booking by hand asks the same; the server checks all of it again. */
export function blocksIn(ground: Ground, session: CalendarAppointment | null): Block[] {
  const { day } = ground;
  const others = day.appointments.filter((each) => each.key === null || each.key !== session?.key);
  const blocks: Block[] = ground.closed.map(({ start, end, name }) => ({ start, end, why: `${name}: closed then` }));
  const away = (type: 'therapist' | 'client', name: string): void => {
    for (const { start, end } of day.stored.filter((each) => each.type === type && each.key === keyOf(name)))
      blocks.push({ start, end, why: `${name} is away ${start === 0 ? '' : `from ${clockTime(start)}`}`.trim() });
  };
  const therapist = ground.therapist === undefined ? (session?.therapist ?? null) : ground.therapist;
  if (therapist !== null && !isUnassigned(therapist)) {
    const key = keyOf(therapist);
    blocks.push(...offHours(therapist, union(ground.availableOf(therapist))));
    away('therapist', therapist);
    if (session?.admin !== true)
      for (const { start, end, client } of isWith(others, key, 'therapistKey'))
        blocks.push({ start, end, why: `${therapist} is with ${client} from ${clockTime(start)}` });
  }
  const client = session && !session.admin ? session.client : ground.client;
  if (client === undefined) return blocks;
  if (ground.client !== undefined && keyOf(ground.client) !== keyOf(client))
    blocks.push({ start: 0, end: MINUTES_A_DAY, why: `This session is ${client}’s` });
  away('client', client);
  const own = isWith(others, keyOf(client), 'clientKey').filter((each) => !each.supervision);
  // A child who has two sessions at once now is one who may.
  if (
    session?.supervision !== true &&
    !(session && own.some((each) => overlaps(each, session) && each.date === session.date))
  )
    for (const each of own)
      blocks.push({
        start: each.start,
        end: each.end,
        why: `${client} is with ${isUnassigned(each.therapist) ? 'someone' : each.therapist} from ${clockTime(each.start)}`,
      });
  return blocks;
}
