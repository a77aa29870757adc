import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { LocationDay } from '../../../clinic-day/versions.ts';
import type { Db } from '../../../db/connection.ts';
import type { DroppedWhy } from '../../../db/schema.ts';
import type { Way } from '../../../platform/sending/sender.ts';
import type { PersonKey } from './call-day.queries.ts';

/** A message to put into the outbox. */
export interface NewMessage {
  readonly person: PersonKey;
  readonly version: string;
  readonly way: Way;
  readonly address: string;
  readonly words: string;
}

/**
 * Stores messages in one statement and returns the people they are for. Skips a person whose newest message already has
 * this version and was not dropped; if two coordinators release at the same moment, only one message is stored.
 */
export async function insertMessages(
  db: Db,
  { location, date }: LocationDay,
  messages: readonly NewMessage[],
  accountId: string,
  at: string,
): Promise<string[]> {
  if (messages.length === 0) return [];
  const { rows } = await sql<{ person: string }>`
    insert into message (location, date, person, number, version, way, address, words, released_by, released_at, next_try_at)
    select ${location}, ${date}::date, m.person, coalesce(last.number, 0) + 1, m.version, m.way, m.address, m.words,
      ${accountId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(messages)}::json)
      as m (person text, version text, way text, address text, words text)
    left join lateral (select e.number, e.version, e.dropped_at from message e
      where e.location = ${location} and e.date = ${date}::date and e.person = m.person
      order by e.number desc limit 1) as last on true
    where last.version is distinct from m.version or last.dropped_at is not null
    order by m.person
    on conflict (location, date, person, number) do nothing
    returning person`.execute(db);
  return rows.map((row) => row.person);
}

/** The newest message to a person about a date. Timestamps are as PostgreSQL writes them. */
export interface MessageRow {
  readonly person: string;
  readonly number: number;
  readonly version: string;
  readonly way: Way;
  readonly released_at: string;
  readonly sent_at: string | null;
  readonly failed_at: string | null;
  readonly fault: string | null;
  readonly dropped_at: string | null;
  readonly dropped_why: DroppedWhy | null;
}

export async function selectMessages(db: Db, location: Location, date: IsoDate): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select distinct on (person) person, number, version, way, released_at, sent_at, failed_at, fault, dropped_at,
      dropped_why from message
    where location = ${location} and date = ${date}::date order by person, number desc`.execute(db);
  return rows;
}

/** A message that this server is about to send. */
export interface DueMessage {
  readonly id: string;
  readonly location: Location;
  readonly date: IsoDate;
  readonly person: string;
  readonly number: number;
  readonly version: string;
  readonly way: Way;
  readonly address: string;
  readonly words: string;
  readonly tries: number;
  readonly released_at: string;
}

/** Whether a message is neither sent, failed nor dropped. */
const waiting = sql<boolean>`sent_at is null and failed_at is null and dropped_at is null`;

/** Takes up to `most` due messages for this server; no other server takes them until `until`. */
export async function takeDue(db: Db, most: number, now: string, until: string): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    update message set taken_until = ${until}::timestamptz, tries = tries + 1 where id in (
      select id from message where ${waiting} and next_try_at <= ${now}::timestamptz
        and (taken_until is null or taken_until <= ${now}::timestamptz)
      order by next_try_at, id limit ${most} for update skip locked)
    returning id, location, date, person, number, version, way, address, words, tries, released_at`.execute(db);
  return rows;
}

/** What to change in a message before it is sent: drop it, or send it to another address. */
export type Sifted =
  { readonly drop: DroppedWhy } | { readonly way: Way; readonly address: string; readonly words: string };

/** Drops or readdresses a message that this server has taken. Returns false if a later try has begun. */
export async function keepSifted(
  db: Db,
  { id, tries }: Pick<DueMessage, 'id' | 'tries'>,
  sifted: Sifted,
  at: string,
): Promise<boolean> {
  const change =
    'drop' in sifted
      ? { dropped_at: at, dropped_why: sifted.drop, taken_until: null, next_try_at: 'infinity' }
      : { way: sifted.way, address: sifted.address, words: sifted.words };
  const row = await db
    .updateTable('message')
    .set(change)
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where(waiting)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes people's waiting messages due now, so that messages that no longer apply are dropped at once. */
export async function bringForward(
  db: Db,
  { location, date }: LocationDay,
  people: readonly PersonKey[],
  now: string,
): Promise<void> {
  await db
    .updateTable('message')
    .set({ next_try_at: now })
    .where('location', '=', location)
    .where('date', '=', date)
    .where('person', '=', sql<string>`any(${[...people]}::text[])`)
    .where(waiting)
    .where('taken_until', 'is', null)
    .where('next_try_at', '>', now)
    .execute();
}

/** The result of a try: the message was accepted, will be tried again, or has failed. */
export type Outcome =
  | { readonly sentAt: string }
  | { readonly fault: string; readonly nextTryAt: string }
  | { readonly fault: string; readonly failedAt: string };

/** An accepted message has neither failed nor been dropped, whatever a later try recorded. */
const UNDONE = { failed_at: null, fault: null, dropped_at: null, dropped_why: null } as const;

/** Records the result of a try. A failure counts only if no later try has begun. */
export async function settleMessage(
  db: Db,
  { id, tries }: Pick<DueMessage, 'id' | 'tries'>,
  outcome: Outcome,
): Promise<void> {
  const sent = 'sentAt' in outcome;
  let update = db
    .updateTable('message')
    .set({
      taken_until: null,
      ...(sent ? { sent_at: outcome.sentAt, ...UNDONE } : { fault: outcome.fault }),
      ...('nextTryAt' in outcome ? { next_try_at: outcome.nextTryAt } : {}),
      ...('failedAt' in outcome ? { failed_at: outcome.failedAt } : {}),
    })
    .where('id', '=', id)
    .where('sent_at', 'is', null);
  if (!sent) update = update.where('tries', '=', tries);
  await update.execute();
}

/** The email addresses of these therapists' own active accounts, by therapist id. */
export async function selectOwnPages(db: Db, therapistIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (therapistIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(['therapist_id', 'email'])
    .where('therapist_id', '=', sql<string>`any(${[...therapistIds]}::text[])`)
    .where('disabled_at', 'is', null)
    .execute();
  return new Map(rows.flatMap((row) => (row.therapist_id === null ? [] : [[row.therapist_id, row.email] as const])));
}
