import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { SessionReply } from '@clinic/contract';
import { buildTestApp, tokenFor } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { takeAttempt } from '../access/login-budget.ts';
import { hashPassword } from '../access/passwords.ts';

const t = useApp(() => buildTestApp());

function token(payload: Record<string, string>) {
  return t.app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(payload).toString(),
  });
}

test('[AUTH-02] a form-encoded login returns a bearer token and the number of seconds for which it is valid', async () => {
  const { email, password, accountId } = await t.signIn();
  const reply = await token({ username: ` ${email.toUpperCase()} `, password });
  expect(reply.statusCode).toBe(200);
  const body = reply.json<{ access_token: string; token_type: string; expires_in: number }>();
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900 });
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
  expect(claims).toMatchObject({ sub: accountId });
  expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900);
  expect(reply.headers['cache-control']).toBe('no-store');
});

test('[AUTH-03] an unknown email, a wrong password and a disabled account are refused alike', async () => {
  const { email, password, accountId } = await t.signIn();
  const replies = [
    await token({ username: 'nobody@clinic.example', password }),
    await token({ username: email, password: 'wrong' }),
  ];
  await t.deps.db
    .updateTable('account')
    .set({ disabled_at: new Date().toISOString() })
    .where('id', '=', accountId)
    .execute();
  replies.push(await token({ username: email, password }));
  for (const reply of replies) {
    expect(reply.statusCode).toBe(401);
    expect(reply.body).toBe('{"detail":"Invalid credentials"}');
  }
});

test('[AUTH-01] a login requires both email and password', async () => {
  const reply = await token({ username: 'staff@clinic.example' });
  expect(reply.statusCode).toBe(422);
  expect(reply.json<{ detail: string }>().detail).toContain('password');
});

