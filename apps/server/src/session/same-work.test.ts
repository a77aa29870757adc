import argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { takeAttempt } from '../access/login-budget.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

const ADDRESS = '127.0.0.1'; // requests made with `inject` come from this address
/** Counts the real password checks. */
const verify = vi.spyOn(argon2, 'verify');
let t: TestApp;
let known: SignedIn;
beforeAll(async () => {
  t = await buildTestApp({ config: { rateLimit: 1 } });
  known = await t.signIn();
});
beforeEach(() => {
  // The braces keep this hook from returning a function, which Vitest would call afterwards.
  verify.mockClear();
});
afterAll(async () => {
  verify.mockRestore();
  await t.close();
});

const signIn = (username: string, password: string) =>
  t.app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
  });

/**
 * Uses up this address's attempts on other accounts. The clock is one hour ahead, so no attempt becomes free again
 * during the test.
 */
async function spendAddress(): Promise<void> {
  for (let n = 0; n < 300; n++) {
    const attempt = { email: `crowd${n}@clinic.example`, address: ADDRESS };
    if (!(await takeAttempt(t.deps.db, attempt, Date.now() + 3_600_000, 1)).allowed) return;
  }
  throw new Error('the budget of the address has no end');
}

test('[AUTH-03] given an IP address with no attempts left, a wrong password gets the same reply whether or not the account has logged in from there before', async () => {
  await spendAddress();
  for (let n = 0; n < 3; n++) {
    const outcomes: unknown[] = [];
    for (const email of [known.email, `nobody${n}@clinic.example`]) {
      const before = verify.mock.calls.length;
      const reply = await signIn(email, 'a wrong password');
      const work = verify.mock.calls.length - before;
      outcomes.push({ status: reply.statusCode, body: reply.body, work });
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]).toMatchObject({ status: 429, work: 1 });
  }
});

test('given an IP address with no attempts left, the right password of an account that has logged in from there before is still accepted at once', async () => {
  const reply = await signIn(known.email, known.password);
  expect(reply.statusCode).toBe(200);
});

test('wrong passwords use up an IP address’s attempts, whether or not the account has logged in from that address before', async () => {
  const now = Date.now(); // the clock stands still, so that no attempt becomes free again on a slow machine
  const debtAfter = async (email: string): Promise<number> => {
    const fresh = await buildTestApp({ config: { rateLimit: 1 }, deps: { accessClock: { now: () => now } } });
    try {
      const one = await fresh.signIn({ email: 'known@clinic.example' });
      expect(one.email).toBe('known@clinic.example');
      for (let n = 0; n < 3; n++)
        await fresh.app.inject({ method: 'POST', url: '/api/token', payload: { username: email, password: 'wrong' } });
      const rows = await fresh.deps.db.selectFrom('login_budget').select(['key', 'tokens']).execute();
      return Math.round(Math.min(...rows.filter(({ key }) => key.startsWith('address:')).map(({ tokens }) => tokens)));
    } finally {
      await fresh.close();
    }
  };
  expect(await debtAfter('known@clinic.example')).toBe(await debtAfter('nobody@clinic.example'));
});
