import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { RecordChange } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { changesReadable } from '../../testing/changes-readable.ts';
import { openProgram, type Program } from '../../testing/service-account.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { cleanRecords } from '../clean-records.ts';
import { forgetChanges } from './changes.service.ts';

const DATE = '2030-11-22';
const t = useApp(() => buildTestApp());
let program: Program;
let therapist: string;
let client: string;
beforeAll(async () => {
  program = await openProgram(t.opened);
  therapist = await buildTherapist(t.db, {});
  client = await buildClient(t.db, { first: 'Bo', last: 'Lee' });
});

interface Page {
  changes: RecordChange[];
  next: string;
  more: boolean;
}
const ask = (since?: string, by = program) =>
  by.call({ url: '/api/changes', query: since === undefined ? {} : { since } });
async function changes(since?: string, by = program): Promise<Page> {
  await changesReadable(t.db);
  return changesNow(since, by);
}
async function changesNow(since?: string, by = program): Promise<Page> {
  const reply = await ask(since, by);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Page>();
}
const start = async (): Promise<string> => (await changes()).next;
/** A session without a therapist, so that it clashes with none. */
const book = (location: 'altamonte' | 'tampa' = 'altamonte') => {
  const time = { date: DATE, start: '09:00', end: '10:00' };
  return buildAppointment(t.db, { therapist: null, client, service: 'parent-training', location, ...time });
};

test('a program learns of each record that changed by its id and version, without a name, and only once', async () => {
  const since = await start();
  const id = await book();
  await sql`update appointment set version = version + 1, status = 'cancelled' where id = ${id}`.execute(t.db);
  await sql`update appointment set version = version + 1, status = 'noshow' where id = ${id}`.execute(t.db);
  await sql`update client set version = version + 1 where id = ${client}`.execute(t.db);
  await sql`insert into location_day (location, date, version) values ('altamonte', ${DATE}, 4)`.execute(t.db);
  await sql`update appointment set known_at = null where id = ${id}`.execute(t.db); // nothing that a version counts
  const page = await changes(since);
  expect(page).toMatchObject({
    more: false,
    changes: [
      { kind: 'appointment', id, version: 3, location: 'altamonte', date: DATE },
      { kind: 'client', id: client, version: 2, location: 'altamonte', date: null },
      { kind: 'day', id: `altamonte/${DATE}`, version: 4, location: 'altamonte', date: DATE },
    ],
  });
  expect(JSON.stringify(page)).not.toMatch(/Bo|Lee/);
  expect((await changes(page.next)).changes).toEqual([]);
});

test('a program of one location learns of its records only, and of one that moved away', async () => {
  const local = await openProgram(t.opened, { locations: ['tampa'] });
  const since = (await changes(undefined, local)).next;
  await book('altamonte');
  const id = await book('tampa');
  const { next, changes: first } = await changes(since, local);
  expect(first.map((each) => each.id)).toEqual([id]);
  await sql`update appointment set location = 'orlando', version = version + 1 where id = ${id}`.execute(t.db);
  expect((await changes(next, local)).changes).toMatchObject([{ id, version: 2, location: 'tampa' }]);
});

test('what an earlier transaction commits after a later one was read is not missed', async () => {
  const since = await start();
  const pool = t.deps.writes;
  const [early, late] = [await pool.connect(), await pool.connect()];
  const client_ = `update client set version = version + 1 where id = $1`;
  await early.query('begin');
  await early.query(client_, [client]);
  await late.query('update therapist set version = version + 1 where id = $1', [therapist]);
  const during = await changesNow(since);
  await early.query('commit');
  early.release();
  late.release();
  const after = await changes(during.next);
  expect([...during.changes, ...after.changes].map(({ kind }) => kind).sort()).toEqual(['client', 'therapist']);
});

test('with writers who race, hold their transactions open and take some back, a reader who keeps asking misses nothing', async () => {
  const act = fc.record({
    wait: fc.nat(12),
    before: fc.nat(6),
    rows: fc.integer({ min: 1, max: 3 }),
    back: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 }),
      async (writers) => {
        let since = await start();
        const written: string[] = [];
        const read: string[] = [];
        let writing = true;
        const reader = (async () => {
          for (let last = false; ;) {
            const page = await (last ? changes(since) : changesNow(since));
            read.push(...page.changes.filter(({ kind }) => kind === 'day').map(({ id }) => id));
            since = page.next;
            if (last && !page.more) return;
            last = !writing;
          }
        })();
        await Promise.all(
          writers.map(async (acts) => {
            for (const { wait, before, rows, back } of acts) {
              const own = await t.db
                .transaction()
                .execute(async (trx) => {
                  await delay(before);
                  const made: string[] = [];
                  for (let i = 0; i < rows; i++) {
                    const { rows: day } = await sql<{ day: string }>`
                    insert into location_day (location, date, version)
                    values ('tampa', date '2031-01-01' + nextval('appointment_number')::int - 1000000, 1)
                    returning 'tampa/' || date as day`.execute(trx);
                    made.push(day[0]?.day ?? '');
                    await delay(wait);
                  }
                  if (back) throw new Error('taken back');
                  return made;
                })
                .catch(() => []);
              written.push(...own);
            }
          }),
        ).finally(() => (writing = false));
        await reader;
        expect(read.toSorted()).toEqual(written.toSorted());
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);

test('a position that is too old, from a restored database or not from here is refused with a way out', async () => {
  const old = await start();
  await book();
  const middle = (await changes(old)).next;
  await sql`update record_change set at = at - interval '40 days'`.execute(t.db);
  await cleanRecords(t.db, t.deps.seal, Date.now());
  const gone = await ask(old);
  expect([gone.statusCode, gone.json<{ detail: { message: string } }>().detail.message]).toEqual([
    410,
    expect.stringMatching(/Ask without “since” for a new position/),
  ]);
  // A program that asked since is not too late, also after all that it has read is removed.
  expect((await changes(middle)).changes).toEqual([]);
  expect((await changes(await start())).changes).toEqual([]);
  for (const since of ['x', Buffer.from('a.b.c').toString('base64url'), '%00'])
    expect((await ask(since)).statusCode).toBe(400);
  await sql`delete from record_floor`.execute(t.db); // as after a restore
  expect((await ask(middle)).statusCode).toBe(410);
});

test('what a page of changes ended in the middle of is not lost when it is removed: its position is refused', async () => {
  const since = await start();
  await sql`insert into location_day (location, date, version)
    select 'orlando', date '2040-01-01' + n, 1 from generate_series(1, 1500) n`.execute(t.db);
  const first = await changes(since);
  expect([first.changes.length, first.more]).toEqual([1000, true]);
  const second = await changes(first.next);
  expect([second.changes.length, second.more]).toEqual([500, false]);
  expect(await forgetChanges(t.db, new Date(Date.now() + 60_000).toISOString())).toBeGreaterThan(1499);
  expect((await ask(first.next)).statusCode).toBe(410);
  expect((await ask(second.next)).statusCode).toBe(200);
});

test('asking is in the audit trail under the program', async () => {
  const own = await openProgram(t.opened);
  await changes(undefined, own);
  const rows = await t.db.selectFrom('audit').selectAll().where('account_id', '=', own.account.id).execute();
  expect(rows.map(({ action }) => action)).toContain('changes.read');
});
