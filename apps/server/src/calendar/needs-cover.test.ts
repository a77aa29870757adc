import { expect, test } from 'vitest';
import { appointmentOf, slotsOf } from '../testing/calls.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const DAY = '2026-11-23'; // a Monday, not today
// It is 7:20:31 AM at the clinic in all tests.
const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T12:20:31Z') } } }));

const slots = (location = 'altamonte', date = DAY, by = t.staff) => slotsOf(by, date, location);

test('a session whose therapist is away keeps the therapist’s name and lists the times that need cover', async () => {
  const { db } = t.deps;
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  const [one, two, three] = [await buildClient(db), await buildClient(db), await buildClient(db, { last: 'Away' })];
  await buildAbsence(db, { therapist: kai, date: DAY, end: '10:00' });
  await buildAbsence(db, { client: three, date: DAY });
  await buildAppointment(db, {
    therapist: kai,
    client: one,
    date: DAY,
    start: '09:00',
    end: '11:00',
    wireId: 'PART',
  });
  await buildAppointment(db, {
    therapist: kai,
    client: two,
    date: DAY,
    start: '11:00',
    end: '12:00',
    wireId: 'LATER',
  });
  await buildAppointment(db, {
    therapist: kai,
    client: three,
    date: DAY,
    start: '08:00',
    end: '09:00',
    wireId: 'BOTH',
  });
  const day = await slots();
  expect(appointmentOf(day, 'PART')).toMatchObject({
    Preferred_Provider_Name: 'Kai Wood',
    Appointment_Status: 'Scheduled',
    needs_cover: true,
    uncovered: [{ start: '09:00', end: '10:00' }],
  });
  expect(appointmentOf(day, 'LATER')).toMatchObject({
    Appointment_Status: 'Confirmed',
    needs_cover: false,
    uncovered: [],
  });
  expect(appointmentOf(day, 'BOTH')).toMatchObject({ needs_cover: false });
  expect(day.absences).toEqual(
    expect.arrayContaining([
      { id: expect.any(String) as string, name: 'Kai Wood', type: 'therapist', startTime: '00:00', endTime: '10:00' },
      { id: expect.any(String) as string, name: 'Test Away', type: 'client', startTime: '00:00', endTime: '23:59' },
    ]),
  );
});

test('a session without a therapist is shown as Unassigned; a cancelled session needs no cover', async () => {
  const { db } = t.deps;
  const client = await buildClient(db);
  await buildAppointment(db, { therapist: null, client, date: DAY, start: '13:00', end: '14:00', wireId: 'NOBODY' });
  await buildAppointment(db, {
    therapist: null,
    client,
    date: DAY,
    start: '14:00',
    end: '15:00',
    wireId: 'OFF',
    status: 'cancelled',
  });
  const day = await slots();
  expect(appointmentOf(day, 'NOBODY')).toMatchObject({ Preferred_Provider_Name: 'Unassigned', needs_cover: true });
  expect(appointmentOf(day, 'OFF')).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false });
});

test('today, only time after the current quarter hour needs cover, and once the absence is withdrawn, no time needs cover', async () => {
  const { db } = t.deps;
  const client = await buildClient(db);
  const therapist = await buildTherapist(db);
  const id = await buildAbsence(db, { therapist, date: '2026-11-20' });
  await buildAppointment(db, { therapist, client, date: '2026-11-20', start: '07:00', end: '08:00', wireId: 'CUT' });
  const before = await slots('altamonte', '2026-11-20');
  expect(appointmentOf(before, 'CUT')).toMatchObject({
    needs_cover: true,
    uncovered: [{ start: '07:30', end: '08:00' }],
  });
  // The session is over, so it needs no cover; it had no therapist, so it is not shown as Confirmed.
  await buildAppointment(db, { therapist, client, date: '2026-11-20', start: '06:00', end: '07:00', wireId: 'OVER' });
  const over = appointmentOf(await slots('altamonte', '2026-11-20'), 'OVER');
  expect(over).toMatchObject({ Appointment_Status: 'Scheduled', needs_cover: false });
  await db.updateTable('absence').set({ withdrawn_at: new Date().toISOString() }).where('id', '=', id).execute();
  const after = await slots('altamonte', '2026-11-20');
  expect(appointmentOf(after, 'CUT')).toMatchObject({ Appointment_Status: 'Confirmed', needs_cover: false });
  expect(after.absences).toEqual([]);
});
