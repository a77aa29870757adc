/** Makes `warm-problem/1`: the sessions before a leave that a child's replacements can join (docs/weeks.md). */
import type { Join } from '@clinic/contract';
import {
  addDays,
  compareText,
  contains,
  formatTime,
  groupBy,
  isoDate,
  minutesOf,
  mondayOf,
  overlaps,
  SLOT_MINUTES,
  subtract,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { groupOf, type DatedAppointment } from '../../day/facts/day.ts';
import { beyondGrid } from '../../day/facts/grid-plan.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import { freeTimes, problemClient, problemTherapists, type ProblemTherapist } from '../problem/people-part.ts';
import { clientKey, gridOf, whyNot } from '../problem/standing-problem.ts';
import { loadWeeks, type WeeksFacts } from '../problem/weeks-facts.ts';
import { membersOf, type Taken } from './choice.ts';
import type { StoredStanding } from './stored-standing.ts';

/** Meetings lie in the four weeks before the leave, so that the child still remembers. */
const DAYS_BEFORE = 28;
/** An overlap lasts an hour. */
const OVERLAP_SLOTS = 4;

/** A child, or all children of a group, and somebody new to them who takes their sessions. */
export interface NewPair {
  readonly child: string;
  readonly therapist: string;
}

/** A session before the leave that somebody can join. */
interface Joinable extends Interval {
  readonly id: string;
  readonly child: string;
  readonly date: IsoDate;
  readonly rows: readonly DatedAppointment[];
}

export interface LoadedWarm {
  readonly facts: WeeksFacts;
  readonly sessions: readonly Joinable[];
  readonly therapists: readonly ProblemTherapist[];
  /** The dates that the problem has. */
  readonly dates: readonly IsoDate[];
}

/** Loads the sessions of these children before the leave, and when these therapists are free then. */
export async function loadWarm(
  db: Db,
  wall: WallPresent,
  { reply, away }: StoredStanding,
  pairs: readonly NewPair[],
  taken: readonly Taken[],
): Promise<LoadedWarm | null> {
  const until = addDays(away.from, -1);
  const tomorrow = addDays(wall.date, 1);
  const earliest = addDays(away.from, -DAYS_BEFORE);
  const from = earliest > tomorrow ? earliest : tomorrow;
  if (from > until || pairs.length === 0) return null;
  const children = new Set(pairs.map(({ child }) => child));
  const facts = await loadWeeks(db, { location: reply.location, from, until }, [...children].flatMap(membersOf), wall);
  const sessions = joinable(facts, children, away.therapist);
  const dates = [...new Set(sessions.map(({ date }) => date))].sort(compareText);
  const ids = new Set(pairs.map(({ therapist }) => therapist));
  const blocked = (therapist: string, date: IsoDate): Interval[] =>
    sessions
      .filter((each) => each.date === date && pairs.some((p) => p.therapist === therapist && p.child === each.child))
      .filter((each) => !mayJoin(facts, therapist, each))
      .map(gridOf);
  const therapists = problemTherapists(
    { ...facts, therapists: new Map([...facts.therapists].filter(([id]) => ids.has(id))) },
    dates,
    {
      freeOn: freeTimes(facts),
      blocked,
      wanted: (date) => sessions.filter((each) => each.date === date).map(gridOf),
    },
  );
  for (const each of therapists)
    for (const week of Object.keys(each.caps)) each.caps[week] = left(each, week, reply, taken);
  return { facts, sessions, therapists, dates };
}

/** What the choice itself leaves of a therapist's slots in a week: the leave may begin in the middle of it. */
function left({ id, caps }: ProblemTherapist, week: string, reply: StoredStanding['reply'], taken: readonly Taken[]) {
  const lengths = new Map(reply.children.flatMap(({ series }) => series.map((s) => [s.id, s.end - s.start] as const)));
  const given = taken
    .filter(({ therapist, date }) => therapist === id && mondayOf(date) === week)
    .reduce((sum, { series }) => sum + (lengths.get(series) ?? 0), 0);
  return Math.max(0, (caps[week] ?? 0) - Math.ceil(given / SLOT_MINUTES));
}

/** The sessions before the leave whose therapist the child knows, or who is the one that leaves. */
function joinable(facts: WeeksFacts, children: ReadonlySet<string>, leaves: string): Joinable[] {
  const own = facts.sessions.filter(
    (row) =>
      row.occupies &&
      row.clientId !== null &&
      row.service === 'direct' &&
      row.location === facts.location &&
      row.date > facts.today &&
      facts.from <= row.date &&
      row.date <= facts.until &&
      beyondGrid(row).length === 0 &&
      knownTo(facts, row, leaves),
  );
  return [...groupBy(own, (row) => `${row.date} ${groupOf(row)}`)].flatMap(([id, rows]) => {
    const [first] = rows;
    const child = clientKey(rows.flatMap(({ clientId }) => clientId ?? []).sort(compareText));
    if (!first || !children.has(child)) return [];
    const away = facts.away(first.date);
    if (
      [first.therapistId, ...membersOf(child)].some((who) => away.get(who ?? '')?.some((each) => overlaps(each, first)))
    )
      return [];
    return [{ id, child, date: first.date, start: first.start, end: first.end, rows }];
  });
}

const knownTo = ({ clients }: WeeksFacts, { clientId, therapistId }: DatedAppointment, leaves: string): boolean =>
  therapistId !== null && (therapistId === leaves || clients.get(clientId ?? '')?.knows.has(therapistId) === true);

/** Whether a therapist could have the session, by the rules of that date; somebody who may not is not shown to the child. */
function mayJoin(facts: WeeksFacts, therapist: string, { id, start, end, date, rows, child }: Joinable): boolean {
  const [first] = rows;
  if (!first || rows.some((row) => row.therapistId === therapist)) return false;
  const { subject } = first;
  const series = { id, weekday: 0, start, end, service: 'direct' as const, subject, clientIds: membersOf(child) };
  return whyNot(facts, therapist, { ...series, rows: { [date]: rows } }, date) === null;
}

/** The problem for the engine; `times`: how often each child is to meet each. */
export function warmProblem(
  { facts, sessions, therapists, dates }: LoadedWarm,
  pairs: readonly NewPair[],
  times: number,
): object {
  const known = new Set(therapists.map(({ id }) => id));
  return {
    format: 'warm-problem/1',
    dates,
    therapists,
    clients: [...new Set(pairs.map(({ child }) => child))].map((id) =>
      problemClient(
        id,
        membersOf(id).flatMap((member) => facts.clients.get(member) ?? []),
        100,
      ),
    ),
    sessions: sessions.map((each) => {
      const { start, end } = gridOf(each);
      return { id: each.id, client: each.child, date: each.date, start: formatTime(start), end: formatTime(end) };
    }),
    meetings: pairs
      .filter(({ therapist }) => known.has(therapist))
      .map((p) => ({ client: p.child, therapist: p.therapist, times })),
    slots: OVERLAP_SLOTS,
  };
}

/** The session that a meeting joins, and who has it; undefined when the meeting does not fit any more. */
export const sessionOf = (
  { sessions }: Pick<LoadedWarm, 'sessions'>,
  { child, date, start, end }: Pick<Join, 'child' | 'date' | 'start' | 'end'>,
): Joinable | undefined =>
  sessions.find((each) => each.child === child && each.date === date && contains(each, { start, end }));

/** The first meeting that cannot be held any more; undefined when all can. */
export function unfitJoin(loaded: LoadedWarm | null, meetings: readonly Join[]): Join | undefined {
  const used = new Map<string, number>();
  return meetings.find((each, i) => {
    const own = loaded?.therapists.find(({ id }) => id === each.therapist);
    const session = loaded && sessionOf(loaded, each);
    if (!own || !session || each.start >= each.end || session.rows.some((row) => row.therapistId === each.therapist))
      return true;
    const clash = meetings
      .slice(0, i)
      .some(
        (o) => o.date === each.date && (o.therapist === each.therapist || o.child === each.child) && overlaps(o, each),
      );
    const free = (own.free[each.date] ?? []).map(([start, end]) => ({ start: minuteOf(start), end: minuteOf(end) }));
    const week = `${each.therapist} ${mondayOf(isoDate(each.date))}`;
    const minutes = (used.get(week) ?? 0) + each.end - each.start;
    used.set(week, minutes);
    return (
      clash ||
      minutesOf(subtract([each], free)) > 0 ||
      minutes > (own.caps[mondayOf(isoDate(each.date))] ?? 0) * SLOT_MINUTES
    );
  });
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
