import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WireAppointment } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist, dayVersion } from '../../db/testing/builders.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../../db/testing/test-app.ts';

const DAY = '2026-11-23'; // a Monday
let t: TestApp;
let staff: SignedIn;
let ana: string;
let bo: string;
let names: { therapist: string; client: string };
let person = 0;

beforeAll(async () => {
  t = await buildTestApp({ config: { clock: '2026-11-20T12:20:00Z' } });
  staff = await t.signIn();
});
afterAll(() => t.close());
// Each test has a therapist and a client of its own, so that nobody is in anybody's way.
beforeEach(async () => {
  person++;
  names = { therapist: `Ana Ruiz${person}`, client: `Bo Lee${person}` };
  ana = await buildTherapist(t.deps.db, { first: 'Ana', last: `Ruiz${person}` });
  bo = await buildClient(t.deps.db, { first: 'Bo', last: `Lee${person}` });
});

const session = (more: object = {}) => ({
  location: 'altamonte',
  client: names.client,
  therapist: names.therapist,
  date: DAY,
  start: '08:30',
  end: '11:30',
  subject: 'Direct Therapy',
  ...more,
});
type Refused = {
  detail: {
    message: string;
    conflicts: { date: string; time: string; therapist: string; client?: string; why: string }[];
    version?: number;
  };
};
const post = (payload: object, by = staff) => by.call({ method: 'POST', url: '/api/appointments', payload });
const put = (key: string | undefined, payload: object, by = staff) =>
  by.call({ method: 'PUT', url: `/api/appointments/${key}`, payload });
const cancel = (key: string | undefined, payload: object = {}, by = staff) =>
  by.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload });

async function booked(more: object = {}): Promise<WireAppointment> {
  const reply = await post(session(more));
  expect(reply.statusCode, reply.body).toBe(201);
  const [first] = reply.json<WireAppointment[]>();
  if (!first) throw new Error('nothing was booked');
  return first;
}
const rowOf = (key: string | undefined) =>
  t.deps.db
    .selectFrom('appointment')
    .selectAll()
    .where('id', '=', key ?? '')
    .executeTakeFirstOrThrow();
const historyOf = (key: string | undefined) =>
  t.deps.db
    .selectFrom('appointment_event')
    .selectAll()
    .where('appointment_id', '=', key ?? '')
    .orderBy('id')
    .execute();

