// This file is over 250 lines because it holds every step of a simulated day.
/**
 * Simulates a clinic's quarter day by day: each day becomes a problem as in the product, is solved, and its Option 1 is
 * committed. The calendar is kept in memory, as the rows from which the ledgers are computed, with the product's own
 * formulas.
 */
import { DEFAULT_RULES } from '@clinic/contract';
import {
  optionFigures,
  solve,
  type CoverOption,
  type CoverProblem,
  type loadHighs,
  type Piece,
} from '@clinic/cover-engine';
import {
  addDays,
  CARE_DAYS,
  CARE_WEEK,
  dayOfWeek,
  hoursWindow,
  minutesOf,
  parseTime,
  subtract,
  USUAL_PRIORITY,
  type Care,
  type Hours,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import type { Quarter, QuarterDay, QuarterTherapist, WeeklySession } from '@clinic/testkit';
import {
  KNOWN_DAYS,
  TEAM_DAYS,
  TEAM_SESSIONS,
  type ClinicDay,
  type DayClient,
  type DayTherapist,
  type Familiarity,
} from '../day/facts/day.ts';
import { hoursOn, limitsOf, workloads, type WorkedDay } from '../ledgers/count/hours.ts';
import { toProblem } from '../plan/problem/to-problem.ts';
import { dayAppointment } from './day-appointment.ts';

type Highs = Awaited<ReturnType<typeof loadHighs>>;

const LOCATION: Location = 'altamonte';

/** A part of a session as it took place; `therapistId` is null if no therapist could be found. */
interface Held extends Interval {
  readonly therapistId: string | null;
}

interface PastSession {
  readonly session: WeeklySession;
  readonly held: readonly Held[];
}

/**
 * The sessions of each working day so far, as they took place. In the weeks before the first day, all sessions took
 * place as booked.
 */
type Calendar = Map<IsoDate, readonly PastSession[]>;

export interface QuarterFigures {
  /** Booked minutes (`booked`), and how many of them were lost because no therapist could be found (`lost`). */
  readonly booked: number;
  readonly lost: number;
  /** Minutes of cover, by therapist. */
  readonly cover: ReadonlyMap<string, number>;
  /** The share of the booked time that was lost, by client. */
  readonly lostShare: ReadonlyMap<string, number>;
  /** By how many minutes cover exceeded therapists' weekly limits. */
  readonly aboveLimit: number;
  /** Minutes of cover by therapists whom the child did not know. */
  readonly newFaceMinutes: number;
  /** Over all days: new faces, people to call, and minutes of direct care by BCBAs who were not booked for it. */
  readonly newFaces: number;
  readonly calls: number;
  readonly bcbaMinutes: number;
  readonly proven: boolean;
}

/** The figures of the days so far. */
type SoFar = Pick<QuarterFigures, 'cover' | 'lostShare'>;

export interface QuarterRun {
  /** Whether plans take hours and care into account. */
  readonly ledgers: boolean;
  /**
   * Rewrites each day's problem, to try what a plan could reach at most. No plan then loses care for the sake of
   * anything else.
   */
  readonly atMost?: (problem: CoverProblem, soFar: SoFar) => CoverProblem;
}

const asBooked = (session: WeeklySession): PastSession => ({
  session,
  held: [{ start: session.start, end: session.end, therapistId: session.therapist }],
});

export function liveQuarter(highs: Highs, quarter: Quarter, { ledgers, atMost }: QuarterRun): QuarterFigures {
  const calendar: Calendar = new Map();
  const first = quarter.days[0]?.date;
  if (!first) throw new Error('a quarter without days');
  for (let date = addDays(first, -KNOWN_DAYS); date < first; date = addDays(date, 1))
    calendar.set(date, (quarter.week.get(dayOfWeek(date)) ?? []).map(asBooked));
  let proven = true;
  const sum = { newFaceMinutes: 0, newFaces: 0, calls: 0, bcbaMinutes: 0 };
  for (const day of quarter.days) {
    const knows = familiarity(calendar, day.date);
    const clinic = clinicDay(quarter, calendar, day, knows, ledgers);
    const { problem: asInProduct } = toProblem(clinic, { now: null });
    const problem = ledgers ? asInProduct : withoutPriorities(asInProduct);
    const asked = atMost ? careFirst(atMost(problem, figures(quarter, calendar))) : problem;
    const solved = solve(asked, { highs, options: 1, strategies: ['balanced'] });
    const option = solved.ok ? solved.options[0]?.option : undefined;
    if (!solved.ok || !option) throw new Error(`no plan for ${day.date}`);
    proven &&= option.proven;
    const { newFaces, calls, bcbaMinutes } = optionFigures(solved.model, option);
    const past = commit(clinic, quarter.week.get(dayOfWeek(day.date)) ?? [], option);
    sum.newFaces += newFaces;
    sum.calls += calls;
    sum.bcbaMinutes += bcbaMinutes;
    for (const { session, held } of past) sum.newFaceMinutes += newTo(knows.get(session.client), session, held);
    calendar.set(day.date, past);
  }
  return { ...figures(quarter, calendar), ...sum, proven };
}

/** Raises the price of lost care far above all others. */
const careFirst = (problem: CoverProblem): CoverProblem => ({
  ...problem,
  clients: problem.clients.map((client) => ({ ...client, priority: 100 * (client.priority ?? USUAL_PRIORITY) })),
});

const withoutPriorities = (problem: CoverProblem): CoverProblem => ({
  ...problem,
  clients: problem.clients.map((client) => ({ ...client, priority: USUAL_PRIORITY })),
});

/** How many minutes of a session were given by therapists whom the child did not know. */
const newTo = (
  known: ReadonlyMap<string, Familiarity> | undefined,
  session: WeeklySession,
  held: readonly Held[],
): number =>
  minutesOf(
    held.filter((h) => h.therapistId !== null && h.therapistId !== session.therapist && !known?.has(h.therapistId)),
  );

const within = (calendar: Calendar, from: IsoDate, until: IsoDate): PastSession[] =>
  [...calendar].flatMap(([date, sessions]) => (from <= date && date < until ? sessions : []));

type Knows = ReadonlyMap<string, ReadonlyMap<string, Familiarity>>;

function familiarity(calendar: Calendar, date: IsoDate): Knows {
  const count = (days: number) => {
    const pairs = new Map<string, number>();
    for (const { session, held } of within(calendar, addDays(date, -days), date))
      for (const id of new Set(held.map((h) => h.therapistId)))
        pairs.set(`${session.client} ${id}`, (pairs.get(`${session.client} ${id}`) ?? 0) + 1);
    return pairs;
  };
  const recent = count(TEAM_DAYS);
  const knows = new Map<string, Map<string, Familiarity>>();
  for (const pair of count(KNOWN_DAYS).keys()) {
    const [client = '', therapist = ''] = pair.split(' ');
    const own = knows.get(client) ?? new Map<string, Familiarity>();
    own.set(therapist, (recent.get(pair) ?? 0) >= TEAM_SESSIONS ? 'team' : 'known');
    knows.set(client, own);
  }
  return knows;
}

/**
 * Returns a therapist's days, from the first day whose cover counts to the end of the week. Days to come are as booked.
 */
function workedDays(quarter: Quarter, calendar: Calendar, therapist: string, day: QuarterDay): WorkedDay[] {
  const { coverFrom, sunday } = hoursWindow(day.date);
  const days: WorkedDay[] = [];
  for (let date = coverFrom; date <= sunday; date = addDays(date, 1)) {
    const sessions = calendar.get(date) ?? (quarter.week.get(dayOfWeek(date)) ?? []).map(asBooked);
    const away = date === day.date ? day.absences.filter(({ who }) => who === therapist) : [];
    const mine = (cover: boolean) =>
      sessions.flatMap(({ session, held }) =>
        held.filter((h) => h.therapistId === therapist && (!cover || session.therapist !== therapist)),
      );
    const minutes = (spans: readonly Interval[]) => minutesOf(subtract(spans, away));
    const booked = minutes(mine(false));
    if (booked > 0) days.push({ therapistId: therapist, date, booked, cover: minutes(mine(true)), worked: 0 });
  }
  return days;
}

/** Counts a client's care in these sessions; lost is the time without a therapist, or when one was away. */
function careOf(past: readonly PastSession[], client: string): Care {
  const own = past.filter(({ session }) => session.client === client);
  const booked = minutesOf(own.map(({ session }) => session));
  return { booked, lost: booked - minutesOf(own.flatMap(({ held }) => held.filter((h) => h.therapistId !== null))) };
}

function clinicDay(quarter: Quarter, calendar: Calendar, day: QuarterDay, knows: Knows, ledgers: boolean): ClinicDay {
  const { date } = day;
  const hours = new Map<string, Hours>(
    quarter.therapists.map(({ id }) => [id, hoursOn(workedDays(quarter, calendar, id, day), date)]),
  );
  const work = workloads(hours, DEFAULT_RULES, hours.keys());
  const past = within(calendar, addDays(date, -CARE_DAYS), date);
  const week = within(calendar, addDays(date, -CARE_WEEK), date);
  const therapists = quarter.therapists.map((t) => dayTherapist(t, date, ledgers ? work(t.id, t) : null));
  const clients = quarter.clients.map((c): DayClient => ({
    id: c.id,
    firstName: c.name,
    displayName: c.name,
    location: LOCATION,
    gender: 'Female',
    twoToOne: true,
    priority: USUAL_PRIORITY,
    care: { ...careOf(past, c.id), week: careOf(week, c.id) },
    priorityWhy: null,
    careTeamOnly: c.careTeamOnly,
    rbtOrAbove: c.rbtOrAbove,
    requiresGender: [...c.requiresGender],
    excludesTherapist: [...c.excludes],
    needs: [],
    prefers: [],
    payers: [],
    knows: new Map(knows.get(c.id)),
  }));
  return {
    location: LOCATION,
    date,
    version: 0,
    isDemo: false,
    therapists,
    clients,
    declines: [],
    freeTold: new Map(),
    extra: [],
    weights: new Map(),
    appointments: (quarter.week.get(dayOfWeek(date)) ?? []).map(({ id, client, therapist, ...session }) =>
      dayAppointment({ ...session, key: id, clientId: client, therapistId: therapist, subject: '' }),
    ),
    absences: day.absences.map(({ who, start, end }, n) => {
      const client = quarter.clients.some(({ id }) => id === who);
      return {
        id: `A${n}`,
        location: LOCATION,
        start,
        end,
        therapistId: client ? null : who,
        clientId: client ? who : null,
      };
    }),
  };
}

const dayTherapist = (t: QuarterTherapist, date: IsoDate, work: DayTherapist['work']): DayTherapist => ({
  id: t.id,
  firstName: t.name,
  displayName: t.name,
  location: LOCATION,
  credential: t.credential,
  gender: t.gender,
  deleted: false,
  notEmployed: null,
  freed: null,
  newHere: false,
  tags: [],
  work,
  available: t.available.get(dayOfWeek(date)) ?? [],
});

const minutesAt = (time: string): number => parseTime(time) ?? 0;
const heldOf = ({ therapist, start, end }: Piece): Held => ({
  therapistId: therapist,
  start: minutesAt(start),
  end: minutesAt(end),
});

/**
 * Returns the day's sessions as they take place under a committed option. Time when a client is away belongs to no
 * piece.
 */
function commit(day: ClinicDay, sessions: readonly WeeklySession[], option: CoverOption): PastSession[] {
  const changed = new Map(option.sessions.map(({ session, pieces }) => [session, pieces]));
  return sessions.map((session) => {
    const pieces = changed.get(session.id);
    if (pieces) return { session, held: pieces.map(heldOf) };
    const away = day.absences.filter(({ clientId }) => clientId === session.client);
    return { session, held: subtract([session], away).map((w) => ({ ...w, therapistId: session.therapist })) };
  });
}

function figures(
  quarter: Quarter,
  calendar: Calendar,
): Omit<QuarterFigures, 'newFaceMinutes' | 'newFaces' | 'calls' | 'bcbaMinutes' | 'proven'> {
  const dates = quarter.days.map(({ date }) => date);
  const all = dates.flatMap((date) => calendar.get(date) ?? []);
  const lostOf = (list: readonly PastSession[]) =>
    minutesOf(list.flatMap(({ held }) => held.filter((h) => h.therapistId === null)));
  const bookedOf = (list: readonly PastSession[]) => minutesOf(list.map(({ session }) => session));
  const by = (client: string) => all.filter(({ session }) => session.client === client);
  const came = quarter.clients.filter(({ id }) => by(id).length > 0);
  return {
    booked: bookedOf(all),
    lost: lostOf(all),
    cover: new Map(quarter.therapists.map(({ id }) => [id, workOf(all, id).cover])),
    lostShare: new Map(came.map(({ id }) => [id, lostOf(by(id)) / bookedOf(by(id))])),
    aboveLimit: aboveLimit(quarter, calendar),
  };
}

function workOf(list: readonly PastSession[], therapist: string): { worked: number; cover: number } {
  const mine = list.flatMap(({ session, held }) =>
    held.filter((h) => h.therapistId === therapist).map((h) => ({ ...h, cover: session.therapist !== therapist })),
  );
  return { worked: minutesOf(mine), cover: minutesOf(mine.filter(({ cover }) => cover)) };
}

/** Adds up the minutes by which cover exceeded therapists' weekly limits. */
function aboveLimit(quarter: Quarter, calendar: Calendar): number {
  const weeks = new Set(quarter.days.map(({ date }) => hoursWindow(date).monday));
  return [...weeks].reduce((sum, monday) => {
    const week = within(calendar, monday, addDays(monday, 7));
    return quarter.therapists.reduce((n, t) => {
      const { worked, cover } = workOf(week, t.id);
      return n + Math.min(cover, Math.max(0, worked - limitsOf(t, DEFAULT_RULES).week));
    }, sum);
  }, 0);
}
