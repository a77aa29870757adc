import { expect, test } from 'vitest';
import type { CareReply, CareRow, CareSession, ReportReply } from '@clinic/contract';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
} from '../../testing/builders.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const DATE = '2026-11-20';
const PLACE = 'location=altamonte';
let bo: string;
let mo: string;
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }),
  async ({ db }) => {
    const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
    const at = (client: string, date: string, start: string, end: string, more = {}) =>
      buildAppointment(db, { client, therapist: ana, date, start, end, ...more });
    const said = (id: string, cause_id: string) =>
      db.updateTable('appointment').set({ cause_id }).where('id', '=', id).execute();
    await at(bo, '2026-11-02', '09:00', '11:00', { status: 'fulfilled' });
    await said(await at(bo, '2026-11-03', '09:00', '11:00', { status: 'cancelled' }), 'weather');
    await said(await at(bo, '2026-11-04', '09:00', '10:10', { status: 'noshow' }), 'no-show');
    await at(bo, '2026-11-05', '09:00', '10:00', { status: 'cancelled' });
    await at(bo, '2026-11-06', '12:00', '13:00', { status: 'fulfilled', subject: 'Make-up session' });
    // Ana is away sick for part of two sessions.
    await at(bo, '2026-11-09', '09:00', '11:00');
    await at(mo, '2026-11-09', '11:00', '12:00');
    await buildAbsence(db, { therapist: ana, date: '2026-11-09', start: '10:25', end: '11:20' });
    await db.updateTable('absence').set({ cause_id: 'sick' }).execute();
    // No one covered for Eva, who is on leave.
    const eva = await buildTherapist(db, { first: 'Eva', last: 'Sol' });
    const leave = await buildAbsence(db, { therapist: eva, date: '2026-11-11', start: '08:00', end: '17:00' });
    await db.updateTable('absence').set({ cause_id: 'leave' }).where('id', '=', leave).execute();
    await at(mo, '2026-11-11', '09:00', '09:30', { therapist: null, bookedTherapist: eva });
    await at(mo, '2026-11-10', '09:00', '09:45', { therapist: null });
    // The first session is too early and the second is not over yet, so neither counts.
    await at(mo, '2026-10-22', '09:00', '10:00', { status: 'cancelled' });
    await at(mo, DATE, '12:00', '13:00', { therapist: null });
  },
);

const get = async <T>(path: string): Promise<T> => {
  const reply = await t.staff.call({ url: `/api/${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
const sum = (rows: readonly CareRow[], of: (row: CareRow) => number): number => rows.reduce((n, row) => n + of(row), 0);

test('each client’s lost time is broken down by cause, largest first, and time made up in other sessions is shown', async () => {
  const { rows } = await get<CareReply>(`ledgers/care?${PLACE}&date=${DATE}`);
  expect(rows.map(({ name, booked, delivered, lost, made_up }) => [name, booked, delivered, lost, made_up])).toEqual([
    ['Bo Lee', 550, 265, 285, 60],
    ['Mo Diaz', 135, 40, 95, 0],
  ]);
  expect(rows.map(({ lost_by }) => lost_by.map(({ label, minutes }) => [label, minutes]))).toEqual([
    [
      ['Weather', 120],
      ['No-show', 70],
      [null, 60],
      ['Sick', 35],
    ],
    [
      [null, 45],
      ['Leave', 30],
      ['Sick', 20],
    ],
  ]);
});

test('the figures equal those of a report for the same days, to the minute', async () => {
  const { from, until, rows } = await get<CareReply>(`ledgers/care?${PLACE}&date=${DATE}`);
  const { total, groups } = await get<ReportReply>(`reports?${PLACE}&from=${from}&to=${until}`);
  const figures = (of: { booked: number; billable: number; lost: number; made_up: number }) => [
    of.booked,
    of.billable,
    of.lost,
    of.made_up,
  ];
  for (const row of rows) {
    const client = groups.client.find(({ key }) => key === row.id);
    expect(client && figures(client), row.name).toEqual(figures(row));
  }
  expect(groups.cause.map(({ key, lost }) => [key, lost])).toEqual(
    groups.cause.map(({ key }) => [
      key,
      sum(rows, ({ lost_by }) => lost_by.find(({ cause }) => (cause ?? '') === key)?.minutes ?? 0),
    ]),
  );
  expect(sum(rows, ({ lost_by }) => lost_by.reduce((n, { minutes }) => n + minutes, 0))).toBe(total.lost);
});

test('each figure opens the list of sessions that add up to it', async () => {
  const { rows } = await get<CareReply>(`ledgers/care?${PLACE}&date=${DATE}`);
  for (const id of [bo, mo]) {
    const row = rows.find((each) => each.id === id);
    const sessions = await get<CareSession[]>(`ledgers/care/${id}?date=${DATE}`);
    for (const figure of ['booked', 'delivered', 'billable', 'lost', 'made_up'] as const)
      expect(sessions.reduce((n, session) => n + session[figure], 0)).toBe(row?.[figure]);
    for (const { cause, minutes } of row?.lost_by ?? []) {
      const own = sessions.flatMap(({ lost_by }) => lost_by).filter((each) => each.cause === cause);
      expect(own.reduce((n, each) => n + each.minutes, 0)).toBe(minutes);
    }
  }
});

test('authorized hours are shown for the codes of booked care only, and never added up over codes or periods', async () => {
  const authorized = async () => {
    const { rows } = await get<CareReply>(`ledgers/care?${PLACE}&date=${DATE}`);
    return rows.map((row) =>
      row.authorized?.map(({ code, authorization: own }) => [code, own && [own.period, own.left]]),
    );
  };
  expect(await authorized()).toEqual([undefined, undefined]);
  // Bo has direct therapy only; the authorization for parent training is not part of it.
  await buildAuthorization(t.db, bo, { units: 100, code: '97156' });
  expect(await authorized()).toEqual([[['97153', null]], undefined]);
  await buildAuthorization(t.db, bo, { units: 40, period: 'week' });
  await buildAuthorization(t.db, bo, { units: 200, until: '2026-11-30', payer: 'Sun' });
  // The one that ends first pays: two hours, one hour, and a session of which 35 minutes were lost (6 units).
  expect(await authorized()).toEqual([
    [
      ['97153', ['total', (200 - 8 - 4 - 6) * 15]],
      ['97153', ['week', 40 * 15]],
    ],
    undefined,
  ]);
});