describe('booking', () => {
  test('[DATA-01] a session is answered as the calendar will show it', async () => {
    const made = await booked();
    expect(made).toEqual({
      Id: expect.stringMatching(/^APT-\d+$/) as string,
      StartDateTime: '11/23/2026, 8:30 AM',
      EndDateTime: '11/23/2026, 11:30 AM',
      Subject: 'Direct Therapy',
      Preferred_Provider_Name: names.therapist,
      Appointment_Status: 'Scheduled',
      'Client Name': names.client,
      Location: 'Altamonte',
      'Location Group': 'Central Florida',
      key: expect.any(String) as string,
      version: 1,
      service: 'direct',
      needs_cover: false,
      uncovered: [],
      clash: false,
      group: null,
    });
    const day = (await staff.call({ url: `/api/slots?date=${DAY}&location=altamonte` })).json<{
      appointments: WireAppointment[];
    }>();
    expect(day.appointments).toContainEqual(made);
    expect((await historyOf(made.key)).map((event) => [event.what, event.account_id])).toEqual([
      ['booked', staff.accountId],
    ]);
  });

  test('off the quarter hours, without a therapist, as administrative time, and to the end of the day', async () => {
    expect(await booked({ start: '08:07', end: '08:52' })).toMatchObject({ StartDateTime: '11/23/2026, 8:07 AM' });
    for (const therapist of [null, 'Unassigned']) {
      const nobody = await booked({
        therapist,
        start: therapist ? '10:00' : '09:00',
        end: therapist ? '11:00' : '10:00',
      });
      expect(nobody).toMatchObject({ Preferred_Provider_Name: 'Unassigned', needs_cover: true });
    }
    expect(await booked({ client: 'admin', start: '13:00', end: '14:00', subject: 'Notes' })).toMatchObject({
      'Client Name': 'Admin',
      service: 'admin',
    });
    expect(await booked({ start: '22:00', end: '24:00' })).toMatchObject({ EndDateTime: '11/24/2026, 12:00 AM' });
  });

  test('subjects decide the service', async () => {
    expect(await booked({ subject: ' supervision ' })).toMatchObject({
      service: 'supervision',
      Subject: 'supervision',
    });
    expect(await booked({ subject: 'Parent Training', start: '12:00', end: '13:00' })).toMatchObject({
      service: 'parent-training',
    });
    expect(await booked({ subject: 'Anything else', start: '14:00', end: '15:00' })).toMatchObject({
      service: 'direct',
    });
  });

  test('someone who is away may be booked; the reply says what needs cover', async () => {
    await buildAbsence(t.deps.db, { therapist: ana, date: DAY, end: '09:00' });
    expect(await booked()).toMatchObject({ needs_cover: true, uncovered: [{ start: '08:30', end: '09:00' }] });
  });

  test('[CAL-14] in the hour that a clock change skips the wall time stays as it was said', async () => {
    const made = await booked({ date: '2027-03-14', start: '02:30', end: '03:30' });
    expect(made).toMatchObject({ StartDateTime: '3/14/2027, 2:30 AM', EndDateTime: '3/14/2027, 3:30 AM' });
    expect(await rowOf(made.key)).toMatchObject({ starts: '2027-03-14 02:30:00', ends: '2027-03-14 03:30:00' });
  });

  test('what cannot be is refused with the field and the reason, and nothing is written', async () => {
    const before = await dayVersion(t.deps.db, 'altamonte', DAY);
    for (const [more, detail] of [
      [{ end: '08:30' }, 'end: the end must be after the start. Nothing was saved.'],
      [{ end: '08:00' }, 'end: the end must be after the start. Nothing was saved.'],
      [{ date: '2026-02-30' }, 'date: not a date that exists, written YYYY-MM-DD'],
      [{ subject: '  ' }, 'subject: must not be empty. Nothing was saved.'],
      [{ client: 'Admin', therapist: null }, 'therapist: administrative time needs a therapist. Nothing was saved.'],
      [{ therapist: 'Xyz Nobody' }, "No therapist named 'Xyz Nobody' at Altamonte. Nothing was changed."],
      [
        { client: `${names.client}x` },
        `No client named '${names.client}x' at Altamonte. Did you mean '${names.client}'?`,
      ],
      [{ weekly_until: '2026-11-22' }, 'weekly_until: must not be before the first session. Nothing was saved.'],
      [{ weekly_until: '2028-01-01' }, 'weekly_until: a series reaches at most a year. Nothing was saved.'],
    ] as const) {
      const reply = await post(session(more));
      expect([reply.statusCode, reply.json()], JSON.stringify(more)).toEqual([422, { detail }]);
    }
    expect(await dayVersion(t.deps.db, 'altamonte', DAY)).toBe(before);
  });
});

