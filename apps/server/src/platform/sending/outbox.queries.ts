import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { DroppedWhy } from '../../db/schema/calls.ts';
import type { Way } from './sender.ts';

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
export const waiting = sql<boolean>`sent_at is null and failed_at is null and dropped_at is null`;

/** Claims up to `most` due messages for this server; no other server claims them before `until`. */
export async function takeDue(db: Db, most: number, now: string, until: string): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    update message set taken_until = ${until}::timestamptz, tries = tries + 1 where id in (
      select id from message where ${waiting} and next_try_at <= ${now}::timestamptz
        and (taken_until is null or taken_until <= ${now}::timestamptz)
      order by next_try_at, id limit ${most} for update skip locked)
    returning id, location, date, person, number, version, way, address, words, tries, released_at, invitation_id`.execute(
    db,
  );
  return rows;
}

/** The change to a message before it is sent: it is dropped, or goes to another address. */
export type Sifted =
  { readonly drop: DroppedWhy } | { readonly way: Way; readonly address: string; readonly words: string };

/**
 * Drops or readdresses a message that this server has claimed. Returns false if the message no longer waits, or if a
 * later attempt has begun.
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
    .where(waiting)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The result of an attempt: the message was accepted, will be retried, or has failed for good. */
export type Outcome =
  | { readonly sentAt: string }
  | { readonly fault: string; readonly nextTryAt: string }
  | { readonly fault: string; readonly failedAt: string };

/** The values that clear an accepted message's failure or drop, even if a later attempt recorded it. */
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
