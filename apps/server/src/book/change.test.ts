// This file is over 250 lines because it tests every kind of change to a session.
import { describe, expect, test } from 'vitest';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
  dayVersion,
} from '../testing/builders.ts';
import { DAY, useDesk, type Refused } from '../testing/desk.ts';
import { insertCommit } from '../testing/valid-rows.ts';

const desk = useDesk();
const AWAY_FROM_9_TO_10 = {
  Appointment_Status: 'Scheduled',
  needs_cover: true,
  uncovered: [{ start: '09:00', end: '10:00' }],
};

describe('changing an appointment', () => {
  test('when a session moves, both days get a new version, and the history records every change', async () => {
    const kai = await buildTherapist(desk.db, {
      first: 'Kai',
      last: `Wood${desk.person}`,
      location: 'tampa',
      specialization: 'BCBA',
    });
    const made = await desk.booked();
    const versions = async () =>
      Promise.all(
        (
          [
            ['altamonte', DAY],
            ['altamonte', '2026-11-25'],
            ['tampa', '2026-11-25'],
          ] as const
        ).map(([location, date]) => dayVersion(desk.db, location, date)),
      );
    const before = await versions();
    const reply = await desk.put(
      made.key,
      desk.session({
        date: '2026-11-25',
        therapist: `Kai Wood${desk.person}`,
        start: '09:00',
        end: '10:00',
        subject: 'Parent Training',
        status: 'Confirmed',
        version: 1,
      }),
    );
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({
      Id: made.Id,
      StartDateTime: '11/25/2026, 9:00 AM',
      Preferred_Provider_Name: `Kai Wood${desk.person}`,
      Appointment_Status: 'Confirmed',
      service: 'parent-training',
      version: 2,
    });
    expect(await versions()).toEqual(before.map((version) => version + 1));
    const events = await desk.historyOf(made.key);
    expect(events.map((event) => event.what)).toEqual(['booked', 'moved']);
    expect(events[1]).toMatchObject({
      before: { therapistId: desk.ana, starts: `${DAY} 08:30:00` },
      after: { therapistId: kai, starts: '2026-11-25 09:00:00' },
    });
  });

  test('a covered session keeps its commit and booked therapist when its status changes, and loses both when its therapist changes', async () => {
    const kai = await buildTherapist(desk.db, { first: 'Kai', last: `Wood${desk.person}` });
    const at = { date: DAY, start: '08:30', end: '11:30' };
    const key = await buildAppointment(desk.db, { ...at, therapist: kai, client: desk.bo, bookedTherapist: desk.ana });
    const commit = '00000000-0000-4000-8000-00000000000c';
    await insertCommit(desk.db, commit);
    await desk.db
      .updateTable('appointment')
      .set({ commit_id: commit, status: 'pending' })
      .where('id', '=', key)
      .execute();
    const covered = desk.session({ therapist: `Kai Wood${desk.person}`, status: 'Confirmed' });
    expect((await desk.put(key, covered)).statusCode).toBe(200);
    expect(await desk.rowOf(key)).toMatchObject({ status: 'booked', booked_therapist_id: desk.ana, commit_id: commit });
    expect((await desk.put(key, desk.session())).statusCode).toBe(200);
    expect(await desk.rowOf(key)).toMatchObject({ booked_therapist_id: null, commit_id: null });
  });

  test('when nothing has changed, nothing is written', async () => {
    const made = await desk.booked();
    const before = await dayVersion(desk.db, 'altamonte', DAY);
    expect((await desk.put(made.key, desk.session({ version: 1 }))).json()).toEqual(made);
    expect(await dayVersion(desk.db, 'altamonte', DAY)).toBe(before);
    expect(await desk.historyOf(made.key)).toHaveLength(1);
  });

  test('given a confirmed session without a therapist, it is shown as Scheduled, and saving the form unchanged writes nothing', async () => {
    const made = await desk.booked({ therapist: null, status: 'Confirmed' });
    expect(made.Appointment_Status).toBe('Scheduled');
    const saved = await desk.put(made.key, desk.session({ therapist: null, status: 'Scheduled', version: 1 }));
    expect(saved.json()).toEqual(made);
    expect(await desk.rowOf(made.key)).toMatchObject({ status: 'booked', version: 1 });
  });

  test('given a confirmed session whose therapist is away, it is shown as Scheduled, and saving another field keeps it confirmed', async () => {
    const made = await desk.booked({ status: 'Confirmed' });
    const absence = await buildAbsence(desk.db, { therapist: desk.ana, date: DAY, start: '09:00', end: '10:00' });
    const shown = await desk.put(made.key, desk.session({ status: 'Scheduled', version: 1 }));
    expect(shown.json()).toEqual({ ...made, ...AWAY_FROM_9_TO_10 });
    expect(await desk.rowOf(made.key)).toMatchObject({ status: 'booked', version: 1 });
    const moved = await desk.put(made.key, desk.session({ end: '12:00', status: 'Scheduled', version: 1 }));
    expect(moved.json()).toMatchObject({ ...AWAY_FROM_9_TO_10, version: 2 });
    await desk.db.deleteFrom('absence').where('id', '=', absence).execute();
    const back = await desk.put(made.key, desk.session({ end: '12:00', version: 2 }));
    expect(back.json()).toMatchObject({ Appointment_Status: 'Confirmed', needs_cover: false });
  });

  test('given an outdated version, the change is refused with the newest version; of simultaneous changes, only one succeeds', async () => {
    const made = await desk.booked();
    const replies = await Promise.all(
      ['11:00', '11:10', '11:20'].map((end) => desk.put(made.key, desk.session({ end, version: 1 }))),
    );
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409]);
    const late = replies.find((reply) => reply.statusCode === 409);
    expect(late?.json<Refused>().detail).toMatchObject({ version: 2 });
  });

  test('a change whose reply was lost can be sent again, and changes nothing twice', async () => {
    const made = await desk.booked();
    const sent = desk.session({ end: '11:00', status: 'No Show', loss: { cause: 'sick' }, version: 1 });
    const first = await desk.put(made.key, sent);
    expect(first.statusCode, first.body).toBe(200);
    const again = await desk.put(made.key, sent);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect(await desk.historyOf(made.key)).toHaveLength(2);
    expect((await desk.put(made.key, { ...sent, loss: { cause: 'leave' } })).statusCode).toBe(409);
  });

  test('given another booking at the new time, the change is refused, and the refusal names the time of that booking', async () => {
    await desk.booked({ start: '12:00', end: '13:00' });
    const made = await desk.booked();
    const reply = await desk.put(made.key, desk.session({ end: '12:30' }));
    expect(reply.statusCode).toBe(409);
    expect(reply.json<Refused>().detail.conflicts[0]?.time).toBe('12:00 PM - 1:00 PM');
    expect((await desk.rowOf(made.key)).ends).toBe(`${DAY} 11:30:00`);
  });

  test('given overlapping imported sessions, the one that moves away is no longer flagged; those that still overlap keep the flag', async () => {
    const { db } = desk;
    const [mo, io] = [await buildClient(db, { first: 'Mo', last: `Diaz${desk.person}` }), await buildClient(db)];
    const clash = `knot${desk.person}`;
    const one = await desk.clashing(clash, desk.bo, '08:30', '10:00');
    const two = await desk.clashing(clash, mo, '09:30', '11:00');
    const three = await desk.clashing(clash, io, '09:45', '12:00');
    expect((await desk.put(one, desk.session({ start: '13:00', end: '14:00' }))).json()).toMatchObject({
      clash: false,
    });
    expect((await desk.rowOf(one)).place).toBe(one);
    expect([(await desk.rowOf(two)).clash, (await desk.rowOf(three)).clash]).toEqual([true, true]);
    await desk.cancel(three);
    expect(await desk.rowOf(two)).toMatchObject({ clash: false, place: two, client_place: two });
  });

  test('given two overlapping imported sessions, moving one of them removes the flag from both', async () => {
    const { db } = desk;
    const mo = await buildClient(db, { first: 'Mo', last: `Diaz${desk.person}` });
    const clash = `pair${desk.person}`;
    const one = await desk.clashing(clash, desk.bo, '08:30', '10:00');
    const two = await desk.clashing(clash, mo, '09:30', '11:00');
    await desk.put(one, desk.session({ start: '08:30', end: '09:30' }));
    expect(await desk.rowOf(two)).toMatchObject({ clash: false, place: two, client_place: two });
    // Only imports may create clashes.
    expect((await desk.put(one, desk.session({ start: '08:30', end: '09:45' }))).statusCode).toBe(409);
  });

  test('a cancelled session can be booked again only if its time is free', async () => {
    const made = await desk.booked();
    await desk.cancel(made.key);
    const other = await buildClient(desk.db, { first: 'Mo', last: `Diaz${desk.person}` });
    const rival = await buildAppointment(desk.db, {
      therapist: desk.ana,
      client: other,
      date: DAY,
      start: '09:00',
      end: '10:00',
    });
    expect((await desk.put(made.key, desk.session({ status: 'Scheduled' }))).statusCode).toBe(409);
    await desk.cancel(rival);
    expect((await desk.put(made.key, desk.session({ status: 'Scheduled' }))).json()).toMatchObject({
      Appointment_Status: 'Scheduled',
    });
  });

  test('given an unknown or invalid key, or a request to turn an existing session into a series, the change is refused', async () => {
    expect((await desk.put('00000000-0000-4000-8000-000000000000', desk.session())).statusCode).toBe(404);
    expect((await desk.put('7', desk.session())).statusCode).toBe(422);
    const gone = await buildAppointment(desk.db, {
      therapist: desk.ana,
      client: desk.bo,
      date: DAY,
      start: '13:00',
      end: '14:00',
      status: 'entered-in-error',
    });
    expect([(await desk.put(gone, desk.session())).statusCode, (await desk.cancel(gone)).statusCode]).toEqual([
      404, 404,
    ]);
    const made = await desk.booked();
    expect((await desk.put(made.key, desk.session({ weekly_until: '2026-12-14' }))).statusCode).toBe(422);
  });
});

