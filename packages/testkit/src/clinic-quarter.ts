/**
 * A seeded clinic over many working days, for the simulated quarter: the same week repeats, with everyday absences and
 * cancellations. Hours and absences follow `clinic-shapes.ts`; the people are invented. There are 1.1 children a
 * therapist, and 58 to 61 % of the technicians' hours are booked, as in real day plans: where nearly every hour is
 * booked, no formula for load or priority can show what it does. About 10 % of the therapists are away on a day, and 5 %
 * of the families cancel.
 */
import type { Credential, Gender } from '@clinic/cover-engine';
import {
  addDays,
  dayOfWeek,
  isoDate,
  MINUTES_A_DAY,
  randomFrom,
  type Interval,
  type IsoDate,
  type Random,
} from '@clinic/domain';
import {
  at,
  BCBA_DAYS,
  CLIENT_ABSENCES,
  CLIENT_DAYS,
  hourFrom,
  oneWindow,
  OTHER_DAYS,
  THERAPIST_ABSENCES,
  windows,
} from './clinic-shapes.ts';
import { Day } from './day.ts';
import { peopleNames } from './names.ts';

export interface QuarterTherapist {
  readonly id: string;
  readonly name: string;
  readonly credential: Credential;
  readonly gender: Gender;
  /** Availability windows by weekday: 1 is Monday, 5 is Friday. */
  readonly available: ReadonlyMap<number, readonly Interval[]>;
  readonly week_minutes: number | null;
  readonly day_minutes: number | null;
  readonly guaranteed_minutes: number | null;
}

export interface QuarterClient {
  readonly id: string;
  readonly name: string;
  readonly requiresGender: readonly Gender[];
  readonly excludes: readonly string[];
  readonly careTeamOnly: boolean;
  readonly rbtOrAbove: boolean;
}

export interface WeeklySession extends Interval {
  readonly id: string;
  readonly client: string;
  readonly therapist: string;
  readonly service: 'direct' | 'supervision';
}

export interface QuarterAbsence extends Interval {
  readonly who: string;
}

export interface QuarterDay {
  readonly date: IsoDate;
  readonly absences: readonly QuarterAbsence[];
}

export interface Quarter {
  readonly therapists: readonly QuarterTherapist[];
  readonly clients: readonly QuarterClient[];
  /** The weekly sessions by day of the week: 1 is Monday, 5 is Friday. */
  readonly week: ReadonlyMap<number, readonly WeeklySession[]>;
  readonly days: readonly QuarterDay[];
}

/**
 * `usual`: hours as in real day plans, with some time between sessions. `full`: all therapists and children come in the
 * same two blocks a day, and nearly all of these hours are booked, so there is hardly a choice of who covers.
 */
export type QuarterShape = 'usual' | 'full';

export interface QuarterOptions {
  readonly seed: number;
  readonly therapists: number;
  readonly clients: number;
  readonly days: number;
  /** `usual` by default. */
  readonly shape?: QuarterShape;
}

const FIRST_DAY = isoDate('2026-09-07');
/**
 * Each therapist's daily chance to call out is drawn from the first list, each family's chance to cancel from the
 * second.
 */
const CALLS_OUT = [0.05, 0.08, 0.1, 0.15] as const;
const CANCELS = [0.03, 0.05, 0.05, 0.08] as const;
/** Therapists' and children's hours in a clinic of the shape `full`, with weights. */
const SHIFTS = [
  ['08:00-16:00', 6],
  ['08:00-17:00', 2],
  ['08:30-16:30', 2],
] as const;
const BLOCKS = [
  ['08:30-11:30 12:30-15:30', 12],
  ['08:30-11:30', 4],
  ['12:30-15:30', 4],
  ['09:00-12:00 13:00-16:00', 1],
] as const;
/** The chance that a therapist takes a week's leave in the quarter. */
const LEAVE = 0.25;
/** The maximum number of booked minutes a week for one therapist. */
const MOST_BOOKED = 60 * 27;

