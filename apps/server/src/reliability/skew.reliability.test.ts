// This file is over 250 lines because it has every pair of transactions that could together break a rule.
import pg from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom, type Random } from '@clinic/testkit';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { doseOf, keepFigures, seedOfRun } from './testing/doses.ts';

const COUNT = doseOf('skew');
/** A date far in the future by any machine's clock, so that the rules about future sessions apply. */
const DAY = '2990-06-01';

let database: TestDatabase;
let pair: readonly [pg.Client, pg.Client];
beforeAll(async () => {
  database = await createTestDatabase();
  pair = [new pg.Client(database.target), new pg.Client(database.target)];
  for (const client of pair) await client.connect();
});
afterAll(async () => {
  for (const client of pair) await client.end();
  await database.close();
});

/** Two transactions, each of which breaks no rule by itself, and a query for rows that must not exist after both. */
interface Skew {
  readonly one: readonly string[];
  readonly other: readonly string[];
  /** A query that counts the rows that break the rule. */
  readonly broken: string;
}

let made = 0;
const session = (row: {
  therapist: string | null;
  client: string | null;
  location?: string;
  seat?: number;
}): string => {
  const id = crypto.randomUUID();
  const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);
  return `insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place, seat)
    values ('${id}', 'S', '${row.location ?? 'altamonte'}', ${text(row.client)}, ${text(row.therapist)}, '${row.client === null ? 'admin' : 'direct'}',
      'S', 'booked', '${DAY} 09:00', '${DAY} 10:00', '${id}', '${id}', ${row.seat ?? 1})`;
};
const therapist = () => buildTherapist(database.db, { last: `Therapist ${++made}`, windows: [] });
const overlapping = (where: string): string =>
  `select count(*) from appointment a join appointment b on a.id < b.id and a.starts < b.ends and b.starts < a.ends
   where a.occupies and b.occupies and ${where}`;

