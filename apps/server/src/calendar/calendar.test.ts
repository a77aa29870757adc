import { expect, test } from 'vitest';
import { appointmentOf, slotsOf } from '../testing/calls.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const DAY = '2026-11-23'; // a Monday, not today
// It is 7:20:31 AM at the clinic in all tests.
const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T12:20:31Z') } } }));

const slots = (location = 'altamonte', date = DAY, by = t.staff) => slotsOf(by, date, location);

test('[CAL-09] [CAL-14] [DATA-01] [DATA-02] a day is returned in the form that the specification gives', async () => {
  const { db } = t.deps;
  const ana = await buildTherapist(db, {
    first: 'Ana',
    last: 'Ruiz',
    windows: [
      [1, '08:00', '12:00'],
      [1, '13:00', '24:00'],
      [2, '08:00', '17:00'],
    ],
  });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  const key = await buildAppointment(db, {
    therapist: ana,
    client: bo,
    date: DAY,
    start: '08:30',
    end: '11:30',
    wireId: 'APT-000123',
  });
  await buildAppointment(db, {
    therapist: ana,
    client: null,
    date: DAY,
    start: '16:00',
    end: '17:00',
    wireId: 'APT-000124',
    status: 'pending',
  });
  const day = await slots();
  expect(appointmentOf(day, 'APT-000123')).toEqual({
    Id: 'APT-000123',
    StartDateTime: '11/23/2026, 8:30 AM',
    EndDateTime: '11/23/2026, 11:30 AM',
    Subject: 'Direct Therapy',
    Preferred_Provider_Name: 'Ana Ruiz',
    Appointment_Status: 'Confirmed',
    'Client Name': 'Bo Lee',
    Location: 'Altamonte',
    'Location Group': 'Central Florida',
    key,
    version: 1,
    service: 'direct',
    needs_cover: false,
    uncovered: [],
    clash: false,
    group: null,
  });
  expect(appointmentOf(day, 'APT-000124')).toMatchObject({
    'Client Name': 'Admin',
    service: 'admin',
    Appointment_Status: 'Scheduled',
  });
  expect(day.availabilities.filter((window) => window.therapist_name === 'Ana Ruiz')).toEqual([
    {
      therapist_name: 'Ana Ruiz',
      start_time: '2026-11-23T08:00:00',
      end_time: '2026-11-23T12:00:00',
      location: 'altamonte',
    },
    {
      therapist_name: 'Ana Ruiz',
      start_time: '2026-11-23T13:00:00',
      end_time: '2026-11-23T23:59:59',
      location: 'altamonte',
    },
  ]);
  expect(day.now).toBe('2026-11-20T07:20:31');
  expect(day.version).toBe(0);
});

test('[CAL-05] everyone at the location has a row, booked or not, and so do therapists from other locations who are booked here', async () => {
  const { db } = t.deps;
  const idle = await buildTherapist(db, { location: 'tampa', specialization: 'BCBA' });
  const idleClient = await buildClient(db, { location: 'tampa' });
  const visiting = await buildTherapist(db, { location: 'orlando' });
  const guest = await buildClient(db, { location: 'orlando' });
  const elsewhere = await buildClient(db, { location: 'orlando' });
  await buildAppointment(db, {
    therapist: visiting,
    client: guest,
    date: DAY,
    start: '09:00',
    end: '10:00',
    location: 'tampa',
  });
  await buildAppointment(db, {
    therapist: visiting,
    client: elsewhere,
    date: DAY,
    start: '14:00',
    end: '15:00',
    location: 'orlando',
  });
  await buildAbsence(db, { client: elsewhere, date: DAY, location: 'orlando' });
  const day = await slots('tampa');
  const ids = day.people.map((person) => person.id);
  expect(ids.toSorted()).toEqual([idle, idleClient, visiting, guest].toSorted());
  expect(day.people.find((person) => person.id === idle)).toMatchObject({ type: 'therapist', credential: 'BCBA' });
  expect(day.people.find((person) => person.id === guest)?.type).toBe('client');
  expect(day.appointments).toHaveLength(1); // the session at Orlando is not listed
  expect(day.absences).toEqual([]); // the absence of a client at Orlando is not listed
});