/** Makes a quarter. The same options give the same quarter. */
export function clinicQuarter(options: QuarterOptions): Quarter {
  const random = randomFrom(options.seed);
  const shape = options.shape ?? 'usual';
  const people = staff(random, options.therapists, shape);
  const clients = families(random, options.clients, people);
  const week = bookWeek(random, people, clients, shape);
  const therapists = people.map((t) => ({
    ...t,
    available: hoursAtWork(random, t, week),
    guaranteed_minutes: shape === 'usual' ? guarantee(random, t, week) : t.guaranteed_minutes,
    week_minutes: random.chance(0.3) ? Math.min(40, Math.ceil(bookedHours(t, week)) + random.int(2, 8)) * 60 : null,
  }));
  return { therapists, clients, week, days: liveThrough(random, therapists, clients, options.days) };
}

type Hired = Omit<QuarterTherapist, 'available' | 'week_minutes'> & { readonly usual: readonly Interval[] };

const bookedHours = (t: Hired, week: Quarter['week']): number =>
  [...week.values()].flat().reduce((n, s) => n + (s.therapist === t.id ? (s.end - s.start) / 60 : 0), 0);

/** A usual clinic guarantees no more hours than it books, so only cancellations bring someone below their guarantee. */
const guarantee = (random: Random, t: Hired, week: Quarter['week']): number | null =>
  t.guaranteed_minutes === null ? null : Math.max(0, Math.floor(bookedHours(t, week)) - random.int(0, 3)) * 60;

/** Therapists are available for their usual hours; BCBAs for half a day, and during their own sessions. */
function hoursAtWork(random: Random, t: Hired, week: Quarter['week']): Map<number, readonly Interval[]> {
  return new Map(
    [...week].map(([weekday, sessions]) => {
      if (t.credential !== 'BCBA') return [weekday, t.usual] as const;
      const half = oneWindow(random.chance(0.5) ? '09:00-12:00' : '13:00-16:00');
      const own = sessions.filter((s) => s.therapist === t.id).map(({ start, end }) => ({ start, end }));
      return [weekday, [half, ...own]] as const;
    }),
  );
}

function staff(random: Random, count: number, shape: QuarterShape): Hired[] {
  const bcbas = Math.max(1, Math.round(count * 0.12));
  return peopleNames(random, count).map((name, i) => {
    const credential: Credential = i < bcbas ? 'BCBA' : random.chance(0.75) ? 'RBT' : 'BT';
    const days = credential === 'BCBA' ? BCBA_DAYS : shape === 'usual' ? OTHER_DAYS : SHIFTS;
    const usual = windows(random.weighted(days));
    return {
      id: `T${i + 1}`,
      name,
      credential,
      gender: random.chance(0.78) ? 'Female' : 'Male',
      usual,
      day_minutes: null,
      guaranteed_minutes: random.chance(0.2) ? random.int(15, 25) * 60 : null,
    };
  });
}

function families(random: Random, count: number, team: readonly Hired[]): QuarterClient[] {
  return peopleNames(random, count).map((name, i) => ({
    id: `C${i + 1}`,
    name,
    requiresGender: random.chance(0.14) ? [random.chance(0.88) ? 'Female' : 'Male'] : [],
    excludes: random.chance(0.2) ? [random.pick(team).id] : [],
    careTeamOnly: random.chance(0.05),
    rbtOrAbove: random.chance(0.1),
  }));
}

const mayServe = (t: Hired, c: QuarterClient): boolean =>
  (c.requiresGender.length === 0 || c.requiresGender.includes(t.gender)) &&
  !c.excludes.includes(t.id) &&
  !(c.rbtOrAbove && t.credential === 'BT');

/**
 * Books the week. Each client has a team of four and comes on three to five days a week. Each session goes to a free
 * team member. If none is free, it goes to another therapist, unless the client sees only the care team. A usual clinic
 * books those clients first, since they are the hardest to place.
 */
