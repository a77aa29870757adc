import { createHash } from 'node:crypto';
import {
  dayOfWeek,
  daysBetween,
  isoDate,
  overlaps,
  randomFrom,
  type Interval,
  type IsoDate,
  type Location,
  type Random,
} from '@clinic/domain';
import type { AppointmentRow, AppointmentStatus, BookedColumns } from '../schema/calendar.ts';
import type { DeclinedTime } from '../schema/calls.ts';
import { demoLoss, NOT_LOST, type DemoLoss } from './losses.ts';
import type { DemoClient, DemoTherapist } from './people.ts';
import { isFree, mayServe, type WeekDraft, type WeeklySession } from './week-draft.ts';

/** An appointment row, ready to be inserted. */
export type DemoAppointment = DemoLoss & Readonly<BookedColumns & Pick<AppointmentRow, 'id' | 'wire_id'>>;

/** The share of past sessions that a stand-in took, so that children also know therapists outside their team. */
const STOOD_IN = 0.06;

/** The share of past sessions that make up for a lost session. */
const MADE_UP = 0.015;

/** A therapist who said no to a past session, before the stand-in was asked. */
export interface DemoRefusal {
  readonly location: Location;
  readonly date: IsoDate;
  readonly therapist_id: string;
  readonly session: string;
  readonly saidTo: DeclinedTime;
}

/** One location's demo rows on one date. */
export interface DemoDay {
  readonly appointments: readonly DemoAppointment[];
  readonly refusals: readonly DemoRefusal[];
}

interface PlannedDay {
  readonly sessions: readonly WeeklySession[];
  readonly statuses: ReadonlyMap<WeeklySession, AppointmentStatus>;
  readonly standIns: ReadonlyMap<WeeklySession, StandIn>;
}

function planDay(week: WeekDraft, date: IsoDate, today: IsoDate): PlannedDay {
  const random = randomFrom(`demo day ${week.location} ${date}`);
  const ahead = daysBetween(today, date);
  const parity = Math.floor(daysBetween(isoDate('2024-01-01'), date) / 7) & 1;
  const sessions = week.sessions
    .filter((s) => s.day === dayOfWeek(date) && (s.parity === null || s.parity === parity))
    .filter((s) => s.service === 'admin' || s.therapist !== null || ahead >= 0);
  const statuses = decideStatuses(sessions, ahead, random);
  const standIns =
    ahead < 0 ? findStandIns(week, sessions, dayOfWeek(date), random) : new Map<WeeklySession, StandIn>();
  return { sessions, statuses, standIns };
}

/**
 * Makes one location's sessions and refusals on one date from its weekly schedule. The same arguments give the same
 * rows with the same ids.
 */
export function demoDay(week: WeekDraft, date: IsoDate, today: IsoDate): DemoDay {
  const planned = planDay(week, date, today);
  return {
    appointments: appointmentsOf(planned, week.location, date, today),
    refusals: date < today ? refusalsOf(planned, week.location, date) : [],
  };
}

const idOf = (location: Location, date: IsoDate, i: number): string => uuidFor(`${location} ${date} ${i}`);

/**
 * Makes a day's appointments. Past days are completed; they have cancellations with causes, no-shows, make-up sessions
 * and stand-ins. Today has at least one cancellation, one no-show and some unassigned sessions. Future days are
 * confirmed or scheduled.
 */
function appointmentsOf(
  { sessions, statuses, standIns }: PlannedDay,
  location: Location,
  date: IsoDate,
  today: IsoDate,
): DemoAppointment[] {
  const random = randomFrom(`demo losses ${location} ${date}`);
  const past = date < today;
  const losses = new Map<DemoClient | null, DemoLoss>();
  return sessions.map((s, i) => {
    const id = idOf(location, date, i);
    const group = s.group === null ? null : uuidFor(`${location} ${date} ${s.group}`);
    const status = statuses.get(s) ?? 'booked';
    const lost = past && (status === 'cancelled' || status === 'noshow');
    // Supervision that is lost along with its session has the same cause.
    const loss = lost ? (losses.get(s.client) ?? demoLoss(status, { date, start: clock(s.start) }, random)) : NOT_LOST;
    if (lost) losses.set(s.client, loss);
    const standIn = standIns.get(s)?.therapist;
    const single = s.service === 'direct' && group === null && s.client?.twoToOne === false;
    const madeUp = past && !lost && single && !standIn && random.chance(MADE_UP);
    return {
      id,
      wire_id: `APT-${date.replaceAll('-', '').slice(2)}-${location.slice(0, 1).toUpperCase()}${String(i + 1).padStart(3, '0')}`,
      location,
      client_id: s.client?.id ?? null,
      therapist_id: (standIn ?? s.therapist)?.id ?? null,
      booked_therapist_id: standIn ? (s.therapist?.id ?? null) : null,
      service: s.service,
      subject: madeUp ? 'Make-up session' : s.subject,
      status,
      starts: `${date} ${clock(s.start)}`,
      ends: `${date} ${clock(s.end)}`,
      place: group === null ? id : `group:${group}`,
      client_place: id,
      seat: s.seat,
      group_key: group,
      ...loss,
    };
  });
}

