import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { amongReads, openDatabase, type Db } from '../db/connection.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { audit, hashOf } from '../access/audit.ts';
import { isoOf } from '../platform/clock.ts';
import { makeAuditReads } from '../access/audit-reads.ts';
import type { Caller } from '../access/sessions.ts';
import { verifyAudit } from './verify.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const entry = (id: string) => ({
  action: 'client.read' as const,
  subjectKind: 'client',
  subjectIds: [id, 'C-2'],
  accountId: null,
  location: 'tampa',
  detail: { b: 1.5, a: [null, { z: 'ü', y: true }] },
});

const READER: Caller = {
  id: '7f0c4d0e-4a52-4d0e-9a53-0d5a1c2b3e4f',
  email: 'reader@clinic.example',
  name: 'Reader',
  role: 'scheduler',
  locations: null,
  therapistId: null,
  demo: false,
  sessionId: 'session',
  way: null,
  mustSetUp: false,
  sessionEnds: 0,
};

/** Runs a statement that the append-only trigger forbids, as the tables' owner could. */
async function tamper(statement: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`alter table audit disable trigger audit_append_only`.execute(trx);
    await sql.raw(statement).execute(trx);
    await sql`alter table audit enable trigger audit_append_only`.execute(trx);
  });
}

beforeEach(async () => {
  await tamper('delete from audit; delete from audit_head');
  // Each connection writes a chain of its own, so all rows must come from one connection to share a chain.
  await db.connection().execute(async (one) => {
    for (let i = 1; i <= 6; i++) await one.transaction().execute((trx) => audit(trx, Date.now(), entry(`C-${i}`)));
  });
});

test('an untouched trail is reported as intact', async () => {
  const found = await verifyAudit(db);
  expect(found).toMatchObject({ rows: 6, faults: [] });
  expect(found.heads).toHaveLength(1);
});

