import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DaySheetReply, SlotsReply, TodayReply, WellDay } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import {
  buildAbsence,
  buildAppointment,
  buildClient,
  buildTherapist,
  type AppointmentPlan,
  type ClientPlan,
  type TherapistPlan,
} from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

/** Each test has a Tuesday of its own. */
let weeks = 0;
function scene() {
  const date = new Date(Date.UTC(2027, 0, 5) + ++weeks * 7 * 86_400_000).toISOString().slice(0, 10);
  const n = weeks;
  const therapist = (first: string, plan: TherapistPlan = {}) =>
    buildTherapist(t.db, { first, last: `Wood${n}`, ...plan });
  const client = (first: string, plan: ClientPlan = {}) => buildClient(t.db, { first, last: `Lee${n}`, ...plan });
  const at = (plan: Omit<AppointmentPlan, 'date'> & { date?: string }) => buildAppointment(t.db, { date, ...plan });
  const today = async (location: Location = 'altamonte', by = t.staff) => {
    const reply = await by.call({ url: '/api/today', query: { location, date } });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<TodayReply>();
  };
  const wrong = async (location?: Location) => (await today(location)).wrong ?? [];
  const marks = async (location: Location = 'altamonte') => {
    const reply = await t.staff.call({ url: '/api/slots', query: { location, date } });
    return new Map(reply.json<SlotsReply>().appointments.map((a) => [a.key, a.wrong]));
  };
  const week = async (by = t.staff) => {
    const reply = await by.call({ url: '/api/today/week', query: { from: date } });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<{ days: WellDay[] }>().days;
  };
  const cell = async (location: Location = 'altamonte') =>
    (await week()).find((day) => day.location === location && day.date === date);
  return { n, date, therapist, client, at, today, wrong, marks, week, cell };
}

const HOUR = { start: '09:00', end: '10:00' };

test('given an imported clash, Today names who is booked twice, and each session says where else the person is', async () => {
  const { n, therapist, client, at, wrong, marks, cell } = scene();
  const ana = await therapist('Ana');
  const one = await at({ therapist: ana, client: await client('Bo'), ...HOUR, clash: `a${n}` });
  const two = await at({ therapist: ana, client: await client('Cy'), start: '09:30', end: '11:00', clash: `a${n}` });
  expect(await wrong()).toMatchObject([
    { kind: 'twice', person: { type: 'therapist', name: `Ana Wood${n}` }, times: [{ start: '09:30', end: '10:00' }] },
  ]);
  const shown = await marks();
  expect(shown.get(one)).toEqual([`Ana Wood${n} is also booked 9:30 AM - 11:00 AM with Cy Lee${n}.`]);
  expect(shown.get(two)).toEqual([`Ana Wood${n} is also booked 9:00 AM - 10:00 AM with Bo Lee${n}.`]);
  expect(await cell()).toMatchObject({ booked: 2, needs_cover: 0, to_submit: 0, wrong: 1, over: false });
});

test('given a therapist at two locations at once, both locations say so, and neither names a child of the other', async () => {
  const { n, therapist, client, at, marks, cell, today } = scene();
  const ana = await therapist('Ana');
  const tampa = await client('Cy', { location: 'tampa' });
  const one = await at({ therapist: ana, client: await client('Bo'), ...HOUR, clash: `b${n}` });
  await at({ therapist: ana, client: tampa, ...HOUR, location: 'tampa', clash: `b${n}` });
  expect((await cell())?.wrong).toBe(1);
  expect((await cell('tampa'))?.wrong).toBe(1);
  expect((await marks()).get(one)).toEqual([`Ana Wood${n} is also booked 9:00 AM - 10:00 AM at Tampa.`]);
  const some = await t.signIn({ locations: ['altamonte'] });
  const [only] = (await today('altamonte', some)).wrong ?? [];
  expect(only?.sessions.map((session) => session.client)).toEqual([`Bo Lee${n}`, null]);
});

