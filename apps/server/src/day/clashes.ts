import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';

/** An appointment that is no longer part of an imported double booking. */
export interface Settled {
  readonly location: Location;
  readonly date: IsoDate;
  readonly clientId: string | null;
  readonly therapistId: null;
}

/**
 * Ends imported double bookings: an appointment that no longer overlaps another gets its own place again. The
 * appointments may be at other locations.
 * @param places the values of `place` or `client_place` (`clash:…`) that the changed appointments had, and that other
 * appointments may still have
 */
export async function settleClashes(trx: Db, places: readonly string[]): Promise<Settled[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<Settled>`
    with freed as (
      select a.id,
        a.place = ${anyOf(places)} and not exists (
          select from appointment b where b.id <> a.id and b.occupies and b.place = a.place
            and b.therapist_id = a.therapist_id and b.instants && a.instants) as own_place,
        a.client_place = ${anyOf(places)} and not exists (
          select from appointment b where b.id <> a.id and b.occupies and b.client_place = a.client_place
            and b.client_id = a.client_id and b.instants && a.instants) as own_client_place
      from appointment a
      where a.occupies and ((a.place = ${anyOf(places)} and a.place like 'clash:%')
        or (a.client_place = ${anyOf(places)} and a.client_place like 'clash:%'))
    )
    update appointment a set
      place = case when f.own_place then coalesce('group:' || a.group_key, a.id::text) else a.place end,
      client_place = case when f.own_client_place then a.id::text else a.client_place end,
      clash = (not f.own_place and a.place like 'clash:%') or (not f.own_client_place and a.client_place like 'clash:%')
    from freed f where a.id = f.id and (f.own_place or f.own_client_place)
    returning a.location, a.starts::date as date, a.client_id as "clientId", null as "therapistId"`.execute(trx);
  return rows;
}
