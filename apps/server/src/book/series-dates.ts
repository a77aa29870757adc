import { sql } from 'kysely';
import {
  addDays,
  compareText,
  duration,
  groupBy,
  isoDate,
  mondayOf,
  overlaps,
  timeSlot,
  unpaidSentence,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import type { SkippedKind } from '@clinic/contract';
import { unpaidBookings } from '../ledgers/count/authorizations.ts';
import { careNow } from '../ledgers/count/care-hours.ts';
import { limitsOf, selectWorkedDays } from '../ledgers/count/hours.ts';
import { loadRules } from '../ledgers/count/rules.ts';
import { cutOf, type WallPresent } from '../day/facts/present.ts';
import type { SessionRule } from '../day/session-rules.ts';
import { selectBooked, type BookedRow } from '../day/ruled-sessions.ts';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { dateIn } from '../db/wall-time.ts';
import { timesByClockOf } from '../platform/other-clock.ts';
import type { Caller } from '../access/sessions.ts';
import { selectNames } from '../people/people.ts';
import { inTheWay } from './conflicts.ts';
import { brokenRulesOf } from './match.ts';
import type { Wanted } from './wanted.ts';
import { claimOf, placeOf } from './write.ts';

/** A date of a series on which no session is booked, and why. */
export interface Skipped<W extends Wanted> {
  readonly wanted: W;
  readonly kind: SkippedKind;
  readonly why: string;
}

export interface PlannedDates<W extends Wanted> {
  readonly made: readonly W[];
  readonly skipped: readonly Skipped<W>[];
}

export interface HowToPlan {
  readonly caller: Pick<Caller, 'locations'>;
  readonly now: WallPresent;
  /** The rules that may be broken: those that the coordinator overrides, or has overridden before. */
  readonly passes: (kind: SkippedKind, rule?: SessionRule) => boolean;
  /** Whether the sessions are a meeting's: whoever has a session with a client then is left out. */
  readonly meeting?: boolean;
  /** Whether a date on which the therapist is away is booked all the same; the session then needs cover. */
  readonly coversAway: boolean;
}

type Reason = Pick<Skipped<Wanted>, 'kind' | 'why'>;

/**
 * Decides on which of these dates sessions of series can be booked. A date is skipped where someone is booked already
 * or away, where a rule would be broken, and where it would exceed the therapist's hours or what authorizations pay for
 * beside everything that is booked.
 * @param wanted the sessions of all series, in any order
 */
export async function planDates<W extends Wanted>(
  db: Db,
  wanted: readonly W[],
  how: HowToPlan,
): Promise<PlannedDates<W>> {
  const made = new Set(wanted.toSorted((a, b) => compareText(a.date, b.date) || a.start - b.start));
  const skipped: Skipped<W>[] = [];
  const skip = (each: W, reason: Reason | null): void => {
    if (!reason || !made.has(each)) return;
    made.delete(each);
    skipped.push({ wanted: each, ...reason });
  };
  const away = await awayOn(db, wanted, how.coversAway);
  const meets = await meetingOn(db, wanted);
  const busy = how.meeting === true ? await inSession(db, wanted) : () => null;
  for (const each of [...made]) {
    const others = meets(each);
    skip(
      each,
      away(each) ?? (others.length > 0 ? await bookedAlready(db, each, how.caller) : null) ?? busy(each, others),
    );
  }
  const ruled = [...made];
  for (const [place, broken] of await brokenRulesOf(db, ruled)) {
    const each = ruled[place];
    const first = broken.find(({ rule }) => !how.passes(rule === 'authorization' ? rule : 'rule', rule));
    if (each && first) skip(each, { kind: first.rule === 'authorization' ? 'authorization' : 'rule', why: first.why });
  }
  if (!how.passes('hours'))
    for (const [each, why] of await beyondHours(db, [...made])) skip(each, { kind: 'hours', why });
  if (!how.passes('authorization'))
    for (const each of await unpaidAmong(db, [...made], how.now))
      skip(each, { kind: 'authorization', why: unpaidSentence(each.date) });
  return { made: [...made], skipped: skipped.toSorted((a, b) => compareText(a.wanted.date, b.wanted.date)) };
}

/** A booked session that another one meets. */
type Met = Pick<BookedRow, 'therapist_id' | 'client_id' | 'service'> & Interval;

/**
 * Returns a function that finds the sessions of its people that a session meets. Only if there are any does it matter
 * what they are, which is asked session by session.
 */
async function meetingOn(db: Db, wanted: readonly Wanted[]): Promise<(each: Wanted) => readonly Met[]> {
  const dates = wanted.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return () => [];
  const rows = await selectBooked(
    db,
    sql`starts >= ${first}::timestamp and starts < ${last}::date + 1 and (
      therapist_id = ${anyOf(new Set(wanted.flatMap(({ therapistId }) => therapistId ?? [])))}
      or client_id = ${anyOf(new Set(wanted.flatMap(({ clientId }) => clientId ?? [])))})`,
  );
  const byDate = groupBy(rows, ({ starts }) => dateIn(starts));
  return (each) =>
    byDate
      .get(each.date)
      ?.map((row) => ({ ...row, ...timesByClockOf(each.location, each.date, row) }))
      .filter(
        (row) =>
          overlaps(row, each) &&
          ((row.therapist_id !== null && row.therapist_id === each.therapistId) || row.client_id === each.clientId),
      ) ?? [];
}

/** Returns a function that says who of a meeting has a session with a client then, and so could not come. */
async function inSession(db: Db, wanted: readonly Wanted[]) {
  const names = await selectNames(db, [...new Set(wanted.map(({ therapistId }) => therapistId ?? ''))]);
  return ({ therapistId }: Wanted, others: readonly Met[]): Reason | null => {
    const session = others.find((row) => row.therapist_id === therapistId && row.service !== 'admin');
    if (!session) return null;
    const name = names.get(therapistId ?? '') ?? '';
    return { kind: 'booked', why: `${name} has a session then: ${timeSlot(session.start, session.end)}.` };
  };
}

async function bookedAlready(db: Db, wanted: Wanted, caller: HowToPlan['caller']): Promise<Reason | null> {
  const why = await inTheWay(db, caller, claimOf(NO_KEY, wanted, await placeOf(db, NO_KEY, wanted)));
  return why === null ? null : { kind: 'booked', why };
}

/** The key of a session that is not booked yet. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';

/** Returns a function that says whether someone of a session is away then. */
async function awayOn(
  db: Db,
  wanted: readonly Wanted[],
  coversAway: boolean,
): Promise<(each: Wanted) => Reason | null> {
  const dates = wanted.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return () => null;
  const therapists = coversAway ? [] : wanted.flatMap(({ therapistId }) => therapistId ?? []);
  const clients = wanted.flatMap(({ clientId }) => clientId ?? []);
  const rows = await db
    .selectFrom('absence')
    .select(['therapist_id', 'client_id', 'date', 'start_minute as start', 'end_minute as end'])
    .where('withdrawn_at', 'is', null)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .where((eb) =>
      eb.or([eb('therapist_id', '=', anyOf(new Set(therapists))), eb('client_id', '=', anyOf(new Set(clients)))]),
    )
    .execute();
  const byPerson = groupBy(rows, (row) => `${row.date} ${row.therapist_id ?? row.client_id}`);
  const names = await selectNames(db, [...therapists, ...clients]);
  return (each) => {
    for (const id of [each.clientId, each.therapistId])
      if (id !== null && byPerson.get(`${each.date} ${id}`)?.some((absence) => overlaps(absence, each)))
        return { kind: 'away', why: `${names.get(id) ?? ''} is away.` };
    return null;
  };
}

/** The sessions that would give a therapist more hours in a week, or on a day, than they may have. */
async function beyondHours<W extends Wanted>(db: Db, wanted: readonly W[]): Promise<(readonly [W, string])[]> {
  const own = groupBy(
    wanted.filter(({ therapistId }) => therapistId !== null),
    ({ therapistId }) => therapistId ?? '',
  );
  if (own.size === 0) return [];
  const dates = wanted.map(({ date }) => date).sort();
  const range = [mondayOf(isoDate(dates[0] ?? '')), addDays(mondayOf(isoDate(dates.at(-1) ?? '')), 6)] as const;
  const [rules, worked, limits] = [
    await loadRules(db),
    await selectWorkedDays(db, [...own.keys()], range),
    await db
      .selectFrom('therapist')
      .select(['id', 'display_name', 'week_minutes', 'day_minutes', 'guaranteed_minutes'])
      .where('id', '=', anyOf([...own.keys()]))
      .execute(),
  ];
  const beyond: (readonly [W, string])[] = [];
  for (const { id, display_name: name, ...columns } of limits) {
    const most = limitsOf(columns, rules);
    const minutes = new Map<string, number>();
    const add = (date: IsoDate, more: number): void => {
      for (const key of [date, `week ${mondayOf(date)}`]) minutes.set(key, (minutes.get(key) ?? 0) + more);
    };
    for (const day of worked) if (day.therapistId === id) add(day.date, day.booked);
    for (const each of own.get(id) ?? []) {
      const length = each.end - each.start;
      const week = (minutes.get(`week ${mondayOf(each.date)}`) ?? 0) + length;
      const day = (minutes.get(each.date) ?? 0) + length;
      if (week > most.week)
        beyond.push([each, `${name} would have ${duration(week)} that week, of ${duration(most.week)}.`]);
      else if (most.day !== null && day > most.day)
        beyond.push([each, `${name} would have ${duration(day)} that day, of ${duration(most.day)}.`]);
      else add(each.date, length);
    }
  }
  return beyond;
}

async function unpaidAmong<W extends Wanted>(db: Db, wanted: readonly W[], wall: WallPresent): Promise<W[]> {
  const now = careNow(wall, await cutOf(db, wall));
  const unpaid: W[] = [];
  for (const [client, own] of groupBy(wanted, ({ clientId }) => clientId))
    if (client !== null) unpaid.push(...(await unpaidBookings(db, client, own, now, { whole: true })));
  return unpaid;
}