const SKEWS: Readonly<Record<string, () => Promise<Skew>>> = {
  async '2:1 is taken off while the second seat is booked'() {
    const client = await buildClient(database.db, { last: `Client ${++made}`, twoToOne: true });
    return {
      one: [
        `select two_to_one from client where id = '${client}' for no key update`,
        `do $$ begin if exists (select from appointment where client_id = '${client}' and seat = 2 and occupies)
           then raise exception 'still booked'; end if; end $$`,
        `update client set two_to_one = false where id = '${client}'`,
      ],
      other: [
        `select two_to_one from client where id = '${client}'`,
        session({ client, therapist: await therapist(), seat: 2 }),
      ],
      broken: `select count(*) from appointment a join client c on c.id = a.client_id
        where c.id = '${client}' and a.seat = 2 and a.occupies and not c.two_to_one`,
    };
  },
  async '2:1 is taken off while a cancelled second seat is booked again'() {
    const client = await buildClient(database.db, { last: `Client ${++made}`, twoToOne: true });
    await sql.raw(session({ client, therapist: await therapist(), seat: 2 })).execute(database.db);
    await sql`update appointment set status = 'cancelled' where client_id = ${client}`.execute(database.db);
    return {
      one: [`update client set two_to_one = false where id = '${client}'`],
      other: [`update appointment set status = 'booked' where client_id = '${client}'`],
      broken: `select count(*) from appointment a join client c on c.id = a.client_id
        where c.id = '${client}' and a.seat = 2 and a.occupies and not c.two_to_one`,
    };
  },
  async 'administrative time of one therapist at two locations'() {
    const id = await therapist();
    return {
      one: [session({ client: null, therapist: id })],
      other: [session({ client: null, therapist: id, location: 'tampa' })],
      broken: overlapping(`a.therapist_id = '${id}' and b.therapist_id = '${id}' and a.location <> b.location`),
    };
  },
  async 'one therapist, two clients at two locations'() {
    const id = await therapist();
    const [a, b] = [await buildClient(database.db), await buildClient(database.db)];
    return {
      one: [session({ client: a, therapist: id })],
      other: [session({ client: b, therapist: id, location: 'tampa' })],
      broken: overlapping(`a.therapist_id = '${id}' and b.therapist_id = '${id}'`),
    };
  },
  async 'one seat of a client, two therapists'() {
    const client = await buildClient(database.db);
    return {
      one: [session({ client, therapist: await therapist() })],
      other: [session({ client, therapist: await therapist() })],
      broken: overlapping(`a.client_id = '${client}' and b.client_id = '${client}'`),
    };
  },
  async 'a therapist is deleted while a session is booked'() {
    const id = await therapist();
    return {
      one: [
        `select id from therapist where id = '${id}' and deleted_at is null for no key update`,
        `do $$ begin if exists (select from appointment where therapist_id = '${id}' and occupies)
           then raise exception 'still booked'; end if; end $$`,
        `update therapist set deleted_at = now() where id = '${id}'`,
      ],
      other: [session({ client: await buildClient(database.db), therapist: id })],
      broken: `select count(*) from appointment a join therapist t on t.id = a.therapist_id
        where t.id = '${id}' and t.deleted_at is not null and a.occupies`,
    };
  },
  async 'one absence is recorded twice'() {
    const id = await therapist();
    const away = `insert into absence (location, therapist_id, date, start_minute, end_minute)
      values ('altamonte', '${id}', '${DAY}', 540, 720)`;
    return {
      one: [away],
      other: [away],
      broken: `select count(*) - 1 from absence where therapist_id = '${id}' and withdrawn_at is null`,
    };
  },
  async 'a session begins while its account is disabled'() {
    const { rows } = await sql<{ id: string }>`insert into account (email, name, role, password_hash)
      values (${`a${++made}@clinic.example`}, 'A', 'admin', 'x') returning id`.execute(database.db);
    const id = rows[0]?.id ?? '';
    return {
      one: [
        `select id from account where id = '${id}' for update`,
        `update account set disabled_at = now() where id = '${id}'`,
        `update session set ended_at = now(), ended_why = 'disabled' where account_id = '${id}' and ended_at is null`,
      ],
      other: [
        `insert into session (account_id, created_at, last_seen_at, expires_at)
         select id, now(), now(), '${DAY}' from account where id = '${id}' and disabled_at is null for share`,
      ],
      broken: `select count(*) from session s join account a on a.id = s.account_id
        where a.id = '${id}' and a.disabled_at is not null and s.ended_at is null`,
    };
  },
  async 'an invitation is withdrawn while it is used'() {
    const { rows } = await sql<{ id: string }>`
      insert into invitation (therapist_id, email, invited_at, expires_at)
      values (${await therapist()}, 'a@clinic.example', now(), ${DAY}) returning id`.execute(database.db);
    const id = rows[0]?.id ?? '';
    return {
      one: [`update invitation set used_at = now() where id = '${id}'`],
      other: [`update invitation set withdrawn_at = now() where id = '${id}'`],
      broken: `select count(*) from invitation where id = '${id}' and used_at is not null and withdrawn_at is not null`,
    };
  },
  async 'both passkeys of an account without a password are removed'() {
    const { rows } = await sql<{ id: string }>`
      with owner as (insert into account (email, name, role, therapist_id)
        values (${`p${++made}@clinic.example`}, 'P', 'therapist', ${await therapist()}) returning id)
      insert into passkey (account_id, credential_id, public_key, counter, transports, name, created_at)
      select id, decode(md5(id::text || n), 'hex'), decode('00', 'hex'), 0, '{}', n::text, now() from owner, generate_series(1, 2) as n
      returning account_id as id`.execute(database.db);
    const id = rows[0]?.id ?? '';
    const remove = (name: string): string => `delete from passkey where account_id = '${id}' and name = '${name}'`;
    return {
      one: [remove('1')],
      other: [remove('2')],
      broken: `select count(*) from account a where a.id = '${id}'
        and not exists (select from passkey p where p.account_id = a.id)`,
    };
  },
};

