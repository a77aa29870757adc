import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { isoAt } from '../clock.ts';
import { cleanUp } from './clean-up.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ago = (days: number): string => isoAt(NOW - days * 86_400_000);

let database: TestDatabase;
let account: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const { id } = await database.db
    .insertInto('account')
    .values({ email: 'a@clinic.example', name: 'A', role: 'admin', password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  account = id;
});
afterAll(() => database.close());

test('sessions are removed a month after they ended or expired', async () => {
  const { db } = database;
  const session = async (began: number, expires: string, ended: string | null) =>
    sql`insert into session (account_id, created_at, last_seen_at, expires_at, ended_at, ended_why)
      values (${account}, ${ago(began)}, ${ago(began)}, ${expires}, ${ended}, ${ended === null ? null : 'signed-out'})`.execute(
      db,
    );
  await session(32, ago(31.5), ago(31.6));
  await session(32, ago(31.5), null);
  await session(30, ago(29.5), null);
  await session(0.1, ago(-0.4), null);
  expect((await cleanUp(db, NOW)).sessions).toBe(2);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from session`.execute(db);
  expect(rows[0]?.n).toBe(2);
});

/** Stores a commit of a proposal, and the proposal if it is new; returns the commit's id. */
async function submitted(proposal: string): Promise<string> {
  const { db } = database;
  await sql`insert into proposal (id, location, dates, created_at)
    values (${proposal}, 'tampa', '{2026-11-20}', ${ago(40)}) on conflict do nothing`.execute(db);
  await sql`insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists, created_at)
    values (${proposal}, 1, '[]', '{}', '{}', '{}', '{}', '{}', ${ago(40)}) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into schedule_commit (proposal_id, revision, location, choice, choice_key, changes, summary, reply, workbook)
    values (${proposal}, 1, 'tampa', '{}', 'k', '[]', '{}', '{}', 'w') returning id`.execute(db);
  return rows[0]?.id ?? '';
}

test('old login limits and idempotency keys are removed; newer ones stay', async () => {
  const { db } = database;
  const commit = await submitted('p_keyed');
  await sql`insert into login_budget (key, tokens, refilled_at) values ('old', 1, ${ago(61)}), ('new', 1, ${ago(59)})`.execute(
    db,
  );
  await sql`insert into idempotency_key (account_id, key, body_hash, commit_id, created_at)
    values (${account}, 'old', 'h', ${commit}, ${ago(8)}), (${account}, 'new', 'h', ${commit}, ${ago(6)})`.execute(db);
  expect(await cleanUp(db, NOW)).toMatchObject({ loginBudgets: 1, idempotencyKeys: 1 });
  const left = await sql<{
    key: string;
  }>`select key from login_budget union all select key from idempotency_key`.execute(db);
  expect(left.rows.map((row) => row.key)).toEqual(['new', 'new']);
});

test('uncommitted options are removed a month after they were last solved; committed ones stay', async () => {
  const { db } = database;
  const proposal = async (id: string, ages: readonly number[]) => {
    await sql`insert into proposal (id, location, dates, created_at) values (${id}, 'tampa', '{2026-11-20}', ${ago(ages[0] ?? 0)})`.execute(
      db,
    );
    for (const [i, age] of ages.entries())
      await sql`insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists, created_at)
        values (${id}, ${i + 1}, '[]', '{}', '{}', '{}', '{}', '{}', ${ago(age)})`.execute(db);
  };
  await proposal('p_old', [40, 35]);
  await proposal('p_refreshed', [40, 2]);
  await proposal('p_new', [2]);
  await proposal('p_submitted', [40]);
  await submitted('p_submitted');
  expect((await cleanUp(db, NOW)).proposals).toBe(1);
  const { rows } = await sql<{ id: string }>`select id from proposal order by id`.execute(db);
  expect(rows.map((row) => row.id)).toEqual(['p_keyed', 'p_new', 'p_refreshed', 'p_submitted']);
  const { rows: revisions } = await sql<{ n: number }>`select count(*)::int as n from proposal_revision`.execute(db);
  expect(revisions[0]?.n).toBe(5);
  expect(await cleanUp(db, NOW)).toEqual({ sessions: 0, loginBudgets: 0, idempotencyKeys: 0, proposals: 0 });
});
