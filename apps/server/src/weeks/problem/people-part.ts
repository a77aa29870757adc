/**
 * What all problems of weeks share, made from the facts: dates, therapists with their free time, and clients. A therapist
 * is free where the day's plans could use them: available and employed, at their home location, neither away nor booked
 * anywhere, within the week's and the day's hours. Administrative time is free at a price.
 */
import {
  acceptedCredentials,
  credentialOn,
  DAY_END,
  DAY_START,
  dayOfWeek,
  formatTime,
  GENDERS,
  groupBy,
  holdsOn,
  intersect,
  isEmployed,
  minutesOf,
  mondayOf,
  nameKey,
  SLOT_MINUTES,
  SPECIALIZATIONS,
  subtract,
  union,
  addDays,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import { inward, outward } from '../../day/facts/grid-plan.ts';
import { sessionsByTherapist, type WeeksClient, type WeeksFacts, type WeeksTherapist } from './weeks-facts.ts';

type Spans = [start: string, end: string][];

export interface ProblemTherapist {
  id: string;
  credential: WeeksTherapist['specialization'];
  gender: WeeksTherapist['gender'];
  tags: string[];
  onlyKnown: boolean;
  free: Record<string, Spans>;
  admin: Record<string, Spans>;
  day: Record<string, [start: string, end: string]>;
  caps: Record<string, number>;
}

export interface ProblemClient {
  id: string;
  priority: number;
  requiresGender: WeeksTherapist['gender'][];
  excludes: string[];
  knownOnly: boolean;
  credentials: WeeksTherapist['specialization'][] | null;
  needs: string[];
  knows: Record<string, 'team' | 'known'>;
}

/** What a therapist could give on a date, in quarter hours. */
export interface FreeTime {
  readonly free: readonly Interval[];
  readonly admin: readonly Interval[];
}

/** Returns what a therapist could give on a date. */
export type FreeOn = (therapistId: string, date: IsoDate) => FreeTime;

const NONE: FreeTime = { free: [], admin: [] };

/** Makes the function that says when therapists are free. */
export function freeTimes(facts: WeeksFacts): FreeOn {
  const sessionsOn = sessionsByTherapist(facts);
  const declines = groupBy(
    facts.declines.filter(({ scope }) => scope === 'today'),
    ({ therapistId, date }) => `${therapistId} ${date}`,
  );
  return (id, date) => {
    const therapist = facts.therapists.get(id);
    if (!therapist || !isEmployed(therapist.employment, date) || declines.has(`${id} ${date}`)) return NONE;
    const windows = windowsOn(therapist, date);
    if (windows.length === 0) return NONE;
    const own = sessionsOn(id, date);
    const admin = own.filter((s) => s.service === 'admin' && s.location === facts.location);
    const busy = own.filter((s) => !admin.includes(s));
    const taken = [...busy, ...(facts.away(date).get(id) ?? []), ...OUTSIDE];
    const given = union(windows).flatMap((w) => union(admin).flatMap((a) => intersect(w, a) ?? []));
    return { free: inward(windows, [...taken, ...admin]), admin: inward(given, taken) };
  };
}

/** The time of day that no plan changes. */
const OUTSIDE: readonly Interval[] = [
  { start: 0, end: DAY_START },
  { start: DAY_END, end: 1440 },
];

/** When a therapist is available on a date; all day if no availability is on record. */
const windowsOn = ({ windows }: WeeksTherapist, date: IsoDate): Interval[] =>
  (windows ?? [])
    .filter((w) => w.day_of_week === dayOfWeek(date) && holdsOn(w, date))
    .map((w) => ({ start: w.start_minute, end: w.end_minute }));

/**
 * Makes the problem's therapists.
 * @param dates the dates of the problem
 * @param options.except therapists who are not offered
 * @param options.blocked time in which a therapist cannot be used for reasons beyond their own time
 * @param options.wanted on each date, when somebody is needed, so that a daily limit is kept for these times
 */
export function problemTherapists(
  facts: WeeksFacts,
  dates: readonly IsoDate[],
  options: {
    readonly except?: readonly string[];
    readonly freeOn: FreeOn;
    readonly blocked?: (therapistId: string, date: IsoDate) => readonly Interval[];
    readonly wanted?: (date: IsoDate) => readonly Interval[];
  },
): ProblemTherapist[] {
  const { except = [], freeOn, blocked = () => [], wanted } = options;
  const sessionsOn = sessionsByTherapist(facts);
  const weeks = [...new Set(dates.map(mondayOf))];
  return [...facts.therapists.values()]
    .filter(({ id }) => !except.includes(id))
    .map((therapist) => {
      const { id, gender, limits } = therapist;
      const booked = (date: IsoDate): number =>
        minutesOf(subtract(sessionsOn(id, date), facts.away(date).get(id) ?? []));
      const result: ProblemTherapist = {
        id,
        gender,
        credential: highestCredential(therapist, dates),
        tags: [
          ...new Set(therapist.tags.filter((t) => dates.some((d) => holdsOn(t, d))).map((t) => nameKey(t.tag))),
        ].sort(),
        onlyKnown: dates.every((date) => isNewHere(therapist, date, facts)),
        free: {},
        admin: {},
        day: {},
        caps: Object.fromEntries(
          weeks.map((monday) => {
            const week = Array.from({ length: 7 }, (_, i) => booked(addDays(monday, i)));
            const left = limits.week - week.reduce((a, b) => a + b, 0);
            return [monday, Math.max(0, Math.floor(left / SLOT_MINUTES))];
          }),
        ),
      };
      for (const date of dates) {
        const off = blocked(id, date);
        const all = freeOn(id, date);
        const left = limits.day === null ? Infinity : Math.max(0, limits.day - booked(date));
        const time = withinDay(
          { free: subtract(all.free, off), admin: subtract(all.admin, off) },
          left,
          wanted?.(date),
        );
        if (time.free.length > 0) result.free[date] = spans(time.free);
        if (time.admin.length > 0) result.admin[date] = spans(time.admin);
        const day = bookedDay(sessionsOn(id, date));
        if (day) result.day[date] = day;
      }
      return result;
    });
}

const spans = (list: readonly Interval[]): Spans => list.map(({ start, end }) => [formatTime(start), formatTime(end)]);

/** From the first start to the last end on the grid; null when nothing is booked there. */
function bookedDay(own: readonly Interval[]): [string, string] | null {
  const times = own.map(outward);
  const start = Math.max(DAY_START, Math.min(...times.map((w) => w.start)));
  const end = Math.min(DAY_END, Math.max(...times.map((w) => w.end)));
  return start < end ? [formatTime(start), formatTime(end)] : null;
}

/**
 * The problems know limits a week and not a day. So where someone is free for longer than their day's hours allow, only
 * so much of it is offered, for the earliest times at which somebody is needed.
 */
function withinDay(time: FreeTime, left: number, wanted: readonly Interval[] | undefined): FreeTime {
  const all = [...time.free, ...time.admin];
  if (minutesOf(union(all)) <= left) return time;
  const kept: Interval[] = [];
  let rest = Math.floor(left / SLOT_MINUTES) * SLOT_MINUTES;
  for (const window of union(wanted ? union(all).flatMap((w) => wanted.flatMap((n) => intersect(w, n) ?? [])) : all)) {
    const end = Math.min(window.end, window.start + rest);
    if (end > window.start) kept.push({ start: window.start, end });
    rest -= end - window.start;
  }
  const keep = (list: readonly Interval[]) => list.flatMap((w) => kept.flatMap((k) => intersect(w, k) ?? []));
  return { free: keep(time.free), admin: keep(time.admin) };
}

/** The highest credential of these dates; `blocked` takes the dates away on which it is lower and matters. */
const highestCredential = ({ specialization, credentials }: WeeksTherapist, dates: readonly IsoDate[]) =>
  SPECIALIZATIONS.find((level) => dates.some((d) => credentialOn(specialization, credentials, d) === level)) ?? 'BT';

/** Whether the therapist is so new on a date that they see only clients who know them. */
export const isNewHere = (
  { startDate }: WeeksTherapist,
  date: IsoDate,
  { rules }: Pick<WeeksFacts, 'rules'>,
): boolean => startDate <= date && date < addDays(startDate, rules.new_here_days);

/**
 * Makes a problem's client from one client, or from all of a group: with the needs of all, and with whom all of them know.
 * @param priority in percent
 */
export function problemClient(id: string, members: readonly WeeksClient[], priority: number): ProblemClient {
  const genders = GENDERS.filter((g) =>
    members.every((m) => m.requiresGender.length === 0 || m.requiresGender.includes(g)),
  );
  const [first] = members;
  const knows: ProblemClient['knows'] = {};
  for (const [therapist] of first?.knows ?? []) {
    const all = members.map((m) => m.knows.get(therapist));
    if (all.every((how) => how !== undefined)) knows[therapist] = all.every((how) => how === 'team') ? 'team' : 'known';
  }
  return {
    id,
    priority,
    requiresGender: genders.length === 1 ? [...genders] : [],
    excludes: [...new Set(members.flatMap((m) => m.excludesTherapist))].sort(),
    knownOnly: members.some((m) => m.careTeamOnly),
    credentials: acceptedCredentials(members.some((m) => m.rbtOrAbove) ? 'RBT' : null),
    needs: [...new Set(members.flatMap((m) => m.needs.filter((n) => n.must).map((n) => nameKey(n.tag))))].sort(),
    knows,
  };
}