describe('double bookings', () => {
  test('a therapist who is booked already: 409 with whom and when, and nothing written', async () => {
    const other = await buildClient(t.deps.db, { first: 'Mo', last: `Diaz${person}` });
    await buildAppointment(t.deps.db, { therapist: ana, client: other, date: DAY, start: '09:00', end: '10:00' });
    const reply = await post(session());
    expect(reply.statusCode).toBe(409);
    const { detail } = reply.json<Refused>();
    const why = `${names.therapist} is booked on Mon, Nov 23, 9:00 AM - 10:00 AM with Mo Diaz${person}.`;
    expect(detail.message).toBe(`${why} Nothing was saved. Choose another time or therapist.`);
    expect(detail.conflicts).toEqual([
      {
        date: DAY,
        time: '9:00 AM - 10:00 AM',
        therapist: names.therapist,
        client: `Mo Diaz${person}`,
        location: 'altamonte',
        why,
      },
    ]);
    expect(await t.deps.db.selectFrom('appointment').select('id').where('client_id', '=', bo).execute()).toEqual([]);
    expect(await booked({ start: '10:00', end: '11:00' })).toMatchObject({ needs_cover: false }); // touching is not overlapping
  });

  test('a client who has a direct session then: 409; supervision beside it is right', async () => {
    const kai = await buildTherapist(t.deps.db, { first: 'Kai', last: `Wood${person}` });
    await buildAppointment(t.deps.db, { therapist: kai, client: bo, date: DAY, start: '09:00', end: '10:00' });
    const reply = await post(session());
    expect(reply.statusCode).toBe(409);
    expect(reply.json<Refused>().detail.conflicts.map((conflict) => conflict.why)).toEqual([
      `${names.client} has Direct Therapy on Mon, Nov 23, 9:00 AM - 10:00 AM with Kai Wood${person}.`,
    ]);
    await booked({ subject: 'Supervision' });
  });

  test('whom another location sees is not told to an account that may not work there', async () => {
    const secret = await buildClient(t.deps.db, { first: 'Secret', last: `Child${person}`, location: 'tampa' });
    await buildAppointment(t.deps.db, {
      therapist: ana,
      client: secret,
      date: DAY,
      start: '09:00',
      end: '10:00',
      location: 'tampa',
    });
    const reply = await post(session(), await t.signIn({ locations: ['altamonte'] }));
    expect(reply.statusCode).toBe(409);
    expect(reply.body).not.toContain('Secret');
    expect(reply.json<Refused>().detail.conflicts[0]).toMatchObject({
      time: '9:00 AM - 10:00 AM',
      therapist: names.therapist,
      location: 'tampa',
    });
  });

  test('a 2:1 client has two therapists at once, not three', async () => {
    const two = await buildClient(t.deps.db, { first: 'Two', last: `One${person}`, twoToOne: true });
    for (const last of ['x', 'y']) await buildTherapist(t.deps.db, { first: 'Kim', last: `${last}${person}` });
    const client = `Two One${person}`;
    const first = await booked({ client });
    const second = await booked({ client, therapist: `Kim x${person}`, start: '09:00' });
    expect([(await rowOf(first.key)).seat, (await rowOf(second.key)).seat]).toEqual([1, 2]);
    expect((await post(session({ client, therapist: `Kim y${person}` }))).statusCode).toBe(409);
    expect((await t.deps.db.selectFrom('appointment').select('id').where('client_id', '=', two).execute()).length).toBe(
      2,
    );
  });

  test('a group is one place: several clients, one therapist, the same time', async () => {
    const other = await buildClient(t.deps.db, { first: 'Mo', last: `Diaz${person}` });
    const first = await booked({ subject: 'Social Group' });
    const second = await booked({ subject: 'social group', client: `Mo Diaz${person}` });
    expect(first.group).toEqual(expect.any(String));
    expect(second.group).toBe(first.group);
    const apart = await post(
      session({ subject: 'Social Group', client: `Mo Diaz${person}`, start: '11:00', end: '12:00' }),
    );
    expect(apart.statusCode).toBe(409);
    expect(other).toBeTruthy();
  });

  test('administrative time gives way', async () => {
    await booked({ client: 'Admin', subject: 'Notes' });
    await booked();
  });

  test('of many bookings of one therapist at one time, sent at once, one is made and the others are told with whom', async () => {
    const clients = Array.from({ length: 16 }, (_, i) => `Race Client${person}x${i}`);
    for (const name of clients) await buildClient(t.deps.db, { first: 'Race', last: name.slice(5) });
    const replies = await Promise.all(clients.map((client, i) => post(session({ client, start: `09:${10 + i}` }))));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, ...Array<number>(15).fill(409)]);
    for (const reply of replies.filter((each) => each.statusCode === 409)) {
      expect(reply.json<Refused>().detail.conflicts[0]?.why).toContain('Race Client');
    }
  });
});

