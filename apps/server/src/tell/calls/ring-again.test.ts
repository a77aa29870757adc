import { afterAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { CallLine, CallsReply } from '@clinic/contract';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { openNearDays } from './open-near-days.ts';

let app: TestApp | undefined;
afterAll(() => app?.close());

/** The call line, at this UTC time, of a family with a session from 1:00 to 4:00 that has lost its therapist. */
async function familyAt(clock: string, { demo = false } = {}): Promise<CallLine> {
  const small = await openSmallClinic(app, { config: { clock } });
  app = small.app;
  if (demo) await small.db.updateTable('account').set({ demo: true }).where('id', '=', small.who.accountId).execute();
  await openNearDays(small.db, () => ({ date: DATE as never, minutes: 0 }));
  await sql`update appointment set therapist_id = null, booked_therapist_id = ${small.clinic.lin}
    where id = ${small.clinic.moAfternoon}`.execute(small.db);
  const reply = await small.who.call({ url: '/api/calls', query: { location: 'altamonte', date: DATE } });
  const line = reply.json<CallsReply>().lines.find((each) => each.name === 'Mo Diaz');
  if (!line) throw new Error(reply.body);
  return line;
}
const ASKED = 'We have nobody for Mo from 1:00 to 4:00; shall we cancel it';
const BEFORE = '2030-11-22T16:44:00Z';
const AFTER = '2030-11-22T16:45:00Z';

test('given more than an hour and a quarter until the session, then the family is asked to wait until an hour before the session', async () => {
  for (const demo of [false, true]) {
    const { say, ring_by } = await familyAt(BEFORE, { demo });
    expect([say, ring_by]).toEqual([[`${ASKED}, or may we ring again by 12:00?`], '12:00']);
  }
});

test('given less than an hour and a quarter until the session, then the family is not asked to wait, not even in a demo clinic', async () => {
  for (const demo of [false, true]) {
    const { say, ring_by } = await familyAt(AFTER, { demo });
    expect([say, ring_by]).toEqual([[`${ASKED}?`], null]);
  }
});

test('given a past date in a demo clinic, then families are not asked to wait', async () => {
  const { say, ring_by } = await familyAt('2030-11-23T14:00:00Z', { demo: true });
  expect([say, ring_by]).toEqual([[`Friday, November 22, 2030: ${ASKED}?`], null]);
});
