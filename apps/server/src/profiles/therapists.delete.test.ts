import { expect, test } from 'vitest';
import type { Therapist } from '@clinic/contract';
import { saveAbsences, slotsOf } from '../testing/calls.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist, dayVersion } from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

const get = (id: string) => t.staff.call({ url: `/api/therapists/${id}` });
const remove = (id: string, how = '', by = t.staff) =>
  by.call({ method: 'DELETE', url: `/api/therapists/${id}${how}` });
const rowOf = (id: string) => t.db.selectFrom('appointment').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('[PROF-09] given a deletion, the reply is 204, the therapist is gone, and the name is free again', async () => {
  const id = await buildTherapist(t.db, { first: 'Only', last: 'Once' });
  const reply = await remove(id);
  expect([reply.statusCode, reply.body]).toEqual([204, '']);
  expect((await get(id)).statusCode).toBe(404);
  expect((await remove(id)).statusCode).toBe(404);
  const body = {
    first_name: 'Only',
    last_name: 'Once',
    location: 'altamonte',
    specialization: 'RBT',
    gender: 'Male',
    start_date: '2026-11-20',
    availability: [],
  };
  const next = (await t.staff.call({ method: 'POST', url: '/api/therapists', payload: body })).json<Therapist>();
  expect(next.display_name).toBe('Only Once');
  expect(next.id).not.toBe(id);
});

test('given future appointments, the deletion is refused and each of them is listed; past appointments do not matter', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  const client = await buildClient(db, { first: 'Bo', last: 'Lee' });
  await buildAppointment(db, { therapist: id, client, date: '2026-11-19', start: '09:00', end: '10:00' });
  await buildAppointment(db, { therapist: id, client, date: '2026-11-20', start: '08:30', end: '11:30' });
  await buildAppointment(db, {
    therapist: id,
    client,
    date: '2026-11-23',
    start: '09:00',
    end: '10:00',
    status: 'cancelled',
  });
  const reply = await remove(id);
  expect(reply.statusCode).toBe(409);
  const { detail } = reply.json<{ detail: { message: string; conflicts: object[] } }>();
  expect(detail.message).toContain(
    'Kai Wood still has 1 appointment on the calendar, the next on Fri, Nov 20, 8:30 AM - 11:30 AM.',
  );
  expect(detail.conflicts).toEqual([
    {
      date: '2026-11-20',
      time: '8:30 AM - 11:30 AM',
      therapist: 'Kai Wood',
      client: 'Bo Lee',
      location: 'altamonte',
      why: 'Direct Therapy with Bo Lee',
    },
  ]);
  expect((await get(id)).statusCode).toBe(200);
});

test('with appointments=unassign, sessions need cover and administrative time is cancelled, all recorded in the history', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db);
  const client = await buildClient(db);
  const past = await buildAppointment(db, {
    therapist: id,
    client,
    date: '2026-11-19',
    start: '09:00',
    end: '10:00',
  });
  const session = await buildAppointment(db, {
    therapist: id,
    client,
    date: '2026-11-24',
    start: '09:00',
    end: '10:00',
  });
  const admin = await buildAppointment(db, {
    therapist: id,
    client: null,
    date: '2026-11-24',
    start: '13:00',
    end: '14:00',
  });
  const before = await dayVersion(db, 'altamonte', '2026-11-24');
  const reply = await remove(id, '?appointments=unassign');
  expect(reply.statusCode, reply.body).toBe(204);
  const rows = await db
    .selectFrom('appointment')
    .select(['id', 'therapist_id', 'status'])
    .where('id', 'in', [past, session, admin])
    .execute();
  expect(Object.fromEntries(rows.map((row) => [row.id, [row.therapist_id, row.status]]))).toEqual({
    [past]: [id, 'booked'],
    [session]: [null, 'booked'],
    [admin]: [id, 'cancelled'],
  });
  const events = await db
    .selectFrom('appointment_event')
    .select(['appointment_id', 'what', 'account_id'])
    .where('appointment_id', 'in', [past, session, admin])
    .execute();
  expect(events.map((event) => [event.appointment_id, event.what, event.account_id]).sort()).toEqual(
    [
      [admin, 'cancelled', t.staff.accountId],
      [session, 'unassigned', t.staff.accountId],
    ].sort(),
  );
  expect(await dayVersion(db, 'altamonte', '2026-11-24')).toBe(before + 1);
});