describe('what a family or the clinic decided', () => {
  test('an excluded therapist, another gender than wanted, or too low a credential is refused in words', async () => {
    const { db } = t.deps;
    await buildClient(db, { first: 'Never', last: `Ana${person}`, excludes: [ana] });
    await buildClient(db, { first: 'Only', last: `Men${person}`, requiresGender: ['Male'] });
    await buildClient(db, { first: 'Either', last: `Way${person}`, requiresGender: ['Male', 'Female'] });
    await buildTherapist(db, { first: 'Tech', last: `Nician${person}`, specialization: 'BT' });
    await db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', bo).execute();
    const refused = async (more: object) => {
      const reply = await post(session(more));
      expect(reply.statusCode, reply.body).toBe(422);
      return reply.json<{ detail: string }>().detail;
    };
    expect(await refused({ client: `Never Ana${person}` })).toContain(
      `is never with ${names.therapist} (client restriction)`,
    );
    expect(await refused({ client: `Only Men${person}` })).toContain('is only with male therapists');
    expect(await refused({ therapist: `Tech Nician${person}` })).toContain('needs an RBT or above');
    await booked({ client: `Either Way${person}` });
  });

  test('a change that keeps who is with whom is not stopped by it', async () => {
    const made = await booked();
    await t.deps.db
      .insertInto('client_restriction')
      .values({ client_id: bo, requires_gender: 'Male', excludes_therapist_id: null })
      .execute();
    expect((await put(made.key, session({ end: '11:00' }))).statusCode).toBe(200);
  });
});

describe('a weekly series', () => {
  test('books the same weekday of each week up to the last, as one series', async () => {
    const reply = await post(session({ weekly_until: '2026-12-14' }));
    expect(reply.statusCode, reply.body).toBe(201);
    const made = reply.json<WireAppointment[]>();
    expect(made.map((each) => each.StartDateTime)).toEqual(
      ['11/23', '11/30', '12/7', '12/14'].map((day) => `${day}/2026, 8:30 AM`),
    );
    expect(new Set(made.map((each) => each.Id)).size).toBe(4);
    const rows = await Promise.all(made.map((each) => rowOf(each.key)));
    expect(new Set(rows.map((row) => row.series_id)).size).toBe(1);
    expect(rows[0]?.series_id).not.toBeNull();
  });

  test('with one week in the way none is booked, and every week in the way is told', async () => {
    await booked({ date: '2026-11-30', start: '11:00', end: '12:00' });
    await booked({ date: '2026-12-14', start: '11:00', end: '12:00' });
    const reply = await post(session({ weekly_until: '2026-12-21' }));
    expect(reply.statusCode).toBe(409);
    expect([...new Set(reply.json<Refused>().detail.conflicts.map((conflict) => conflict.date))]).toEqual([
      '2026-11-30',
      '2026-12-14',
    ]);
    const rows = await t.deps.db.selectFrom('appointment').select('id').where('client_id', '=', bo).execute();
    expect(rows).toHaveLength(2);
  });
});

