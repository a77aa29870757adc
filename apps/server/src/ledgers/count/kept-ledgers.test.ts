// This file is over 250 lines because it lists every kind of change to the rows that ledgers read.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import type { BoundedClient } from '../../db/bounded-client.ts';
import { onSnapshot } from '../../db/retry.ts';
import { buildClient, buildTherapist } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { makeKeptLedgers, type LedgerPeople, type Ledgers } from './kept-ledgers.ts';

let database: TestDatabase;
let other: BoundedClient; // a connection that the server knows nothing of
let therapists: string[];
let clients: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  other = await database.connect();
  const { db } = database;
  therapists = [await buildTherapist(db), await buildTherapist(db), await buildTherapist(db)];
  clients = [await buildClient(db), await buildClient(db), await buildClient(db)];
});
afterAll(async () => {
  await other.end();
  await database.close();
});

const DATE = isoDate('2026-11-18');

/** The last therapist and the last client are not of the day. */
const peopleOf = (): LedgerPeople => ({
  date: DATE,
  therapistIds: therapists.slice(0, 2),
  clientIds: clients.slice(0, 2),
  booked: clients.slice(0, 1),
  expected: clients.slice(0, 1),
  open: null,
});

const one = (table: string, where = 'true'): string =>
  `(select id from ${table} where ${where} order by md5(id::text || $1) limit 1)`;
const at = (minutes: string): string => `$3::date + make_interval(mins => ${minutes})`;

/**
 * Changes of every kind to the rows that ledgers read, as SQL. `$1` picks the row at random; `$2` is a therapist, `$3` a
 * date, `$4` a minute, `$5` a length in minutes and `$6` a client.
 */
const CHANGES: Readonly<Record<string, string>> = {
  book: `insert into appointment (wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place)
    values ('W-' || $1, 'altamonte', $6, $2, 'direct', 'Direct Therapy', 'booked', ${at('$4')}, ${at('$4 + $5')}, 'clash:x', 'clash:x')`,
  move: `update appointment set starts = ${at('$4')}, ends = ${at('$4 + $5')} where id = ${one('appointment')}`,
  give: `update appointment set therapist_id = $2, version = version + 1 where id = ${one('appointment')}`,
  leave: `update appointment set therapist_id = null where id = ${one('appointment')}`,
  exchange: `update appointment set client_id = $6 where id = ${one('appointment')}`,
  cancel: `update appointment set status = 'cancelled' where id = ${one('appointment')}`,
  restore: `update appointment set status = 'fulfilled' where id = ${one('appointment', "status = 'cancelled'")}`,
  erase: `update appointment set status = 'entered-in-error' where id = ${one('appointment')}`,
  rename: `update appointment set subject = '97155 with ' || $1 where id = ${one('appointment')}`,
  piece: `update appointment p set parent_id = (select a.id from appointment a where a.id <> p.id order by a.id limit 1)
    where id = ${one('appointment')}`,
  delete: `delete from appointment where id = ${one('appointment', 'id not in (select parent_id from appointment where parent_id is not null)')}`,
  'therapist away': `insert into absence (location, therapist_id, date, start_minute, end_minute)
    values ('altamonte', $2, $3, $4, $4 + $5) on conflict do nothing`,
  'client away': `insert into absence (location, client_id, date, start_minute, end_minute)
    values ('altamonte', $6, $3, $4, $4 + $5) on conflict do nothing`,
  'back again': `update absence set withdrawn_at = now() where id = ${one('absence', 'withdrawn_at is null')}`,
  'back sooner': `update absence set end_minute = start_minute + 1 where id = ${one('absence')}`,
  'never away': `delete from absence where id = ${one('absence')}`,
  no: `insert into call_decline (location, date, therapist_id, scope, sessions, said_to, away, wall_minute, at)
    select location, starts::date, therapist_id, 'session', array[coalesce(parent_id, id)::text], '[]', '[]', 440, now()
    from appointment where therapist_id is not null and id = ${one('appointment')}`,
  yes: `update call_decline set ended_at = now() where id = ${one('call_decline', 'ended_at is null')}`,
  authorize: `insert into client_authorization (client_id, payer, code, number, from_date, until_date, units, period)
    values ($6, 'Acme', '97153', left(md5($1), 8), $3::date - 90, $3::date + 90, 40, case when $4 % 2 = 0 then 'total' else 'week' end)
    on conflict do nothing`,
  'authorize longer': `update client_authorization set from_date = from_date - 60 where id = ${one('client_authorization')}`,
  'authorize more': `update client_authorization set units = units + 1 where id = ${one('client_authorization')}`,
  'not authorized': `delete from client_authorization where id = ${one('client_authorization')}`,
};

