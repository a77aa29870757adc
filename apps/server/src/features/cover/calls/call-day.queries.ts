import { sql } from 'kysely';
import type { CallResult } from '@clinic/contract';
import {
  joinStretches,
  type Interval,
  type IsoDate,
  type Location,
  type ToldStretch,
  type Service,
} from '@clinic/domain';
import type { Db } from '../../../db/connection.ts';
import { minutesAfter } from '../../../db/wall-time.ts';
import type { LocationDay } from '../../../clinic-day/versions.ts';
import type { PersonKind } from '../../../clinic-day/people.ts';

/** Identifies a person: `therapist:ID` or `client:ID`. */
export type PersonKey = `${PersonKind}:${string}`;
export const personKey = (kind: PersonKind, id: string): PersonKey => `${kind}:${id}`;
export const idOf = (person: PersonKey): string => person.slice(person.indexOf(':') + 1);

/** An appointment as it was when its date's call list was opened; the state is null if it did not exist yet. */
export interface BeforeRow {
  readonly key: string;
  readonly state:
    | (Interval & {
        readonly clientId: string | null;
        readonly therapistId: string | null;
        readonly service: Service;
      })
    | null;
}

/** Opens a location's call lists for all dates from `from` to `to` that have bookings. */
export async function openBookedDays(db: Db, location: Location, from: IsoDate, to: IsoDate): Promise<void> {
  await sql`
    insert into call_day (location, date)
    select ${location}, d::date from generate_series(${from}::date, ${to}::date, interval '1 day') as d
    where not exists (select from call_day c where c.location = ${location} and c.date = d::date)
      and exists (select from appointment a where a.location = ${location} and a.starts::date = d::date)
    order by d on conflict do nothing`.execute(db);
}

/** Whether a date's call list is open. */
export async function isOpen(db: Db, { location, date }: LocationDay): Promise<boolean> {
  const row = await db
    .selectFrom('call_day')
    .select('date')
    .where('location', '=', location)
    .where('date', '=', date)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first `most` dates after a date on which an appointment has changed since the date's list was opened. */
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

/** The appointments that have changed since the list was opened, in their state at that time. */
export async function selectBefore(db: Db, location: Location, date: IsoDate): Promise<BeforeRow[]> {
  const rows = await db
    .selectFrom('call_before')
    .select(['appointment_id', 'client_id', 'therapist_id', 'service', 'starts', 'ends'])
    .where('location', '=', location)
    .where('date', '=', date)
    .execute();
  return rows.map((row) => {
    const { service, starts, ends } = row;
    if (service === null || starts === null || ends === null) return { key: row.appointment_id, state: null };
    const times = { start: minutesAfter(date, starts), end: minutesAfter(date, ends) };
    return {
      key: row.appointment_id,
      state: { clientId: row.client_id, therapistId: row.therapist_id, service, ...times },
    };
  });
}

export interface Answer {
  readonly person: PersonKey;
  readonly answer: CallResult;
  readonly note: string | null;
  readonly version: string;
  /** The day that the person was told about; null if they were told nothing. */
  readonly day: readonly ToldStretch[] | null;
  /** A timestamp as PostgreSQL writes it. */
  readonly at: string;
  readonly by: string;
  /** Whether the person answered on their own page. */
  readonly byPage: boolean;
}

/** Every answer to a day's calls, oldest first. */
export async function selectAnswers(db: Db, location: Location, date: IsoDate): Promise<Answer[]> {
  const rows = await db
    .selectFrom('call_answer as c')
    .leftJoin('account as a', 'a.id', 'c.account_id')
    .select([
      'c.therapist_id',
      'c.client_id',
      'c.answer',
      'c.note',
      'c.version',
      'c.day',
      'c.at',
      'c.by_page',
      'a.name',
    ])
    .where('c.location', '=', location)
    .where('c.date', '=', date)
    .orderBy('c.id')
    .execute();
  return rows.map((row) => ({
    person:
      row.therapist_id === null ? personKey('client', row.client_id ?? '') : personKey('therapist', row.therapist_id),
    answer: row.answer,
    note: row.note,
    version: row.version,
    day: row.day === null ? null : joinStretches(row.day as ToldStretch[]),
    at: row.at,
    by: row.name ?? '',
    byPage: row.by_page,
  }));
}

export type AnswerToKeep = Omit<Answer, 'at' | 'by'>;

/** Stores answers; `at` is in ISO 8601. */
export async function insertAnswers(
  db: Db,
  { location, date }: LocationDay,
  answers: readonly AnswerToKeep[],
  accountId: string,
  at: string,
): Promise<void> {
  if (answers.length === 0) return;
  await db
    .insertInto('call_answer')
    .values(
      answers.map(({ person, answer, note, version, day, byPage }) => ({
        location,
        date,
        answer,
        note,
        version,
        at,
        account_id: accountId,
        by_page: byPage,
        therapist_id: person.startsWith('therapist:') ? idOf(person) : null,
        client_id: person.startsWith('client:') ? idOf(person) : null,
        day: day === null ? null : JSON.stringify(day),
      })),
    )
    .execute();
}

/** When the day sheet was last sent, and by whom. */
export async function selectSheet(db: Db, location: Location, date: IsoDate) {
  const row = await db
    .selectFrom('day_sheet as s')
    .leftJoin('account as a', 'a.id', 's.account_id')
    .select(['s.sent_at', 'a.name'])
    .where('s.location', '=', location)
    .where('s.date', '=', date)
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
    .where('c.location', '=', location)
    .where('c.date', '=', date)
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

export async function dropClaim(db: Db, { location, date }: LocationDay, person: PersonKey): Promise<void> {
  await db
    .deleteFrom('call_claim')
    .where('location', '=', location)
    .where('date', '=', date)
    .where('person', '=', person)
    .execute();
}

/** A line that a therapist has seen on their own page. */
export interface SeenRow {
  readonly person: PersonKey;
  readonly version: string;
  /** A timestamp as PostgreSQL writes it. */
  readonly at: string;
}

export async function selectSeenLines(db: Db, location: Location, date: IsoDate): Promise<SeenRow[]> {
  const rows = await db
    .selectFrom('own_day_seen')
    .select(['therapist_id', 'version', 'at'])
    .where('location', '=', location)
    .where('date', '=', date)
    .execute();
  return rows.map(({ therapist_id, version, at }) => ({ person: personKey('therapist', therapist_id), version, at }));
}