describe('a weekly series from one session on', () => {
  const series = async (): Promise<WireAppointment[]> => {
    const reply = await post(session({ weekly_until: '2026-12-14' }));
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json<WireAppointment[]>();
  };
  const times = async (made: readonly WireAppointment[]) =>
    (await Promise.all(made.map((each) => rowOf(each.key)))).map((row) => `${row.starts.slice(5, 16)} ${row.status}`);

  test('is moved with it, by as many days, by a whole week too; the weeks before stay', async () => {
    const made = await series();
    const reply = await put(
      made[1]?.key,
      session({ date: '2026-12-01', start: '09:00', end: '12:00', scope: 'following' }),
    );
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await times(made)).toEqual([
      '11-23 08:30 pending',
      '12-01 09:00 pending',
      '12-08 09:00 pending',
      '12-15 09:00 pending',
    ]);
    const week = session({ date: '2026-12-08', start: '09:00', end: '12:00', scope: 'following' });
    expect((await put(made[1]?.key, week)).statusCode).toBe(200);
    expect(await times(made)).toEqual([
      '11-23 08:30 pending',
      '12-08 09:00 pending',
      '12-15 09:00 pending',
      '12-22 09:00 pending',
    ]);
    expect((await put(made[1]?.key, { ...week, date: '2026-12-01' })).statusCode).toBe(200);
    const rows = await Promise.all(made.map((each) => rowOf(each.key)));
    expect(new Set(rows.map((row) => row.series_id)).size).toBe(2);
    expect((await historyOf(made[3]?.key)).map((event) => event.what)).toEqual(['booked', 'moved', 'moved', 'moved']);
  });

  test('with one week in the way nothing is moved, and only that week is told', async () => {
    const made = await series();
    await booked({ date: '2026-12-07', start: '14:00', end: '15:00' });
    const reply = await put(made[0]?.key, session({ start: '14:00', end: '16:00', scope: 'following' }));
    expect(reply.statusCode).toBe(409);
    const { conflicts } = reply.json<Refused>().detail;
    expect([...new Set(conflicts.map((conflict) => conflict.date))]).toEqual(['2026-12-07']);
    expect((await times(made)).every((time) => time.includes('08:30'))).toBe(true);
  });

  test('leaves alone what was changed alone, and what is cancelled', async () => {
    const made = await series();
    await put(made[1]?.key, session({ date: '2026-11-30', start: '10:00' }));
    await cancel(made[2]?.key);
    await put(made[0]?.key, session({ start: '08:00', status: 'Completed', scope: 'following' }));
    expect(await times(made)).toEqual([
      '11-23 08:00 fulfilled',
      '11-30 10:00 pending',
      '12-07 08:30 cancelled',
      '12-14 08:00 pending',
    ]);
  });

  test('is cancelled with it; a session in no series has nothing that follows', async () => {
    const made = await series();
    const reply = await cancel(made[1]?.key, { scope: 'following', reason: 'Moving away' });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', Id: made[1]?.Id });
    expect((await times(made)).map((time) => time.slice(12))).toEqual([
      'pending',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(await dayVersion(t.deps.db, 'altamonte', '2026-12-14')).toBeGreaterThan(1);
    const alone = await booked({ date: '2026-11-24' });
    expect((await cancel(alone.key, { scope: 'following' })).statusCode).toBe(422);
    expect((await put(alone.key, session({ date: '2026-11-24', end: '11:00', scope: 'following' }))).statusCode).toBe(
      422,
    );
  });
});

test('who has left keeps past sessions, and these can still be put right', async () => {
  const { db } = t.deps;
  const key = await buildAppointment(db, {
    therapist: ana,
    client: bo,
    date: '2026-11-19',
    start: '09:00',
    end: '10:00',
  });
  await db.updateTable('therapist').set({ deleted_at: new Date().toISOString() }).where('id', '=', ana).execute();
  const reply = await put(key, session({ date: '2026-11-19', start: '09:00', end: '10:00', status: 'Completed' }));
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    { Appointment_Status: 'Completed', Preferred_Provider_Name: names.therapist },
  ]);
  expect((await post(session())).statusCode).toBe(422);
});

