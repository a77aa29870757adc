import { expect, test } from 'vitest';
import type { CareReply, CareSession, Client } from '@clinic/contract';
import { addDays, duration, isoDate } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { buildNo } from '../../testing/declines.ts';
import { buildOneHelper, planOneHelper } from '../../testing/one-helper.ts';
import { useApp } from '../../testing/use-app.ts';
import { toProblem } from './to-problem.ts';

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
    expect(rowOf(clients[other])).toMatchObject({ booked: 540, delivered: 540, lost: 0, priority: 172 });
    const behind = await t.staff.call({ url: `/api/ledgers/care/${clients[loser]}?date=${DATE}` });
    expect(behind.json<CareSession[]>().map(({ date, delivered }) => [date, delivered])).toEqual([
      [addDays(DATE, -9), 0],
      [addDays(DATE, -7), 180],
      [addDays(DATE, -2), 180],
    ]);
  },
);

test('given sessions to come that have no therapist yet, neither the plan for a later date nor the page Care counts them as lost', async () => {
  await t.db.deleteFrom('appointment').where('starts', '<', DATE).execute();
  const [ana, eva] = [await buildTherapist(t.db, { windows: [] }), await buildTherapist(t.db, { windows: [] })];
  const book = (
    client: string,
    date: string,
    start: string,
    more: { therapist: string | null; status?: 'cancelled' },
  ) => buildAppointment(t.db, { client, date, start, end: '11:00', ...more });
  // It is Friday, November 20, 7:20 AM.
  await book(clients.bo, '2026-11-18', '09:00', { therapist: null }); // lost
  await book(clients.bo, '2026-11-20', '07:00', { therapist: null }); // lost until 7:30, open from then on
  await book(clients.bo, '2026-11-23', '09:00', { therapist: ana, status: 'cancelled' }); // lost
  await book(clients.bo, '2026-11-24', '10:00', { therapist: ana }); // lost, since Bo is away
  await buildAbsence(t.db, { client: clients.bo, date: '2026-11-24' });
  for (const client of [clients.bo, clients.mo]) {
    await book(client, '2026-11-25', '09:00', { therapist: client === clients.bo ? ana : null }); // kept, or open
    await book(client, '2026-11-30', '09:00', { therapist: client === clients.bo ? null : eva }); // open
  }
  await buildAbsence(t.db, { therapist: eva, date: '2026-11-30' });
  for (const back of [5, 6]) await history(clients.mo, back, 'fulfilled');

  const { reply, covered } = await planOneHelper(t.staff, DATE);
  expect(covered).toEqual(['Bo Lee']);
  const care = (await t.staff.call({ url: `/api/ledgers/care?location=altamonte&date=${DATE}` })).json<CareReply>();
  const rows = [clients.bo, clients.mo].map((id) => care.rows.find((row) => row.id === id));
  expect(rows).toMatchObject([
    { name: 'Bo Lee', booked: 780, delivered: 120, lost: 330, priority: 180 },
    { name: 'Mo Diaz', booked: 600, delivered: 360, lost: 0, priority: 172 },
  ]);
  for (const { name = '', lost = 0, booked = 0 } of rows.flatMap((row) => row ?? []))
    expect((await explainFirst(t.staff, reply, DATE, name)).about).toEqual(
      lost === 0 ? [] : [`${name} lost ${duration(lost)} of ${duration(booked)} of care in 28 days.`],
    );
});

test('the page Care shows the priorities that a plan for its date has, with what is open, lost and refused that day', async () => {
  const date = addDays(DATE, 1);
  const [ana, lin] = [await buildTherapist(t.db, { windows: [] }), await buildTherapist(t.db, { windows: [] })];
  const away = { start: '09:00', end: '09:45' };
  await buildAbsence(t.db, { therapist: ana, date, ...away });
  const days = [
    async (client: string) => buildAbsence(t.db, { client, date, start: '10:30', end: '11:00' }),
    async (client: string) =>
      buildAppointment(t.db, { therapist: null, client, date, start: '12:00', end: '12:45', clash: 'all' }),
    async (client: string) =>
      buildAppointment(t.db, { therapist: lin, client, date, start: '13:00', end: '14:00', status: 'cancelled' }),
    async (client: string) => {
      const key = await buildAppointment(t.db, { therapist: lin, client, date, start: '14:00', end: '14:30' });
      await buildNo(t.db, 'no', { key, therapist: lin, date, other: ana });
    },
    async (client: string) =>
      buildAppointment(t.db, { therapist: null, client, date, start: '15:00', end: '16:00', location: 'tampa' }),
    null,
  ];
  for (const [n, more] of days.entries()) {
    const client = await buildClient(t.db, { first: 'Zed', last: `No ${n}` });
    for (const before of [addDays(date, -3), addDays(date, -20)])
      await buildAppointment(t.db, {
        therapist: lin,
        client,
        date: before,
        start: '08:00',
        end: '19:00',
        clash: 'all',
      });
    await buildAppointment(t.db, { therapist: ana, client, date, start: '09:00', end: '11:00', clash: 'all' });
    await more?.(client);
  }
  const day = await loadClinicDay(t.db, 'altamonte', date, { wall: { date: isoDate('2026-11-20'), minutes: 440 } });
  const planned = toProblem(day, { now: null }).problem.clients.filter(({ name }) => name.startsWith('Zed'));
  const care = (await t.staff.call({ url: `/api/ledgers/care?location=altamonte&date=${date}` })).json<CareReply>();
  const shown = care.rows.filter(({ name }) => name.startsWith('Zed'));
  expect(planned.map(({ name, priority }) => [name, priority]).sort()).toEqual(
    shown.map(({ name, priority }) => [name, priority]).sort(),
  );
  // 45 minutes of each child's sessions are open, and of some children more is open or lost.
  expect(shown.map(({ priority }) => priority)).toEqual([158, 159, 161, 158, 154, 154]);
});

test('a priority set by hand outweighs the care that was lost', async () => {
  const url = `/api/clients/${clients.bo}`;
  const profile = (await t.staff.call({ url })).json<Client>();
  expect(profile.priority).toBe(100);
  const saved = await t.staff.call({ method: 'PUT', url, payload: { ...profile, priority: 300 } });
  expect(saved.json<Client>()).toMatchObject({ priority: 300 });
  expect(await covered()).toEqual(['Bo Lee']);
});
