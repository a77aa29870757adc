import type {
  StandingBody,
  StandingChild,
  StandingOption,
  StandingPlan,
  StandingReply,
  StandingRun,
} from '@clinic/contract';
import {
  addDays,
  bookingHorizon,
  daysBetween,
  duration,
  isLocation,
  isoDate,
  listWords,
  mondayOf,
  parseDate,
  possessive,
  shortDate,
  type IsoDate,
  type Location,
} from '@clinic/domain';

/** The option of each child, by the child's id. */
export type Choice = Readonly<Record<string, string>>;

type Search = Readonly<Record<string, string>>;

/**
 * Reads what is asked from the address; null while something is missing. An absence until further notice is planned as
 * far as can be booked.
 */
export function askedOf(search: Search, location: Location, today: IsoDate | null): StandingBody | null {
  const { therapist = '', from = '', until = '', weekdays = '' } = search;
  const first = parseDate(from);
  const last = search['open'] === '1' ? (first && today ? bookingHorizon(today, first) : null) : parseDate(until);
  if (therapist === '' || first === null || (last === null && search['for_good'] !== '1')) return null;
  const days = weekdays.split(',').flatMap((day) => (/^[0-6]$/.test(day) ? [Number(day)] : []));
  return {
    location: isLocation(search['location']) ? search['location'] : location,
    therapist,
    from: first,
    ...(last === null ? {} : { until: last }),
    ...(days.length > 0 ? { weekdays: days } : {}),
    ...(search['start'] ? { start: search['start'] } : {}),
    ...(search['end'] ? { end: search['end'] } : {}),
    ...(search['replan'] === '1' ? { replan: true } : {}),
  };
}

/** The Mondays of the weeks in a range. */
export function weeksOf({ from, until }: Pick<StandingReply, 'from' | 'until'>): IsoDate[] {
  const first = mondayOf(isoDate(from));
  return Array.from({ length: Math.floor(daysBetween(first, isoDate(until)) / 7) + 1 }, (_, i) =>
    addDays(first, 7 * i),
  );
}

/** A part of a line: weeks in a row with one therapist, a week that is left open, or one without a session. */
export interface Piece {
  readonly kind: 'run' | 'open' | 'none';
  /** The first week, and how many. */
  readonly at: number;
  readonly weeks: number;
  readonly run?: StandingRun;
  readonly date?: string;
  readonly why?: string;
  /** Whether this is the longest piece of its therapist, which has the name. */
  readonly named?: boolean;
}

/** The pieces of a series' line, one week after another. */
export function piecesOf(weeks: readonly IsoDate[], dates: readonly string[], plan: StandingPlan | undefined): Piece[] {
  const at = (date: string): number => weeks.indexOf(mondayOf(isoDate(date)));
  const cells: (Piece | null)[] = weeks.map(() => null);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first !== undefined && last !== undefined)
    for (let week = at(first); week <= at(last); week++) cells[week] = { kind: 'none', at: week, weeks: 1 };
  for (const { date, why } of plan?.open ?? []) cells[at(date)] = { kind: 'open', at: at(date), weeks: 1, date, why };
  for (const run of plan?.runs ?? [])
    for (const date of run.dates) cells[at(date)] = { kind: 'run', at: at(date), weeks: 1, run };
  const pieces: Piece[] = [];
  for (const cell of cells) {
    const before = pieces.at(-1);
    if (cell && before?.kind === 'run' && cell.run && before.run === cell.run && before.at + before.weeks === cell.at)
      pieces[pieces.length - 1] = { ...before, weeks: before.weeks + 1 };
    else if (cell) pieces.push(cell);
  }
  return pieces.map((piece) => {
    const own = pieces.filter(({ run }) => run !== undefined && run === piece.run);
    const most = Math.max(...own.map((each) => each.weeks));
    return own.find(({ weeks: count }) => count === most) === piece ? { ...piece, named: true } : piece;
  });
}

export interface Figures {
  readonly needed: number;
  readonly kept: number;
  readonly newFaces: number;
  readonly people: number;
  readonly handovers: number;
  readonly bcba: number;
  readonly sessions: number;
  readonly dates: number;
}

const planOf = (option: StandingOption | undefined, id: string): StandingPlan | undefined => option?.series[id];

