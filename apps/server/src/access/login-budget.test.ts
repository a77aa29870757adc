import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { rewardSuccess, takeAttempt, type Attempt } from './login-budget.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

let people = 0;
const start = Date.parse('2026-11-20T12:00:00Z');
const someone = (address: string): Attempt => ({ email: `p${++people}@test.example`, address });
const take = (attempt: Attempt, at = start) => takeAttempt(database.db, attempt, at, 1);

async function fail(attempt: Attempt, times: number, at = start) {
  const verdicts = [];
  for (let i = 0; i < times; i++) verdicts.push(await take(attempt, at));
  return verdicts;
}

test('ten attempts are free, further attempts must wait, and an attempt whose wait would be too long is refused', async () => {
  const one = someone('1.1.1.1');
  expect((await fail(one, 10)).every((verdict) => verdict.allowed && verdict.waitMs === 0)).toBe(true);
  expect(await take(one)).toEqual({ allowed: true, waitMs: 5000 });
  expect(await take(one)).toEqual({ allowed: true, waitMs: 10_000 });
  expect(await take(one)).toMatchObject({ allowed: false, retryAfterSeconds: 3 });
  expect(await take(one)).toMatchObject({ allowed: false, retryAfterSeconds: 3 }); // a refused attempt takes no tokens
  expect(await take(one, start + 5000)).toEqual({ allowed: true, waitMs: 10_000 });
  expect(await take(one, start + 120_000)).toEqual({ allowed: true, waitMs: 0 });
});

test('attempts on one account from many IP addresses are counted together', async () => {
  const email = someone('').email;
  const verdicts = [];
  for (let i = 0; i < 40; i++) verdicts.push(await take({ email, address: `2.2.2.${i}` }));
  expect(verdicts.slice(0, 30).every((verdict) => verdict.allowed && verdict.waitMs === 0)).toBe(true);
  expect(verdicts.slice(32).every((verdict) => !verdict.allowed)).toBe(true);
});

test('attempts on many accounts from one IP address are counted together', async () => {
  const verdicts = [];
  for (let i = 0; i < 130; i++) verdicts.push(await take(someone('3.3.3.3')));
  expect(verdicts.slice(0, 100).every((verdict) => verdict.allowed && verdict.waitMs === 0)).toBe(true);
  expect(verdicts.slice(110).every((verdict) => !verdict.allowed)).toBe(true);
});

test('attempts from other IP addresses cannot lock out an owner at an IP address that they have used before', async () => {
  const owner = someone('4.4.4.4');
  await take(owner);
  await rewardSuccess(database.db, owner, start, 1);
  for (let i = 0; i < 60; i++) await take({ email: owner.email, address: `5.5.5.${i}` });
  for (let i = 0; i < 130; i++) await take(someone('4.4.4.4'));
  expect(await take(owner)).toEqual({ allowed: true, waitMs: 0 });
});

test('given many wrong passwords from the owner’s own IP address, the owner can log in after a few seconds', async () => {
  const owner = someone('6.6.6.6');
  await fail(owner, 200);
  const verdict = await take(owner, start + 4000);
  expect(verdict).toMatchObject({ allowed: true });
  expect(verdict.allowed && verdict.waitMs).toBeLessThanOrEqual(12_000);
});

test.each([
  ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff:1:2:3', true],
  ['2001:db8::1', '2001:db8:0:0:9::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
])('%s and %s count as the same IP address: %s', async (first, second, same) => {
  const { email } = someone('');
  await fail({ email, address: first }, 12);
  const verdict = await take({ email, address: second });
  expect(verdict.allowed && verdict.waitMs === 0).toBe(!same);
});

test('given 50 successful logins in a row, none has to wait', async () => {
  const one = someone('7.7.7.7');
  for (let i = 0; i < 50; i++) {
    expect(await take(one)).toEqual({ allowed: true, waitMs: 0 });
    await rewardSuccess(database.db, one, start, 1);
  }
});

test('a user’s own logins do not allow more guesses at other accounts from the same IP address', async () => {
  const insider = someone('7.7.8.8');
  const verdicts = [];
  for (let i = 0; i < 130; i++) {
    verdicts.push(await take(someone('7.7.8.8')));
    await take(insider);
    await rewardSuccess(database.db, insider, start, 1);
  }
  expect(verdicts.slice(110).every((verdict) => !verdict.allowed)).toBe(true);
});

test('simultaneous attempts are all counted', async () => {
  const one = someone('8.8.8.8');
  const verdicts = await Promise.all(Array.from({ length: 40 }, () => take(one)));
  expect(verdicts.filter((verdict) => verdict.allowed && verdict.waitMs === 0)).toHaveLength(10);
});

test('email addresses and IP addresses are stored only as hashes, and old rows are removed', async () => {
  const one = someone('9.9.9.9');
  await take(one);
  const later = start + 61 * 86_400_000;
  const rows = await database.db.selectFrom('login_budget').selectAll().execute();
  expect(JSON.stringify(rows)).not.toMatch(/test\.example|9\.9\.9\.9/);
  await rewardSuccess(database.db, one, later, 1);
  const left = await database.db.selectFrom('login_budget').selectAll().execute();
  expect(left.every((row) => row.refilled_at > '2027')).toBe(true);
});