/**
 * Invents a refusal for each session with a stand-in: another therapist who was free said no. Skips a session if no one
 * else was free.
 */
const refusalsOf = ({ sessions, standIns }: PlannedDay, location: Location, date: IsoDate): DemoRefusal[] =>
  sessions.flatMap((s, i) => {
    const [refused] = standIns.get(s)?.others ?? [];
    if (!refused) return [];
    const saidTo = { client: s.client?.id ?? null, start: s.start, end: s.end };
    return [{ location, date, therapist_id: refused.id, session: idOf(location, date, i), saidTo }];
  });

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;

/** Derives a UUID from a string (version 8 of RFC 9562); the same string always gives the same UUID. */
function uuidFor(text: string): string {
  const h = createHash('sha256').update(`demo ${text}`).digest('hex');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-8${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

function decideStatuses(
  sessions: readonly WeeklySession[],
  ahead: number,
  random: Random,
): Map<WeeklySession, AppointmentStatus> {
  const usual = (): AppointmentStatus => {
    if (ahead < 0) return 'fulfilled';
    return random.chance(ahead === 0 ? 0.88 : ahead < 7 ? 0.6 : 0.2) ? 'booked' : 'pending';
  };
  const statuses = new Map(sessions.map((s) => [s, s.therapist === null && s.client ? ('pending' as const) : usual()]));
  const single = sessions.filter(
    (s) => s.service === 'direct' && s.therapist !== null && s.group === null && s.client?.twoToOne === false,
  );
  const off = single
    .filter(() => random.chance(ahead < 0 ? 0.05 : 0.01))
    .map((s) => ({ s, noShow: ahead < 0 && random.chance(0.3) }));
  if (ahead === 0) {
    // Today's no-show is in the morning, because afternoon sessions may not have begun yet.
    const [noShow] = random.shuffle(single.filter((s) => s.start < 9 * 60));
    const [cancelled] = random.shuffle(single.filter((s) => s.start >= 12 * 60 && s.client !== noShow?.client));
    off.length = 0;
    if (noShow) off.push({ s: noShow, noShow: true });
    if (cancelled) off.push({ s: cancelled, noShow: false });
  }
  for (const { s, noShow } of off) {
    const status = noShow ? 'noshow' : 'cancelled';
    for (const other of sessions) {
      // If a session is cancelled, so is its supervision.
      const along = other.client === s.client && other.service === 'supervision' && overlaps(other, s);
      if (other === s || along) statuses.set(other, status);
    }
  }
  return statuses;
}

interface StandIn {
  readonly therapist: DemoTherapist;
  /** The other therapists who were free and may serve the child. */
  readonly others: readonly DemoTherapist[];
}

/** Gives some past sessions a stand-in: a therapist who was free and may serve the child. */
function findStandIns(
  week: WeekDraft,
  sessions: readonly WeeklySession[],
  day: number,
  random: Random,
): Map<WeeklySession, StandIn> {
  const standIns = new Map<WeeklySession, StandIn>();
  const taken: { therapist: DemoTherapist; when: Interval }[] = [];
  for (const s of sessions) {
    const { client } = s;
    if (s.service !== 'direct' || s.group !== null || !s.therapist || !client || client.careTeamOnly) continue;
    if (!random.chance(STOOD_IN)) continue;
    const free = week.therapists.filter(
      (t) =>
        t.specialization !== 'BCBA' &&
        mayServe(client, t) &&
        week.excluded.get(client) !== t &&
        isFree(week, t, day, s) &&
        !taken.some((x) => x.therapist === t && overlaps(x.when, s)),
    );
    if (free.length === 0) continue;
    const therapist = random.pick(free);
    taken.push({ therapist, when: s });
    standIns.set(s, { therapist, others: free.filter((t) => t !== therapist) });
  }
  return standIns;
}
