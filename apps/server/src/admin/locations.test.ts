import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManagedLocation, Merged, SessionReply } from '@clinic/contract';
import { DEFAULT_LOCATIONS, isLocation, setLocations } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp, FRIDAY_MORNING, type SignedIn, type TestApp } from '../testing/test-app.ts';

let t: TestApp;
let admin: SignedIn;
beforeAll(async () => {
  t = await buildTestApp({ config: FRIDAY_MORNING });
  admin = await t.signIn({ role: 'admin' });
});
afterAll(async () => {
  await t.close();
  setLocations(DEFAULT_LOCATIONS);
});

type Method = 'GET' | 'POST' | 'PUT';
const send = (method: Method, url: string, payload?: object, by = admin) =>
  by.call({ method, url: `/api/locations${url}`, ...(payload ? { payload } : {}) });

const listed = async (): Promise<ManagedLocation[]> => (await send('GET', '')).json<ManagedLocation[]>();
const found = async (value: string): Promise<ManagedLocation> => {
  const location = (await listed()).find((each) => each.value === value);
  if (!location) throw new Error(`${value} is not listed`);
  return location;
};
const fields = (label: string, over: object = {}): object => ({
  label,
  group: 'Arizona',
  zone: 'America/Phoenix',
  hours: [],
  ...over,
});
let made = 0;
/** Adds a location of the test's own in the zone of the five, and returns its name in the API. */
async function add(over: object = {}): Promise<string> {
  const label = `Place ${++made}`;
  const reply = await send('POST', '', fields(label, { zone: 'America/New_York', ...over }));
  expect(reply.statusCode, reply.body).toBe(201);
  return label.toLowerCase();
}

test('given a migrated database, its locations are the specification’s five, each open', async () => {
  const five = (await listed()).slice(0, 5);
  expect(five.map(({ value }) => value)).toEqual(['altamonte', 'deerfield', 'orlando', 'palm beach', 'tampa']);
  expect(five.every(({ closed_from }) => closed_from === null)).toBe(true);
});

test('an added location can be used at once, and pages get it with the session', async () => {
  const hours = [{ weekday: 1, start: '08:00', end: '18:00' }];
  const reply = await send('POST', '', fields('Mesa West', { hours }));
  expect(reply.statusCode, reply.body).toBe(201);
  const session = (await admin.call({ method: 'GET', url: '/api/session' })).json<SessionReply>();
  expect(session.locations).toContainEqual({
    value: 'mesa west',
    label: 'Mesa West',
    group: 'Arizona',
    zone: 'America/Phoenix',
    hours,
    closed_from: null,
  });
  const slots = await admin.call({ method: 'GET', url: '/api/slots?location=mesa%20west&date=2026-11-20' });
  expect(slots.statusCode, slots.body).toBe(200);
  // 7:20 AM in New York
  expect(slots.json<{ now: string }>().now).toMatch(/^2026-11-20T05:20:/);
  const trail = await sql<{ action: string }>`
    select action from audit where subject_ids = '{mesa west}'`.execute(t.deps.db);
  expect(trail.rows).toEqual([{ action: 'location.added' }]);
});

test.each([
  ['a name that a location has', fields('TAMPA'), 409, /named “TAMPA” already exists/],
  ['a name in other letters', fields('palm  BEACH'), 409, /already exists/],
  ['an unknown time zone', fields('Nome', { zone: 'America/Nowhere' }), 422, /not a time zone/],
  ['a zone without a place', fields('Nome', { zone: 'EST' }), 422, /not a time zone/],
  ['a name that is part of no address', fields('a/b'), 422, /letter or digit first/],
  ['a name that pages use for all', fields('All'), 422, /letter or digit first/],
  ['an empty name', fields(' '), 422, /label/],
  [
    'hours that end first',
    fields('Nome', { hours: [{ weekday: 1, start: '09:00', end: '08:00' }] }),
    422,
    /end before/,
  ],
  [
    'a weekday twice',
    fields('Nome', { hours: [1, 1].map((weekday) => ({ weekday, start: '08:00', end: '09:00' })) }),
    422,
    /listed twice/,
  ],
])('%s is refused', async (_, payload, status, words) => {
  const before = await listed();
  const reply = await send('POST', '', payload);
  expect(reply.statusCode).toBe(status);
  expect(reply.body).toMatch(words);
  expect(await listed()).toEqual(before);
});

