import { sql } from 'kysely';
import { joinStretches, type IsoDate, type Location, type ToldStretch } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { PersonKey } from '../memory/call-day.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import type { Reached } from '../memory/knows.ts';

/** Opens a location's call lists for all dates from `from` to `to` that have bookings. */
export async function openBookedDays(db: Db, location: Location, from: IsoDate, to: IsoDate): Promise<void> {
  await sql`
    insert into call_day (location, date)
    select ${location}, d::date from generate_series(${from}::date, ${to}::date, interval '1 day') as d
    where not exists (select from call_day c where c.location = ${location} and c.date = d::date)
      and exists (select from appointment a where a.location = ${location} and a.starts::date = d::date)
    order by d on conflict do nothing`.execute(db);
}

/** Returns the next dates (at most `most`) on which an appointment has changed since the date's list was opened. */
export async function selectChangedAfter(db: Db, { location, date }: LocationDay, most: number): Promise<IsoDate[]> {
  const rows = await db
    .selectFrom('call_before')
    .select('date')
    .distinct()
    .where('location', '=', location)
    .where('date', '>', date)
    .orderBy('date')
    .limit(most)
    .execute();
  return rows.map((row) => row.date);
}

/**
 * Returns the days from `from` through `to`, at these locations, whose open lists may have a line: something changed, was
 * asked or was answered there, or someone is away.
 */
export async function selectCalledDays(
  db: Db,
  locations: readonly Location[],
  [from, to]: readonly [IsoDate, IsoDate],
): Promise<LocationDay[]> {
  const on = (table: string) =>
    sql`select from ${sql.table(table)} x where x.location = d.location and x.date = d.date`;
  const { rows } = await sql<LocationDay>`
    select d.location, d.date from call_day d
    where d.location = ${anyOf(locations)} and d.date between ${from}::date and ${to}::date
      and (exists (${on('call_before')}) or exists (${on('call_answer')}) or exists (${on('extra_hours')})
        or exists (${on('call_decline')})
        or exists (select from absence x where x.date = d.date and x.withdrawn_at is null))
    order by d.date, d.location`.execute(db);
  return rows;
}

/** When the day sheet was last sent, and by whom. */
export async function selectSheet(db: Db, location: Location, date: IsoDate) {
  const row = await db
    .selectFrom('day_sheet as s')
    .leftJoin('account as a', 'a.id', 's.account_id')
    .select(['s.sent_at', 'a.name'])
    .where((eb) => eb.and({ 's.location': location, 's.date': date }))
    .orderBy('s.sent_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { at: row.sent_at, by: row.name ?? '' } : null;
}

export async function insertSheet(
  db: Db,
  { location, date }: LocationDay,
  accountId: string,
  at: string,
): Promise<void> {
  await db
    .insertInto('day_sheet')
    .values({ location, date, sent_at: at, account_id: accountId })
    .onConflict((c) => c.doNothing())
    .execute();
}

export interface ClaimRow {
  readonly person: string;
  readonly accountId: string;
  readonly by: string;
  readonly at: string;
}

/** Who is calling whom, except calls that began before `since` (ISO 8601). */
export async function selectClaims(db: Db, location: Location, date: IsoDate, since: string): Promise<ClaimRow[]> {
  const rows = await db
    .selectFrom('call_claim as c')
    .innerJoin('account as a', 'a.id', 'c.account_id')
    .select(['c.person', 'c.account_id', 'c.at', 'a.name'])
    .where((eb) => eb.and({ 'c.location': location, 'c.date': date }))
    .where('c.at', '>=', since)
    .execute();
  return rows.map((row) => ({ person: row.person, accountId: row.account_id, by: row.name, at: row.at }));
}

export async function putClaim(
  db: Db,
  { location, date }: LocationDay,
  person: PersonKey,
  accountId: string,
  at: string,
): Promise<void> {
  await db
    .insertInto('call_claim')
    .values({ location, date, person, account_id: accountId, at })
    .onConflict((c) => c.columns(['location', 'date', 'person']).doUpdateSet({ account_id: accountId, at }))
    .execute();
}

/** What people were sent about a day, and what therapists saw of it on their own pages, oldest first. */
export async function selectReached(db: Db, location: Location, date: IsoDate): Promise<Reached[]> {
  const { rows } = await sql<Reached & { day: ToldStretch[] | null }>`
    select m.person, 'sent' as how, m.version, m.day, m.sent_at as at, coalesce(a.name, '') as by
    from message m left join account a on a.id = m.released_by
    where m.location = ${location} and m.date = ${date}::date and m.sent_at is not null and m.day is not null
    union all select 'therapist:' || therapist_id, 'seen', version, case when day_version = version then day end, at, ''
    from own_day_seen where location = ${location} and date = ${date}::date
    order by at`.execute(db);
  return rows.map((row) => ({ ...row, day: row.day && joinStretches(row.day) }));
}
