import { sql } from 'kysely';
import type { ActionsReply } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import type { StoredSummary } from '../../day/commits.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** A commit to store; reply, summary and changes are plain JSON. */
export interface NewCommit {
  id: string;
  proposal: string;
  revision: number;
  location: Location;
  sentLocation: string | null;
  choice: unknown;
  choiceKey: string;
  changes: readonly AppointmentChange[];
  summary: StoredSummary;
  reply: ActionsReply;
  workbook: Buffer;
  accountId: string;
  at: string;
}

/** Stores a commit, with everything needed to repeat and undo it; `at` is in ISO 8601. */
export async function insertCommit(db: Db, c: NewCommit): Promise<void> {
  await db
    .insertInto('schedule_commit')
    .values({
      id: c.id,
      proposal_id: c.proposal,
      revision: c.revision,
      location: c.location,
      sent_location: c.sentLocation,
      choice: JSON.stringify(c.choice),
      choice_key: c.choiceKey,
      changes: JSON.stringify(c.changes),
      summary: JSON.stringify(c.summary),
      reply: JSON.stringify(c.reply),
      workbook: c.workbook,
      committed_by: c.accountId,
      committed_at: c.at,
    })
    .execute();
}

/** A commit's stored reply; repeating the commit sends the same bytes. */
export interface StoredReply {
  commit: string;
  location: Location;
  choiceKey: string;
  reply: ActionsReply;
  workbook: Buffer;
}

const replies = (db: Db) =>
  db.selectFrom('schedule_commit').select(['id', 'location', 'choice_key', 'reply', 'workbook']);

const asReply = (row: {
  id: string;
  location: Location;
  choice_key: string;
  reply: unknown;
  workbook: Buffer;
}): StoredReply => ({
  commit: row.id,
  location: row.location,
  choiceKey: row.choice_key,
  reply: row.reply as ActionsReply,
  workbook: row.workbook,
});

/** Finds the proposal's commit, unless it was undone; null if there is none. */
export async function standingCommit(db: Db, proposal: string): Promise<StoredReply | null> {
  const row = await replies(db).where('proposal_id', '=', proposal).where('undone_at', 'is', null).executeTakeFirst();
  return row ? asReply(row) : null;
}

/** Finds a commit's stored reply, even if the commit was undone; null for an unknown id. */
export async function replyOf(db: Db, commit: string): Promise<StoredReply | null> {
  const row = await replies(db).where('id', '=', commit).executeTakeFirst();
  return row ? asReply(row) : null;
}

export interface StoredKey {
  bodyHash: string;
  commit: string;
}

/** Finds the request that an account made with an idempotency key; null if there is none. */
export async function findKey(db: Db, accountId: string, key: string): Promise<StoredKey | null> {
  const row = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'commit_id'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? { bodyHash: row.body_hash, commit: row.commit_id } : null;
}

/** Stores an idempotency key with its commit and the hash of its request. The reply is stored with the commit. */
export async function insertKey(
  db: Db,
  row: { accountId: string; key: string; bodyHash: string; commit: string; at: string },
): Promise<void> {
  await db
    .insertInto('idempotency_key')
    .values({
      account_id: row.accountId,
      key: row.key,
      body_hash: row.bodyHash,
      commit_id: row.commit,
      created_at: row.at,
    })
    .execute();
}

/**
 * Marks a commit as undone, and removes the idempotency keys with which it could be repeated. Returns false if it was
 * undone already.
 */
export async function markUndone(db: Db, id: string, accountId: string, at: string): Promise<boolean> {
  const done = await db
    .updateTable('schedule_commit')
    .set({ undone_by: accountId, undone_at: at })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  await db.deleteFrom('idempotency_key').where('commit_id', '=', id).execute();
  return done.numUpdatedRows === 1n;
}

/**
 * Finds, by appointment key, the therapists who have just lost one of these appointments because an absence was
 * withdrawn.
 */
export async function selectHadBefore(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; had: string | null }>`
    select distinct on (appointment_id) appointment_id as key,
      case when what = 'returned' then before->>'therapistId' end as had
    from appointment_event where appointment_id = ${anyOf(keys, 'uuid')}
    order by appointment_id, id desc`.execute(db);
  return new Map(rows.flatMap((r) => (r.had === null ? [] : [[r.key, r.had] as const])));
}
