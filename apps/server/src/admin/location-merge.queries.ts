import { sql } from 'kysely';
import type { Merged } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** The last date, from a date on, of which people at a location were told something; null if there is none. */
export async function lastToldDate(db: Db, location: Location, from: IsoDate): Promise<IsoDate | null> {
  const { rows } = await sql<{ date: IsoDate | null }>`
    select max(date) as date from (
      select date from call_answer where location = ${location} and date >= ${from}::date
      union all select date from call_decline where location = ${location} and date >= ${from}::date
      union all select date from day_sheet where location = ${location} and date >= ${from}::date
      union all select date from message where location = ${location} and date >= ${from}::date
      union all select date from extra_hours where location = ${location} and date >= ${from}::date and ended_at is null
    ) as told`.execute(db);
  return rows[0]?.date ?? null;
}

/** Moves what a merge moves, and returns how much of each. No one is called about it: who takes part stays the same. */
export async function moveAll(trx: Db, from: Location, into: Location, date: IsoDate): Promise<Merged> {
  await moveCallLists(trx, from, into, date);
  const where = sql`location = ${from}`;
  const counted = async (statement: ReturnType<typeof sql>): Promise<number> =>
    Number((await statement.execute(trx)).numAffectedRows ?? 0);
  const sessionsMoved = sql`update appointment set location = ${into}, version = version + 1
    where ${where} and starts::date >= ${date}::date`;
  const moved = {
    therapists: await counted(sql`update therapist set location = ${into} where ${where} and deleted_at is null`),
    clients: await counted(sql`update client set location = ${into} where ${where}`),
    series: await counted(sql`update weekly_series set location = ${into}
      where ${where} and (until_date is null or until_date >= ${date}::date)`),
    sessions: await countSessions(trx, from, date, sessionsMoved),
    absences: await counted(sql`update absence set location = ${into} where ${where} and date >= ${date}::date`),
    accounts: await counted(accountsMoved('account', from, into)),
  };
  await accountsMoved('invitation', from, into).execute(trx);
  await sql`update leave set location = ${into} where ${where} and ended_at is null
    and (last_date is null or last_date >= ${date}::date)`.execute(trx);
  await sql`insert into location_day (location, date, version)
    select l, d.date, 1 from unnest(array[${from}, ${into}]) as l,
      (select date from location_day where location = any(array[${from}, ${into}]) and date >= ${date}::date
        union select starts::date from appointment where location = ${into} and starts::date >= ${date}::date) as d
    on conflict (location, date) do update set version = location_day.version + 1`.execute(trx);
  return moved;
}

/** Moves the sessions, and counts those that take place. */
async function countSessions(trx: Db, from: Location, date: IsoDate, moving: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from appointment
    where location = ${from} and occupies and starts::date >= ${date}::date`.execute(trx);
  await moving.execute(trx);
  return rows[0]?.count ?? 0;
}

const accountsMoved = (table: 'account' | 'invitation', from: Location, into: Location) => sql`
  update ${sql.table(table)} set locations = (select array_agg(distinct each order by each)
    from unnest(array_replace(locations, ${from}::text, ${into}::text)) as each)
  where ${from}::text = any(locations)`;

/**
 * Moves what the call lists compare with. Each session that moves gets its present state there first, so that its move
 * alone is no news to anyone.
 */
async function moveCallLists(trx: Db, from: Location, into: Location, date: IsoDate): Promise<void> {
  const ahead = sql`location = ${from} and date >= ${date}::date`;
  await sql`insert into call_day (location, date, opened_at)
    select ${into}, date, opened_at from call_day where ${ahead} on conflict do nothing`.execute(trx);
  await sql`insert into call_before (location, date, appointment_id, client_id, therapist_id, service, starts, ends)
    select ${into}, date, appointment_id, client_id, therapist_id, service, starts, ends
    from call_before where ${ahead} on conflict do nothing`.execute(trx);
  await sql`delete from call_before where ${ahead}`.execute(trx);
  await sql`delete from call_claim where ${ahead}`.execute(trx);
  await sql`delete from own_day_seen where ${ahead}`.execute(trx);
  await sql`delete from presence where ${ahead}`.execute(trx);
  await sql`delete from call_day where ${ahead}`.execute(trx);
  await sql`insert into call_before (location, date, appointment_id, client_id, therapist_id, service, starts, ends)
    select ${into}, a.starts::date, a.id,
      case when is_told(a.status) then a.client_id end, case when is_told(a.status) then a.therapist_id end,
      case when is_told(a.status) then a.service end,
      case when is_told(a.status) then a.starts end, case when is_told(a.status) then a.ends end
    from appointment a
    where a.location = ${from} and a.starts::date >= ${date}::date
      and exists (select from call_day d where d.location = ${into} and d.date = a.starts::date)
    on conflict do nothing`.execute(trx);
}
