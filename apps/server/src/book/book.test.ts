// This file is over 250 lines because it tests everything that a booking may and may not do, case by case.
import { describe, expect, test } from 'vitest';
import type { WireAppointment } from '@clinic/contract';
import { buildAbsence, buildClient, buildTherapist, dayVersion } from '../testing/builders.ts';
import { DAY, useDesk, type Refused } from '../testing/desk.ts';

const desk = useDesk();

describe('booking a session', () => {
  test('[DATA-01] the reply has the session as the calendar will show it', async () => {
    const made = await desk.booked();
    expect(made).toEqual({
      Id: expect.stringMatching(/^APT-\d+$/) as string,
      StartDateTime: '11/23/2026, 8:30 AM',
      EndDateTime: '11/23/2026, 11:30 AM',
      Subject: 'Direct Therapy',
      Preferred_Provider_Name: desk.names.therapist,
      Appointment_Status: 'Scheduled',
      'Client Name': desk.names.client,
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
    const day = (await desk.staff.call({ url: `/api/slots?date=${DAY}&location=altamonte` })).json<{
      appointments: WireAppointment[];
    }>();
    // The calendar also says what is wrong with it: the therapist’s availability is not recorded for that time.
    expect(day.appointments).toContainEqual(expect.objectContaining(made));
    expect((await desk.historyOf(made.key)).map((event) => [event.what, event.account_id])).toEqual([
      ['booked', desk.staff.accountId],
    ]);
  });

  test('a booking may be off the quarter hour, have no therapist, be administrative time, or end at midnight', async () => {
    expect(await desk.booked({ start: '08:07', end: '08:52' })).toMatchObject({ StartDateTime: '11/23/2026, 8:07 AM' });
    for (const therapist of [null, 'Unassigned']) {
      const nobody = await desk.booked({
        therapist,
        start: therapist ? '10:00' : '09:00',
        end: therapist ? '11:00' : '10:00',
      });
      expect(nobody).toMatchObject({ Preferred_Provider_Name: 'Unassigned', needs_cover: true });
    }
    expect(await desk.booked({ client: 'admin', start: '13:00', end: '14:00', subject: 'Notes' })).toMatchObject({
      'Client Name': 'Admin',
      service: 'admin',
    });
    expect(await desk.booked({ start: '22:00', end: '24:00' })).toMatchObject({ EndDateTime: '11/24/2026, 12:00 AM' });
  });

  test('the subject determines the service', async () => {
    expect(await desk.booked({ subject: ' supervision ', anyway: true })).toMatchObject({
      service: 'supervision',
      Subject: 'supervision',
    });
    expect(await desk.booked({ subject: 'Parent Training', start: '12:00', end: '13:00', anyway: true })).toMatchObject(
      {
        service: 'parent-training',
      },
    );
    expect(await desk.booked({ subject: 'Anything else', start: '14:00', end: '15:00' })).toMatchObject({
      service: 'direct',
    });
  });

  test('a therapist who is away can be booked, and the reply lists what needs cover', async () => {
    await buildAbsence(desk.db, { therapist: desk.ana, date: DAY, end: '09:00' });
    expect(await desk.booked()).toMatchObject({ needs_cover: true, uncovered: [{ start: '08:30', end: '09:00' }] });
  });

  test('[CAL-14] the local time is stored as entered, even in the hour that a clock change skips', async () => {
    const made = await desk.booked({ date: '2027-03-14', start: '02:30', end: '03:30' });
    expect(made).toMatchObject({ StartDateTime: '3/14/2027, 2:30 AM', EndDateTime: '3/14/2027, 3:30 AM' });
    expect(await desk.rowOf(made.key)).toMatchObject({ starts: '2027-03-14 02:30:00', ends: '2027-03-14 03:30:00' });
  });

  test('an impossible booking is refused with the field and the reason, and nothing is written', async () => {
    const before = await dayVersion(desk.db, 'altamonte', DAY);
    for (const [more, detail] of [
      [{ end: '08:30' }, 'end: the end must be after the start. Nothing was saved.'],
      [{ end: '08:00' }, 'end: the end must be after the start. Nothing was saved.'],
      [{ date: '2026-02-30' }, 'date: not a date that exists, written YYYY-MM-DD'],
      [{ subject: '  ' }, 'subject: must not be empty. Nothing was saved.'],
      [{ client: 'Admin', therapist: null }, 'therapist: administrative time needs a therapist. Nothing was saved.'],
      [{ therapist: 'Xyz Nobody' }, "No therapist named 'Xyz Nobody' at Altamonte. Nothing was changed."],
      [
        { client: `${desk.names.client}x` },
        `No client named '${desk.names.client}x' at Altamonte. Did you mean '${desk.names.client}'?`,
      ],
      [
        { weekly_until: '2026-11-22' },
        'weekly_until: must be on or after the first session’s date. Nothing was saved.',
      ],
      [{ weekly_until: '2028-01-01' }, 'weekly_until: a series can run for at most a year. Nothing was saved.'],
    ] as const) {
      const reply = await desk.post(desk.session(more));
      expect([reply.statusCode, reply.json()], JSON.stringify(more)).toEqual([422, { detail }]);
    }
    expect(await dayVersion(desk.db, 'altamonte', DAY)).toBe(before);
  });
});

describe('rules of the family or the clinic', () => {
  test('an excluded therapist, the wrong gender, or a credential that is too low, is refused with the reason', async () => {
    const { db } = desk;
    await buildClient(db, { first: 'Never', last: `Ana${desk.person}`, excludes: [desk.ana] });
    await buildClient(db, { first: 'Only', last: `Men${desk.person}`, requiresGender: ['Male'] });
    await buildClient(db, { first: 'Either', last: `Way${desk.person}`, requiresGender: ['Male', 'Female'] });
    await buildTherapist(db, { first: 'Tech', last: `Nician${desk.person}`, specialization: 'BT' });
    await db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', desk.bo).execute();
    const refused = async (more: object) => {
      const reply = await desk.post(desk.session(more));
      expect(reply.statusCode, reply.body).toBe(422);
      return reply.json<{ detail: string }>().detail;
    };
    expect(await refused({ client: `Never Ana${desk.person}` })).toContain(
      `cannot be booked with ${desk.names.therapist} (client restriction)`,
    );
    expect(await refused({ client: `Only Men${desk.person}` })).toContain('can be booked only with male therapists');
    expect(await refused({ therapist: `Tech Nician${desk.person}` })).toContain('needs an RBT or above');
    await desk.booked({ client: `Either Way${desk.person}` });
  });

  test("given a new restriction against its therapist, a session's end can still be changed", async () => {
    const made = await desk.booked();
    await desk.db
      .insertInto('client_restriction')
      .values({ client_id: desk.bo, requires_gender: 'Male', excludes_therapist_id: null })
      .execute();
    expect((await desk.put(made.key, desk.session({ end: '11:00' }))).statusCode).toBe(200);
  });
});

describe('a weekly series', () => {
  test('a series is booked on the same day of each week up to the last date', async () => {
    const reply = await desk.post(desk.session({ weekly_until: '2026-12-14' }));
    expect(reply.statusCode, reply.body).toBe(201);
    const made = reply.json<WireAppointment[]>();
    expect(made.map((each) => each.StartDateTime)).toEqual(
      ['11/23', '11/30', '12/7', '12/14'].map((day) => `${day}/2026, 8:30 AM`),
    );
    expect(new Set(made.map((each) => each.Id)).size).toBe(4);
    const rows = await Promise.all(made.map((each) => desk.rowOf(each.key)));
    expect(new Set(rows.map((row) => row.series_id)).size).toBe(1);
    expect(rows[0]?.series_id).not.toBeNull();
  });

  test('if one week of a series conflicts, nothing is booked, and the refusal lists every week with a conflict', async () => {
    await desk.booked({ date: '2026-11-30', start: '11:00', end: '12:00' });
    await desk.booked({ date: '2026-12-14', start: '11:00', end: '12:00' });
    const reply = await desk.post(desk.session({ weekly_until: '2026-12-21' }));
    expect(reply.statusCode).toBe(409);
    expect([...new Set(reply.json<Refused>().detail.conflicts.map((conflict) => conflict.date))]).toEqual([
      '2026-11-30',
      '2026-12-14',
    ]);
    const rows = await desk.db.selectFrom('appointment').select('id').where('client_id', '=', desk.bo).execute();
    expect(rows).toHaveLength(2);
  });
});

describe('booking a therapist before their first or after their last day', () => {
  const dates = ['2026-12-11', '2026-12-14', '2026-12-18', '2026-12-21'];

  test('the booking is refused with the reason; with “Book anyway”, it is stored, and its history names the rule', async () => {
    const { db } = desk;
    await buildTherapist(db, { first: 'Newt', last: 'Starter', firstDay: '2026-12-14', lastDay: '2026-12-18' });
    await buildClient(db, { first: 'Dated', last: 'Client' });
    const body = (date: string) => ({
      location: 'altamonte',
      client: 'Dated Client',
      therapist: 'Newt Starter',
      date,
      start: '09:00',
      end: '10:00',
      subject: 'Direct Therapy',
    });
    const replies = [];
    for (const date of dates) replies.push(await desk.post(body(date)));
    expect(replies.map((reply) => reply.statusCode)).toEqual([409, 201, 201, 409]);
    expect([replies[0], replies[3]].map((reply) => reply?.json<{ detail: object }>().detail)).toEqual([
      expect.objectContaining({
        anyway: true,
        message: expect.stringContaining('starts on Monday, December 14') as unknown,
      }),
      expect.objectContaining({
        anyway: true,
        message: expect.stringContaining('last day is Friday, December 18') as unknown,
      }),
    ]);
    const weekly = await desk.post({ ...body('2026-12-15'), weekly_until: '2026-12-29' });
    expect(weekly.statusCode).toBe(409);

    const passed = await desk.post({ ...body('2026-12-21'), anyway: true });
    expect(passed.statusCode, passed.body).toBe(201);
    const [booked] = passed.json<WireAppointment[]>();
    const event = await db
      .selectFrom('appointment_event')
      .select('reason')
      .where('appointment_id', '=', booked?.key ?? '')
      .executeTakeFirstOrThrow();
    expect(event.reason).toContain('before the therapist’s first day or after their last');

    const key = replies[1]?.json<WireAppointment[]>()[0]?.key;
    const put = (payload: object) => desk.put(key, payload);
    expect((await put(body('2026-12-10'))).statusCode).toBe(409);
    expect((await put({ ...body('2026-12-14'), subject: 'Group Therapy' })).statusCode).toBe(200);
    expect((await put({ ...body('2026-12-10'), anyway: true })).statusCode).toBe(200);
  });
});

test('a therapist without a skill that the client needs can be booked only with “Book anyway”', async () => {
  const { db } = desk;
  await buildTherapist(db, { first: 'Tagged', last: 'Until', tags: [['Spanish', null, '2026-12-14']] });
  await buildClient(db, { first: 'Needy', last: 'Child', needs: ['spanish'], prefers: ['Feeding'] });
  const body = (date: string) => ({
    location: 'altamonte',
    client: 'Needy Child',
    therapist: 'Tagged Until',
    date,
    start: '09:00',
    end: '10:00',
    subject: 'Direct Therapy',
  });
  const met = await desk.post(body('2026-12-14'));
  expect(met.statusCode, met.body).toBe(201);
  const refused = await desk.post(body('2026-12-15'));
  expect([refused.statusCode, refused.json<{ detail: object }>().detail]).toEqual([
    409,
    expect.objectContaining({
      anyway: true,
      message: expect.stringContaining('Needy Child needs spanish, which Tagged Until does not have') as unknown,
    }),
  ]);
  const key = met.json<WireAppointment[]>()[0]?.key;
  expect((await desk.put(key, body('2026-12-15'))).statusCode).toBe(409);
  const passed = await desk.put(key, { ...body('2026-12-15'), anyway: true });
  expect(passed.statusCode, passed.body).toBe(200);
  const events = await db
    .selectFrom('appointment_event')
    .select('reason')
    .where('appointment_id', '=', key ?? '')
    .orderBy('id')
    .execute();
  expect(events.map(({ reason }) => reason)).toEqual([
    null,
    'Booked with a therapist who lacks a skill that the client needs',
  ]);
});

test('a therapist can be booked on a date without valid availability or credential only with “Book anyway”', async () => {
  const { db } = desk;
  await buildTherapist(db, {
    first: 'Dated',
    last: 'Window',
    credential: [null, '2026-12-14'],
    windows: [
      [1, '09:00', '17:00', null, '2026-12-14'],
      [2, '09:00', '17:00'],
    ],
  });
  const child = await buildClient(db, { first: 'Strict', last: 'Child' });
  await db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', child).execute();
  const body = (date: string, start = '09:00', end = '10:00') => ({
    location: 'altamonte',
    client: 'Strict Child',
    therapist: 'Dated Window',
    date,
    start,
    end,
    subject: 'Direct Therapy',
  });
  const said = async (payload: object) => {
    const reply = await desk.post(payload);
    return [
      reply.statusCode,
      reply.statusCode === 409 ? reply.json<{ detail: { message: string } }>().detail.message : '',
    ];
  };
  expect(await said(body('2026-12-14'))).toEqual([201, '']);
  const outside = await said(body('2026-12-14', '18:00', '19:00'));
  expect(outside).toEqual([
    409,
    expect.stringContaining('Monday 6:00 PM - 7:00 PM is not in Dated Window’s availability.'),
  ]);
  expect(await said(body('2026-12-21'))).toEqual([
    409,
    expect.stringMatching(/needs an RBT.*Monday 9:00 AM - 10:00 AM is not in Dated Window’s availability/),
  ]);
  expect(await said(body('2026-12-15'))).toEqual([409, expect.stringContaining('no valid RBT credential')]);
  expect(await said({ ...body('2026-12-21'), anyway: true })).toEqual([201, '']);
  const { reason } = await db
    .selectFrom('appointment_event')
    .innerJoin('appointment', 'appointment.id', 'appointment_id')
    .select('reason')
    .where('client_id', '=', child)
    .where('starts', '=', '2026-12-21 09:00:00')
    .executeTakeFirstOrThrow();
  expect(reason).toBe(
    'Booked with a therapist whose credential has expired; Booked outside the therapist’s availability',
  );
});

test('a BCBA whose credential has expired can be booked for direct therapy, but for supervision only with “Book anyway”', async () => {
  await buildTherapist(desk.db, {
    first: 'Was',
    last: 'Supervisor',
    specialization: 'BCBA',
    credential: [null, '2026-12-14'],
  });
  const said = async (date: string, subject: string, more: object = {}) => {
    const reply = await desk.post(
      desk.session({ therapist: 'Was Supervisor', date, start: '09:00', subject, ...more }),
    );
    return [reply.statusCode, reply.statusCode === 409 ? reply.json<Refused>().detail.message : ''];
  };
  expect(await said('2026-12-14', 'Supervision')).toEqual([201, '']);
  expect(await said('2026-12-15', 'Direct Therapy')).toEqual([201, '']);
  for (const [date, subject] of [['2026-12-16', 'Supervision'] as const, ['2026-12-17', 'Parent Training'] as const]) {
    const reason = `${subject} needs a BCBA; Was Supervisor has no valid BCBA credential on that date.`;
    expect(await said(date, subject)).toEqual([409, expect.stringContaining(reason)]);
    expect(await said(date, subject, { anyway: true })).toEqual([201, '']);
  }
  expect(await said('2026-12-18', 'Supervision', { therapist: desk.names.therapist })).toEqual([
    409,
    expect.stringContaining(`Supervision needs a BCBA; ${desk.names.therapist} is not a BCBA.`),
  ]);
});

test('a series that needs more hours than are authorized can be booked only with “Book anyway”', async () => {
  const { db } = desk;
  await buildTherapist(db, { first: 'Paid', last: 'For' });
  // Five hours for all of 2027: enough for two and a half sessions of two hours.
  const authorizations = [{ from: '2027-01-01', until: '2027-12-31', units: 20 }];
  await buildClient(db, { first: 'Payer', last: 'Child', authorizations });
  const body = (date: string, more: object = {}) => ({
    location: 'altamonte',
    client: 'Payer Child',
    therapist: 'Paid For',
    date,
    start: '09:00',
    end: '11:00',
    subject: 'Direct Therapy',
    ...more,
  });
  const refused = await desk.post(body('2027-02-01', { weekly_until: '2027-02-22' }));
  expect([refused.statusCode, refused.json<{ detail: object }>().detail]).toEqual([
    409,
    expect.objectContaining({
      anyway: true,
      message: expect.stringContaining('No authorization pays for this session on Mon, Feb 22.') as unknown,
    }),
  ]);
  const series = await desk.post(body('2027-02-01', { weekly_until: '2027-02-15' }));
  expect(series.statusCode, series.body).toBe(201);
  expect((await desk.post(body('2027-02-16'))).statusCode).toBe(409);
  const key = series.json<WireAppointment[]>()[0]?.key;
  // The hours of a session being moved are not counted twice.
  const moved = await desk.put(key, body('2027-02-02'));
  expect(moved.statusCode, moved.body).toBe(200);
  const passed = await desk.post(body('2027-02-17', { anyway: true }));
  expect(passed.statusCode, passed.body).toBe(201);
  const events = await db
    .selectFrom('appointment_event')
    .select('reason')
    .where('appointment_id', '=', passed.json<WireAppointment[]>()[0]?.key ?? '')
    .execute();
  expect(events.map(({ reason }) => reason)).toEqual(['Booked without an authorization that pays for it']);
});

test('a session without a therapist that may still be covered uses authorized units before a new booking, as in a plan', async () => {
  const { db } = desk;
  await buildTherapist(db, { first: 'Una', last: 'Paid' });
  const authorizations = [{ from: '2027-03-01', until: '2027-03-31', units: 8 }];
  await buildClient(db, { first: 'Una', last: 'Child', authorizations });
  const body = (date: string, therapist: string | null, start: string, end: string) =>
    ({ location: 'altamonte', client: 'Una Child', therapist, date, start, end, subject: 'Direct Therapy' }) as const;
  const open = await desk.post(body('2027-03-01', null, '09:00', '11:00'));
  expect(open.statusCode, open.body).toBe(201);
  for (const date of ['2027-03-01', '2027-03-02']) {
    const refused = await desk.post(body(date, 'Una Paid', '13:00', '14:00'));
    expect(refused.statusCode, refused.body).toBe(409);
    expect(refused.json<Refused>().detail).toMatchObject({ anyway: true });
  }
  // The session itself is paid for, so it can be moved.
  const key = open.json<WireAppointment[]>()[0]?.key;
  const moved = await desk.put(key, body('2027-03-03', null, '09:00', '11:00'));
  expect(moved.statusCode, moved.body).toBe(200);
  expect((await desk.post(body('2027-03-02', 'Una Paid', '13:00', '14:00'))).statusCode).toBe(201);
});