/** One of the two transactions, and its progress. */
class Side {
  readonly #client: pg.Client;
  readonly #left: string[];
  readonly #pid: number;
  #running: Promise<void> | null = null;
  error: { code?: string } | null = null;

  constructor(client: pg.Client, statements: readonly string[], pid: number) {
    this.#client = client;
    this.#left = [...statements];
    this.#pid = pid;
  }

  get hasMore(): boolean {
    return this.error === null && this.#left.length > 0;
  }

  get waits(): boolean {
    return this.#running !== null;
  }

  /** Sends the next statement; returns once it has finished or is waiting for a lock that the other transaction has. */
  async step(statement = this.#left.shift() ?? ''): Promise<void> {
    this.#running = this.#client
      .query(statement)
      .then(
        () => {},
        (error: unknown) => {
          this.error = error as { code?: string };
        },
      )
      .finally(() => {
        this.#running = null;
      });
    await this.settled();
  }

  async settled(): Promise<void> {
    for (;;) {
      if (this.#running === null) return;
      const { rows } = await sql<{ blocked: boolean }>`
        select cardinality(pg_blocking_pids(${this.#pid})) > 0 as blocked`.execute(database.db);
      if (this.#running === null || rows[0]?.blocked) return;
    }
  }

  /**
   * Runs the remaining statements and commits. Call it only when the other transaction has ended or this one does not
   * wait for it.
   */
  async end(): Promise<void> {
    await this.#running;
    while (this.hasMore) await this.step();
    await this.step(this.error === null ? 'commit' : 'rollback');
  }
}

async function sideOf(client: pg.Client, statements: readonly string[]): Promise<Side> {
  await client.query('begin isolation level read committed');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return new Side(client, statements, rows[0]?.pid ?? 0);
}

/**
 * Runs both transactions, statement by statement in a random order; neither commits before the other has gone as far as
 * it can.
 */
async function interleave(skew: Skew, random: Random): Promise<readonly Side[]> {
  const sides = [await sideOf(pair[0], skew.one), await sideOf(pair[1], skew.other)];
  for (;;) {
    const able = sides.filter((side) => side.hasMore && !side.waits);
    if (able.length === 0) break;
    await random.pick(able).step();
    for (const side of sides) if (side.waits) await side.settled();
  }
  // A waiting transaction continues once the other has ended.
  for (const side of [...sides].sort((a, b) => Number(a.waits) - Number(b.waits))) {
    await side.end();
  }
  return sides;
}

test(
  'two transactions that are each valid by themselves never violate a rule together, in any order',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const refused: Record<string, number> = {};
    const broken: string[] = [];
    const unknown: string[] = [];
    const names = Object.keys(SKEWS);
    for (let i = 0; i < COUNT; i++) {
      const name = names[i % names.length] ?? '';
      const skew = (await SKEWS[name]?.()) as Skew;
      const sides = await interleave(skew, random);
      for (const { error } of sides) {
        if (error === null) continue;
        refused[name] = (refused[name] ?? 0) + 1;
        if (!['23P01', '23514', 'P0001', '40P01'].includes(error.code ?? '')) unknown.push(`${name}: ${error.code}`);
      }
      const { rows } = await database.pool.query<{ count: string }>(skew.broken);
      if (Number(rows[0]?.count) > 0) broken.push(name);
    }
    keepFigures('skew', COUNT, began, {
      refused: Object.values(refused).reduce((a, b) => a + b, 0),
      broken: broken.length,
    });
    expect(broken).toEqual([]);
    expect(unknown).toEqual([]);
    // Under every rule but one, a transaction was refused. Under that one rule, the later transaction writes nothing
    // instead.
    expect(Object.keys(refused).length).toBe(names.length - 1);
  },
  24 * 3_600_000,
);
