import { afterAll, beforeAll, expect, test } from 'vitest';
import { personKey } from '../memory/call-day.ts';
import { buildClient } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { reachOf } from './reach.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('messages go to the first contact that prefers email or text, and to no one who prefers neither', async () => {
  const { db } = database;
  const PHONE = '(407) 555-0123';
  const family = async (...contacts: { preferred: string; phone?: string }[]): Promise<string> => {
    const id = await buildClient(db);
    for (const [i, contact] of contacts.entries())
      await db
        .insertInto('contact')
        .values({
          client_id: id,
          rank: i + 1,
          name: `C${i + 1}`,
          phone: PHONE,
          email: `c${i + 1}@home.example`,
          ...contact,
        })
        .execute();
    return id;
  };
  const ids = {
    text: await family({ preferred: 'phone' }, { preferred: 'text' }, { preferred: 'email' }),
    email: await family({ preferred: '' }, { preferred: 'email' }),
    telephone: await family({ preferred: 'phone' }, { preferred: '' }),
    undialable: await family({ preferred: 'text', phone: 'ask at school' }),
    none: await family(),
  };
  const lines = Object.values(ids).map((id) => ({ kind: 'client' as const, id }));
  const { reach, toCall } = await reachOf(db, lines);
  expect(toCall).toEqual(new Set([personKey('client', ids.text), personKey('client', ids.telephone)]));
  expect(reach).toEqual(
    new Map([
      [personKey('client', ids.text), { way: 'text', address: '+14075550123', ownPage: false, language: 'en' }],
      [personKey('client', ids.email), { way: 'email', address: 'c2@home.example', ownPage: false, language: 'en' }],
    ]),
  );
});
