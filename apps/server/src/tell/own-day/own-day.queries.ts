import { sql } from 'kysely';
import { eachNotePart, type CoverNotePart } from '@clinic/contract';
import { isoDate, type Interval, type IsoDate, type Location, type Service } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Line } from '../lines/line.ts';

/** A therapist's own session; times are minutes after midnight. */
export interface OwnSessionRow extends Interval {
  readonly id: string;
  readonly version: number;
  /** The key of the original appointment, as noes name it. */
  readonly root: string;
  readonly date: IsoDate;
  readonly location: Location;
  readonly client: string | null;
  readonly clientId: string | null;
  readonly service: Service;
  readonly status: AppointmentStatus;
  readonly cover: boolean;
  /** The notes for covering therapists in the client's profile. */
  readonly note: Readonly<Record<CoverNotePart, string>>;
}

/** A session, or a part of one, and whether the next plan decides about it. */
export interface OwnSession extends OwnSessionRow {
  readonly undecided: boolean;
}

/** Returns a therapist's sessions from one date to another, sorted by time, without cancelled sessions. */
export async function selectOwnSessions(
  db: Db,
  therapistId: string,
  from: IsoDate,
  to: IsoDate,
): Promise<OwnSessionRow[]> {
  const rows = await db
    .selectFrom('appointment as a')
    .leftJoin('client as c', 'c.id', 'a.client_id')
    .select([
      'a.id',
      'a.version',
      'a.starts',
      'a.ends',
      'a.location',
      'a.client_id',
      'a.service',
      'a.status',
      'a.booked_therapist_id',
    ])
    .select(sql<string>`coalesce(a.parent_id, a.id)::text`.as('root'))
    .select(['c.display_name', 'c.likes', 'c.helps', 'c.avoid'])
    .where('a.therapist_id', '=', therapistId)
    .where('a.status', 'in', ['pending', 'booked', 'fulfilled', 'noshow'])
    .where(sql<boolean>`a.starts >= ${from}::date and a.starts < ${to}::date + 1`)
    .orderBy('a.starts')
    .orderBy('a.id')
    .execute();
  return rows.map((row) => {
    const date = isoDate(row.starts.slice(0, 10));
    return {
      id: row.id,
      version: row.version,
      root: row.root,
      date,
      start: minutesAfter(date, row.starts),
      end: minutesAfter(date, row.ends),
      location: row.location,
      client: row.display_name,
      clientId: row.client_id,
      service: row.service,
      status: row.status,
      cover: row.booked_therapist_id !== null && row.booked_therapist_id !== therapistId,
      note: eachNotePart((part) => row[part] ?? ''),
    };
  });
}

/** An absence of the therapist (`clientId` is null) or of a client. */
export interface OwnAbsenceRow extends Interval {
  readonly date: IsoDate;
  readonly clientId: string | null;
}

/** Returns when the therapist and these clients are away, from one date to another. */
export async function selectOwnAbsences(
  db: Db,
  therapistId: string,
  clients: readonly string[],
  from: IsoDate,
  to: IsoDate,
): Promise<OwnAbsenceRow[]> {
  const rows = await db
    .selectFrom('absence')
    .select(['date', 'client_id', 'start_minute', 'end_minute'])
    .where('withdrawn_at', 'is', null)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where((eb) => eb.or([eb('therapist_id', '=', therapistId), eb('client_id', '=', anyOf(clients))]))
    .execute();
  return rows.map((row) => {
    return { date: row.date, clientId: row.client_id, start: row.start_minute, end: row.end_minute };
  });
}

/** Sessions of a date that the therapist said no to, or a family to the therapist, by the key of the original. */
export interface OwnNoRow extends LocationDay {
  readonly sessions: readonly string[];
}

export const selectOwnNoes = (db: Db, therapistId: string, from: IsoDate, to: IsoDate): Promise<OwnNoRow[]> =>
  db
    .selectFrom('call_decline')
    .select(['location', 'date', 'sessions'])
    .where((eb) => eb.and({ therapist_id: therapistId, ended_at: null }))
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute();

/**
 * Returns the days with an open call list on which the therapist has or had a session, or was told or has heard of a
 * session, sorted by date.
 */
export async function selectOwnCallDays(
  db: Db,
  therapistId: string,
  from: IsoDate,
  to: IsoDate,
): Promise<LocationDay[]> {
  // Each table is read by location and date, because these are the columns of its index and the tables grow over the
  // years.
  const near = (table: string) => sql`${sql.ref(`${table}.location`)} = any(array(select value from location))
    and ${sql.ref(`${table}.date`)} between ${from}::date and ${to}::date`;
  const { rows } = await sql<LocationDay>`
    select d.location, d.date from call_day d where ${near('d')} and (d.location, d.date) in (
      select a.location, a.starts::date from appointment a where a.therapist_id = ${therapistId}
        and a.starts >= ${from}::date and a.starts < ${to}::date + 1
      union all select b.location, b.date from call_before b where ${near('b')} and b.therapist_id = ${therapistId}
      union all select w.location, w.date from call_answer w where ${near('w')} and w.therapist_id = ${therapistId}
      union all select m.location, m.date from message m where ${near('m')} and m.person = ${`therapist:${therapistId}`}
        and m.sent_at is not null
      union all select s.location, s.date from own_day_seen s where s.therapist_id = ${therapistId}
        and s.date between ${from}::date and ${to}::date)
    order by d.date, d.location`.execute(db);
  return rows;
}

export async function putSeen(
  db: Db,
  { location, date }: LocationDay,
  therapistId: string,
  { version, now }: Pick<Line, 'version' | 'now'>,
  at: string,
): Promise<void> {
  const seen = { version, at, day: JSON.stringify(now), day_version: version };
  await db
    .insertInto('own_day_seen')
    .values({ therapist_id: therapistId, location, date, ...seen })
    .onConflict((c) => c.columns(['therapist_id', 'location', 'date']).doUpdateSet(seen))
    .execute();
}

/** A therapist's home location and name. */
export const selectSelf = (db: Db, therapistId: string) =>
  db
    .selectFrom('therapist')
    .select(['display_name', 'location'])
    .where('id', '=', therapistId)
    .executeTakeFirstOrThrow();
