import { expect, test } from 'vitest';
import type { OwnSession } from '@clinic/contract';
import { isoAt } from '../platform/clock.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { whileAccountIsReset } from '../testing/waits.ts';

const NEW = 'seven green lamps on a shelf';

const t = useApp(() => buildTestApp());

const change = (who: SignedIn, current: string, wanted = NEW) =>
  who.call({
    method: 'POST',
    url: '/api/password',
    payload: { current_password: current, new_password: wanted },
  });
const statusWith = async (token: string): Promise<number> =>
  (await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).statusCode;
const trail = (action: string, id: string) =>
  t.deps.db.selectFrom('audit').selectAll().where('action', '=', action).where('account_id', '=', id).execute();

test('users can change their password with the old one: the new one works at once, and every other session ends', async () => {
  const one = await t.signIn();
  const elsewhere = await tokenFor(t.app, one.email, one.password);
  const heard: unknown[] = [];
  const stop = t.deps.events.subscribe((event) => heard.push(event));
  expect((await change(one, one.password)).statusCode).toBe(204);
  expect(await statusWith(one.token)).toBe(200);
  expect(await statusWith(elsewhere)).toBe(401);
  expect(await tokenFor(t.app, one.email, NEW)).toBeTruthy();
  await expect(tokenFor(t.app, one.email, one.password)).rejects.toThrow();
  await expect.poll(() => heard).toMatchObject([{ kind: 'session-ended' }]);
  stop();
  const rows = await trail('password.changed', one.accountId);
  expect(rows).toMatchObject([{ subject_ids: [one.accountId], detail: { sessions_ended: 1 } }]);
  expect(JSON.stringify(rows)).not.toContain('lamps');
});

test('given a wrong old password, nothing changes, no session ends, and the attempt is audited', async () => {
  const one = await t.signIn();
  const elsewhere = await tokenFor(t.app, one.email, one.password);
  for (const reply of [
    await change(one, 'not my password at all'),
    await change(one, ''),
    await one.call({ method: 'POST', url: '/api/sessions/end-others', payload: { current_password: 'not mine' } }),
  ]) {
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain('current_password: this is not your password');
  }
  expect(await statusWith(elsewhere)).toBe(200);
  expect(await tokenFor(t.app, one.email, one.password)).toBeTruthy();
  expect(await trail('password.refused', one.accountId)).toHaveLength(3);
});

test('when an administrator sets a new password while someone changes their own, the administrator’s password stays', async () => {
  const one = await t.signIn();
  const reply = await whileAccountIsReset(t.deps, one.accountId, () => change(one, one.password));
  expect(reply.statusCode).toBe(401);
  await expect(tokenFor(t.app, one.email, NEW)).rejects.toThrow('401');
});

test.each(['short', 'leavemealone', 'clinic-scheduler', 'PersonPerson1'])(
  'the new password %s is refused with the field and the reason',
  async (wanted) => {
    const one = await t.signIn();
    const reply = await change(one, one.password, wanted);
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toMatch(/new_password: (too easy to guess|a password needs)/);
    expect(await tokenFor(t.app, one.email, one.password)).toBeTruthy();
  },
);

test('password guesses within a session are slowed down like password guesses at login', async () => {
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 0.05 } });
  try {
    const one = await t.signIn({ email: 'guessed@clinic.example' });
    const guess = () =>
      strict.app.inject({
        method: 'POST',
        url: '/api/password',
        headers: { authorization: `Bearer ${one.token}` },
        payload: { current_password: 'a guess', new_password: NEW },
      });
    const replies = [await guess(), await guess(), await guess()];
    expect(replies.map((reply) => reply.statusCode)).toEqual([422, 429, 429]);
    expect(Number(replies[1]?.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await strict.close();
  }
});

test('users see where they are logged in, and can end all other sessions', async () => {
  const one = await t.signIn();
  const stranger = await t.signIn();
  const others = [await tokenFor(t.app, one.email, one.password), await tokenFor(t.app, one.email, one.password)];
  const sessions = async () => (await one.call({ url: '/api/sessions' })).json<OwnSession[]>();
  expect((await sessions()).map((session) => session.current)).toEqual([false, false, true]);
  const reply = await one.call({
    method: 'POST',
    url: '/api/sessions/end-others',
    payload: { current_password: one.password },
  });
  expect(reply.statusCode).toBe(204);
  for (const token of others) expect(await statusWith(token)).toBe(401);
  expect(await statusWith(one.token)).toBe(200);
  expect(await statusWith(stranger.token)).toBe(200);
  expect((await sessions()).map((session) => session.current)).toEqual([true]);
  expect(await trail('sessions.ended', one.accountId)).toMatchObject([{ detail: { sessions_ended: 2 } }]);
});

test('a list of sessions leaves out expired ones', async () => {
  const one = await t.signIn();
  const now = Date.now();
  const at = (minutes: number): string => isoAt(now + minutes * 60_000);
  await t.deps.db
    .insertInto('session')
    .values([
      { account_id: one.accountId, created_at: at(-90), last_seen_at: at(-31), expires_at: at(600) },
      { account_id: one.accountId, created_at: at(-800), last_seen_at: at(-1), expires_at: at(-1) },
    ])
    .execute();
  expect((await one.call({ url: '/api/sessions' })).json<OwnSession[]>()).toHaveLength(1);
});
