import { PostgresDialect, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import type { Database } from '../../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { bumpDays, type LocationDay } from './versions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('given any number of days, one statement raises the version of each once, in the order in which days are written', async () => {
  const asked: string[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void asked.push(query.sql),
  });
  const first = isoDate('2026-11-20');
  const days = [3, 1, 2, 1].flatMap((later): LocationDay[] =>
    (['tampa', 'altamonte'] as const).map((location) => ({ location, date: addDays(first, later) })),
  );
  await bumpDays(db, days);
  await bumpDays(db, days.slice(0, 1));
  await bumpDays(db, []);
  expect(asked).toHaveLength(2);
  const stored = await database.db.selectFrom('location_day').select(['date', 'location', 'version']).execute();
  // PostgreSQL returns rows that were never changed in the order in which they were written.
  expect(stored.map(({ date, location, version }) => [date, location, Number(version)])).toEqual([
    ['2026-11-21', 'altamonte', 1],
    ['2026-11-21', 'tampa', 1],
    ['2026-11-22', 'altamonte', 1],
    ['2026-11-22', 'tampa', 1],
    ['2026-11-23', 'altamonte', 1],
    ['2026-11-23', 'tampa', 2],
  ]);
});
