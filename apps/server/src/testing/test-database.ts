import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, type OpenDatabase } from '../db/connection.ts';
import { dropDatabase, inDatabase, onServer } from './global-setup.ts';

/** A test file's own database. */
export interface TestDatabase extends OpenDatabase {
  /** How other processes connect to it. */
  readonly target: pg.PoolConfig;
  readonly name: string;
}

/** Copies the migrated template into a new database. Call `close`, in `afterAll`, to drop it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `clinic_${randomBytes(8).toString('hex')}`;
  await onServer(server.target, async (client) => {
    // Copying needs a template without connections; two files may copy at the same time.
    await client.query('SELECT pg_advisory_lock(7205512)');
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${server.template}`);
  });
  const target = inDatabase(server.target, name);
  const database = openDatabase(target, { connections: 20, name: 'clinic-test' });
  return {
    ...database,
    target,
    name,
    async close() {
      await database.close();
      await dropDatabase(server.target, name);
    },
  };
}

/** The URL of a test database, for a process that takes `DATABASE_URL`. A socket's folder goes into the query. */
export function urlOf(target: pg.PoolConfig): string {
  if (target.connectionString !== undefined) return target.connectionString;
  const url = new URL('postgres://localhost/'); // `host` in the query overrides it
  url.username = target.user ?? '';
  url.password = String(target.password ?? '');
  url.pathname = `/${target.database ?? ''}`;
  url.searchParams.set('host', target.host ?? '');
  return url.href;
}
