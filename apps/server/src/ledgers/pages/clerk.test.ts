import { beforeAll, expect, test } from 'vitest';
import type { AuthorizationsReply, AuthorizedSession, CareReply, ReportReply, TodayReply } from '@clinic/contract';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }));
let bo: string;
beforeAll(async () => {
  const { db } = t.deps;
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  // The authorization changes on the day when clocks go back; both are valid on that Sunday.
  await buildAuthorization(db, bo, { from: '2026-10-01', until: '2026-11-01', units: 20, number: 'OLD' });
  await buildAuthorization(db, bo, {
    from: '2026-11-01',
    until: '2026-12-31',
    units: 100,
    number: 'NEW',
    payer: 'Sun',
  });
  const at = (date: string, start: string, end: string, more = {}) =>
    buildAppointment(db, { client: bo, therapist: ana, date, start, end, ...more });
  await at('2026-10-30', '09:00', '12:00'); // 12 units
  await at('2026-10-31', '09:00', '09:07'); // 7 minutes here and 8 there are one unit
  await at('2026-10-31', '10:00', '10:08', { location: 'tampa' });
  await at('2026-11-01', '00:30', '03:30'); // 3 hours by the clock on the wall: 12 units, of which OLD has 7 left
  await at('2026-11-02', '09:00', '10:52'); // 112 minutes are 7 units
  await at('2026-11-03', '09:00', '10:53', { status: 'cancelled' });
  await at('2026-11-05', '09:00', '09:10'); // 10 minutes here and 10 there are one unit, not two
  await at('2026-11-05', '10:00', '10:10', { location: 'tampa' });
});

const get = async <T>(path: string): Promise<T> => (await t.staff.call({ url: `/api/${path}` })).json<T>();
const left = async (date: string) =>
  (await get<AuthorizationsReply>(`ledgers/authorizations?location=altamonte&date=${date}`)).rows.map((row) => [
    row.number,
    row.delivered / 15,
    row.left / 15,
  ]);

test('given an authorization that changes on the day when clocks go back, then its units are those that a clerk counts by hand', async () => {
  expect(await left('2026-10-31')).toEqual([['OLD', 12, 8]]);
  expect(await left('2026-11-01')).toEqual([
    ['OLD', 13, 7],
    ['NEW', 0, 100],
  ]);
  expect(await left('2026-11-02')).toEqual([['NEW', 5, 95]]);
  expect(await left('2026-11-04')).toEqual([['NEW', 12, 88]]);
  const behind = await get<AuthorizedSession[]>(`ledgers/authorizations/${bo}?date=2026-11-04`);
  expect(behind.map((own) => [own.date, own.delivered, own.used])).toEqual([
    ['2026-11-01', 180, 75],
    ['2026-11-02', 112, 105],
  ]);
});

test('for the same days, the Care page, the report and the Today page have the same minutes', async () => {
  const care = (await get<CareReply>('ledgers/care?location=altamonte&date=2026-11-20')).rows.find(
    ({ id }) => id === bo,
  );
  const report = await get<ReportReply>('reports?location=altamonte&from=2026-10-23&to=2026-11-19');
  const own = report.groups.client.find(({ key }) => key === bo);
  // Care counts all locations: 18 minutes at Tampa are not in the report of Altamonte.
  const here = 180 + 7 + 180 + 112 + 10;
  expect([care?.booked, care?.delivered, care?.lost]).toEqual([here + 18 + 113, here + 18, 113]);
  expect([own?.booked, own?.kept, own?.lost]).toEqual([here + 113, here, 113]);
  // A unit belongs to the session that completes it: of October 31 to the one at Tampa, of November 5 to the one here. In
  // all they are as many as were drawn from the authorizations.
  const there = await get<ReportReply>('reports?location=tampa&from=2026-10-23&to=2026-11-19');
  const both = await get<ReportReply>('reports?from=2026-10-23&to=2026-11-19');
  expect(care?.billable).toBe(33 * 15);
  expect([own?.billable, there.total.billable, both.total.billable]).toEqual([32 * 15, 15, 33 * 15]);
  const drawn = (await get<AuthorizedSession[]>(`ledgers/authorizations/${bo}?date=2026-11-20`)).filter(
    ({ date }) => date > '2026-11-01',
  );
  expect(drawn.map(({ used }) => used)).toEqual([7 * 15, 15]);
  const week = async (date: string) => (await get<TodayReply>(`today?location=altamonte&date=${date}`)).week;
  const days = [...(await week('2026-10-30')), ...(await week('2026-11-02'))];
  expect(days.reduce((sum, day) => sum + day.kept, 0)).toBe(own?.kept);
  expect(days.reduce((sum, day) => sum + day.lost, 0)).toBe(own?.lost);
});
