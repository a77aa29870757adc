// This file is over 250 lines because closing, reopening and holidays start from the same small clinic.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type {
  CallsReply,
  ChoicesReply,
  Closure,
  ClosingPreview,
  Holiday,
  Reopened,
  TodayReply,
} from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { slotsOf } from '../../testing/calls.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

// Friday, November 22, 2030; the clock stands on the Thursday before, in the afternoon.
const day = (n: number) => addDays(isoDate(DATE), n);
const AFTERNOON_BEFORE = Date.parse(`${day(-1)}T22:00:00Z`);
let now = AFTERNOON_BEFORE;
const clock = { now: () => now };

let t: SmallApp;
beforeEach(async () => {
  now = AFTERNOON_BEFORE;
  t = await openSmallClinic(t?.app, { deps: { clock } });
});
afterAll(() => t.app.close());

const STORM = {
  locations: ['altamonte'],
  from_date: DATE,
  from_time: '00:00',
  to_date: DATE,
  to_time: '24:00',
  name: 'Hurricane Odette',
  cause: 'weather',
};
const HOLIDAY = { from_time: '00:00', to_time: '24:00', name: 'Day after Thanksgiving' };
const post = (path: string, payload: object, who = t.who) => who.call({ method: 'POST', url: `/api${path}`, payload });
async function done<T>(reply: ReturnType<typeof post>): Promise<T> {
  const { statusCode, body, json } = await reply;
  expect(statusCode, body).toBe(200);
  return json<T>();
}
interface Closed {
  closures: string[];
  sessions: number;
  families: number;
  staff: number;
}
const close = (more: object = {}) => done<Closed>(post('/closures', { ...STORM, ...more }));
const preview = (more: object = {}) => done<ClosingPreview>(post('/closures/preview', { ...STORM, ...more }));
const reopen = (id: string | undefined, more: object = {}) =>
  done<Reopened>(post(`/closures/${id}/reopen`, { location: 'altamonte', ...more }));
const listed = async () => (await t.who.call({ url: '/api/closures' })).json<Closure[]>();
const lines = async (date: string = DATE) =>
  (await t.who.call({ url: `/api/calls?date=${date}&location=altamonte` })).json<CallsReply>().lines;

/** All appointments but their history: every column except versions and times of change. */
async function rows(): Promise<unknown[]> {
  const found = await sql<{ row: object }>`
    select to_jsonb(a) - 'version' - 'updated_at' as row from appointment a where status <> 'entered-in-error' order by id`.execute(
    t.db,
  );
  return found.rows.map(({ row }) => row);
}

/** A day of 70 sessions: 35 children in the morning and again in the afternoon, each half with other therapists. */
async function fullDay(date: string): Promise<void> {
  const windows = [1, 2, 3, 4, 5].map((d): [number, string, string] => [d, '08:00', '17:00']);
  for (let i = 0; i < 35; i += 1) {
    const client = await buildClient(t.db, { first: `Kid${i}`, last: 'Day' });
    const therapist = await buildTherapist(t.db, { first: `Staff${i}`, last: 'Day', windows });
    await buildAppointment(t.db, { therapist, client, date, start: '08:30', end: '11:30' });
    await buildAppointment(t.db, { therapist, client, date, start: '13:00', end: '16:00' });
  }
}

test('given a therapist who has only admin time that day, then they are told that it is cancelled, and released', async () => {
  const { max } = t.clinic;
  await buildAppointment(t.db, { therapist: max, client: null, date: DATE, start: '09:00', end: '12:00' });
  await close();
  const { reserve } = (
    await t.who.call({ url: '/api/today', query: { date: DATE, location: 'altamonte' } })
  ).json<TodayReply>();
  expect(reserve).toEqual([]);
  expect((await lines()).find(({ name }) => name === 'Max Dean')?.say).toEqual([
    'Altamonte is closed on Fri, Nov 22 because of Hurricane Odette.',
    'Friday, November 22, 2030: Admin time from 9:00 to 12:00 is cancelled.',
    'You are released from 9:00 on.',
  ]);
});

