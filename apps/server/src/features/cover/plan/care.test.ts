import { expect, test } from 'vitest';
import type { CareReply, CareSession, Client } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildTherapist } from '../../../testing/builders.ts';
import { fridayCoverApp } from '../../../testing/cover-app.ts';
import { buildOneHelper, planOneHelper } from '../../../testing/one-helper.ts';
import { useApp } from '../../../testing/use-app.ts';

const DATE = isoDate('2026-12-09'); // a Wednesday
let clients: { bo: string; mo: string };
const t = useApp(fridayCoverApp, async ({ db }) => {
  clients = await buildOneHelper(db, [DATE]);
});
const covered = async (): Promise<string[]> => (await planOneHelper(t.staff, DATE)).covered;

async function history(client: string, back: number, status: 'fulfilled' | 'cancelled'): Promise<void> {
  const date = addDays(DATE, -back);
  const therapist = await buildTherapist(t.db, { windows: [] });
  await buildAppointment(t.db, { therapist, client, date, start: '09:00', end: '12:00', status });
}

test.each(['bo', 'mo'] as const)(
  'given only one free therapist, the child who lost more care in four weeks gets that therapist (%s)',
  async (loser) => {
    const other = loser === 'bo' ? 'mo' : 'bo';
    await t.db.deleteFrom('appointment').where('status', 'in', ['fulfilled', 'cancelled']).execute();
    for (const back of [2, 7, 9]) await history(clients[other], back, 'fulfilled');
    for (const back of [2, 7]) await history(clients[loser], back, 'fulfilled');
    await history(clients[loser], 9, 'cancelled');
    expect(await covered()).toEqual([loser === 'bo' ? 'Bo Lee' : 'Mo Diaz']);
    const care = (await t.staff.call({ url: `/api/ledgers/care?location=altamonte&date=${DATE}` })).json<CareReply>();
    const rowOf = (id: string) => care.rows.find((row) => row.id === id);
    expect(rowOf(clients[loser])).toMatchObject({
      booked: 540,
      delivered: 360,
      lost: 180,
      priority: 180,
      by_hand: false,
    });
    expect(rowOf(clients[other])).toMatchObject({ booked: 540, delivered: 540, lost: 0, priority: 60 });
    const behind = await t.staff.call({ url: `/api/ledgers/care/${clients[loser]}?date=${DATE}` });
    expect(behind.json<CareSession[]>().map(({ date, delivered }) => [date, delivered])).toEqual([
      [addDays(DATE, -9), 0],
      [addDays(DATE, -7), 180],
      [addDays(DATE, -2), 180],
    ]);
  },
);

test('a priority set by hand outweighs the care that was lost', async () => {
  const url = `/api/clients/${clients.bo}`;
  const profile = (await t.staff.call({ url })).json<Client>();
  expect(profile.priority).toBe(100);
  const saved = await t.staff.call({ method: 'PUT', url, payload: { ...profile, priority: 300 } });
  expect(saved.json<Client>()).toMatchObject({ priority: 300 });
  expect(await covered()).toEqual(['Bo Lee']);
});