test('a renamed location keeps its name in the API, and two administrators cannot overwrite each other', async () => {
  const value = await add();
  const { version, group, zone } = await found(value);
  const first = await send('PUT', `/${value}`, { label: 'Riverside', group, zone, hours: [], version });
  expect(first.statusCode, first.body).toBe(200);
  expect(await found(value)).toMatchObject({ label: 'Riverside' });
  const second = await send('PUT', `/${value}`, { label: 'Lakeside', group, zone, hours: [], version });
  expect(second.statusCode).toBe(409);
  expect(await found(value)).toMatchObject({ label: 'Riverside' });
});

test('of administrators who add the same location at the same moment, one succeeds', async () => {
  const replies = await Promise.all([1, 2, 3, 4].map(() => send('POST', '', fields('Raced'))));
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, 409, 409, 409]);
});

test('given an administrator of one location or a scheduler, changes are refused', async () => {
  for (const by of [await t.signIn({ role: 'admin', locations: ['tampa'] }), await t.signIn()]) {
    expect((await send('POST', '', fields('Elsewhere'), by)).statusCode).toBe(403);
    expect((await send('PUT', '/tampa/closing', { from: null }, by)).statusCode).toBe(403);
  }
});

test('a location with sessions later on does not close; once they end, it does, and the database books nothing there', async () => {
  const { db } = t.deps;
  const value = await add();
  const therapist = await buildTherapist(db, { location: value });
  const client = await buildClient(db, { location: value });
  await buildAppointment(db, { location: value, therapist, client, date: '2026-12-01', start: '09:00', end: '10:00' });
  const close = async (from: string) =>
    send('PUT', `/${value}/closing`, { from, version: (await found(value)).version });

  expect((await send('GET', `/${value}/remaining?from=2026-12-01`)).json()).toEqual({
    sessions: 1,
    series: 0,
    therapists: 1,
    clients: 1,
  });
  const refused = await close('2026-12-01');
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toMatch(/still has 1 session from Tue, Dec 1 on/);
  expect((await close('2026-11-19')).body).toMatch(/can close from today/);

  const closed = await close('2026-12-02');
  expect(closed.statusCode, closed.body).toBe(200);
  const late = { location: value, therapist, client, date: '2026-12-02', start: '09:00', end: '10:00' };
  await expect(buildAppointment(db, late)).rejects.toThrow(/is closed/);
  await buildAppointment(db, { ...late, date: '2026-12-01', start: '11:00', end: '12:00' });

  const { version } = await found(value);
  expect((await send('PUT', `/${value}/closing`, { from: null, version })).statusCode).toBe(200);
  await buildAppointment(db, late);
});

test('given a session booked while a location is closed, either the booking or the closing is refused', async () => {
  const { db } = t.deps;
  for (let n = 0; n < 8; n++) {
    const value = await add();
    const client = await buildClient(db, { location: value });
    const session = { location: value, therapist: null, client, date: '2026-12-07', start: '09:00', end: '10:00' };
    const booking = buildAppointment(db, session);
    const closing = send('PUT', `/${value}/closing`, { from: '2026-12-01' });
    const [booked, closed] = await Promise.all([
      booking.then(
        () => true,
        () => false,
      ),
      closing,
    ]);
    expect([booked, closed.statusCode === 200].filter(Boolean)).toHaveLength(1);
  }
});

test('a merge moves people, later sessions, absences and accounts as its preview said, and leaves the past', async () => {
  const { db } = t.deps;
  const [from, into] = [await add(), await add()];
  const therapist = await buildTherapist(db, { location: from });
  const client = await buildClient(db, { location: from });
  const at = (date: string) =>
    buildAppointment(db, { location: from, therapist, client, date, start: '09:00', end: '10:00' });
  const [past, later] = [await at('2026-11-16'), await at('2026-11-30')];
  await sql`insert into absence (location, therapist_id, date, start_minute, end_minute)
    values (${from}, ${therapist}, '2026-12-01', 0, 1440)`.execute(db);
  const account = await t.signIn({ role: 'scheduler', locations: [from, into] });

  const body = { into, from: '2026-11-23' };
  const wanted: Merged = { therapists: 1, clients: 1, sessions: 1, series: 0, absences: 1, accounts: 1 };
  const preview = await send('POST', `/${from}/merge/preview`, body);
  expect(preview.json(), preview.body).toEqual(wanted);
  expect(await found(from)).toMatchObject({ closed_from: null, merged_into: null, therapists: 1 });

  const merged = await send('POST', `/${from}/merge`, { ...body, version: (await found(from)).version });
  expect(merged.statusCode, merged.body).toBe(200);
  expect(merged.json<{ moved: Merged }>().moved).toEqual(wanted);
  expect(await found(from)).toMatchObject({ closed_from: '2026-11-23', merged_into: into, therapists: 0, clients: 0 });
  expect(await found(into)).toMatchObject({ therapists: 1, clients: 1 });
  const places = await sql<{ id: string; location: string }>`
    select id, location from appointment where client_id = ${client} order by starts`.execute(db);
  expect(places.rows).toEqual([
    { id: past, location: from },
    { id: later, location: into },
  ]);
  const rights = await db.selectFrom('account').select('locations').where('id', '=', account.accountId).execute();
  expect(rights).toEqual([{ locations: [into] }]);
  // Its past days stay readable.
  expect(isLocation(from)).toBe(true);
  const day = await admin.call({ method: 'GET', url: `/api/slots?location=${from}&date=2026-11-16` });
  expect(day.json<{ appointments: unknown[] }>().appointments).toHaveLength(1);
});