test('given a therapist who has left, their past sessions stay and can still be corrected', async () => {
  const { db } = desk;
  const key = await buildAppointment(db, {
    therapist: desk.ana,
    client: desk.bo,
    date: '2026-11-19',
    start: '09:00',
    end: '10:00',
  });
  await db.updateTable('therapist').set({ deleted_at: new Date().toISOString() }).where('id', '=', desk.ana).execute();
  const reply = await desk.put(
    key,
    desk.session({ date: '2026-11-19', start: '09:00', end: '10:00', status: 'Completed' }),
  );
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    { Appointment_Status: 'Completed', Preferred_Provider_Name: desk.names.therapist },
  ]);
  expect((await desk.post(desk.session())).statusCode).toBe(422);
});

describe('given a cancelled session whose therapist no longer fits', () => {
  const past = { date: '2026-11-19', start: '09:00', end: '10:00' };
  const cancelled = async (when: object = {}) => {
    const of = { therapist: desk.ana, client: desk.bo, status: 'cancelled' as const };
    return buildAppointment(desk.db, { date: DAY, start: '08:30', end: '11:30', ...of, ...when });
  };
  const statusOf = async (key: string, body: object) => (await desk.put(key, desk.session(body))).statusCode;

  test('it cannot be scheduled again with a therapist whom the family has excluded since, but a past session can be corrected', async () => {
    const [ahead, before] = [await cancelled(), await cancelled(past)];
    await desk.db
      .insertInto('client_restriction')
      .values({ client_id: desk.bo, requires_gender: null, excludes_therapist_id: desk.ana })
      .execute();
    expect(await statusOf(ahead, { status: 'Scheduled' })).toBe(422);
    expect(await statusOf(before, { ...past, status: 'Completed' })).toBe(200);
  });

  test('it can be scheduled again with a therapist who will have left by then, but only with “Book anyway”', async () => {
    const key = await cancelled();
    await desk.db.updateTable('therapist').set({ end_date: '2026-11-20' }).where('id', '=', desk.ana).execute();
    expect(await statusOf(key, { status: 'Scheduled' })).toBe(409);
    expect(await statusOf(key, { status: 'Scheduled', anyway: true })).toBe(200);
  });
});

test('a booked session can get a subject whose code is not authorized, but only with “Book anyway”', async () => {
  const made = await desk.booked();
  await buildAuthorization(desk.db, desk.bo, { units: 99 });
  expect((await desk.put(made.key, desk.session({ subject: 'Direct Therapy at home' }))).statusCode).toBe(200);
  const parents = desk.session({ subject: 'Parent Training' });
  expect((await desk.put(made.key, parents)).statusCode).toBe(409);
  expect((await desk.put(made.key, { ...parents, anyway: true })).statusCode).toBe(200);
});