const change = fc.record({
  what: fc.constantFrom(...Object.keys(CHANGES), 'book', 'book', 'therapist away', 'no'),
  row: fc.integer({ min: 0, max: 1_000_000 }),
  therapist: fc.integer({ min: 0, max: 2 }),
  client: fc.constantFrom<number[]>(0, 0, 0, 1, 1, 2),
  day: fc.oneof(fc.integer({ min: -30, max: 2 }), fc.integer({ min: -210, max: -31 })),
  minute: fc.integer({ min: 480, max: 900 }),
  length: fc.integer({ min: 1, max: 180 }),
  end: fc.constantFrom('commit', 'commit', 'commit', 'roll back'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function apply({ what, row, therapist, client, day, minute, length }: Change): Promise<void> {
  const text = CHANGES[what] ?? '';
  const values = [String(row), therapists[therapist], addDays(DATE, day), minute, length, clients[client]];
  const types = ['text', 'text', 'date', 'int', 'int', 'text'];
  // Each value is used in some way, since PostgreSQL must know its type.
  const given = values.map((_, i) => `$${i + 1}::${types[i]} as v${i}`).join(', ');
  await other.query(
    `with given as (select ${given}) ${text.replace(/\$(\d)/g, (_, n: string) => `(select v${Number(n) - 1} from given)`)}`,
    values,
  );
}

/** Returns kept ledgers, after a comparison with ledgers that are added up in the same snapshot. */
function compared(kept: ReturnType<typeof makeKeptLedgers>): Promise<Ledgers> {
  return onSnapshot(database.db, async (trx) => {
    const found = await kept(trx, peopleOf());
    expect(found).toEqual(await makeKeptLedgers()(trx, peopleOf()));
    return found;
  });
}

async function empty(): Promise<void> {
  await other.query('truncate call_decline, absence, client_authorization');
  await other.query('delete from appointment');
}

test('over random histories, whatever another process changes, kept ledgers are those that would be added up', async () => {
  const kept = makeKeptLedgers();
  let used = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 25, maxLength: 40 }), async (changes) => {
      await empty();
      let before = await compared(kept);
      for (const each of changes) {
        await other.query('begin');
        await apply(each);
        // The change counts once it is committed, and not before.
        expect(await compared(kept)).toBe(before);
        await other.query(each.end === 'commit' ? 'commit' : 'rollback');
        const after = await compared(kept);
        if (each.end === 'roll back') expect(after).toBe(before);
        if (after === before) used++;
        before = after;
      }
    }),
    { numRuns: 12, endOnFailure: true }, // looking for a shorter history would take minutes
  );
  expect(used).toBeGreaterThan(0);
}, 240_000);

