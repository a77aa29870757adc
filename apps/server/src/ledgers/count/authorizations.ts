// This file is over 250 lines because all its functions read the same rows to find out which authorizations pay for a
// session.
import { sql } from 'kysely';
import {
  addDays,
  codeOf,
  compareText,
  countedFrom,
  countedThrough,
  drawUnits,
  groupBy,
  holdsOn,
  MOST_AUTHORIZED_DAYS,
  pushTo,
  UNIT_MINUTES,
  unitsAdded,
  unitsLeft,
  unitsOf,
  unpaidSessions,
  usedUnits,
  type BillingCode,
  type Granted,
  type Interval,
  type IsoDate,
  type Service,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import {
  chainOn,
  isAlone,
  kindKey,
  kindsOf,
  kindTable,
  selectGranted,
  selectKinds,
  type Kind,
  type StoredAuthorization,
} from './authorization-kinds.ts';
import { countedSessions, openMinutes, type CareSessionRow } from './care.ts';
import { openFrom, type CareNow } from './care-hours.ts';

/** An authorization that is valid on a date, and the units of its current period that earlier dates use up. */
export interface LiveAuthorization extends StoredAuthorization {
  readonly used: number;
}

export interface Authorizations {
  readonly live: readonly LiveAuthorization[];
  /** The clients with any authorization on record, valid or not. Other clients need no authorization. */
  readonly clients: ReadonlySet<string>;
}

type Sql = ReturnType<typeof sql>;

/** Does in SQL what the domain's `codeOf` does. A test compares the results. */
export const codeColumn = sql`coalesce(substring(subject from '(?<!\\d)9715[1-8](?!\\d)'),
  case service when 'parent-training' then '97156'
    when 'supervision' then case when btrim(subject) ~* '^(initial |re-?)?assessment(?![a-z0-9_])' then '97151' else '97155' end
    when 'direct' then case when subject ~* '\\mgroup\\M' then '97154' else '97153' end end)`;

/** Does in SQL what the domain's `unitsOf` does. */
const unitsColumn = sql`(floor((sum(minutes) + 7) / ${sql.lit(UNIT_MINUTES)}))`;

/** In SQL, the minutes of a counted session that use units; `open` as for `selectAuthorizations`. */
const usingMinutes = (open: string | null): Sql =>
  open === null ? sql`delivered` : sql`(delivered + ${openMinutes(open)})`;

/** In SQL, whether an appointment may have such minutes. */
const mayUse = (open: string | null): Sql =>
  open === null ? sql`therapist_id is not null` : sql`(therapist_id is not null or ends > ${open}::timestamp)`;

/**
 * Defines the SQL table `day`: the units that each client used under each code on each date before this one, as far back
 * as the table `kind` says (`since`).
 */
function unitsByDay(before: IsoDate, open: string | null): Sql {
  // `offset 0` makes PostgreSQL look up each client's sessions by the index. Without it, PostgreSQL overestimates how
  // many sessions each client has, and reads the sessions of all clients.
  const sessions = sql`
    select a.* from (select client_id, min(since) as since from kind group by 1) w, lateral (
      select id, parent_id, location, client_id, therapist_id, service, starts, ends, occupies, subject from appointment
      where client_id = w.client_id and starts >= w.since::timestamp and starts < ${before}::timestamp
        and occupies and ${mayUse(open)}
      offset 0
    ) a`;
  return unitsOfDays(sessions, sql`x.date >= (select min(since) from kind) and x.date < ${before}::date`, open);
}

/** Defines the SQL table `day`: the units that each client used in these sessions, by code and date. */
function unitsOfDays(sessions: Sql, onDays: Sql, open: string | null): Sql {
  // It is costly to work out a session's code from its subject, so sessions with the same subject are added up first.
  return sql`${countedSessions(sessions, onDays)}, alike as (
      select client_id, service, subject, starts::date as date, sum(${usingMinutes(open)}) as minutes from counted
      group by 1, 2, 3, 4
    ), day as (
      select client_id, ${codeColumn} as code, date, ${unitsColumn} as units from alike group by 1, 2, 3
    )`;
}

/** What clients were granted, and the units that they used on dates before the first of those asked about. */
export interface Uses {
  readonly granted: readonly (Granted & { readonly client: string; readonly code: BillingCode })[];
  readonly used: readonly UsedUnits[];
}

interface UsedUnits {
  readonly client: string;
  readonly code: BillingCode;
  readonly date: IsoDate;
  readonly units: number;
}

/**
 * Returns these clients' authorizations that matter on one of the dates, and what sessions before the first date used.
 * @param open as for `selectAuthorizations`
 */
export async function selectUses(
  db: Db,
  clientIds: readonly string[],
  dates: readonly [IsoDate, ...IsoDate[]],
  open: string | null,
): Promise<Uses> {
  return selectUsesOf(db, await selectKinds(db, clientIds, dates), dates[0], open);
}

/** Returns these authorizations, and what sessions before this date used of them. */
export async function selectUsesOf(
  db: Db,
  kinds: readonly Kind[],
  before: IsoDate,
  open: string | null,
): Promise<Uses> {
  if (kinds.length === 0) return { granted: [], used: [] };
  const { rows } = await sql<UsedUnits>`
    with ${kindTable(kinds)}, ${unitsByDay(before, open)}
    select client_id as client, code, date, units::int as units from kind join day using (client_id, code)
    where date >= since order by date`.execute(db);
  return { granted: kinds.flatMap(({ all }) => all), used: rows };
}

/** Returns the units that a client used from `first` on, before `before`, whatever was granted. */
export async function selectUsed(
  db: Db,
  client: string,
  [first, before]: readonly [IsoDate, IsoDate],
  open: string | null,
): Promise<UsedUnits[]> {
  const sessions = sql`
    select id, parent_id, location, client_id, therapist_id, service, starts, ends, occupies, subject from appointment
    where client_id = ${client} and starts >= ${first}::timestamp and starts < ${before}::timestamp
      and occupies and ${mayUse(open)}`;
  const onDays = sql`x.date >= ${first}::date and x.date < ${before}::date`;
  const { rows } = await sql<UsedUnits>`
    with ${unitsOfDays(sessions, onDays, open)}
    select client_id as client, code, date, units::int as units from day where code is not null order by date`.execute(
    db,
  );
  return rows;
}

/**
 * The sessions that no authorization pays for on their dates, as in the dates' plans (`unpaidSessions`). The sessions are
 * all of their clients' on these dates; clients who were granted nothing need no authorization.
 */
export function unpaidIn({ granted, used }: Uses, sessions: readonly DatedBilled[]): Set<string> {
  const clients = new Set(granted.map(({ client }) => client));
  const kindOf = ({ client, code }: { readonly client: string; readonly code: BillingCode | null }): string =>
    `${client} ${code}`;
  const own = groupBy(granted, kindOf);
  const days = groupBy(used, kindOf);
  const unpaid = new Set<string>();
  const onDate = groupBy(
    sessions.filter(({ client }) => clients.has(client)),
    ({ date }) => date,
  );
  for (const [date, all] of [...onDate].sort(([a], [b]) => compareText(a, b)))
    for (const [kind, some] of groupBy(all, kindOf)) {
      const [{ client, code } = {}] = some;
      if (client === undefined || code == null) continue;
      const mine = own.get(kind) ?? [];
      const draws = drawUnits(mine, days.get(kind) ?? [], date);
      const valid = mine.filter((each) => holdsOn(each, date));
      const live = valid.map((each) => ({ ...each, used: usedUnits(draws, each, date) }));
      for (const key of unpaidSessions(some, live, clients)) unpaid.add(key);
      pushTo(days, kind, { client, code, date, units: unitsOf(some.reduce((sum, { minutes }) => sum + minutes, 0)) });
    }
  return unpaid;
}

/** A session with its date, and the minutes that use units. */
export type DatedBilled = Parameters<typeof unpaidSessions>[0][number] & { readonly date: IsoDate };

/**
 * Returns these clients' authorizations that are valid on the date, each with the units that earlier sessions at any
 * location drew from it (see `drawUnits`). The query reads only these clients' sessions since the first date that
 * matters, however long the history is.
 * @param open what `openFrom` returned for the days before the date: time without a therapist after this moment uses
 * units, too, since it may still be covered; null if only delivered time does, as in the ledgers
 */
export async function selectAuthorizations(
  db: Db,
  clientIds: readonly string[],
  date: IsoDate,
  open: string | null,
): Promise<Authorizations> {
  if (clientIds.length === 0) return { live: [], clients: new Set() };
  const granted = await selectGranted(db, clientIds);
  const clients = new Set(granted.map(({ client }) => client));
  const kinds = kindsOf(chainOn(granted, [date]));
  if (kinds.length === 0) return { live: [], clients };
  const { rows } = await usedQuery(kinds, date, open).execute(db);
  const given = new Map(rows.map((row) => [kindKey(row), row]));
  const live = kinds.flatMap((kind): LiveAuthorization[] => {
    const { all } = kind;
    const own = given.get(kindKey(kind));
    if (isAlone(kind)) return all.map((only) => ({ ...only, used: own?.used ?? 0 }));
    const draws = drawUnits(
      all,
      (own?.days ?? []).map(([on, units]) => ({ date: on, units })),
      date,
    );
    return all.filter((each) => holdsOn(each, date)).map((each) => ({ ...each, used: usedUnits(draws, each, date) }));
  });
  return { live: live.toSorted(inLedgerOrder), clients };
}

/**
 * The statement that adds up what these kinds used before a date. The units of an authorization that overlaps no other,
 * and has no prior units, are added up here. For the others, the domain draws the units date by date.
 */
export const usedQuery = (kinds: readonly Kind[], date: IsoDate, open: string | null) => sql<{
  client: string;
  code: BillingCode;
  used: number | null;
  days: (readonly [date: IsoDate, units: number])[] | null;
}>`
    with ${kindTable(kinds)}, ${unitsByDay(date, open)}
    select client_id as client, code, sum(units) filter (where alone)::int as used,
      json_agg(json_build_array(date, units) order by date) filter (where not alone) as days
    from kind join day using (client_id, code) where date >= since group by 1, 2`;

const inLedgerOrder = (a: LiveAuthorization, b: LiveAuthorization): number =>
  compareText(a.client, b.client) ||
  compareText(a.until_date, b.until_date) ||
  compareText(a.code, b.code) ||
  compareText(a.id, b.id);

/** A session that draws on authorizations, with its date and code, and the minutes that use units. */
type UsingSession = CareSessionRow & { readonly date: IsoDate; readonly code: BillingCode; readonly minutes: number };

/**
 * Selects a client's authorizations for these dates, and the sessions up to and including `through` that draw on them,
 * in chronological order. `open` as for `selectAuthorizations`.
 */
async function selectUse(db: Db, client: string, dates: readonly IsoDate[], through: IsoDate, open: string | null) {
  const links = chainOn(await selectGranted(db, [client]), dates);
  const authorizations = links.map(({ own }) => own);
  const first = links.map(({ since }) => since).sort(compareText)[0];
  if (first === undefined) return { authorizations, sessions: [] };
  const sessions = sql`
    select id, parent_id, client_id, therapist_id, service, starts, ends, occupies, location, subject from appointment
    where client_id = ${client} and starts >= ${first}::timestamp and starts < ${through}::date + 1
      and occupies and ${mayUse(open)}`;
  const { rows } = await sql<UsingSession>`
    with ${countedSessions(sessions, sql`x.date between ${first}::date and ${through}::date`)}
    select id, location, starts, ends, starts::date as date, subject, ${codeColumn} as code, booked, delivered, minutes
    from counted, lateral (select ${usingMinutes(open)} as minutes) using_units
    where minutes > 0 order by starts, id`.execute(db);
  return { authorizations, sessions: rows };
}

/** A session that is about to be booked, or moved on the calendar. */
export interface BilledBooking extends Interval {
  /** The session's key, if it is already on the calendar. */
  readonly key?: string | undefined;
  readonly date: IsoDate;
  readonly service: Service;
  readonly subject: string;
}

/**
 * Returns the first date with a booking that no authorization would pay for. Units go first to the sessions on the
 * calendar up to and including the booking's date, and to the earlier bookings in the list. As in a plan, sessions that
 * may still be covered use units. Returns null when all bookings are paid for, or when the client needs no
 * authorization.
 */
export async function firstUnpaid(
  db: Db,
  client: string,
  bookings: readonly BilledBooking[],
  now: CareNow,
): Promise<IsoDate | null> {
  const [first] = await unpaidBookings(db, client, bookings, now, { whole: false });
  return first?.date ?? null;
}

/**
 * Returns the bookings that authorizations would not pay for, in chronological order; the others keep their units.
 * @param whole whether a booking must be paid for entirely, beside everything that is on the calendar in the period of
 * its authorization: new sessions then take no units from those that are booked already
 */
export async function unpaidBookings<B extends BilledBooking>(
  db: Db,
  client: string,
  bookings: readonly B[],
  now: CareNow,
  { whole }: { readonly whole: boolean },
): Promise<B[]> {
  const billed = bookings
    .flatMap((booking) => {
      const code = codeOf(booking.service, booking.subject);
      const { date, start, end } = booking;
      return code === null ? [] : [{ booking, date, code, minutes: end - start }];
    })
    .sort((a, b) => compareText(a.date, b.date));
  const dates = [...new Set(billed.map(({ date }) => date))];
  const last = dates.at(-1);
  if (last === undefined || !(await needsAuthorization(db, client))) return [];
  const through = whole ? addDays(last, MOST_AUTHORIZED_DAYS) : last;
  const { authorizations, sessions } = await selectUse(db, client, dates, through, openFrom(addDays(through, 1), now));
  const replaced = new Set(bookings.flatMap(({ key }) => key ?? []));
  const calendar = sessions.filter(({ id }) => !replaced.has(id));
  const unpaid: B[] = [];
  const paid: typeof billed = [];
  for (const each of billed) {
    const { date, code } = each;
    const others = [...calendar, ...paid]
      .filter((other) => other.code === code && (whole || other.date <= date))
      .sort((a, b) => compareText(a.date, b.date));
    const added = unitsAdded(others);
    const own = authorizations.filter((granted) => granted.code === code);
    const draws = drawUnits(
      own,
      others.map((other, at) => ({ date: other.date, units: added[at] ?? 0 })),
      date,
    );
    const valid = own.filter((granted) => holdsOn(granted, date));
    const left = unitsLeft(
      valid.map((granted) => {
        const until = countedThrough(granted, date);
        const inPeriod = draws.filter(({ by }) => by.date <= until);
        return { ...granted, used: usedUnits(inPeriod, granted, date) };
      }),
    );
    if (left < (whole ? unitsOf(each.minutes) : 1)) unpaid.push(each.booking);
    else paid.push(each);
  }
  return unpaid;
}

/** Whether the client has any authorization on record, valid or not. */
async function needsAuthorization(db: Db, client: string): Promise<boolean> {
  const own = db.selectFrom('client_authorization').select('id').where('client_id', '=', client);
  return (await own.limit(1).executeTakeFirst()) !== undefined;
}

/** A session, an authorization that pays for it, and how many units the session drew from that authorization. */
export interface AuthorizedSessionRow extends UsingSession {
  readonly authorization: string;
  readonly units: number;
}

/**
 * Returns the sessions that drew units from the client's authorizations, in chronological order. Counts only
 * authorizations valid on the date, and only their current periods. A session that drew units from two authorizations
 * is listed once for each authorization.
 */
export async function selectAuthorizedSessions(
  db: Db,
  clientId: string,
  date: IsoDate,
): Promise<AuthorizedSessionRow[]> {
  const { authorizations, sessions } = await selectUse(db, clientId, [date], addDays(date, -1), null);
  const draws = [...groupBy(sessions, ({ code }) => code)].flatMap(([code, own]) => {
    const added = unitsAdded(own);
    return drawUnits(
      authorizations.filter((each) => each.code === code),
      own.map((each, i) => ({ ...each, units: added[i] ?? 0 })),
      date,
    );
  });
  return draws
    .filter(({ authorization, by }) => holdsOn(authorization, date) && by.date >= countedFrom(authorization, date))
    .map(({ authorization, by, units }) => ({ ...by, authorization: authorization.id, units }))
    .sort((a, b) => compareText(a.starts, b.starts) || compareText(a.id, b.id));
}
