import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportSummary } from '@clinic/contract';
import { withTurns, type TakeTurn } from '../../db/turn.ts';
import { Refusal } from '../../platform/refusal.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { formOf } from './fixtures/form.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './fixtures/small.ts';
import { DatabaseStore } from './import-store.ts';
import type { ImportFile } from './import-types.ts';
import { ImportThreads } from './thread.ts';

let t: TestApp;
beforeEach(async () => {
  t = await buildTestApp({ config: { logLevel: 'silent' } });
});
afterEach(() => t.close());

const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
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

/** Counts turns: how many were taken, how many are held now, and the maximum held at once. */
function counted() {
  const turns = { taken: 0, held: 0, most: 0, refuse: 0 };
  const take: TakeTurn = () => {
    if (turns.refuse-- > 0) return Promise.reject(new Refusal('busy'));
    turns.taken++;
    turns.most = Math.max(turns.most, ++turns.held);
    let ended = false;
    return Promise.resolve(() => {
      if (!ended) turns.held--;
      ended = true;
    });
  };
  return { turns, take };
}

test('an import takes a turn for each writing transaction, one at a time, and a dry run takes no turn', async () => {
  const { turns, take } = counted();
  const run = (dryRun: boolean) =>
    withTurns({ write: take }, () => new ImportThreads().run(t.deps.db, files(), { ...options, dryRun }));
  await run(true);
  expect(turns.taken).toBe(0);
  await run(false);
  expect(await stored()).toBe(DAYS * PER_DAY);
  // The import takes one turn for people and one for every 1,000 sessions.
  expect(turns.taken).toBeGreaterThanOrEqual(3);
  expect(turns).toMatchObject({ held: 0, most: 1 });
});

test('an import that gets no turn in time waits for the next turn', async () => {
  const { turns, take } = counted();
  turns.refuse = 3;
  await withTurns({ write: take }, () => new ImportThreads().run(t.deps.db, files(), options));
  expect(await stored()).toBe(DAYS * PER_DAY);
  expect(turns.held).toBe(0);
});

test('an import that ends while it waits for its turn gives the turn back if it still comes, and holds no lock', async () => {
  const { turns, take } = counted();
  let give: () => void = () => {};
  const late: TakeTurn = async () => {
    await new Promise<void>((resolve) => (give = resolve));
    return take();
  };
  const store = withTurns({ write: late }, () => new DatabaseStore(t.deps.db, options));
  const begun = store.begin('both').catch((error: unknown) => error);
  await store.close();
  give();
  expect(await begun).toMatchObject({ message: 'the import has ended' });
  expect(turns).toMatchObject({ taken: 1, held: 0 });
});

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