/** What must be on record before a change, so that it makes a difference. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  restore: ['cancel'],
  piece: ['book'],
  'back again': ['therapist away'],
  'back sooner': ['client away'],
  'never away': ['therapist away'],
  yes: ['no'],
};

test.each(Object.keys(CHANGES))('kept ledgers are added up again after: %s', async (what) => {
  const kept = makeKeptLedgers();
  const plain = { therapist: 0, client: 0, day: -3, minute: 600, length: 120, end: 'commit' } as const;
  await empty();
  const old = { ...plain, day: -95, what: 'book', row: 1 };
  const first = [old, { ...plain, what: 'authorize', row: 2 }, { ...plain, what: 'book', row: 3 }];
  if (what === 'authorize longer') first.pop();
  else first.shift();
  for (const each of first) await apply(each);
  for (const needed of BEFORE[what] ?? []) await apply({ ...plain, what: needed, row: 4 });
  const before = await compared(kept);
  expect(await compared(kept)).toBe(before);
  const given: Readonly<Record<string, Partial<Change>>> = {
    give: { therapist: 1 },
    exchange: { client: 1 },
    authorize: { minute: 601 },
    move: { day: -40 },
  };
  await apply({ ...plain, ...given[what], what, row: 5 });
  expect(await compared(kept)).not.toEqual(before);
});

test.each([
  { whose: 'a client with no session that day, 28 days before', client: 1, day: -28, until: 0 },
  { whose: 'a client with a session that day, 90 days before', client: 0, day: -90, until: 0 },
  { whose: 'a client with an authorization, since it began', client: 0, day: -150, until: -60 },
])('kept ledgers are added up again after a change to a session of $whose', async ({ client, day, until }) => {
  const kept = makeKeptLedgers();
  const plain = { therapist: 0, client, minute: 600, length: 120, end: 'commit' } as const;
  await empty();
  await apply({ ...plain, what: 'authorize', day: until, row: 1 });
  const before = await compared(kept);
  await apply({ ...plain, what: 'book', day, row: 2 });
  expect(await compared(kept)).not.toEqual(before);
});

test('given a change on the date itself, kept ledgers are used; a snapshot from before a change gets its own', async () => {
  const kept = makeKeptLedgers();
  const book = { what: 'book', therapist: 0, client: 0, minute: 600, length: 60, end: 'commit' } as const;
  await empty();
  await apply({ ...book, day: -3, row: 1 });
  const before = await compared(kept);
  await apply({ ...book, day: 0, row: 2 });
  expect(await compared(kept)).toBe(before);
  await onSnapshot(database.db, async (trx) => {
    await kept(trx, peopleOf()); // the snapshot begins with its first read
    await apply({ ...book, day: -4, row: 3 });
    const after = await compared(kept);
    expect(after).not.toEqual(before);
    expect(await kept(trx, peopleOf())).toEqual(before);
  });
});

test('kept ledgers are added up again after a row took the place of another in its file', async () => {
  const kept = makeKeptLedgers();
  const book = { what: 'book', therapist: 0, client: 0, day: -3, minute: 600, end: 'commit' } as const;
  const place = async () => (await other.query<{ place: string }>('select ctid::text as place from appointment')).rows;
  await empty();
  await other.query('vacuum appointment');
  await apply({ ...book, length: 60, row: 1 });
  const [before, placeBefore] = [await compared(kept), await place()];
  // The place is free once every snapshot that saw the row has ended.
  await expect
    .poll(async () => {
      await other.query('delete from appointment');
      await other.query('vacuum appointment');
      await apply({ ...book, length: 90, row: 2 });
      return place();
    })
    .toEqual(placeBefore);
  expect(await compared(kept)).not.toEqual(before);
});

test('other people of the same date have their own ledgers', async () => {
  const kept = makeKeptLedgers();
  const own = await compared(kept);
  const others = { ...peopleOf(), clientIds: clients, booked: clients, expected: clients };
  const theirs = () => onSnapshot(database.db, (trx) => kept(trx, others));
  const found = await theirs();
  expect(found).not.toBe(own);
  expect(await theirs()).toBe(found);
  expect(await compared(kept)).toBe(own);
});

test('time without a therapist counts as lost once it has passed, also in kept ledgers', async () => {
  const kept = makeKeptLedgers();
  await empty();
  await apply({ what: 'book', therapist: 0, client: 0, day: -3, minute: 600, length: 60, end: 'commit', row: 1 });
  await other.query('update appointment set therapist_id = null');
  const lostAt = (open: string | null) =>
    onSnapshot(database.db, async (trx) => (await kept(trx, { ...peopleOf(), open })).care.get(clients[0] ?? '')?.lost);
  const date = addDays(DATE, -3);
  expect(await lostAt(`${date} 00:00`)).toBe(0);
  expect(await lostAt(`${date} 10:15`)).toBe(15);
  expect(await lostAt(null)).toBe(60);
});

test('outside a snapshot nothing is kept, and what was kept ends after ten minutes', async () => {
  let now = 0;
  const kept = makeKeptLedgers(() => now);
  const { db } = database;
  expect(await kept(db, peopleOf())).not.toBe(await kept(db, peopleOf()));
  const before = await compared(kept);
  now = 599_999;
  expect(await compared(kept)).toBe(before);
  now = 600_000;
  expect(await compared(kept)).not.toBe(before);
});