describe('changing', () => {
  test('moves, reassigns and renames; both days count the change; the history tells it', async () => {
    const kai = await buildTherapist(t.deps.db, { first: 'Kai', last: `Wood${person}`, location: 'tampa' });
    const made = await booked();
    const versions = async () =>
      Promise.all(
        (
          [
            ['altamonte', DAY],
            ['altamonte', '2026-11-25'],
            ['tampa', '2026-11-25'],
          ] as const
        ).map(([location, date]) => dayVersion(t.deps.db, location, date)),
      );
    const before = await versions();
    const reply = await put(
      made.key,
      session({
        date: '2026-11-25',
        therapist: `Kai Wood${person}`,
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
      Preferred_Provider_Name: `Kai Wood${person}`,
      Appointment_Status: 'Confirmed',
      service: 'parent-training',
      version: 2,
    });
    expect(await versions()).toEqual(before.map((version) => version + 1));
    const events = await historyOf(made.key);
    expect(events.map((event) => event.what)).toEqual(['booked', 'moved']);
    expect(events[1]).toMatchObject({
      before: { therapistId: ana, starts: `${DAY} 08:30:00` },
      after: { therapistId: kai, starts: '2026-11-25 09:00:00' },
    });
  });

  test('saved unchanged, nothing is written', async () => {
    const made = await booked();
    const before = await dayVersion(t.deps.db, 'altamonte', DAY);
    expect((await put(made.key, session({ version: 1 }))).json()).toEqual(made);
    expect(await dayVersion(t.deps.db, 'altamonte', DAY)).toBe(before);
    expect(await historyOf(made.key)).toHaveLength(1);
  });

  test('over a newer version it is refused with the newest, and of changes at once one is made', async () => {
    const made = await booked();
    const replies = await Promise.all(
      ['11:00', '11:10', '11:20'].map((end) => put(made.key, session({ end, version: 1 }))),
    );
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409]);
    const late = replies.find((reply) => reply.statusCode === 409);
    expect(late?.json<Refused>().detail).toMatchObject({ version: 2 });
  });

  test('into another booking it is refused with names, and the session stays', async () => {
    await booked({ start: '12:00', end: '13:00' });
    const made = await booked();
    const reply = await put(made.key, session({ end: '12:30' }));
    expect(reply.statusCode).toBe(409);
    expect(reply.json<Refused>().detail.conflicts[0]?.time).toBe('12:00 PM - 1:00 PM');
    expect((await rowOf(made.key)).ends).toBe(`${DAY} 11:30:00`);
  });

  test('moving one of an imported clash ends it for both; what still overlaps stays flagged', async () => {
    const { db } = t.deps;
    const [mo, io] = [await buildClient(db, { first: 'Mo', last: `Diaz${person}` }), await buildClient(db)];
    const clash = `knot${person}`;
    const one = await buildAppointment(db, {
      therapist: ana,
      client: bo,
      date: DAY,
      start: '08:30',
      end: '10:00',
      clash,
    });
    const two = await buildAppointment(db, {
      therapist: ana,
      client: mo,
      date: DAY,
      start: '09:30',
      end: '11:00',
      clash,
    });
    const three = await buildAppointment(db, {
      therapist: ana,
      client: io,
      date: DAY,
      start: '09:45',
      end: '12:00',
      clash,
    });
    expect((await put(one, session({ start: '13:00', end: '14:00' }))).json()).toMatchObject({ clash: false });
    expect((await rowOf(one)).place).toBe(one);
    expect([(await rowOf(two)).clash, (await rowOf(three)).clash]).toEqual([true, true]);
    await cancel(three);
    expect(await rowOf(two)).toMatchObject({ clash: false, place: two, client_place: two });
  });

  test('a cancelled session that is to take place again must find its time free', async () => {
    const made = await booked();
    await cancel(made.key);
    const other = await buildClient(t.deps.db, { first: 'Mo', last: `Diaz${person}` });
    const rival = await buildAppointment(t.deps.db, {
      therapist: ana,
      client: other,
      date: DAY,
      start: '09:00',
      end: '10:00',
    });
    expect((await put(made.key, session({ status: 'Scheduled' }))).statusCode).toBe(409);
    await cancel(rival);
    expect((await put(made.key, session({ status: 'Scheduled' }))).json()).toMatchObject({
      Appointment_Status: 'Scheduled',
    });
  });

  test('a key that is none, or a series of a session that exists, is refused', async () => {
    expect((await put('00000000-0000-4000-8000-000000000000', session())).statusCode).toBe(404);
    expect((await put('7', session())).statusCode).toBe(422);
    const made = await booked();
    expect((await put(made.key, session({ weekly_until: '2026-12-14' }))).statusCode).toBe(422);
  });
});

