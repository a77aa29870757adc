import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../db/connection.ts';

/**
 * Waits until all committed changes can be read. Another transaction that still runs, even of another test's database on
 * the same PostgreSQL, delays them.
 */
export const changesReadable = (db: Db): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ all: boolean }>`
        select not exists (select from record_change where xid >= pg_snapshot_xmin(pg_current_snapshot())) as all`.execute(
        db,
      );
      return rows[0]?.all;
    })
    .toBe(true);
