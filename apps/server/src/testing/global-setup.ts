import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../db/embedded/index.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { codeOf } from '../start-error.ts';

/** Where tests find PostgreSQL, and the migrated database that each test file copies. */
export interface TestServer {
  readonly target: pg.PoolConfig;
  readonly template: string;
  /** The path of PostgreSQL's log; null with `TEST_DATABASE_URL`. */
  readonly log: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * Starts one PostgreSQL for all tests, or uses `TEST_DATABASE_URL`, whose user must be allowed to create databases.
 * Makes the template that test files copy: a migrated database without data.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'];
  const folder = url ? undefined : mkdtempSync(join(tmpdir(), 'clinic-test-'));
  // When root runs the tests, PostgreSQL runs as another user, who must be able to enter the folder.
  if (folder) chmodSync(folder, 0o755);
  // Without fsync, a test run does not wait for the disk. These tests do not cover power cuts.
  const embedded = folder
    ? await startEmbedded({ dataDir: join(folder, 'data'), settings: ['fsync=off'], createsDatabases: true })
    : undefined;
  const target: pg.PoolConfig = embedded ? { ...embedded.target, database: 'postgres' } : { connectionString: url };
  const template = `clinic_template_${process.pid}_${Date.now()}`;
  await onServer(target, (client) => client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`));
  const pool = new pg.Pool(inDatabase(target, template));
  await migrate(pool, readMigrations());
  await pool.end();
  project.provide('testServer', { target, template, log: folder ? join(folder, 'data', 'postgres.log') : null });
  return async () => {
    if (!embedded) {
      await dropDatabase(target, template);
    }
    await embedded?.release();
    if (folder) rmSync(folder, { recursive: true, force: true });
  };
}

/** How to connect to another database on the same server. */
export function inDatabase(target: pg.PoolConfig, database: string): pg.PoolConfig {
  if (target.connectionString === undefined) return { ...target, database };
  const url = new URL(target.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Opens a connection, runs `work` on it, and closes it. */
export async function onServer<T>(target: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(target);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * PostgreSQL's error codes if a connection is still open, or if one of PostgreSQL's own processes cannot be ended by
 * force.
 */
const IN_THE_WAY = ['55006', '42501'];
/** On a busy machine, a clean-up process can take longer to end than the five seconds that PostgreSQL waits. */
const TRIES = 6;

/**
 * Drops a database. PostgreSQL waits a few seconds for connections that are closing. Force is used only if a test left
 * connections open, because force breaks connections that are still closing and cannot end PostgreSQL's own clean-up
 * processes.
 */
export async function dropDatabase(target: pg.PoolConfig, name: string): Promise<void> {
  const drop = `DROP DATABASE IF EXISTS ${name}`;
  const ways = Array.from({ length: TRIES }, () => [drop, `${drop} WITH (FORCE)`]).flat();
  await onServer(target, async (client) => {
    for (const [tries, way] of ways.entries()) {
      try {
        await client.query(way);
        return;
      } catch (error) {
        if (tries === ways.length - 1 || !IN_THE_WAY.includes(codeOf(error) ?? '')) throw error;
      }
    }
  });
}
