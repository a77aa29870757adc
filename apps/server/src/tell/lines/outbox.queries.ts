import { sql } from 'kysely';
import type { IsoDate, Location, ToldStretch } from '@clinic/domain';
import type { LocationDay } from '../../day/facts/versions.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import type { MessageState } from '../../platform/sending/message-state.ts';
import { waiting } from '../../platform/sending/outbox.queries.ts';
import type { Way } from '../../platform/sending/sender.ts';
import type { PersonKey } from '../memory/call-day.ts';

/** A message to put into the outbox. */
export interface NewMessage {
  readonly person: PersonKey;
  readonly version: string;
  readonly way: Way;
  readonly address: string;
  readonly words: string;
  /** The person's day that the message is about. */
  readonly day: readonly ToldStretch[];
}

/**
 * Stores messages in one statement and returns the people who will get them. Skips a person whose newest message
 * already has this version and was not dropped; if two coordinators release at the same moment, only one message is
 * stored.
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
    insert into message (location, date, person, number, version, way, address, words, day, released_by, released_at, next_try_at)
    select ${location}, ${date}::date, m.person, coalesce(last.number, 0) + 1, m.version, m.way, m.address, m.words, m.day,
      ${accountId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(messages)}::json)
      as m (person text, version text, way text, address text, words text, day jsonb)
    left join lateral (select e.number, e.version, e.dropped_at from message e
      where e.location = ${location} and e.date = ${date}::date and e.person = m.person
      order by e.number desc limit 1) as last on true
    where last.version is distinct from m.version or last.dropped_at is not null
    order by m.person
    on conflict (location, date, person, number) do nothing
    returning person`.execute(db);
  return rows.map((row) => row.person);
}

/** The newest message to a person about a date. */
export interface MessageRow extends MessageState {
  readonly person: string;
  readonly number: number;
  readonly version: string;
}

export async function selectMessages(db: Db, location: Location, date: IsoDate): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select distinct on (person) person, number, version, way, released_at, sent_at, failed_at, fault, dropped_at,
      dropped_why from message
    where location = ${location} and date = ${date}::date order by person, number desc`.execute(db);
  return rows;
}

/** Makes people's waiting messages due now, so that those that no longer apply are dropped at once. */
export async function bringForward(
  db: Db,
  { location, date }: LocationDay,
  people: readonly PersonKey[],
  now: string,
): Promise<void> {
  await db
    .updateTable('message')
    .set({ next_try_at: now })
    .where((eb) => eb.and({ location, date, taken_until: null }))
    .where('person', '=', anyOf(people))
    .where(waiting())
    .where('next_try_at', '>', now)
    .execute();
}

/** The email addresses of these therapists' own active accounts, by therapist id. */
export async function selectOwnPages(db: Db, therapistIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (therapistIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(['therapist_id', 'email'])
    .where('therapist_id', '=', anyOf(therapistIds))
    .where('disabled_at', 'is', null)
    .execute();
  return new Map(rows.flatMap((row) => (row.therapist_id === null ? [] : [[row.therapist_id, row.email] as const])));
}
