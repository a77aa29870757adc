import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { anyOf } from './any-of.ts';
import { composed, type Given } from './composed.ts';
import { onSnapshot } from './retry.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

type Values = Readonly<{ ids: readonly string[]; least: number }>;

test('given a statement made once, each run uses its own values and connection', async () => {
  let made = 0;
  const select = composed((db, given: Given<Values>) => {
    made++;
    return sql<{ id: string; least: number; again: number }>`
      select id, ${given('least')}::int as least, ${given('least')}::int as again
      from unnest(array['a', 'b', 'c']) id where id = ${anyOf(given('ids'))} order by id`.compile(db);
  });
  const { db } = database;

  expect(await select(db, { ids: ['a', 'c'], least: 1 })).toEqual([
    { id: 'a', least: 1, again: 1 },
    { id: 'c', least: 1, again: 1 },
  ]);
  const [onOne, inOther] = await Promise.all([
    onSnapshot(db, (reads) => select(reads, { ids: ['b'], least: 2 })),
    db.transaction().execute((trx) => select(trx, { ids: [], least: 3 })),
  ]);
  expect([onOne, inOther]).toEqual([[{ id: 'b', least: 2, again: 2 }], []]);
  expect(made).toBe(1);
});

test('given a run in a transaction, the statement sees what the transaction wrote', async () => {
  const select = composed((db, given: Given<Readonly<{ key: string }>>) =>
    db.selectFrom('setting').select('key').where('key', '=', given('key')).compile(),
  );
  const seen = await database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('setting')
      .values({ key: 'rules', value: JSON.stringify({}) })
      .execute();
    return [await select(trx, { key: 'rules' }), await select(database.db, { key: 'rules' })];
  });
  expect(seen).toEqual([[{ key: 'rules' }], []]);
});