test('[CAL-10] [CAL-11] [CAL-12] deleted appointments are hidden, duplicates are shown once, and appointments close together are merged', async () => {
  const { db } = t.deps;
  const client = await buildClient(db, { location: 'deerfield' });
  const at = (start: string, end: string, wireId: string, status: 'booked' | 'entered-in-error' = 'booked') =>
    buildAppointment(db, {
      therapist: null,
      client,
      date: DAY,
      start,
      end,
      wireId,
      status,
      location: 'deerfield',
      clash: 'double',
    });
  await at('08:00', '09:00', 'GONE', 'entered-in-error');
  await at('08:00', '09:00', 'TWICE');
  await at('08:00', '09:00', 'TWICE');
  await at('10:00', '11:00', 'NEAR');
  await at('11:15', '12:00', 'NEAR');
  await at('13:00', '13:30', 'APART');
  await at('13:46', '14:00', 'APART');
  const day = await slots('deerfield');
  expect(day.appointments.map((a) => [a.Id, a.StartDateTime.slice(12), a.EndDateTime.slice(12)])).toEqual([
    ['TWICE', '8:00 AM', '9:00 AM'],
    ['NEAR', '10:00 AM', '12:00 PM'],
    ['APART', '1:00 PM', '1:30 PM'],
    ['APART', '1:46 PM', '2:00 PM'],
  ]);
  expect(appointmentOf(day, 'NEAR')).toMatchObject({
    clash: true,
    uncovered: [
      { start: '10:00', end: '11:00' },
      { start: '11:15', end: '12:00' },
    ],
  });
});

test('the refusal names the unknown or missing location or date', async () => {
  for (const [query, detail] of [
    ['date=2026-11-20&location=miami', "location: no such location 'miami'"],
    ['date=2026-02-30&location=tampa', 'date: not a date that exists, written YYYY-MM-DD'],
    ['location=tampa', 'date: a date is needed, written YYYY-MM-DD'],
  ]) {
    const reply = await t.staff.call({ url: `/api/slots?${query}` });
    expect([reply.statusCode, reply.json()]).toEqual([422, { detail }]);
  }
});

test('[AUTH-06] only logged-in accounts for the location can read its day; the reply is never cached, and the read is audited', async () => {
  const url = `/api/slots?date=${DAY}&location=palm%20beach`;
  expect((await t.app.inject({ url })).statusCode).toBe(401);
  const tampa = await t.signIn({ locations: ['tampa'] });
  expect((await tampa.call({ url })).statusCode).toBe(403);
  const beach = await t.signIn({ locations: ['palm beach'] });
  const reply = await beach.call({ url });
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['cache-control']).toBe('no-store');
  const rows = await t.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', beach.accountId)
    .where('action', '=', 'calendar.read')
    .execute();
  expect(rows.map((row) => [row.subject_ids, row.location])).toEqual([[[`palm beach/${DAY}`], 'palm beach']]);
});

test('the day’s people include new clients, but not clients whose last session was more than a year ago', async () => {
  const { db } = t.deps;
  const at = { therapist: null, start: '08:30', end: '11:30' };
  const gone = await buildClient(db, { first: 'Gone', last: 'Away' });
  // this client's last session was 366 days before
  await buildAppointment(db, { ...at, client: gone, date: '2025-11-22' });
  const still = await buildClient(db, { first: 'Still', last: 'Here' });
  // this client's last session was 364 days before
  await buildAppointment(db, { ...at, client: still, date: '2025-11-24' });
  await buildClient(db, { first: 'Just', last: 'Arrived' });
  const { people } = await slots();
  const names = people.filter(({ type }) => type === 'client').map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Still Here', 'Just Arrived']));
  expect(names).not.toContain('Gone Away');
});