test('given a location-day of 70 sessions, then closing is one act, everybody is on the call list once, and reopening gives identical rows', async () => {
  await fullDay(day(3));
  // Administrative time always has its therapist, also while it is closed; a part of it stays, and comes together again.
  for (const [start, end] of [
    ['09:00', '10:00'],
    ['16:30', '18:00'],
  ] as const)
    await buildAppointment(t.db, { therapist: t.clinic.max, client: null, date: day(3), start, end });
  const before = await rows();
  const on = { from_date: day(3), to_date: day(3), to_time: '17:00' };
  const said = await preview(on);
  expect(said).toMatchObject({ sessions: 70, minutes: 70 * 180, families: 35, staff: 36 });
  expect(said.days).toMatchObject([{ date: day(3), sessions: 70, staff: 36, stay: 0, already: [] }]);
  expect(said.words).toBe(
    'Altamonte is closed on Mon, Nov 25 until 5:00 because of Hurricane Odette. Your sessions then do not take place.',
  );
  expect(await rows()).toEqual(before);
  const { closures, ...what } = await close(on);
  expect(what).toEqual({ sessions: 70, families: 35, staff: 36 });
  const calls = await lines(day(3));
  const names = calls.map(({ name }) => name);
  expect(names.filter((name) => name.includes('Day'))).toHaveLength(70);
  expect(new Set(names).size).toBe(names.length);
  const first = calls.find(({ name }) => name.includes('Kid0'));
  expect(first?.say).toContain('Altamonte is closed on Mon, Nov 25 until 5:00 because of Hurricane Odette.');
  const again = await close(on);
  expect(again).toMatchObject({ closures, sessions: 0 });
  expect(await reopen(closures[0])).toEqual({ back: 70, stays: [], families: 35, staff: 36 });
  expect(await rows()).toEqual(before);
  expect(await lines(day(3))).toEqual([]);
}, 60_000);

test('given sessions by video, then closing keeps them and says so, unless it is asked to cancel them too', async () => {
  const { db, clinic } = t;
  // Ana sees Bo at the location until 11:30, then Ida by video from home; Kai has only a session by video.
  const video = { date: DATE, subject: 'Parent Training - Telehealth' };
  const kept = [
    await buildAppointment(db, { ...video, therapist: clinic.ana, client: clinic.ida, start: '14:00', end: '15:00' }),
    await buildAppointment(db, { ...video, therapist: clinic.kai, client: clinic.ida, start: '16:00', end: '17:00' }),
  ];
  // Administrative time is at the location, whatever it is called.
  const admin = { therapist: clinic.max, client: null, date: DATE, start: '09:00', end: '10:00' };
  await buildAppointment(db, { ...admin, subject: 'Video library' });
  const [without, all] = [await preview(), await preview({ cancel_video: true })];
  expect([without.video, all.video]).toEqual([2, 2]);
  expect(all.sessions).toBe(without.sessions + 2);
  expect([without.days[0]?.stay, all.days[0]?.stay]).toEqual([2, 0]);
  expect(without.minutes).toBe(all.minutes - 120);
  expect(without.words).toContain('sessions by video do.');
  expect(all.words).not.toContain('video');
  const { closures, sessions } = await close();
  expect(sessions).toBe(without.sessions);
  const standing = async () => {
    const found = await sql<{ key: string }>`
      select id as key from appointment where starts::date = ${DATE}::date and occupies and status in ('pending', 'booked')
      order by starts`.execute(db);
    return found.rows.map(({ key }) => key);
  };
  expect(await standing()).toEqual(kept);
  expect(await listed()).toMatchObject([{ booked: 0 }]);
  const calls = await lines();
  expect(calls.map(({ name }) => name)).not.toContain('Kai Wood');
  expect(calls.some(({ name }) => name.includes('Ida Fox'))).toBe(false);
  const ana = calls.find(({ name }) => name === 'Ana Ruiz')?.say.join(' ');
  expect(ana).toContain('is cancelled');
  // What was kept can be cancelled afterwards, and both come back.
  const more = await close({ cancel_video: true });
  expect([more.sessions, await standing()]).toEqual([2, []]);
  expect(more.closures).not.toEqual(closures);
  expect((await reopen(more.closures[0])).back).toBe(2);
  expect(await standing()).toEqual(kept);
  expect((await reopen(closures[0])).back).toBe(without.sessions);
});

