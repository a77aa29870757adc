import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { DroppedWhy } from '../../db/schema/calls.ts';
import { WAYS, type Way } from './sender.ts';

/** A message that this server has claimed and is about to send. */
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
  /** The invitation that the message carries; null for a message about a changed day. */
  readonly invitation_id: string | null;
}

/** The SQL condition that a message is neither sent, failed nor dropped. */
export function waiting(table = 'message') {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql<boolean>`${of('sent_at')} is null and ${of('failed_at')} is null and ${of('dropped_at')} is null`;
}

/**
 * Claims up to `most` due messages for this server. With each, it claims the other due messages about the same day to
 * the same address, so that they can be sent as one. No other server can claim them before `until`: the server that
 * locks the first of these messages takes all of them.
 * @param ways takes only messages that go in one of these ways
 */
export async function takeDue(
  db: Db,
  most: number,
  now: string,
  until: string,
  ways: readonly Way[] = WAYS,
): Promise<DueMessage[]> {
  const due = (m: string) => {
    const of = (column: string) => sql.ref(`${m}.${column}`);
    return sql<boolean>`${waiting(m)} and ${of('next_try_at')} <= ${now}::timestamptz
      and ${of('way')} = any(${[...ways]}::text[])
      and (${of('taken_until')} is null or ${of('taken_until')} <= ${now}::timestamptz)`;
  };
  const together = (a: string, b: string) => {
    const same = (column: string) => sql`${sql.ref(`${a}.${column}`)} = ${sql.ref(`${b}.${column}`)}`;
    return sql<boolean>`${sql.ref(`${a}.invitation_id`)} is null and ${sql.ref(`${b}.invitation_id`)} is null
      and ${same('location')} and ${same('date')} and ${same('way')}
      and lower(${sql.ref(`${a}.address`)}) = lower(${sql.ref(`${b}.address`)})`;
  };
  const { rows } = await sql<DueMessage>`
    with first as (
      select m.id, m.location, m.date, m.way, m.address, m.invitation_id from message m where ${due('m')}
        and not exists (select from message e where e.id < m.id and ${together('e', 'm')} and ${due('e')})
      order by m.next_try_at, m.id limit ${most} for update skip locked)
    update message set taken_until = ${until}::timestamptz, tries = tries + 1
    where ${due('message')} and id in (
      select id from first union all
      select m.id from first join message m on m.id <> first.id and ${together('m', 'first')} where ${due('m')})
    returning id, location, date, person, number, version, way, address, words, tries, released_at, invitation_id`.execute(
    db,
  );
  return rows;
}

/** The change to a message before it is sent: it is dropped, or goes to another address. */
export type Sifted =
  { readonly drop: DroppedWhy } | { readonly way: Way; readonly address: string; readonly words: string };

/**
 * Drops or readdresses a message that this server has claimed. Returns false if the message is no longer waiting, or if
 * a later attempt has begun.
 */
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
    .where(waiting())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Leaves a claimed message to the servers that can send it. */
export async function leaveToOthers(db: Db, { id, tries }: Pick<DueMessage, 'id' | 'tries'>): Promise<void> {
  await db
    .updateTable('message')
    .set({ taken_until: null })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where(waiting())
    .execute();
}

/** The result of an attempt: the message was accepted, will be retried, or has failed for good. */
export type Outcome =
  | { readonly sentAt: string }
  | { readonly fault: string; readonly nextTryAt: string }
  | { readonly fault: string; readonly failedAt: string };

/** Values that clear a recorded failure or drop, because the message was accepted after all. */
const UNDONE = { failed_at: null, fault: null, dropped_at: null, dropped_why: null } as const;

/**
 * Records the result of an attempt. A failure is ignored if the message has been sent, or if a later attempt has begun.
 */
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