test('an account for one location neither sees nor changes sessions or absences at other locations', async () => {
  const { db } = t.deps;
  const tampa = await t.signIn({ locations: ['tampa'] });
  const id = await buildTherapist(db, { first: 'Lent', last: 'Out', location: 'tampa' });
  const client = await buildClient(db, { first: 'Quill', last: 'Zephyr', location: 'orlando' });
  const refused = async (how: string): Promise<void> => {
    const reply = await remove(id, how, tampa);
    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toEqual({
      detail:
        'This would also change what is still booked for Lent Out at Orlando, and your account has no access there. Nothing was changed. Ask someone there to make this change.',
    });
  };
  const absence = await buildAbsence(db, { therapist: id, date: '2026-11-24', location: 'orlando' });
  await refused('');
  const live = await db
    .selectFrom('absence')
    .select('withdrawn_at')
    .where('id', '=', absence)
    .executeTakeFirstOrThrow();
  expect(live.withdrawn_at).toBeNull();
  const session = await buildAppointment(db, {
    therapist: id,
    client,
    date: '2026-11-23',
    start: '09:00',
    end: '10:00',
    location: 'orlando',
  });
  await refused('');
  await refused('?appointments=unassign');
  expect((await rowOf(session)).therapist_id).toBe(id);
  expect((await remove(id, '?appointments=unassign')).statusCode).toBe(204);
  const trail = db.selectFrom('audit').select(['location', 'subject_ids']).where('action', '=', 'therapist.deleted');
  const rows = (await trail.orderBy('location').execute()).filter((row) => row.subject_ids.includes(id));
  expect(rows.map((row) => row.location)).toEqual(['orlando', 'tampa']);
});

test('later absences are withdrawn and today’s stays; weekly series continue without the therapist', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db);
  const client = await buildClient(db);
  const [today, later] = [
    await buildAbsence(db, { therapist: id, date: '2026-11-20' }),
    await buildAbsence(db, { therapist: id, date: '2026-11-27' }),
  ];
  const window = { location: 'altamonte' as const, subject: 'x', day_of_week: 1, start_minute: 540, end_minute: 600 };
  const dates = { from_date: '2026-11-02', until_date: '2026-12-28', made_until: '2026-12-28' };
  const series = await db
    .insertInto('weekly_series')
    .values([
      { ...window, ...dates, client_id: client, therapist_id: id, service: 'direct' },
      { ...window, ...dates, client_id: null, therapist_id: id, service: 'admin' },
    ])
    .returning('id')
    .execute();
  expect((await remove(id)).statusCode).toBe(204);
  const absences = await db
    .selectFrom('absence')
    .select(['id', 'withdrawn_by'])
    .where('therapist_id', '=', id)
    .execute();
  expect(new Map(absences.map((row) => [row.id, row.withdrawn_by]))).toEqual(
    new Map([
      [today, null],
      [later, t.staff.accountId],
    ]),
  );
  expect(await dayVersion(db, 'altamonte', '2026-11-27')).toBe(1);
  const after = await db
    .selectFrom('weekly_series')
    .select(['service', 'therapist_id', 'until_date'])
    .where(
      'id',
      'in',
      series.map((row) => row.id),
    )
    .execute();
  expect(after).toContainEqual({ service: 'direct', therapist_id: null, until_date: '2026-12-28' });
  expect(after).toContainEqual({ service: 'admin', therapist_id: id, until_date: '2026-11-20' });
});

