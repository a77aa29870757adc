import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CareReply, CareSession, ProposalReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../../testing/builders.ts';
import { saveAbsences } from '../../../testing/calls.ts';
import { buildCoverApp } from '../../../testing/cover-app.ts';
import type { SignedIn, TestApp } from '../../../testing/test-app.ts';

const DATE = isoDate('2026-12-09'); // a Wednesday
let t: TestApp;
let staff: SignedIn;
let clients: { bo: string; mo: string };
beforeAll(async () => {
  t = await buildCoverApp({ config: { clock: '2026-11-20T12:20:00Z' } });
  staff = await t.signIn();
  const { db } = t.deps;
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const lin = await buildTherapist(db, { first: 'Lin', last: 'Shaw' });
  // One helper for two sessions at the same time.
  await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  clients = {
    bo: await buildClient(db, { first: 'Bo', last: 'Lee' }),
    mo: await buildClient(db, { first: 'Mo', last: 'Diaz' }),
  };
  await buildAppointment(db, { therapist: ana, client: clients.bo, date: DATE, start: '09:00', end: '11:00' });
  await buildAppointment(db, { therapist: lin, client: clients.mo, date: DATE, start: '09:00', end: '11:00' });
});
afterAll(() => t.close());

async function covered(): Promise<string[]> {
  const queries = ['Ana Ruiz', 'Lin Shaw'].map((therapist) => ({ therapist, date: DATE }));
  const reply = await saveAbsences(staff, queries);
  expect(reply.statusCode, reply.body).toBe(200);
  const { data } = reply.json<ProposalReply>();
  return Object.entries(data[DATE] ?? {}).flatMap(([client, options]) =>
    Object.values(options['Option 1'] ?? {}).some((cell) => cell.therapist === 'Kai Wood') ? [client] : [],
  );
}

async function history(client: string, back: number, status: 'fulfilled' | 'cancelled'): Promise<void> {
  const date = addDays(DATE, -back);
  const therapist = await buildTherapist(t.deps.db, { windows: [] });
  await buildAppointment(t.deps.db, { therapist, client, date, start: '09:00', end: '12:00', status });
}

test.each(['bo', 'mo'] as const)(
  'given one helper, the child who lost more care in four weeks gets them: %s',
  async (loser) => {
    const other = loser === 'bo' ? 'mo' : 'bo';
    await t.deps.db.deleteFrom('appointment').where('status', 'in', ['fulfilled', 'cancelled']).execute();
    for (const back of [2, 7, 9]) await history(clients[other], back, 'fulfilled');
    for (const back of [2, 7]) await history(clients[loser], back, 'fulfilled');
    await history(clients[loser], 9, 'cancelled');
    expect(await covered()).toEqual([loser === 'bo' ? 'Bo Lee' : 'Mo Diaz']);
    const care = (await staff.call({ url: `/api/ledgers/care?location=altamonte&date=${DATE}` })).json<CareReply>();
    const rowOf = (id: string) => care.rows.find((row) => row.id === id);
    expect(rowOf(clients[loser])).toMatchObject({
      booked: 540,
      delivered: 360,
      lost: 180,
      priority: 180,
      by_hand: false,
    });
    expect(rowOf(clients[other])).toMatchObject({ booked: 540, delivered: 540, lost: 0, priority: 60 });
    const behind = await staff.call({ url: `/api/ledgers/care/${clients[loser]}?date=${DATE}` });
    expect(behind.json<CareSession[]>().map(({ date, delivered }) => [date, delivered])).toEqual([
      [addDays(DATE, -9), 0],
      [addDays(DATE, -7), 180],
      [addDays(DATE, -2), 180],
    ]);
  },
);

test('a priority set by hand outweighs the care that was lost', async () => {
  await t.deps.db.updateTable('client').set({ priority: 300 }).where('id', '=', clients.bo).execute();
  expect(await covered()).toEqual(['Bo Lee']);
});