/** When a child's time still takes place on the day, by session: `15:30-16:00`. */
async function standingTimes(client: string): Promise<string[]> {
  const found = await sql<{ time: string }>`
    select to_char(starts, 'HH24:MI') || '-' || to_char(ends, 'HH24:MI') as time from appointment
    where client_id = ${client} and starts::date = ${DATE}::date and occupies and status in ('pending', 'booked')
    order by starts, ends`.execute(t.db);
  return found.rows.map(({ time }) => time);
}

test('given less than an hour left of a child’s time, then closing says so and, if asked, cancels it and what lies in it', async () => {
  const { db, clinic } = t;
  // Mo's supervision lies in the half hour that would be left. Bo comes at 8:00, so that a whole hour is left.
  const own = { client: clinic.mo, date: DATE, start: '15:30', end: '16:00' };
  await buildAppointment(db, { ...own, therapist: clinic.max, service: 'supervision' });
  await buildAppointment(db, { therapist: clinic.kai, client: clinic.bo, date: DATE, start: '08:00', end: '08:30' });
  const before = await rows();
  const hours = { from_time: '09:00', to_time: '15:30' };
  const [keeps, cancels] = [await preview(hours), await preview({ ...hours, cancel_short: true })];
  expect([keeps.short, cancels.short]).toEqual([2, 2]);
  expect([keeps.sessions, keeps.minutes, cancels.sessions, cancels.minutes]).toEqual([2, 300, 3, 360]);
  const { closures: kept } = await close(hours);
  expect(await standingTimes(clinic.mo)).toEqual(['15:30-16:00', '15:30-16:00']);
  await reopen(kept[0]);
  const { closures, ...what } = await close({ ...hours, cancel_short: true });
  expect(what).toEqual({ sessions: 3, families: 2, staff: 3 });
  expect([await standingTimes(clinic.bo), await standingTimes(clinic.mo)]).toEqual([
    ['08:00-08:30', '08:30-09:00'],
    [],
  ]);
  expect((await lines()).find(({ name }) => name.includes('Mo Diaz'))?.say.join(' ')).toContain(
    'Mo’s session from 1:00 to 4:00 is cancelled.',
  );
  await reopen(closures[0]);
  expect(await rows()).toEqual(before);
});

test('given a short rest that has begun, or a session by video in it, then both take place', async () => {
  const { db, clinic } = t;
  now = Date.parse(`${DATE}T13:45:00Z`); // 8:45 at the location
  const video = {
    client: clinic.mo,
    date: DATE,
    start: '16:00',
    end: '16:15',
    subject: 'Parent Training - Telehealth',
  };
  await buildAppointment(db, { ...video, therapist: clinic.max });
  const hours = { from_time: '09:00', to_time: '15:30', cancel_short: true };
  expect((await preview(hours)).short).toBe(1);
  await close(hours);
  expect([await standingTimes(clinic.bo), await standingTimes(clinic.mo)]).toEqual([['08:30-09:00'], ['16:00-16:15']]);
});

test('given a part of a day, then only that time is lost: sessions are cut, and what stays is the therapist’s as before', async () => {
  const before = await rows();
  const { closures, ...what } = await close({ from_time: '10:00', to_time: '14:00' });
  expect(what).toEqual({ sessions: 2, families: 2, staff: 2 });
  const shown = async () =>
    (await slotsOf(t.who, DATE)).appointments.map((each) => [
      each['Client Name'],
      each.StartDateTime.split(', ')[1],
      each.Appointment_Status,
      each.loss?.lost_by,
    ]);
  expect(await shown()).toEqual([
    ['Bo Lee', '8:30 AM', 'Confirmed', undefined],
    ['Bo Lee', '10:00 AM', 'Cancelled', 'clinic'],
    ['Mo Diaz', '1:00 PM', 'Cancelled', 'clinic'],
    ['Mo Diaz', '2:00 PM', 'Confirmed', undefined],
  ]);
  await reopen(closures[0]);
  expect(await rows()).toEqual(before);
});