test('given a session in progress, the deleted therapist keeps it, and their row on that day shows that they have left', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db, { first: 'Under', last: 'Way' });
  const there = await buildTherapist(db, { first: 'Still', last: 'There' });
  const client = await buildClient(db);
  const at = { date: '2026-11-20', client };
  const session = await buildAppointment(db, { ...at, therapist: id, start: '07:00', end: '09:00' });
  await buildAppointment(db, { ...at, therapist: id, start: '10:00', end: '11:00' });
  const refused = (await remove(id)).json<{ detail: { conflicts: { time: string }[] } }>();
  expect(refused.detail.conflicts.map((conflict) => conflict.time)).toEqual(['10:00 AM - 11:00 AM']);
  expect((await remove(id, '?appointments=unassign')).statusCode).toBe(204);
  expect(await rowOf(session)).toMatchObject({ therapist_id: id, status: 'booked', version: 1 });
  const day = await slotsOf(t.staff, '2026-11-20');
  const person = (of: string) => day.people.find((each) => each.id === of);
  expect(person(id)).toMatchObject({ name: 'Under Way', former: true });
  expect(person(there)).not.toHaveProperty('former');
});

test('an absence on the day of the deletion stays, and can be neither changed nor withdrawn', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db, { first: 'Half', last: 'Gone' });
  const client = await buildClient(db);
  await buildAppointment(db, { therapist: id, client, date: '2026-11-20', start: '07:00', end: '09:00' });
  await buildAbsence(db, { therapist: id, date: '2026-11-20', start: '08:00' });
  const away = async () => (await slotsOf(t.staff, '2026-11-20')).absences.find(({ name }) => name === 'Half Gone');
  const before = await away();
  expect(before).toMatchObject({ type: 'therapist', startTime: '08:00', endTime: '23:59' });
  expect(before).not.toHaveProperty('former');
  expect((await remove(id)).statusCode).toBe(204);
  const named = { location: 'altamonte', date: '2026-11-20', type: 'therapist', name: 'Half Gone' };
  for (const reply of [
    await t.staff.call({ method: 'POST', url: '/api/absences/withdraw', payload: named }),
    await saveAbsences(t.staff, [{ therapist: 'Half Gone', date: '2026-11-20', end: '12:00' }]),
  ]) {
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toEqual({ detail: 'Half Gone is no longer with the clinic. Nothing was changed.' });
  }
  expect(await away()).toEqual({ ...before, former: true });
});

test('a group’s sessions stay together, and a double booking stays flagged for the client but not for the therapist', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db);
  const [one, two] = [await buildClient(db), await buildClient(db)];
  const at = { date: '2026-11-25', start: '09:00', end: '10:00' };
  const members = [
    await buildAppointment(db, { ...at, therapist: id, client: one, group: 'g1' }),
    await buildAppointment(db, { ...at, therapist: id, client: two, group: 'g1' }),
  ];
  const clashing = await buildAppointment(db, {
    therapist: id,
    client: one,
    date: '2026-11-26',
    start: '09:00',
    end: '10:00',
    clash: 'k',
  });
  const at0930 = { date: '2026-11-26', start: '09:30', end: '10:30', clash: 'k' };
  await buildAppointment(db, { ...at0930, therapist: await buildTherapist(db), client: one });
  expect((await remove(id, '?appointments=unassign')).statusCode).toBe(204);
  for (const member of members) expect(await rowOf(member)).toMatchObject({ place: 'group:g1', therapist_id: null });
  expect(await rowOf(clashing)).toMatchObject({ place: clashing, client_place: 'clash:k', clash: true });
});

test('a booking made during the deletion is either unassigned with the other sessions or refused', async () => {
  const { db } = t.deps;
  for (let round = 0; round < 8; round++) {
    const id = await buildTherapist(db, { first: 'Race', last: `Away${round}` });
    await buildClient(db, { first: 'Race', last: `Child${round}` });
    const booking = {
      location: 'altamonte',
      therapist: `Race Away${round}`,
      client: `Race Child${round}`,
      date: '2026-11-24',
      start: '09:00',
      end: '10:00',
      subject: 'Direct Therapy',
    };
    const [booked, removed] = await Promise.all([
      t.staff.call({ method: 'POST', url: '/api/appointments', payload: booking }),
      remove(id, '?appointments=unassign'),
    ]);
    expect([201, 422]).toContain(booked.statusCode);
    expect(removed.statusCode).toBe(204);
    expect(
      await db
        .selectFrom('appointment')
        .select('id')
        .where('therapist_id', '=', id)
        .where('occupies', '=', true)
        .execute(),
    ).toEqual([]);
  }
});