function bookWeek(
  random: Random,
  therapists: readonly Hired[],
  clients: readonly QuarterClient[],
  shape: QuarterShape,
): Map<number, WeeklySession[]> {
  const hands = therapists.filter((t) => t.credential !== 'BCBA');
  const leads = therapists.filter((t) => t.credential === 'BCBA');
  const teams = new Map(
    clients.map((c) => [
      c.id,
      random
        .sample(
          hands.filter((t) => mayServe(t, c)),
          4,
        )
        .map(({ id }) => id),
    ]),
  );
  const usual = new Map(clients.map((c) => [c.id, windows(random.weighted(shape === 'usual' ? CLIENT_DAYS : BLOCKS))]));
  const leadOf = new Map(clients.map((c) => [c.id, random.pick(leads).id]));
  const daysOf = new Map(clients.map((c) => [c.id, random.sample([1, 2, 3, 4, 5], random.pick([3, 4, 5, 5]))]));
  const week = new Map<number, WeeklySession[]>();
  // Booked minutes a week by therapist, to spread the work evenly.
  const booked = new Map<string, number>();
  for (let weekday = 1; weekday <= 5; weekday++) {
    const day = new Day(random);
    for (const t of therapists) day.hours.set(t.id, [...t.usual]);
    const inOrder = random.shuffle(clients);
    if (shape === 'usual') inOrder.sort((a, b) => Number(b.careTeamOnly) - Number(a.careTeamOnly));
    for (const client of inOrder) {
      if (!daysOf.get(client.id)?.includes(weekday)) continue;
      for (const window of usual.get(client.id) ?? []) {
        const least = (ids: readonly string[]) =>
          ids.toSorted((a, b) => (booked.get(a) ?? 0) - (booked.get(b) ?? 0))[0];
        const own = teams.get(client.id)?.filter((id) => day.free(id, window)) ?? [];
        const any = hands.filter((t) => mayServe(t, client) && day.free(t.id, window)).map(({ id }) => id);
        const room = (id: string) => (booked.get(id) ?? 0) + window.end - window.start <= MOST_BOOKED;
        const therapist = least(own.filter(room)) ?? (client.careTeamOnly ? undefined : least(any.filter(room)));
        if (!therapist) continue;
        day.book(client.id, therapist, window, 'direct');
        booked.set(therapist, (booked.get(therapist) ?? 0) + window.end - window.start);
      }
      const direct = day.sessions.findLast((s) => s.client === client.id);
      const lead = leadOf.get(client.id);
      if (!direct || !lead || !random.chance(0.15)) continue;
      const window = hourFrom(at(direct.start) + 60);
      if (day.free(lead, window)) day.book(client.id, lead, window, 'supervision');
    }
    week.set(
      weekday,
      day.sessions.map(({ id, client, therapist, start, end, service }) => ({
        id: `${weekday}-${id}`,
        client: client ?? '',
        therapist: therapist ?? '',
        start: at(start),
        end: at(end),
        service: service === 'supervision' ? 'supervision' : 'direct',
      })),
    );
  }
  return week;
}

function liveThrough(
  random: Random,
  therapists: readonly QuarterTherapist[],
  clients: readonly QuarterClient[],
  count: number,
): QuarterDay[] {
  const prone = new Map(therapists.map((t) => [t.id, random.pick(CALLS_OUT)]));
  const cancels = new Map(clients.map((c) => [c.id, random.pick(CANCELS)]));
  // The first day of each therapist's leave, which lasts five working days; -9 for no leave.
  const leaves = new Map(therapists.map((t) => [t.id, random.chance(LEAVE) ? random.int(0, count - 1) : -9]));
  const days: QuarterDay[] = [];
  for (let date = FIRST_DAY; days.length < count; date = addDays(date, 1)) {
    if (dayOfWeek(date) === 0 || dayOfWeek(date) === 6) continue;
    const n = days.length;
    const absences: QuarterAbsence[] = [];
    const add = (who: string, window: Interval) => absences.push({ who, ...window });
    for (const { id } of therapists) {
      const leave = leaves.get(id) ?? -9;
      const out = random.chance(prone.get(id) ?? 0);
      const window = oneWindow(random.weighted(THERAPIST_ABSENCES));
      if (leave <= n && n < leave + 5) add(id, { start: 0, end: MINUTES_A_DAY });
      else if (out) add(id, window);
    }
    for (const { id } of clients) {
      const out = random.chance(cancels.get(id) ?? 0);
      const window = oneWindow(random.weighted(CLIENT_ABSENCES));
      if (out) add(id, window);
    }
    days.push({ date, absences });
  }
  return days;
}