test('given sessions that changed since, then reopening brings back the others and says of these why they stay', async () => {
  const kid = await buildClient(t.db, { first: 'Ivy', last: 'Larsen' });
  const moved = await buildAppointment(t.db, {
    therapist: t.clinic.max,
    client: kid,
    date: DATE,
    start: '10:00',
    end: '12:00',
  });
  const { closures } = await close();
  // Ana is booked elsewhere in Bo's time, and Ivy's session was changed.
  const far = await buildClient(t.db, { first: 'Far', last: 'Away', location: 'orlando' });
  await buildAppointment(t.db, {
    therapist: t.clinic.ana,
    client: far,
    location: 'orlando',
    date: DATE,
    start: '09:00',
    end: '10:00',
  });
  await t.db.updateTable('appointment').set({ subject: 'Assessment' }).where('id', '=', moved).execute();
  const id = closures[0];
  const said = await done<Reopened>(post(`/closures/${id}/reopen-preview`, { location: 'altamonte' }));
  expect(said.back).toBe(1);
  expect(said.stays.map(({ client, why }) => [client, why]).sort()).toEqual([
    ['Bo Lee', 'booked otherwise now'],
    ['Ivy Larsen', 'changed since'],
  ]);
  expect(await listed()).toHaveLength(1);
  expect(await reopen(id)).toEqual(said);
  expect(await listed()).toEqual([]);
  expect((await post(`/closures/${id}/reopen`, { location: 'altamonte' })).statusCode).toBe(404);
});

test('given a closure of several days, then it opens again from a date, and the days before stay closed', async () => {
  const session = { therapist: t.clinic.kai, client: t.clinic.ida, start: '09:00', end: '10:00' };
  for (const n of [3, 4]) await buildAppointment(t.db, { ...session, date: day(n) });
  const { closures, sessions } = await close({ from_time: '10:00', to_date: day(4), to_time: '17:00' });
  expect(sessions).toBe(4);
  const shown = async (date: string, at = 'altamonte') => (await slotsOf(t.who, date, at)).closed;
  expect(await shown(DATE)).toEqual([{ start: '10:00', end: '24:00', name: STORM.name }]);
  expect(await shown(day(4))).toEqual([{ start: '00:00', end: '17:00', name: STORM.name }]);
  expect([await shown(day(5)), await shown(DATE, 'tampa')]).toEqual([[], []]);
  expect((await reopen(closures[0], { from_date: day(4) })).back).toBe(1);
  expect(await listed()).toMatchObject([
    { from_date: DATE, to_date: day(3), to_time: '24:00', cancelled: 3, booked: 0 },
  ]);
  expect((await reopen(closures[0])).back).toBe(3);
});

test('given a closed location, then its staff can be booked at another location at once, a booking there is asked about, and Today says what still lies in it', async () => {
  await close();
  const book = (more: object) =>
    t.who.call({
      method: 'POST',
      url: '/api/appointments',
      payload: {
        location: 'altamonte',
        client: 'Ida Fox',
        therapist: 'Ana Ruiz',
        date: DATE,
        start: '09:00',
        end: '10:00',
        subject: 'Direct Therapy',
        ...more,
      },
    });
  const asked = await book({});
  expect(asked.statusCode).toBe(409);
  expect(asked.body).toContain('Altamonte is closed on Friday, November 22, 2030: Hurricane Odette.');
  expect((await book({ anyway: true })).statusCode).toBe(201);
  expect(await listed()).toMatchObject([{ booked: 1 }]);
  const far = await buildClient(t.db, { first: 'Far', last: 'Away', location: 'orlando' });
  const there = await book({ client: 'Far Away', location: 'orlando', start: '10:00', end: '11:00' });
  expect(there.statusCode, there.body).toBe(201);
  expect(far).toBeTruthy();
});

