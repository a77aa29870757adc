import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditRow } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

let database: TestDatabase;
let t: TestApp;
let admin: SignedIn;
beforeAll(async () => {
  database = await createTestDatabase();
  t = await buildTestApp({ database });
  admin = await t.signIn({ role: 'admin' });
});
afterAll(async () => {
  await t.close();
  await database.close();
});

interface Row {
  id: string;
  subject_ids: string[];
}

async function page(query: string): Promise<Row[]> {
  const reply = await admin.call({ url: `/api/audit${query}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Row[]>();
}

/** All pages of a search; each request names the last row of the previous page. */
async function pages(search: string): Promise<Row[]> {
  const all: Row[] = [];
  for (let before = ''; ;) {
    const rows = await page(`?${search}${before}`);
    all.push(...rows);
    const last = rows.at(-1);
    if (rows.length < 200 || !last) return all;
    before = `&before=${last.id}`;
  }
}

test('given many rows with the same timestamp, paging shows every row once', async () => {
  let round = 0;
  const instants = fc.array(fc.constantFrom('001', '002', '002001', '002999', '003'), {
    minLength: 150,
    maxLength: 700,
  });
  await fc.assert(
    fc.asyncProperty(instants, async (parts) => {
      const search = `S-${++round}`;
      await database.db
        .insertInto('audit')
        .values(
          parts.map((part, i) => ({
            chain: 100 + (i % 16),
            number: String(round * 10_000 + i),
            at: `2026-01-02T03:04:05.${part}Z`,
            account_id: null,
            action: 'client.read',
            subject_kind: 'client',
            subject_ids: [search, `row-${i}`],
            location: null,
            detail: '{}',
            prev_hash: Buffer.alloc(0),
            hash: Buffer.alloc(0),
          })),
        )
        .execute();
      const rows = await pages(`subject=${search}`);
      const seen = rows.map((row) => row.subject_ids[1]);
      expect(seen.toSorted()).toEqual(parts.map((_, i) => `row-${i}`).toSorted());
      const times = seen.map((row) => parts[Number(row?.slice(4))] ?? '');
      expect(times).toEqual(times.toSorted().toReversed());
    }),
    { numRuns: 8 },
  );
});

test('an administrator of some locations sees no account of others in the trail: neither who acted, nor on whom', async () => {
  const local = await t.signIn({ role: 'admin', locations: ['tampa'] });
  const mate = await t.signIn({ locations: ['tampa'] });
  const stranger = await t.signIn({ locations: ['orlando'] });
  const everywhere = await t.signIn({ role: 'admin' });
  const change = (by: SignedIn, { accountId, email }: SignedIn, locations: string[]) =>
    by.call({
      method: 'PUT',
      url: `/api/accounts/${accountId}`,
      payload: { email, name: 'New Name', role: 'scheduler', locations },
    });
  expect((await change(everywhere, stranger, ['orlando'])).statusCode).toBe(200);
  expect((await change(local, mate, ['tampa'])).statusCode).toBe(200);
  const colleague = { name: 'Robin', role: 'scheduler', by_email: false };
  for (const [email, locations] of [
    ['robin-there@clinic.example', ['orlando']],
    ['robin-here@clinic.example', ['tampa']],
  ] as const)
    await everywhere.call({
      method: 'POST',
      url: '/api/colleague-invitations',
      payload: { ...colleague, email, locations },
    });
  await stranger.call({ method: 'POST', url: '/api/sign-out' });
  const rows = (await local.call({ url: '/api/audit' })).json<AuditRow[]>();
  expect(rows.some((row) => row.account === local.email && row.action === 'account.changed')).toBe(true);
  const text = JSON.stringify(rows);
  for (const { email, accountId } of [stranger, everywhere]) {
    expect(text).not.toContain(email);
    expect(text).not.toContain(accountId);
  }
  const listed = (await local.call({ url: '/api/accounts' })).json<{ email: string; locations: string[] }[]>();
  expect(listed.map(({ email }) => email)).toEqual(expect.arrayContaining([local.email, mate.email]));
  for (const { locations } of listed) expect(locations).toEqual(['tampa']);
  const all = JSON.stringify((await everywhere.call({ url: '/api/audit' })).json());
  for (const { email } of [stranger, everywhere, mate]) expect(all).toContain(email);
});

test('a page starts before a given row or a given time; any other value is refused', async () => {
  const rows = await page('?subject=S-1&before=2026-01-02T03:04:05.002Z');
  expect(rows.length).toBeGreaterThan(0);
  for (const before of ['x', '1.2', '1.2.3.4', '99999999999999999.1.1'])
    expect((await admin.call({ url: `/api/audit?before=${before}` })).statusCode).toBe(422);
  expect(await page('?before=9999999999999999.99999.999999999999999999')).not.toHaveLength(0);
});
