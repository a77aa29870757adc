import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportSummary } from '@clinic/contract';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { formOf } from './testing/form.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import type { ImportFile } from './import-types.ts';

let t: TestApp;
beforeEach(async () => {
  t = await buildTestApp({ config: { logLevel: 'silent' } });
});
afterEach(() => t.close());

const DAYS = 8;
const PER_DAY = 200;
/**
 * Files with enough rows for several transactions, day by day. Each import needs new files, since its thread takes over
 * their memory.
 */
const files = (): Record<string, ImportFile> => {
  const rows = Array.from({ length: DAYS * PER_DAY }, (_, i) =>
    appointment(`A-${i}`, '1:00 PM', '2:00 PM', '', 'Mo Diaz', {
      date: `12/${1 + Math.floor(i / PER_DAY)}/2026`,
      subject: `Parent Training ${i}`,
    }),
  );
  const made = smallFiles({ therapists: THERAPISTS, clients: CLIENTS, appointments: rows });
  return Object.fromEntries(
    Object.entries(made).map(([kind, file]) => [kind, { ...file, bytes: new Uint8Array(file.bytes) }]),
  );
};
const stored = async () => (await t.deps.db.selectFrom('appointment').select('id').execute()).length;

test('given a database error partway, the reply states what was imported, and importing again finishes the rest', async () => {
  const admin = await t.signIn({ role: 'admin' });
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin if new.subject = 'Parent Training 1599' then raise exception 'planted' using errcode = 'XX000'; end if; return new; end $$`.execute(
    t.deps.db,
  );
  await sql`create trigger fail before insert on appointment for each row execute function fail()`.execute(t.deps.db);
  const broken = await admin.call(formOf(files()));
  const before = await stored();
  expect(before).toBeGreaterThan(0);
  expect(before % PER_DAY).toBe(0); // only whole days were imported
  expect(before).toBeLessThan(DAYS * PER_DAY);
  expect(broken.statusCode).toBe(503);
  expect(broken.json<{ detail: string }>().detail).toBe(
    `The import stopped in the middle because of a problem with the database. 6 people and ${before.toLocaleString('en-US')} sessions were imported; the rest were not. Import the same files again: only the rest is imported.`,
  );
  await sql`drop trigger fail on appointment`.execute(t.deps.db);
  const again = await admin.call(formOf(files()));
  expect(again.json<ImportSummary>().files).toMatchObject([
    { unchanged: 3 },
    { unchanged: 3 },
    { unchanged: before, new: DAYS * PER_DAY - before },
  ]);
  expect(await stored()).toBe(DAYS * PER_DAY);
});
