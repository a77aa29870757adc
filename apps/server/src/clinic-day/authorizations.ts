import { sql } from 'kysely';
import {
  addDays,
  codeOf,
  compareText,
  countedFrom,
  MOST_AUTHORIZED_DAYS,
  UNIT_MINUTES,
  unitsOf,
  type AuthorizationPeriod,
  type BillingCode,
  type Interval,
  type IsoDate,
  type Service,
} from '@clinic/domain';
import { allOf, anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { countedSessions, type CareSessionRow } from './care.ts';

/** An authorization that is valid on a date, and the units of its current period that earlier dates have used up. */
export interface LiveAuthorization {
  readonly id: string;
  readonly client: string;
  readonly payer: string;
  readonly code: BillingCode;
  readonly number: string;
  readonly from_date: IsoDate;
  readonly until_date: IsoDate;
  readonly units: number;
  readonly period: AuthorizationPeriod;
  readonly used: number;
}

export interface Authorizations {
  readonly live: readonly LiveAuthorization[];
  /** The clients with any authorization on record, valid or not. Other clients need no authorization. */
  readonly clients: ReadonlySet<string>;
}

interface Counting {
  /** The last date whose sessions count as using up units; by default, the day before the date in question. */
  readonly through?: IsoDate;
  /** The keys of sessions to leave out when adding up the used units. */
  readonly without?: readonly string[];
}

/**
 * Selects the authorizations valid on the date, each with the first date on which sessions use up its units (see
 * `countedFrom`).
 */
const liveOn = (date: IsoDate, which: ReturnType<typeof sql>) => sql`
  select *, greatest(from_date, case period when 'total' then from_date
    else date_trunc(period, ${date}::timestamp)::date end) as since
  from client_authorization where ${which} and from_date <= ${date} and ${date} <= until_date`;

/** The domain's `codeOf` in SQL; a test compares the two. */
export const codeColumn = sql`coalesce(substring(subject from '(?<!\\d)9715[1-8](?!\\d)'),
  case service when 'parent-training' then '97156'
    when 'supervision' then case when lower(btrim(subject)) = 'assessment' then '97151' else '97155' end
    when 'direct' then case when subject ~* '\\mgroup\\M' then '97154' else '97153' end end)`;

/** The domain's `unitsOf` in SQL. */
const unitsColumn = sql`((sum(delivered) + 7) / ${sql.lit(UNIT_MINUTES)})`;

/**
 * These clients' authorizations that are valid on the date. The used units are added up from the sessions of the
 * current period, at any location, by default up to the day before the date. The query reads only these clients'
 * sessions of at most two years, however long the history is.
 */
export async function selectAuthorizations(
  db: Db,
  clientIds: readonly string[],
  date: IsoDate,
  { through = addDays(date, -1), without = [] }: Counting = {},
): Promise<Authorizations> {
  if (clientIds.length === 0) return { live: [], clients: new Set() };
  const ids = anyOf(clientIds);
  // `offset 0` makes PostgreSQL look up each client's sessions by the index. Without it, PostgreSQL overestimates the
  // number of sessions and reads everyone's.
  const sessions = sql`
    select a.* from (select client_id, min(since) as since from live group by 1) w, lateral (
      select id, parent_id, location, client_id, therapist_id, service, starts, ends, occupies, subject from appointment
      where client_id = w.client_id and starts >= w.since::timestamp
        and starts < ${addDays(through, 1)}::timestamp and occupies and therapist_id is not null
        and id <> ${allOf(without, 'uuid')}
      offset 0
    ) a`;
  const days = [addDays(date, -MOST_AUTHORIZED_DAYS), addDays(through, 1)] as const;
  const { rows } = await sql<{ client: string; live: LiveAuthorization | null }>`
    with live as (
      ${liveOn(date, sql`client_id = ${ids}`)}
    ), ${countedSessions(sessions, days)}, used as (
      select client_id, ${codeColumn} as code, starts::date as date, ${unitsColumn} as units
      from counted group by 1, 2, 3
    ), total as (
      select l.id, sum(u.units) as units
      from live l join used u on u.client_id = l.client_id and u.code = l.code and u.date >= l.since
      group by l.id
    )
    select c.client_id as client, case when l.id is not null then json_build_object('id', l.id, 'client', l.client_id,
      'payer', l.payer, 'code', l.code, 'number', l.number, 'from_date', l.from_date, 'until_date', l.until_date, 'units', l.units,
      'period', l.period, 'used', coalesce(t.units, 0))
      end as live
    from (select distinct client_id from client_authorization where client_id = ${ids}) c
    left join live l on l.client_id = c.client_id
    left join total t on t.id = l.id
    order by 1, l.until_date, l.code, l.id`.execute(db);
  return { live: rows.flatMap(({ live }) => live ?? []), clients: new Set(rows.map(({ client }) => client)) };
}

/** A session that is about to be booked, or to be changed on the calendar. */
export interface BilledBooking extends Interval {
  /** The session's key, if it is already on the calendar. */
  readonly key?: string | undefined;
  readonly date: IsoDate;
  readonly service: Service;
  readonly subject: string;
}

/**
 * Returns the first date with a booking that no authorization would pay for. The sessions on the calendar and the
 * earlier bookings in the list use up units first. Returns null when all bookings are paid for, or when the client
 * needs no authorization.
 */
export async function firstUnpaid(db: Db, client: string, bookings: readonly BilledBooking[]): Promise<IsoDate | null> {
  const without = bookings.flatMap(({ key }) => key ?? []);
  const inOrder = [...bookings].sort((a, b) => compareText(a.date, b.date));
  for (const [i, { date, service, subject }] of inOrder.entries()) {
    const code = codeOf(service, subject);
    const { live, clients } = await selectAuthorizations(db, [client], date, { through: date, without });
    if (clients.size === 0) return null;
    const paid = live.some((each) => {
      const since = countedFrom(each, date);
      const own = inOrder.slice(0, i).filter((b) => b.date >= since && codeOf(b.service, b.subject) === each.code);
      const used = own.reduce((n, b) => n + unitsOf(b.end - b.start), each.used);
      return each.code === code && each.units - used > 0;
    });
    if (code !== null && !paid) return date;
  }
  return null;
}

/** A session, and the authorization that pays for it. */
export type AuthorizedSessionRow = CareSessionRow & { readonly authorization: string };

/** The sessions that a client's valid authorizations pay for, in order of time. */
export async function selectAuthorizedSessions(
  db: Db,
  clientId: string,
  date: IsoDate,
): Promise<AuthorizedSessionRow[]> {
  const days = [addDays(date, -MOST_AUTHORIZED_DAYS), date] as const;
  const sessions = sql`
    select a.id, a.parent_id, a.client_id, a.therapist_id, a.service, a.starts, a.ends, a.occupies, a.location,
      a.subject
    from appointment a
    where a.client_id = ${clientId} and a.starts >= (select min(since) from live)::timestamp
      and a.starts < ${date}::timestamp and a.occupies and a.therapist_id is not null`;
  const { rows } = await sql<AuthorizedSessionRow>`
    with live as (${liveOn(date, sql`client_id = ${clientId}`)}), ${countedSessions(sessions, days)}
    select c.id, c.location, c.starts, c.ends, c.subject, c.booked, c.delivered, live.id as authorization
    from (select *, ${codeColumn} as code from counted) c
    join live on live.code = c.code and c.starts >= live.since::timestamp
    where c.delivered > 0 order by c.starts, c.id`.execute(db);
  return rows;
}
