import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { BoundedClient } from './bounded-client.ts';
import { refuseSharedSessions } from './pooler.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/**
 * Imitates the sessions of a pooler in transaction mode: each statement outside a transaction gets the first free
 * connection.
 */
async function poolerOf(size: number) {
  const free = await Promise.all(Array.from({ length: size }, () => database.connect()));
  const all = [...free];
  const waiting: ((client: BoundedClient) => void)[] = [];
  const take = (): Promise<BoundedClient> => {
    const client = free.shift();
    return client ? Promise.resolve(client) : new Promise((resolve) => waiting.push(resolve));
  };
  const give = (client: BoundedClient): void => {
    const next = waiting.shift();
    if (next) next(client);
    else free.unshift(client);
  };
  const connect = (): Promise<BoundedClient> => {
    let pinned: BoundedClient | undefined;
    const query = async (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
      const client = pinned ?? (await take());
      pinned = text === 'begin' ? client : text === 'commit' ? undefined : pinned;
      try {
        return await client.query(text, values);
      } finally {
        if (!pinned) give(client);
      }
    };
    return Promise.resolve({ query, backend: free[0]?.backend, cut: () => {} } as unknown as BoundedClient);
  };
  return { connect, close: () => all.forEach((client) => client.cut('done')) };
}

test('a direct connection to PostgreSQL is accepted', async () => {
  await expect(refuseSharedSessions(database)).resolves.toBeUndefined();
});

test.each([1, 2, 5])(
  'a pooler that shares %i connections between sessions is refused with a one-line message',
  async (size) => {
    const pooler = await poolerOf(size);
    await expect(refuseSharedSessions(pooler)).rejects.toThrow(
      expect.objectContaining({ name: 'StartError', message: expect.stringContaining('session mode') as unknown }),
    );
    pooler.close();
  },
);
