import { expect, test } from 'vitest';
import { lockAll, personDay } from '../db/locks.ts';
import { fridayCoverApp } from '../testing/cover-app.ts';
import { OneDay } from '../testing/one-day.ts';
import { useApp } from '../testing/use-app.ts';
import { waitsOrReplied } from '../testing/waits.ts';
import type { SignedIn } from '../testing/test-app.ts';

const t = useApp(fridayCoverApp);
let made = 0;

/**
 * Books a session while something else holds the therapist's day for more than a second, and the account is changed
 * meanwhile.
 */
async function bookWhile(change: (who: SignedIn) => Promise<unknown>) {
  const who = await t.signIn();
  const day = new OneDay(t.db, '2030-12-05', `Moore${'abcdefg'[made++]}`);
  const therapist = await day.therapist('Ana');
  await day.client('Bo');
  const people = { client: day.name('Bo'), therapist: day.name('Ana'), subject: 'Direct Therapy' };
  const payload = { ...day.on, ...people, start: '09:00', end: '10:00', anyway: true };
  const sent = await t.db.transaction().execute(async (trx) => {
    await lockAll(trx, [personDay('therapist', therapist, day.on.date)]);
    const reply = who.call({ method: 'POST', url: '/api/appointments', payload });
    expect(await waitsOrReplied(t.deps.pool, [reply])).toBe(true);
    await change(who);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    return { reply };
  });
  const reply = await sent.reply;
  const booked = await t.db.selectFrom('appointment').select('id').where('therapist_id', '=', therapist).execute();
  return { status: reply.statusCode, body: reply.body, booked: booked.length };
}

const account = (values: object) => (who: SignedIn) =>
  t.db.updateTable('account').set(values).where('id', '=', who.accountId).execute();

test('given a write that waits for a lock, then it is saved when the account has not changed', async () => {
  expect(await bookWhile(() => Promise.resolve())).toMatchObject({ status: 201, booked: 1 });
});

test.each([
  ['is disabled', account({ disabled_at: '2030-12-06T12:00:00Z' }), 401, 'your session has ended'],
  [
    'ends its session',
    (who: SignedIn) =>
      t.db
        .updateTable('session')
        .set({ ended_at: new Date().toISOString(), ended_why: 'signed-out' })
        .where('account_id', '=', who.accountId)
        .execute(),
    401,
    'your session has ended',
  ],
  [
    'loses the location',
    account({ locations: ['tampa'] }),
    403,
    'Your account was changed while this was being saved.',
  ],
  ['gets another role', account({ role: 'admin' }), 403, 'Your account was changed while this was being saved.'],
])(
  'given a write that waits for a lock while the account %s, then nothing is saved',
  async (_what, change, status, words) => {
    const end = await bookWhile(change);
    expect(end).toMatchObject({ status, booked: 0 });
    expect(end.body).toContain(words);
  },
);