test('[AUTH-06] a request without a valid token is refused', async () => {
  const { call } = await t.signIn();
  expect((await call({ url: '/api/session' })).statusCode).toBe(200);
  for (const authorization of [undefined, '', 'Bearer', 'Bearer x.y.z', 'Basic abc', 'Bearer null']) {
    const reply = await t.app.inject({
      url: '/api/session',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.statusCode).toBe(401);
    expect(reply.json<{ detail: string }>().detail).toContain('not logged in');
  }
});

test('the reply about a session states how long users stay logged in, and when this session ends', async () => {
  const before = Date.now();
  const { call } = await t.signIn();
  const reply = (await call({ url: '/api/session' })).json<SessionReply>();
  expect(reply).toMatchObject({ session_hours: t.deps.config.sessionHours, idle_minutes: t.deps.config.idleMinutes });
  const lasts = Date.parse(reply.session_ends) - before;
  expect(Math.abs(lasts - reply.session_hours * 3_600_000)).toBeLessThan(60_000);
});

test('logging out ends every token of the session at once, and no other session', async () => {
  const { call, email, password } = await t.signIn();
  const other = await tokenFor(t.app, email, password);
  const renewed = (await call({ method: 'POST', url: '/api/token/renew' })).json<{ access_token: string }>()
    .access_token;
  expect((await call({ method: 'POST', url: '/api/sign-out' })).statusCode).toBe(204);
  expect((await call({ url: '/api/session' })).statusCode).toBe(401);
  const as = (bearer: string) => t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${bearer}` } });
  expect((await as(renewed)).statusCode).toBe(401);
  expect((await as(other)).statusCode).toBe(200);
});

test('logging in again ends only the session that the request came with, and a refused login ends no session', async () => {
  const one = await t.signIn();
  const other = await tokenFor(t.app, one.email, one.password);
  const again = (password: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${one.token}` },
      payload: new URLSearchParams({ username: one.email, password }).toString(),
    });
  const status = async (bearer: string): Promise<number> =>
    (await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${bearer}` } })).statusCode;
  expect((await again('not the password')).statusCode).toBe(401);
  expect(await status(one.token)).toBe(200);
  const { access_token } = (await again(one.password)).json<{ access_token: string }>();
  expect(await status(one.token)).toBe(401);
  expect(await status(access_token)).toBe(200);
  expect(await status(other)).toBe(200);
});

test.each([
  ['its password is changed', async () => ({ password_hash: await hashPassword('another password') })],
  ['it is disabled', () => ({ disabled_at: '2026-11-20T12:00:00Z' })],
])('an account’s login begins no session if, in the meantime, %s', async (_what, changed) => {
  const change = await changed();
  const { accountId, email, password } = await t.signIn();
  const sessions = async () =>
    (await t.deps.db.selectFrom('session').select('id').where('account_id', '=', accountId).execute()).length;
  const before = await sessions();
  let reply: ReturnType<typeof token> | undefined;
  await t.deps.db.transaction().execute(async (trx) => {
    await trx.updateTable('account').set(change).where('id', '=', accountId).execute();
    reply = token({ username: email, password });
    // The login has read the account as it was before the change, and waits for the change to finish before it begins
    // a session.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(t.deps.db);
        return (rows[0]?.n ?? 0) + (await sessions()) - before;
      })
      .toBeGreaterThan(0);
  });
  expect((await reply)?.statusCode).toBe(401);
  expect(await sessions()).toBe(before);
});

test('a password hash made at a lower cost than new ones is replaced at the next login', async () => {
  const { accountId, email, password } = await t.signIn();
  const kept = async () =>
    (
      await t.deps.db
        .selectFrom('account')
        .select('password_hash')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).password_hash;
  const today = await kept();
  expect(today).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await tokenFor(t.app, email, password);
  expect(await kept()).toBe(today);
  const weak = await hash(password, { algorithm: 2, memoryCost: 4096, timeCost: 1, parallelism: 1 });
  await t.deps.db.updateTable('account').set({ password_hash: weak }).where('id', '=', accountId).execute();
  await expect(tokenFor(t.app, email, 'not the password')).rejects.toThrow();
  expect(await kept()).toBe(weak);
  await tokenFor(t.app, email, password);
  expect(await kept()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await tokenFor(t.app, email, password)).toBeTruthy();
});

test('[AUTH-03] given an unknown email, the server does the same work as for a wrong password', async () => {
  const { email } = await t.signIn();
  // Measures processor time, which other work on the machine does not affect.
  const work = async (username: string) => {
    const began = process.cpuUsage();
    await token({ username, password: 'wrong password' });
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  // The minimum times are compared, since other work in the process can only make an attempt slower.
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < 15; i++) {
    known.push(await work(email));
    unknown.push(await work(`nobody${i}@clinic.example`));
  }
  const ratio = Math.min(...unknown) / Math.min(...known);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.7);
});

test('given more login attempts than allowed at once, the next attempt waits before it is checked, right or wrong', async () => {
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 10 } });
  try {
    const { email, password, token: bearer } = await t.signIn();
    const spend = async (most = 1500) => {
      for (let wait = 0; wait < most;) {
        const verdict = await takeAttempt(t.deps.db, { email, address: '127.0.0.1' }, Date.now(), 10);
        wait = verdict.allowed ? verdict.waitMs : Infinity;
      }
    };
    const form = (typed: string) =>
      strict.app.inject({
        method: 'POST',
        url: '/api/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ username: email, password: typed }).toString(),
      });
    const confirmed = () =>
      strict.app.inject({
        method: 'POST',
        url: '/api/sessions/end-others',
        headers: { authorization: `Bearer ${bearer}` },
        payload: { current_password: 'wrong' },
      });
    for (const [ask, status] of [
      [() => form(password), 200],
      [() => form('wrong'), 401],
      [confirmed, 422],
    ] as const) {
      await spend();
      const began = performance.now();
      expect((await ask()).statusCode).toBe(status);
      expect(performance.now() - began).toBeGreaterThan(1000);
    }
    // An attempt that would wait too long is refused, even with the right password.
    await spend(12_000);
    const refused = await form(password);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await strict.close();
  }
});

test('given too many attempts from elsewhere, at an address that the account has used, a wrong password is refused like them and the right one logs in', async () => {
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 1 } });
  try {
    const { email, password } = await t.signIn();
    const later = Date.now() + 3_600_000; // until then, no attempt is given back
    for (let i = 0, allowed = true; allowed; i++)
      ({ allowed } = await takeAttempt(t.deps.db, { email, address: `10.0.0.${i}` }, later, 1));
    const typed = (word: string) =>
      strict.app.inject({
        method: 'POST',
        url: '/api/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ username: email, password: word }).toString(),
      });
    expect((await typed('wrong')).statusCode).toBe(429);
    expect((await typed(password)).statusCode).toBe(200);
  } finally {
    await strict.close();
  }
});

test('given more logins at once than the queue allows, the excess is refused as busy, and the rest are served', async () => {
  const replies = await Promise.all(
    Array.from({ length: 120 }, (_, i) => token({ username: `crowd${i}@clinic.example`, password: 'x' })),
  );
  const statuses = replies.map((reply) => reply.statusCode);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(66);
  expect(replies.find((reply) => reply.statusCode === 503)?.headers['retry-after']).toBe('2');
});

test('logins and refusals are audited, without the password or the text entered as the email', async () => {
  const { accountId, email } = await t.signIn();
  await token({ username: email, password: 'Secretname' });
  await token({ username: 'secretname@clinic.example', password: 'Secretname' });
  const rows = await t.deps.db.selectFrom('audit').selectAll().orderBy('at').execute();
  expect(rows.some((row) => row.action === 'session.begun' && row.account_id === accountId)).toBe(true);
  expect(rows.some((row) => row.action === 'session.refused' && row.subject_ids.includes(accountId))).toBe(true);
  expect(JSON.stringify(rows)).not.toMatch(/secretname/i);
});