test('given a child in two direct sessions at once, or at two locations, that is wrong', async () => {
  const { n, therapist, client, at, wrong } = scene();
  const bo = await client('Bo');
  await at({ therapist: await therapist('Ana'), client: bo, ...HOUR, clash: `c${n}` });
  await at({ therapist: await therapist('Kai'), client: bo, ...HOUR, clash: `c${n}` });
  expect(await wrong()).toMatchObject([{ kind: 'twice', person: { type: 'client', name: `Bo Lee${n}` } }]);
  const other = scene();
  const cy = await other.client('Cy');
  await other.at({ therapist: await other.therapist('Ana'), client: cy, ...HOUR });
  const ida = await other.therapist('Ida', { specialization: 'BCBA', location: 'tampa' });
  await other.at({
    therapist: ida,
    client: cy,
    ...HOUR,
    location: 'tampa',
    service: 'supervision',
    subject: 'Supervision',
  });
  expect((await other.wrong()).map(({ kind }) => kind)).toEqual(['twice']);
});

test('given a supervision beside a direct session, a group, a 2:1 session, and cover during administrative time, all is well', async () => {
  const { n, therapist, client, at, wrong, marks, cell } = scene();
  const [ana, kai] = [await therapist('Ana'), await therapist('Kai')];
  const ida = await therapist('Ida', { specialization: 'BCBA' });
  const bo = await client('Bo', { twoToOne: true });
  await at({ therapist: ana, client: bo, ...HOUR });
  await at({ therapist: kai, client: bo, ...HOUR, seat: 2 });
  await at({ therapist: ida, client: bo, ...HOUR, service: 'supervision', subject: 'Supervision' });
  const later = { start: '11:00', end: '12:00' };
  for (const first of ['Cy', 'Di']) await at({ therapist: ana, client: await client(first), ...later, group: `g${n}` });
  await at({ therapist: kai, client: null, ...later });
  await at({ therapist: kai, client: await client('Eli'), ...later });
  expect(await wrong()).toEqual([]);
  expect([...(await marks()).values()].every((each) => each === undefined)).toBe(true);
  expect(await cell()).toMatchObject({ booked: 6, needs_cover: 0, to_submit: 0, wrong: 0 });
});

/** Each rule, broken by one session, and the reason. */
const BROKEN: Record<
  string,
  {
    therapist?: TherapistPlan;
    client?: ClientPlan;
    session?: Partial<AppointmentPlan>;
    excludes?: true;
    careTeamOnly?: true;
    rbtOrAbove?: true;
    why: string;
  }
> = {
  'never this therapist': { excludes: true, why: 'cannot be booked with' },
  'only women': { therapist: { gender: 'Male' }, client: { requiresGender: ['Female'] }, why: 'only with female' },
  'an RBT or above': { therapist: { specialization: 'BT' }, rbtOrAbove: true, why: 'needs an RBT or above' },
  'a credential that has ended': {
    therapist: { credential: [null, '2026-12-31'] },
    rbtOrAbove: true,
    why: 'has no valid RBT credential',
  },
  'a supervision without a BCBA': { session: { service: 'supervision', subject: 'Supervision' }, why: 'needs a BCBA' },
  'a first day still to come': { therapist: { firstDay: '2030-01-01' }, why: 'starts on' },
  'a last day before': { therapist: { lastDay: '2026-12-31' }, why: 'last day is' },
  'another location than the child’s': { client: { location: 'tampa' }, why: 'location is Tampa' },
  'a skill that the child needs': { client: { needs: ['Spanish'] }, why: 'needs Spanish' },
  'only familiar people': { careTeamOnly: true, why: 'sees only familiar people' },
  'a time outside the availability': { session: { start: '18:00', end: '19:00' }, why: 'availability' },
  'an availability that has ended': {
    therapist: { windows: [[2, '09:00', '17:00', null, '2026-12-31']] },
    why: 'availability',
  },
  'an authorization that has ended': {
    client: { authorizations: [{ units: 1000, until: '2026-12-31' }] },
    why: 'No authorization pays',
  },
};

