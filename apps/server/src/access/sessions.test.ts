import { expect, test } from 'vitest';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp(() => buildTestApp());

const endOf = async (one: SignedIn) =>
  (
    await t.deps.db
      .selectFrom('session')
      .select('ended_why')
      .where('account_id', '=', one.accountId)
      .executeTakeFirstOrThrow()
  ).ended_why;
const status = async (one: SignedIn) => (await one.call({ url: '/api/session' })).statusCode;

test('the server decides when a session ends, whatever its token says', async () => {
  const one = await t.signIn();
  expect(await status(one)).toBe(200);
  const at = new Date().toISOString();
  await t.deps.db.updateTable('session').set({ expires_at: at }).where('account_id', '=', one.accountId).execute();
  expect(await status(one)).toBe(401);
  expect(await endOf(one)).toBe('expired');
});

test('an account that was disabled directly in the database can no longer make requests', async () => {
  const one = await t.signIn();
  const at = new Date().toISOString();
  await t.deps.db.updateTable('account').set({ disabled_at: at }).where('id', '=', one.accountId).execute();
  expect(await endOf(one)).toBeNull();
  expect(await status(one)).toBe(401);
});