/** The figures of a choice; children without an option count as needed, and as not kept. */
export function figuresOf(reply: StandingReply, choice: Choice): Figures {
  const faces = new Set<string>();
  const people = new Set<string>();
  const dates = new Set<string>();
  let [needed, kept, handovers, bcba, sessions] = [0, 0, 0, 0, 0];
  for (const child of reply.children) {
    const option = reply.options.find(({ name }) => name === choice[child.id]);
    for (const series of child.series) {
      const length = series.end - series.start;
      needed += length * series.dates.length;
      const runs = planOf(option, series.id)?.runs ?? [];
      if (runs.length > 1) handovers++;
      for (const run of runs) {
        people.add(run.therapist);
        if (run.knows === 'new') faces.add(`${child.id} ${run.therapist}`);
        kept += length * run.dates.length;
        sessions += run.dates.length;
        for (const date of run.dates) dates.add(date);
        if (reply.people[run.therapist]?.bcba && series.service === 'direct') bcba += length * run.dates.length;
      }
    }
  }
  return { needed, kept, newFaces: faces.size, people: people.size, handovers, bcba, sessions, dates: dates.size };
}

export const sameFor = ({ children }: Pick<StandingReply, 'children'>, name: string): Choice =>
  Object.fromEntries(children.map(({ id }) => [id, name]));

/** Who takes a child's sessions in an option, as a key: two options with the same key are the same for this child. */
const keyOf = (child: StandingChild, option: StandingOption): string =>
  JSON.stringify(child.series.map(({ id }) => planOf(option, id)?.runs.map((run) => [run.therapist, run.dates])));

/** The earlier option that is the same for this child; null if there is none. */
export function sameAs({ options }: StandingReply, child: StandingChild, option: StandingOption): string | null {
  const found = options.find((each) => keyOf(child, each) === keyOf(child, option));
  return found && found !== option ? found.name : null;
}

/** Says in a few words who takes a child's sessions: `1 person, on the team, 70 of 73.5 h`. */
export function childWords(child: StandingChild, option: StandingOption): { people: string; rest: string } {
  const runs = child.series.flatMap(({ id }) => planOf(option, id)?.runs ?? []);
  const who = new Map(runs.map((run) => [run.therapist, run.knows]));
  const { needed, kept } = minutesOf(child, option);
  if (who.size === 0) return { people: 'Nobody', rest: `, all ${duration(needed)} left to each day` };
  const how = [...new Set(who.values())];
  const all = how.length === 1;
  const known = all
    ? { team: 'on the team', known: 'known', new: 'new' }[how[0] ?? 'new']
    : `${[...who.values()].filter((k) => k === 'new').length} new`;
  const knownWords = all || known !== '0 new' ? `, ${who.size > 1 && all ? 'all ' : ''}${known}` : '';
  const hours = kept === needed ? `, all ${duration(needed)}` : `, ${duration(kept)} of ${duration(needed)}`;
  return { people: who.size === 1 ? '1 person' : `${who.size} people`, rest: `${knownWords}${hours}` };
}

function minutesOf(child: StandingChild, option: StandingOption): { needed: number; kept: number } {
  let [needed, kept] = [0, 0];
  for (const { id, start, end, dates } of child.series) {
    needed += (end - start) * dates.length;
    for (const run of planOf(option, id)?.runs ?? []) kept += (end - start) * run.dates.length;
  }
  return { needed, kept };
}

export const minutesOfChild = (child: StandingChild): number =>
  child.series.reduce((sum, { start, end, dates }) => sum + (end - start) * dates.length, 0);

/** A reason why a mix cannot be submitted, and the children whom it concerns. */
export interface Clash {
  readonly children: readonly string[];
  readonly words: string;
}

