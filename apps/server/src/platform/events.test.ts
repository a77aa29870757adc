import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openEvents, publishEvent, type ServerEvent } from './events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** The database's connections, of which some are lost at the moment they are to listen, as when PostgreSQL is killed. */
function failingPool(): { pool: pg.Pool; held: () => number; fail: (times: number) => void; lose: () => void } {
  let failures = 0;
  const held = new Set<pg.PoolClient>();
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await database.pool.connect();
    held.add(client);
    const [release, query] = [client.release.bind(client), client.query.bind(client)];
    client.release = (error) => {
      held.delete(client);
      client.query = query;
      release(error);
    };
    client.query = ((text: string) => {
      if (failures-- <= 0) return query(text);
      client.emit('error', new Error('terminated')); // it says so, and the query fails as well
      return Promise.reject(new Error('terminated'));
    }) as typeof client.query;
    return client;
  };
  return {
    pool: Object.assign(new EventEmitter(), { connect }) as unknown as pg.Pool,
    held: () => held.size,
    fail: (times) => (failures = times),
    lose: () => [...held].forEach((client) => client.emit('error', new Error('terminated'))),
  };
}

test('a database that is lost again and again leaves one listening connection, whenever it is lost', async () => {
  const { pool, held, fail, lose } = failingPool();
  const events = await openEvents(pool);
  const heard: ServerEvent[] = [];
  events.subscribe((event) => heard.push(event));
  for (let round = 1; round <= 3; round++) {
    fail(2);
    lose();
    await expect.poll(() => heard.filter(({ kind }) => kind === 'resync').length, { timeout: 20_000 }).toBe(round);
    expect(held()).toBe(1);
  }
  await publishEvent(database.db, { kind: 'profiles' } as ServerEvent);
  await expect.poll(() => heard.filter(({ kind }) => kind === 'profiles').length).toBe(1);
  await events.close();
  expect(held()).toBe(0);
});
