import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, tokenFor, type TestApp } from '../../db/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await buildTestApp();
});
afterAll(() => t.close());

function token(payload: Record<string, string>) {
  return t.app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(payload).toString(),
  });
}

test('[AUTH-02] a form-encoded sign-in answers a bearer token and its seconds', async () => {
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

test('[AUTH-03] unknown email, wrong password and disabled account are refused alike', async () => {
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

test('[AUTH-01] email and password are both required', async () => {
  const reply = await token({ username: 'staff@clinic.example' });
  expect(reply.statusCode).toBe(422);
  expect(reply.json<{ detail: string }>().detail).toContain('password');
});

test('[AUTH-06] a call without a token that counts is refused', async () => {
  const { call } = await t.signIn();
  expect((await call({ url: '/api/session' })).statusCode).toBe(200);
  for (const authorization of [undefined, '', 'Bearer', 'Bearer x.y.z', 'Basic abc', 'Bearer null']) {
    const reply = await t.app.inject({
      url: '/api/session',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.statusCode).toBe(401);
    expect(reply.json<{ detail: string }>().detail).toContain('not signed in');
  }
});

test('signing out ends every token of the session at once, and of no other session', async () => {
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
