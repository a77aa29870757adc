/** Loads what a standing replacement needs: the facts of the range, and what people were told already. */
import { sql } from 'kysely';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { DatedAppointment } from '../../day/facts/day.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import { selectNames } from '../../people/people.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { isTaken, standingWeeks, type Away, type StandingWeeks } from './standing-problem.ts';
import { loadWeeks, type WeeksFacts } from './weeks-facts.ts';

export interface LoadedStanding extends StandingWeeks {
  readonly facts: WeeksFacts;
  /** The name of the therapist who is away, who may work elsewhere by now; null if there is none. */
  readonly awayName: string | null;
}

/**
 * Loads the sessions of a therapist who is away, with everything that decides who can take them. Today is not part of
 * it: today's options plan today.
 * @param replan whether to plan also what a day's plan decided, and what people were told
 */
export async function loadStanding(
  db: Db,
  location: Location,
  away: Away,
  wall: WallPresent,
  replan = false,
): Promise<LoadedStanding> {
  const tomorrow = addDays(wall.date, 1);
  const from = away.from > tomorrow ? away.from : tomorrow;
  const until = away.until > from ? away.until : from;
  const clientIds = await selectClientsOf(db, location, away.therapist, [from, until]);
  const facts = await loadWeeks(db, { location, from, until }, clientIds, wall);
  const mine = facts.sessions.filter((row) => row.location === location && isTaken(row, away, facts.today));
  const kept = replan
    ? { told: new Set<string>(), planned: new Set<string>() }
    : { told: await selectTold(db, location, mine), planned: await selectDayCommits(db, mine) };
  const names = await selectNames(db, [away.therapist]);
  return {
    ...standingWeeks(facts, { ...away, from, until }, kept),
    facts,
    awayName: names.get(away.therapist) ?? null,
  };
}

/** The last date on which the therapist has a session with a client at the location; null if there is none. */
export async function lastSessionOf(db: Db, location: Location, therapist: string): Promise<IsoDate | null> {
  const row = await db
    .selectFrom('appointment')
    .select(sql<IsoDate | null>`max(starts)::date::text`.as('last'))
    .where('therapist_id', '=', therapist)
    .where('location', '=', location)
    .where('client_id', 'is not', null)
    .where('occupies', '=', true)
    .executeTakeFirst();
  return row?.last ?? null;
}

/**
 * The commits of these sessions that a day's plan made. What a standing replacement gave to the therapist is planned
 * again like a series of their own: a stand-in who is away is replaced, too.
 */
async function selectDayCommits(db: Db, mine: readonly DatedAppointment[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('schedule_commit as c')
    .innerJoin('proposal_revision as r', (on) =>
      on.onRef('r.proposal_id', '=', 'c.proposal_id').on('r.revision', '=', 1),
    )
    .select('c.id')
    .where('c.id', '=', anyOf(new Set(mine.map(({ commitId }) => commitId)), 'uuid'))
    .where(sql<boolean>`r.metadata->'standing' is null`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function selectClientsOf(
  db: Db,
  location: Location,
  therapist: string,
  [from, until]: readonly [IsoDate, IsoDate],
): Promise<string[]> {
  const rows = await db
    .selectFrom('appointment')
    .select('client_id')
    .distinct()
    .where('therapist_id', '=', therapist)
    .where('location', '=', location)
    .where('client_id', 'is not', null)
    .where('starts', '>=', sql<string>`${from}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(until, 1)}::timestamp`)
    .orderBy('client_id')
    .execute();
  return rows.flatMap(({ client_id }) => client_id ?? []);
}

/** The sessions whose families were told something about their date, by key. */
async function selectTold(db: Db, location: Location, mine: readonly DatedAppointment[]): Promise<ReadonlySet<string>> {
  const dates = [...new Set(mine.map(({ date }) => date))];
  const rows = await db
    .selectFrom('call_answer')
    .select(['date', 'client_id'])
    .distinct()
    .where('location', '=', location)
    .where('date', '=', sql<IsoDate>`any(${dates}::date[])`)
    .where('client_id', '=', anyOf(new Set(mine.map(({ clientId }) => clientId))))
    .where('answer', 'in', ['told', 'left-message'])
    .execute();
  const told = new Set(rows.map(({ date, client_id }) => `${date} ${client_id}`));
  return new Set(mine.flatMap((row) => (told.has(`${row.date} ${row.clientId}`) ? [row.key] : [])));
}