describe('cancelling', () => {
  test('keeps the session with its history; once more changes nothing', async () => {
    const made = await booked();
    const reply = await cancel(made.key, { reason: 'School trip', version: 1 });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false, version: 2 });
    expect((await cancel(made.key)).json()).toMatchObject({ version: 2 });
    expect((await historyOf(made.key)).map((event) => [event.what, event.reason])).toEqual([
      ['booked', null],
      ['cancelled', 'School trip'],
    ]);
    await booked(); // the time is free again
  });

  test('family told: an open session is settled and needs nobody any longer', async () => {
    const made = await booked({ therapist: null });
    expect(made.needs_cover).toBe(true);
    const reply = await cancel(made.key, { family_told: true });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false });
    const row = await rowOf(made.key);
    expect(Date.parse(row.family_told_at ?? '')).toBeGreaterThan(0);
    await cancel(made.key, { family_told: true });
    expect((await historyOf(made.key)).map((event) => event.what)).toEqual(['booked', 'family told: cancelled']);
  });

  test('a completed session, a newer version or an unknown key is refused', async () => {
    const done = await buildAppointment(t.deps.db, {
      therapist: ana,
      client: bo,
      date: '2026-11-19',
      start: '09:00',
      end: '10:00',
      status: 'fulfilled',
    });
    expect((await cancel(done)).statusCode).toBe(422);
    const made = await booked();
    expect((await cancel(made.key, { version: 7 })).json<Refused>().detail).toMatchObject({ version: 1 });
    expect((await cancel('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  });
});

test('an account of one location books, moves and cancels there alone', async () => {
  const tampa = await t.signIn({ locations: ['tampa'] });
  const made = await booked();
  expect((await post(session(), tampa)).statusCode).toBe(403);
  expect((await put(made.key, session({ location: 'tampa' }), tampa)).statusCode).toBe(403);
  expect((await cancel(made.key, {}, tampa)).statusCode).toBe(403);
  const altamonte = await t.signIn({ locations: ['altamonte'] });
  expect((await put(made.key, session({ location: 'tampa' }), altamonte)).statusCode).toBe(403);
  expect((await rowOf(made.key)).version).toBe(1);
});

test('every write is in the audit trail by id and told to the pages of the location; no name reaches the log', async () => {
  const heard: object[] = [];
  const stop = t.deps.events.subscribe((event) => heard.push(event));
  const made = await booked();
  await put(made.key, session({ end: '11:00' }));
  await cancel(made.key);
  const rows = await t.deps.db.selectFrom('audit').selectAll().where('subject_kind', '=', 'appointment').execute();
  const of = rows.filter((row) => row.subject_ids.includes(made.key ?? ''));
  expect(of.map((row) => row.action).sort()).toEqual([
    'appointment.booked',
    'appointment.cancelled',
    'appointment.changed',
  ]);
  expect(of.every((row) => row.account_id === staff.accountId && row.location === 'altamonte')).toBe(true);
  expect(JSON.stringify(of)).toContain(bo);
  expect(JSON.stringify(of)).not.toContain(names.client);
  const event = { kind: 'appointments', location: 'altamonte', dates: [DAY], by: staff.accountId };
  await expect.poll(() => heard).toEqual([event, event, event]);
  stop();
  expect(t.logLines.join('\n')).not.toContain(names.client);
});
