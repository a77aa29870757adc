import { sql } from 'kysely';
import type { ActionsReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { AppointmentChange } from '../../clinic-day/appointment-states.ts';
import type { Db } from '../../db/connection.ts';

/** What a commit's summary line needs, kept with it. Plain JSON. */
export interface StoredSummary {
  dates: string[];
  clients: string[];
  option: string;
  changes: number;
  minutesKept: number;
  /** The clinic's wall time of the submit, `YYYY-MM-DD HH:MM:00`. */
  wall: string;
}

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

/** What a submit answered: kept, so that the same submit gets the same bytes. */
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

/** The commit of a proposal that stands, or null. */
export async function standingCommit(db: Db, proposal: string): Promise<StoredReply | null> {
  const row = await replies(db).where('proposal_id', '=', proposal).where('undone_at', 'is', null).executeTakeFirst();
  return row ? asReply(row) : null;
}

export async function replyOf(db: Db, commit: string): Promise<StoredReply | null> {
  const row = await replies(db).where('id', '=', commit).executeTakeFirst();
  return row ? asReply(row) : null;
}

export interface StoredKey {
  bodyHash: string;
  commit: string;
}

export async function findKey(db: Db, accountId: string, key: string): Promise<StoredKey | null> {
  const row = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'commit_id'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? { bodyHash: row.body_hash, commit: row.commit_id } : null;
}

/** The reply itself is the commit's; the key says which, and of which body. */
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

export interface CommitRow {
  id: string;
  proposal: string;
  location: Location;
  summary: StoredSummary;
  committedAt: string;
  committedBy: string;
  undoneAt: string | null;
  undoneBy: string | null;
}

const commits = (db: Db) =>
  db
    .selectFrom('schedule_commit as s')
    .leftJoin('account as a', 'a.id', 's.committed_by')
    .leftJoin('account as u', 'u.id', 's.undone_by')
    .select(['s.id', 's.proposal_id', 's.location', 's.summary', 's.committed_at', 's.undone_at'])
    .select(['a.name as committed_by', 'u.name as undone_by']);

type CommitColumns = Awaited<ReturnType<ReturnType<typeof commits>['execute']>>[number];

const asCommit = (row: CommitColumns): CommitRow => ({
  id: row.id,
  proposal: row.proposal_id,
  location: row.location,
  summary: row.summary as StoredSummary,
  committedAt: row.committed_at,
  committedBy: row.committed_by ?? '',
  undoneAt: row.undone_at,
  undoneBy: row.undone_by,
});

/** What was submitted for a date, or on it, the newest first. */
export async function selectCommits(db: Db, location: Location, date: IsoDate): Promise<CommitRow[]> {
  const rows = await commits(db)
    .where('s.location', '=', location)
    .where(sql<boolean>`(s.summary->'dates' ? ${date} or left(s.summary->>'wall', 10) = ${date})`)
    .orderBy('s.committed_at', 'desc')
    .orderBy('s.id')
    .execute();
  return rows.map(asCommit);
}

export async function selectCommit(db: Db, id: string): Promise<CommitRow | null> {
  const row = await commits(db).where('s.id', '=', id).executeTakeFirst();
  return row ? asCommit(row) : null;
}

export async function selectChanges(db: Db, id: string): Promise<AppointmentChange[]> {
  const row = await db.selectFrom('schedule_commit').select('changes').where('id', '=', id).executeTakeFirst();
  return (row?.changes ?? []) as AppointmentChange[];
}

/** Marks a commit undone, once, and ends the keys that answer with it. */
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

/** Of appointments that nobody has because their time came back: who had each until then. */
export async function selectHadBefore(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; had: string | null }>`
    select distinct on (appointment_id) appointment_id as key,
      case when what = 'returned' then before->>'therapistId' end as had
    from appointment_event where appointment_id = any(${[...keys]}::uuid[])
    order by appointment_id, id desc`.execute(db);
  return new Map(rows.flatMap((r) => (r.had === null ? [] : [[r.key, r.had] as const])));
}