test.each(Object.entries(BROKEN))(
  'given a session against this rule: %s, Today, calendar, week and day sheet all say so',
  async (_name, plan) => {
    const { n, date, therapist, client, at, wrong, marks, cell } = scene();
    const kai = await therapist('Kai', plan.therapist);
    const bo = await client('Bo', { ...plan.client, ...(plan.excludes ? { excludes: [kai] } : {}) });
    const flags = { care_team_only: plan.careTeamOnly ?? false, rbt_or_above: plan.rbtOrAbove ?? false };
    await t.db.updateTable('client').set(flags).where('id', '=', bo).execute();
    const key = await at({ therapist: kai, client: bo, ...HOUR, ...plan.session });
    const found = await wrong();
    expect(found).toMatchObject([
      { kind: 'rule', sessions: [{ key, client: `Bo Lee${n}`, therapist: `Kai Wood${n}` }] },
    ]);
    expect(found[0]?.why).toEqual([expect.stringContaining(plan.why)]);
    expect((await marks()).get(key)).toEqual(found[0]?.why);
    expect((await cell())?.wrong).toBe(1);
    const sheet = (
      await t.staff.call({ url: '/api/calls/day-sheet', query: { location: 'altamonte', date } })
    ).json<DaySheetReply>();
    expect(sheet.wrong).toBe(1);
    const own = sheet.therapists.find(({ id }) => id === kai);
    expect(own?.sessions).toMatchObject([{ unsettled: true }]);
    // The sheet is handed to the people whom the reason may be about.
    expect(JSON.stringify(sheet)).not.toContain(plan.why);
  },
);

test('given a session by video, then the child’s other location and a closed location are nothing wrong', async () => {
  const { date, therapist, client, at, wrong } = scene();
  const bo = await client('Bo', { location: 'tampa' });
  await at({ therapist: await therapist('Kai'), client: bo, ...HOUR, subject: 'Supervision - Telehealth' });
  await t.db
    .insertInto('closure')
    .values({
      act: randomUUID(),
      location: 'altamonte',
      first_date: date,
      first_minute: 0,
      last_date: date,
      last_minute: 1440,
      name: 'Storm',
      recorded_at: new Date().toISOString(),
    })
    .execute();
  expect(await wrong()).toEqual([]);
});

test('given a client who is away and still booked, that counts as a cancellation to submit', async () => {
  const { n, date, therapist, client, at, wrong, cell, today } = scene();
  const bo = await client('Bo');
  await at({ therapist: await therapist('Ana'), client: bo, ...HOUR });
  await buildAbsence(t.db, { client: bo, date });
  expect(await wrong()).toMatchObject([{ kind: 'to-submit', sessions: [{ client: `Bo Lee${n}` }] }]);
  expect((await today()).to_cancel).toBe(1);
  expect(await cell()).toMatchObject({ to_submit: 1, wrong: 0, needs_cover: 0 });
});

test('given a therapist who is away, the session needs cover and is not called wrong besides', async () => {
  const { date, therapist, client, at, wrong, cell } = scene();
  const kai = await therapist('Kai');
  await at({ therapist: kai, client: await client('Bo', { excludes: [kai] }), ...HOUR });
  await buildAbsence(t.db, { therapist: kai, date });
  expect(await wrong()).toEqual([]);
  expect(await cell()).toMatchObject({ needs_cover: 1, wrong: 0 });
});

test('given someone who saw the child within 90 days, a child who sees only familiar people may be with them', async () => {
  const { date, therapist, client, at, wrong } = scene();
  const kai = await therapist('Kai');
  const bo = await client('Bo');
  await t.db.updateTable('client').set({ care_team_only: true }).where('id', '=', bo).execute();
  const before = (days: number) => new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10);
  await at({ therapist: kai, client: bo, ...HOUR });
  await at({ therapist: kai, client: bo, ...HOUR, date: before(92) });
  expect(await wrong()).toHaveLength(1);
  await at({ therapist: kai, client: bo, ...HOUR, date: before(88), status: 'cancelled' });
  expect(await wrong()).toHaveLength(1);
  await at({ therapist: kai, client: bo, ...HOUR, date: before(90) });
  expect(await wrong()).toEqual([]);
});

