import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionReply, SlotsReply } from '@clinic/contract';
import { DEFAULT_LOCATIONS, setLocations } from '@clinic/domain';
import { formOf } from '../import/testing/form.ts';
import { appointment, smallFiles } from '../import/testing/small.ts';
import { buildTestApp, FRIDAY_MORNING, type SignedIn, type TestApp } from '../testing/test-app.ts';

const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Phoenix'];
const MORE = 55;
const DATE = '2026-11-23';

let t: TestApp;
let admin: SignedIn;
let places: NonNullable<SessionReply['locations']>;
beforeAll(async () => {
  t = await buildTestApp({ config: FRIDAY_MORNING });
  admin = await t.signIn({ role: 'admin' });
  for (let n = 0; n < MORE; n++) {
    const zone = ZONES[n % ZONES.length] ?? '';
    const payload = { label: `Clinic ${n}`, group: `Region ${n % 8}`, zone, hours: [] };
    const reply = await admin.call({ method: 'POST', url: '/api/locations', payload });
    expect(reply.statusCode, reply.body).toBe(201);
  }
  places = (await get<SessionReply>('/api/session')).locations ?? [];
});
afterAll(async () => {
  await t.close();
  setLocations(DEFAULT_LOCATIONS);
});

async function get<T>(url: string): Promise<T> {
  const reply = await admin.call({ method: 'GET', url });
  expect(reply.statusCode, `${url}: ${reply.body}`).toBe(200);
  return reply.json<T>();
}

test('given 60 locations in 5 time zones, pages get all of them, and each has its own date and time', async () => {
  expect(places).toHaveLength(60);
  const instant = Temporal.Instant.from(FRIDAY_MORNING.clock);
  for (const { value, zone } of places) {
    const { now } = await get<SlotsReply>(`/api/slots?location=${encodeURIComponent(value)}&date=${DATE}`);
    const there = instant.toZonedDateTimeISO(zone).toPlainDateTime();
    expect(Temporal.PlainDateTime.from(now).since(there).total('seconds'), value).toBeLessThan(120);
    expect(Temporal.PlainDateTime.from(now).since(there).total('seconds'), value).toBeGreaterThanOrEqual(0);
  }
});

test('an import finds each location by its label, and its sessions are at the times that its clock shows', async () => {
  const rows = places.map(({ label }, n) => ({ label: label.toUpperCase(), n }));
  const at = (n: number, location: string) =>
    appointment(`A-${n}`, '9:00 AM', '10:00 AM', `Thea M${n}`, `Cleo M${n}`, { location, date: '11/23/2026' });
  const files = smallFiles({
    therapists: rows.map(({ label, n }) => `T-${n},Thea,M${n},${label},RBT,Female,2024-01-01,,Mon 08:00-18:00`),
    clients: rows.map(({ label, n }) => `C-${n},Cleo,M${n},${label},Female,`),
    appointments: rows.map(({ label, n }) => at(n, label)),
  });
  const reply = await admin.call(formOf(files));
  expect(reply.statusCode, reply.body).toBe(200);
  for (const { value, label } of places) {
    const day = await get<SlotsReply>(`/api/slots?location=${encodeURIComponent(value)}&date=${DATE}`);
    expect(day.appointments, `${label}: ${reply.body.slice(0, 600)}`).toMatchObject([
      { StartDateTime: '11/23/2026, 9:00 AM', Location: label },
    ]);
  }
});

test('Today’s week, the reports and the closures name all of them', async () => {
  const week = await get<{ days: { location: string }[] }>(`/api/today/week?from=${DATE}`);
  expect(new Set(week.days.map(({ location }) => location)).size).toBe(60);
  const report = await get<{ locations: string[] }>(`/api/reports?from=${DATE}&to=${DATE}`);
  expect(report.locations).toHaveLength(60);
  const payload = {
    locations: places.map(({ value }) => value),
    from_date: '2026-12-24',
    from_time: '00:00',
    to_date: '2026-12-24',
    to_time: '24:00',
    name: 'Storm',
    cause: null,
  };
  const preview = await admin.call({ method: 'POST', url: '/api/closures/preview', payload });
  expect(preview.statusCode, preview.body).toBe(200);
});