test('given a closed location, then another location’s options know at once whom of its staff they may ask, and while it is closed', async () => {
  const { db, clinic } = t;
  const tess = await buildTherapist(db, { first: 'Tess', last: 'Gray', location: 'tampa' });
  const far = await buildClient(db, { first: 'Far', last: 'Away', location: 'tampa' });
  const there = { client: far, location: 'tampa' as const };
  const booked = { ...there, therapist: tess, date: DATE };
  const keys = {
    morning: await buildAppointment(db, { ...booked, start: '09:00', end: '11:00' }),
    afternoon: await buildAppointment(db, { ...booked, start: '13:00', end: '15:00' }),
  };
  const earlier = { ...there, start: '09:00', end: '10:00', status: 'fulfilled' as const };
  await buildAppointment(db, { ...earlier, therapist: clinic.kai, date: day(-30) });
  await buildAppointment(db, { ...earlier, therapist: clinic.ana, date: day(-100) });
  const version = async () =>
    (await t.who.call({ url: `/api/slots?date=${DATE}&location=tampa` })).json<{ version: number }>().version;
  const able = async (key: keyof typeof keys): Promise<string[]> => {
    const reply = post('/sessions/choices', { location: 'tampa', date: DATE, key: keys[key] });
    return (await done<ChoicesReply>(reply)).choices.flatMap((each) => (each.possible ? [each.therapist] : []));
  };
  const [open, before] = [await able('morning'), await version()];
  expect(open).not.toContain('Kai Wood');
  const { closures } = await close({ from_time: '12:00' });
  expect([await able('morning'), await able('afternoon')]).toEqual([open, [...open, 'Kai Wood']]);
  expect(await version()).toBeGreaterThan(before);
  await reopen(closures[0]);
  expect(await able('afternoon')).toEqual(open);
  await done(post('/holidays', { holidays: [{ ...HOLIDAY, location: 'altamonte', date: DATE }] }));
  expect(await able('afternoon')).toEqual(open);
});

test('given a weekly series over a holiday, then that date is skipped', async () => {
  const holiday: Holiday = { ...HOLIDAY, location: null, date: isoDate(day(7)) };
  expect(await done(post('/holidays', { holidays: [holiday] }))).toEqual({ added: 5 });
  expect(await done(post('/holidays', { holidays: [holiday, holiday] }))).toEqual({ added: 0 });
  const reply = await t.who.call({
    method: 'POST',
    url: '/api/appointments',
    payload: {
      location: 'altamonte',
      client: 'Ida Fox',
      therapist: 'Kai Wood',
      date: DATE,
      start: '09:00',
      end: '10:00',
      subject: 'Direct Therapy',
      weekly_until: day(14),
    },
  });
  expect(reply.statusCode, reply.body).toBe(201);
  expect(reply.json<{ StartDateTime: string }[]>().map((each) => each.StartDateTime.split(',')[0])).toEqual([
    '11/22/2030',
    '12/6/2030',
  ]);
});

test.each([
  ['an end before the beginning', { to_date: day(-1) }, 422, 'would open before it closes'],
  ['too many days', { to_date: day(40) }, 422, 'at most 31'],
  ['no name', { name: ' ' }, 422, 'name'],
])('given %s, then it is refused in words and nothing is cancelled', async (_what, more, status, words) => {
  const before = await rows();
  const reply = await post('/closures', { ...STORM, ...more });
  expect(reply.statusCode).toBe(status);
  expect(reply.body).toContain(words);
  expect(await rows()).toEqual(before);
});

test('given an account of one location, then it closes and reopens no other', async () => {
  const tampa = await t.app.signIn({ locations: ['tampa'] });
  expect((await post('/closures', STORM, tampa)).statusCode).toBe(403);
  expect((await post('/closures', { ...STORM, locations: ['tampa', 'altamonte'] }, tampa)).statusCode).toBe(403);
  const { closures } = await close();
  expect((await post(`/closures/${closures[0]}/reopen`, { location: 'altamonte' }, tampa)).statusCode).toBe(403);
  expect((await post(`/closures/${closures[0]}/reopen`, { location: 'tampa' }, tampa)).statusCode).toBe(404);
  expect((await tampa.call({ url: '/api/closures' })).json()).toEqual([]);
});