test('an account sees the week of its own locations only', async () => {
  const { week } = scene();
  const some = await t.signIn({ locations: ['tampa'] });
  expect(new Set((await week(some)).map(({ location }) => location))).toEqual(new Set(['tampa']));
  expect(await week(some)).toHaveLength(7);
});

test('find cover for these: the sessions that another therapist would settle lose theirs, the others stay', async () => {
  const { n, date, therapist, client, at, wrong, cell } = scene();
  const kai = await therapist('Kai');
  const never = await at({ therapist: kai, client: await client('Bo', { excludes: [kai] }), ...HOUR });
  const elsewhere = await at({
    therapist: kai,
    client: await client('Cy', { location: 'tampa' }),
    start: '11:00',
    end: '12:00',
  });
  const fine = await at({ therapist: kai, client: await client('Di'), start: '13:00', end: '14:00' });
  const payload = { location: 'altamonte', date, sessions: [never, elsewhere, fine] };
  const send = async () => t.staff.call({ method: 'POST', url: '/api/today/cover', payload });
  const reply = await send();
  expect([reply.statusCode, reply.json()]).toEqual([200, { taken_off: 1 }]);
  expect(await wrong()).toMatchObject([{ sessions: [{ key: elsewhere }] }]);
  expect(await cell()).toMatchObject({ needs_cover: 1, wrong: 1 });
  const history = (await t.staff.call({ url: `/api/appointments/${never}/history` })).body;
  expect(history).toContain(`previously with Kai Wood${n}`);
  expect((await send()).json()).toEqual({ taken_off: 0 });
});

test('the week counts the people to tell as each day’s own call list does', async () => {
  const { n, therapist, client } = scene();
  const tomorrow = '2026-11-21'; // bookings of the next three days are told
  await therapist('Kai', { windows: [[6, '09:00', '17:00']] });
  await client('Bo');
  const names = { client: `Bo Lee${n}`, therapist: `Kai Wood${n}`, location: 'altamonte' };
  const payload = { ...names, date: tomorrow, ...HOUR, subject: 'Direct Therapy' };
  const booked = await t.staff.call({ method: 'POST', url: '/api/appointments', payload });
  expect(booked.statusCode, booked.body).toBe(201);
  const [counted, listed] = await Promise.all([
    t.staff.call({ url: '/api/calls/week', query: { from: '2026-11-16' } }),
    t.staff.call({ url: '/api/calls/count', query: { location: 'altamonte', date: tomorrow } }),
  ]);
  const { to_tell } = listed.json<{ to_tell: number }>();
  expect(to_tell).toBeGreaterThan(0);
  expect(counted.json()).toMatchObject({ days: [{ location: 'altamonte', date: tomorrow, to_tell }] });
  const some = await t.signIn({ locations: ['tampa'] });
  const other = await some.call({ url: '/api/calls/week', query: { from: '2026-11-16' } });
  expect(other.json()).toEqual({ days: [] });
});

test('given an absence that a therapist reported, then the week counts it at every location concerned, until it is decided', async () => {
  const { date, therapist, client, at, week } = scene();
  const ana = await therapist('Ana');
  await at({ therapist: ana, client: await client('Bo', { location: 'tampa' }), location: 'tampa', ...HOUR });
  const tomorrow = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const reported = async () =>
    (await week()).flatMap((day) => (day.reported > 0 ? [`${day.location} ${day.date} ${day.reported}`] : []));
  expect(await reported()).toEqual([]);
  const { id } = await t.db
    .insertInto('absence_report')
    .values({
      therapist_id: ana,
      first_date: date,
      first_minute: 0,
      last_date: tomorrow,
      last_minute: 1440,
      cause: 'sick',
      reported_by: null,
      reported_at: new Date().toISOString(),
      decision: null,
      decided_by: null,
      decided_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await reported()).toEqual([`altamonte ${date} 1`, `altamonte ${tomorrow} 1`, `tampa ${date} 1`]);
  const decided = { decision: 'declined' as const, decided_at: new Date().toISOString() };
  await t.db.updateTable('absence_report').set(decided).where('id', '=', id).execute();
  expect(await reported()).toEqual([]);
});
