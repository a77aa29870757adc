import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { DEFAULT_LOCATIONS, setLocations } from '@clinic/domain';
import { openDatabase, type OpenDatabase } from '../db/connection.ts';
import { dropDatabase, inDatabase, onServer } from './global-setup.ts';

/** A test file's own database. */
export interface TestDatabase extends OpenDatabase {
  /** How another process connects to the database. */
  readonly target: pg.PoolConfig;
  readonly name: string;
}

/** Makes a database from the migrated template. Call `close` in `afterAll` to drop it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `clinic_${randomBytes(8).toString('hex')}`;
  await onServer(server.target, async (client) => {
    // The template must have no connections while it is copied, and two files may want to copy it at the same time.
    await client.query('SELECT pg_advisory_lock(7205512)');
    // Copying the template's files takes half as long as the default, which also writes every page to the log.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${server.template} STRATEGY FILE_COPY`);
  });
  const target = inDatabase(server.target, name);
  setLocations(DEFAULT_LOCATIONS); // those of the template; another file of this process may have had others
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

/**
 * The URL of a test database, for a process that reads `DATABASE_URL`. If PostgreSQL listens on a socket, the socket's
 * folder goes into the URL's query.
 */
export function urlOf(target: pg.PoolConfig): string {
  if (target.connectionString !== undefined) return target.connectionString;
  const url = new URL('postgres://localhost/'); // the `host` in the query replaces this host
  url.username = target.user ?? '';
  url.password = String(target.password ?? '');
  url.pathname = `/${target.database ?? ''}`;
  url.searchParams.set('host', target.host ?? '');
  return url.href;
}