test('given a rolled-back transaction, the trail has no gap', async () => {
  await expect(
    db.transaction().execute(async (trx) => {
      await audit(trx, Date.now(), entry('C-9'));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await db.transaction().execute((trx) => audit(trx, Date.now(), entry('C-10'), entry('C-11')));
  expect(await verifyAudit(db)).toMatchObject({ rows: 8, faults: [] });
});

test.each([
  ['an edited subject', "update audit set subject_ids = '{C-99}' where number = 3", 'row 3 was changed'],
  ['an edited instant', "update audit set at = at + interval '1 millisecond' where number = 3", 'row 3 was changed'],
  ['an edited detail', "update audit set detail = '{}' where number = 6", 'row 6 was changed'],
  ['an edited account', 'update audit set account_id = gen_random_uuid() where number = 1', 'row 1 was changed'],
  ['a deleted row', 'delete from audit where number = 4', 'rows 4 to 4 are missing'],
  ['the first row deleted', 'delete from audit where number = 1', 'rows 1 to 1 are missing'],
  ['the end cut off', 'delete from audit where number >= 5', 'it ends at row 4, but should end at 6'],
  ['everything cut off', 'delete from audit', 'it ends at row 0, but should end at 6'],
  [
    'two rows in another order',
    'update audit set number = 100 - number where number in (2, 3); update audit set number = number - 95 where number in (97, 98)',
    'was changed',
  ],
  [
    'an edited row with its hash made to fit',
    `update audit set subject_ids = '{C-99}', hash = sha256('x') where number = 3`,
    'row 4 does not follow the row before it',
  ],
  ['the head deleted', 'delete from audit_head', 'its head is missing'],
])('given %s, the check finds it', async (_what, statement, fault) => {
  await tamper(statement);
  expect((await verifyAudit(db)).faults.join('\n')).toContain(fault);
});

test('given an edited last row, even with a matching hash, the check finds the edit through the chain’s head', async () => {
  const last = await db.selectFrom('audit').selectAll().where('number', '=', '6').executeTakeFirstOrThrow();
  const forged = hashOf(
    {
      ...entry('C-99'),
      chain: last.chain,
      number: 6,
      at: isoOf(last.at),
      requestId: null,
    },
    last.prev_hash,
  );
  await tamper(`update audit set subject_ids = '{C-99,C-2}', hash = '\\x${forged.toString('hex')}' where number = 6`);
  const { faults } = await verifyAudit(db);
  expect(faults).toEqual([`chain ${last.chain}: its last row does not match its head`]);
});

test('given a trail with thousands of damaged rows, the check stops before listing them all', async () => {
  await tamper(`insert into audit select chain, 6 + n, at, account_id, action, subject_kind, subject_ids, location, detail,
    request_id, '\\x00', '\\x00' from audit, generate_series(1, 3000) n where number = 6`);
  const { faults } = await verifyAudit(db);
  expect(faults.length).toBeLessThan(2000);
  expect(faults.at(-1)).toMatch(/^chain \d+: too many errors; rows after \d+ were not checked$/);
});

test('a comparison with stored heads finds rows that were cut off together with their head', async () => {
  const { heads } = await verifyAudit(db);
  await tamper(
    'delete from audit where number > 4; update audit_head set number = 4, hash = (select hash from audit where number = 4)',
  );
  expect((await verifyAudit(db)).faults).toEqual([]);
  expect((await verifyAudit(db, heads)).faults.join()).toContain('row 6 was cut off');
});

test('a comparison with stored heads finds a replaced trail, and a chain removed together with its head', async () => {
  const { heads } = await verifyAudit(db);
  await tamper('delete from audit; delete from audit_head');
  expect((await verifyAudit(db)).faults).toEqual([]);
  expect((await verifyAudit(db, heads)).faults.join()).toMatch(/^chain \d+: it is missing$/);
  await db.connection().execute(async (one) => {
    for (let i = 1; i <= 6; i++) await one.transaction().execute((trx) => audit(trx, Date.now(), entry(`X-${i}`)));
  });
  const [head = ''] = (await verifyAudit(db)).heads;
  const kept = heads.map((each) => each.replace(/^\d+:/, `${head.split(':')[0]}:`));
  expect((await verifyAudit(db, kept)).faults.join()).toContain('row 6 is not the one that was there');
});

test('the database refuses changes to the trail', async () => {
  for (const statement of ["update audit set action = 'x'", 'delete from audit', 'truncate audit']) {
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
  }
});

test('given many simultaneous reads, all are in the trail, and it stays intact', async () => {
  const reads = makeAuditReads(db, { now: () => Date.now() });
  const request = { id: 'r-1', account: READER };
  await Promise.all(Array.from({ length: 200 }, (_, i) => reads.record(request, entry(`C-${i}`))));
  const writers = Array.from({ length: 20 }, (_, i) =>
    db.transaction().execute((trx) => audit(trx, Date.now(), entry(`W-${i}`))),
  );
  await Promise.all(writers);
  expect(await verifyAudit(db)).toMatchObject({ rows: 226, faults: [] });
});

test('given two processes that take turns recording reads in one chain, every read is in the trail, and the trail stays intact', async () => {
  // With two connections, only one is for reads, so all entries are in one chain.
  const one = openDatabase(database.target, { connections: 2 });
  const clock = { now: () => Date.now() };
  const [first, second] = [makeAuditReads(one.db, clock), makeAuditReads(one.db, clock)];
  const before = (await verifyAudit(db)).rows;
  for (let i = 0; i < 3; i++) {
    for (const reads of [first, first, second]) await reads.record({ id: `r-${i}`, account: READER }, entry(`T-${i}`));
    await amongReads(one.db)
      .transaction()
      .execute((trx) => audit(trx, Date.now(), entry(`T-${i}`)));
  }
  await Promise.all(['P-1', 'P-2', 'P-3'].map((id) => first.record({ id, account: READER }, entry(id))));
  expect(await verifyAudit(db)).toMatchObject({ rows: before + 15, faults: [] });
  await one.close();
});