/** Finds who would be needed twice at the same time, or beyond the week's hours, if options are mixed. */
export function clashesOf(reply: StandingReply, choice: Choice): Clash[] {
  const given = reply.children.flatMap((child) => {
    const option = reply.options.find(({ name }) => name === choice[child.id]);
    return child.series.flatMap(({ id, start, end }) =>
      (planOf(option, id)?.runs ?? []).flatMap((run) =>
        run.dates.map((date) => ({ child, start, end, date, who: run.therapist })),
      ),
    );
  });
  const clashes = new Map<string, Clash>();
  for (const [i, a] of given.entries())
    for (const b of given.slice(i + 1)) {
      if (a.who !== b.who || a.date !== b.date || a.start >= b.end || b.start >= a.end || a.child === b.child) continue;
      const key = `${a.who} ${a.child.id} ${b.child.id}`;
      if (clashes.has(key)) continue;
      const name = reply.people[a.who]?.name ?? '';
      const words = `${name} cannot be with ${listWords([a.child.name, b.child.name])} at once, first on ${shortDate(isoDate(a.date))}. Choose another option for one of them.`;
      clashes.set(key, { children: [a.child.id, b.child.id], words });
    }
  const weeks = new Map<string, { minutes: number; children: Set<string> }>();
  for (const { child, start, end, date, who } of given) {
    const key = `${who} ${mondayOf(isoDate(date))}`;
    const week = weeks.get(key) ?? { minutes: 0, children: new Set<string>() };
    week.minutes += end - start;
    weeks.set(key, { ...week, children: week.children.add(child.id) });
  }
  for (const [key, { minutes, children }] of weeks) {
    const [who = '', monday = ''] = key.split(' ');
    const room = reply.people[who]?.room[monday] ?? Infinity;
    if (minutes <= room || clashes.has(who)) continue;
    const words = `${reply.people[who]?.name ?? ''} has room for ${duration(room)} in the week of ${shortDate(isoDate(monday))}, and this mix gives ${duration(minutes)}. Choose another option for one child.`;
    clashes.set(who, { children: [...children], words });
  }
  return [...clashes.values()];
}

/** The dates that stay open in a choice, by child: `Jamal on Dec 16`. */
export function openWords(reply: StandingReply, choice: Choice): string {
  const open = reply.children.flatMap((child) => {
    const option = reply.options.find(({ name }) => name === choice[child.id]);
    const dates = child.series.flatMap(({ id }) => planOf(option, id)?.open ?? []).map(({ date }) => date);
    if (dates.length === 0) return [];
    const days =
      dates.length <= 2
        ? `on ${listWords(dates.sort().map((d) => shortDate(isoDate(d))))}`
        : `on ${dates.length} dates`;
    return [`${child.name} ${days}`];
  });
  return open.length === 0 ? '' : `Left to each day: ${listWords(open)}.`;
}

/** The dates on which a choice gives sessions to somebody. */
export const datesIn = ({ children, options }: StandingReply, choice: Choice): string[] =>
  children.flatMap((child) => {
    const option = options.find(({ name }) => name === choice[child.id]);
    return child.series.flatMap(({ id }) => planOf(option, id)?.runs.flatMap(({ dates }) => dates) ?? []);
  });

/** Whom a choice gives sessions, and the families of the children who get somebody else. */
export function toTellIn({ children, options, people }: StandingReply, choice: Choice): string[] {
  const optionOf = (id: string) => options.find(({ name }) => name === choice[id]);
  const runsOf = (child: StandingChild) => child.series.flatMap(({ id }) => planOf(optionOf(child.id), id)?.runs ?? []);
  const therapists = children.flatMap(runsOf).map((run) => people[run.therapist]?.name ?? '');
  const told = children.filter((child) => runsOf(child).length > 0);
  return [...[...new Set(therapists)].sort(), ...told.map(({ name }) => `${possessive(name)} family`)];
}

/** How often a figure is best: where not all options are the same. */
export function bestOf(all: readonly number[], most: boolean): number | null {
  const best = most ? Math.max(...all) : Math.min(...all);
  return all.some((each) => each !== best) ? best : null;
}

export const titleOf = ({ therapist, from, until, for_good }: StandingReply, open: boolean): string =>
  open
    ? `Who takes ${possessive(therapist.name)} children until further notice?`
    : for_good
      ? `Who takes over ${possessive(therapist.name)} children from ${shortDate(isoDate(from))} on?`
      : `Who takes ${possessive(therapist.name)} children until ${shortDate(isoDate(until))}?`;

/** What of the time away is not planned, and what comes of it; empty if all of it is. */
export function beyondWords({ until, filled_until }: StandingReply, open: boolean): string {
  const filled =
    filled_until === null
      ? ''
      : `The calendar is filled until ${shortDate(isoDate(filled_until))}: plan the later sessions once they are booked.`;
  if (!open) return filled;
  const end = shortDate(isoDate(until));
  return [
    `Planned until ${end}, as far as can be booked. Sessions after that need a therapist: come back before then.`,
    filled,
  ]
    .filter(Boolean)
    .join(' ');
}

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