test('a merge tells no one: the call list of the other location stays as it was', async () => {
  const { db } = t.deps;
  const [from, into] = [await add(), await add()];
  const therapist = await buildTherapist(db, { location: from });
  const client = await buildClient(db, { location: from });
  await buildAppointment(db, { location: from, therapist, client, date: '2026-11-23', start: '09:00', end: '10:00' });
  for (const location of [from, into])
    await db.insertInto('call_day').values({ location, date: '2026-11-23' }).execute();
  expect((await send('POST', `/${from}/merge`, { into, from: '2026-11-23' })).statusCode).toBe(200);
  const before = await sql<{ location: string; therapist_id: string }>`
    select location, therapist_id from call_before where client_id = ${client}`.execute(db);
  expect(before.rows).toEqual([{ location: into, therapist_id: therapist }]);
});

test('a merge is refused where clocks differ, into itself, into a closed location, and after people were told', async () => {
  const { db } = t.deps;
  const [from, other, west] = [await add(), await add(), await add({ zone: 'America/Denver' })];
  const merge = (into: string, date = '2026-11-23') => send('POST', `/${from}/merge`, { into, from: date });
  expect((await merge(west)).body).toMatch(/the clocks of .* differ/);
  expect((await merge(from)).body).toMatch(/choose another location/);
  expect((await merge('nowhere')).statusCode).toBe(404);
  await send('PUT', `/${other}/closing`, { from: '2026-12-24' });
  expect((await merge(other)).body).toMatch(/is closed/);
  const client = await buildClient(db, { location: from });
  await sql`insert into call_answer (location, date, client_id, answer, version, at)
    values (${from}, '2026-11-25', ${client}, 'told', 'v', now())`.execute(db);
  const told = await merge('tampa');
  expect(told.statusCode).toBe(409);
  expect(told.body).toMatch(/up to Wed, Nov 25/);
  expect((await merge('tampa', '2026-11-26')).statusCode).toBe(200);
});

test('given a new zone, sessions and days are new versions for other programs, and no change for an import', async () => {
  const location = await add();
  const client = await buildClient(t.deps.db, { location });
  const id = await buildAppointment(t.deps.db, {
    therapist: null,
    client,
    date: '2026-12-01',
    start: '09:00',
    end: '10:00',
    location,
  });
  await sql`insert into import_row (kind, key, content_hash, target_id, target_version)
    values ('appointment', 'from elsewhere', '', ${id}, 1)`.execute(t.deps.db);
  await sql`insert into location_day (location, date, version) values (${location}, '2026-12-01', 3)`.execute(
    t.deps.db,
  );
  const read = async () =>
    (await admin.call({ url: `/fhir/r4/Appointment/${id}` })).json<{
      start: string;
      meta: { versionId: string; lastUpdated: string };
    }>();
  const before = await read();
  expect([before.start, before.meta.versionId]).toEqual(['2026-12-01T09:00:00-05:00', '1']);
  const { label, group, version } = await found(location);
  await send('PUT', `/${location}`, { label, group, zone: 'America/Denver', hours: [], version });
  const after = await read();
  expect([after.start, after.meta.versionId]).toEqual(['2026-12-01T09:00:00-07:00', '2']);
  expect(Date.parse(after.meta.lastUpdated)).toBeGreaterThan(Date.parse(before.meta.lastUpdated));
  const { rows } = await sql`
    select r.target_version, d.version::int as day, (select count(*)::int from record_change c
      where c.location = ${location} and (c.subject, c.version) in ((${id}, 2), (${location} || '/2026-12-01', 4))) as noted
    from import_row r, location_day d where r.target_id = ${id} and d.location = ${location}`.execute(t.deps.db);
  expect(rows).toEqual([{ target_version: 2, day: 4, noted: 2 }]);
});
