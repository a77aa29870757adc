import { expect, test } from 'vitest';
import type { UnfitSessions, Therapist } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

let people = 0;
async function scene(client: Parameters<typeof buildClient>[1] = {}) {
  const { db } = t.deps;
  const id = await buildTherapist(db, { first: 'Ana', last: `Ruiz${++people}` });
  const bo = await buildClient(db, { first: 'Bo', last: `Lee${people}`, ...client });
  const at = (date: string, start: string, end: string, more: object = {}) =>
    buildAppointment(db, { therapist: id, client: bo, date, start, end, ...more });
  const ana = (await t.staff.call({ url: `/api/therapists/${id}` })).json<Therapist>();
  const check = async (more: object): Promise<UnfitSessions> => {
    const payload = { ...ana, ...more };
    const reply = await t.staff.call({ method: 'POST', url: `/api/therapists/${id}/check`, payload });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<UnfitSessions>();
  };
  return { id, ana, at, check };
}
const window = (day: number, start_time: string, end_time: string) => ({ day_of_week: day, start_time, end_time });
/** The name of the client in this therapist's sessions. */
const clientOf = (ana: Therapist): string => ana.display_name.replace('Ana Ruiz', 'Bo Lee');
const told = ({ sessions }: UnfitSessions) => sessions.map((s) => [s.date, s.why]);

test('given a shorter week, the check reports the sessions that are now outside it, but not those that already were', async () => {
  const { id, ana, at, check } = await scene();
  await at('2026-11-23', '09:00', '11:00'); // a Monday
  await at('2026-11-23', '16:00', '18:00'); // this session ends after 5:00 PM, so it was outside the week already
  await at('2026-11-24', '12:00', '14:00');
  await at('2026-11-18', '09:00', '10:00'); // this session is past
  await buildAppointment(t.db, { therapist: id, client: null, date: '2026-11-25', start: '09:00', end: '10:00' });
  expect(await check({})).toEqual({ total: 0, sessions: [] });
  expect(told(await check({ availability: [window(2, '09:00', '12:30'), window(2, '13:00', '17:00')] }))).toEqual([
    ['2026-11-23', `Monday 9:00 AM - 11:00 AM is not in ${ana.display_name}’s availability.`],
    ['2026-11-24', `Tuesday 12:00 PM - 2:00 PM is not in ${ana.display_name}’s availability.`],
  ]);
  const touching = [window(1, '09:00', '10:00'), window(1, '10:00', '17:00'), window(2, '09:00', '17:00')];
  expect((await check({ availability: touching })).total).toBe(0);
});

test('given a changed gender or location, the check reports the sessions that no longer fit', async () => {
  const { at, check } = await scene({ requiresGender: ['Female'] });
  await at('2026-11-23', '09:00', '11:00');
  expect((await check({ gender: 'Male' })).sessions[0]?.why).toContain('only with female therapists');
  expect((await check({ specialization: 'BT' })).total).toBe(0);
  expect(told(await check({ location: 'tampa' }))).toEqual([
    ['2026-11-23', 'The therapist’s location is no longer Altamonte.'],
  ]);
});

test('given a payer with requirements, the check reports the sessions for which the changed therapist would not meet them', async () => {
  await t.db
    .insertInto('payer')
    .values({ name_key: 'optum', name: 'Optum', credential: 'RBT', tag: 'Enrolled' })
    .execute();
  const authorizations = [{ payer: 'OPTUM', until: '2026-11-30', units: 1000 }];
  const { id, ana, at, check } = await scene({ authorizations });
  const tags = [{ tag: 'enrolled', from_date: null, until_date: null }];
  const credential = { credential: 'RBT', number: '', from_date: '2026-01-01' };
  const put = (more: object) =>
    t.staff.call({ method: 'PUT', url: `/api/therapists/${id}`, payload: { ...ana, specialization: 'RBT', ...more } });
  expect((await put({ tags, credentials: [{ ...credential, until_date: null }] })).statusCode).toBe(200);
  await at('2026-11-19', '09:00', '10:00'); // this session is past
  await at('2026-11-23', '09:00', '10:00');
  // The authorization does not cover this session's code.
  await at('2026-11-24', '09:00', '10:00', { subject: 'Parent Training', service: 'parent-training' });
  const last = await at('2026-11-25', '09:00', '10:00');
  await at('2026-12-01', '09:00', '10:00'); // this session is after the authorization's last date
  const now = { version: 2, specialization: 'RBT', tags };
  expect(await check(now)).toEqual({ total: 0, sessions: [] });
  const lacks = `Optum requires Enrolled, which ${ana.display_name} does not have on that date.`;
  expect(told(await check({ ...now, tags: [] }))).toEqual([
    ['2026-11-23', lacks],
    ['2026-11-25', lacks],
  ]);
  const low = `Optum requires an RBT or above; ${ana.display_name} counts as a BT on that date.`;
  const expiring = { ...now, credentials: [{ ...credential, until_date: '2026-11-24' }] };
  expect(told(await check(expiring))).toEqual([['2026-11-25', low]]);
  expect(told(await check({ ...now, specialization: 'BT', credentials: [] }))).toEqual([
    ['2026-11-23', low],
    ['2026-11-25', low],
  ]);

  // The save succeeds and leaves the session as it is; a session that already breaks a rule is not reported again.
  const saved = await put({ ...expiring, version: 2 });
  expect(saved.statusCode, saved.body).toBe(200);
  const row = await t.db.selectFrom('appointment').select('therapist_id').where('id', '=', last).executeTakeFirst();
  expect(row?.therapist_id).toBe(id);
  expect(told(await check({ ...expiring, tags: [] }))).toEqual([['2026-11-23', lacks]]);
});

test('given a client who needs an RBT or above, the check reports the sessions after the RBT’s credential ends', async () => {
  const { id, ana, at, check } = await scene();
  await t.db.updateTable('client').set({ rbt_or_above: true }).where('display_name', '=', clientOf(ana)).execute();
  await at('2026-11-19', '09:00', '10:00'); // this session is past
  await at('2026-11-24', '09:00', '10:00');
  await at('2026-11-25', '09:00', '10:00');
  const now = { specialization: 'RBT' };
  const until = (until_date: string | null, credential = 'RBT') => ({
    ...now,
    credentials: [{ credential, number: '', from_date: '2026-01-01', until_date }],
  });
  const low = `${clientOf(ana)} needs an RBT or above; ${ana.display_name} has no valid RBT credential on that date.`;
  expect((await check(until(null))).total).toBe(0);
  expect(told(await check(until('2026-11-24')))).toEqual([['2026-11-25', low]]);
  expect(told(await check(until('2026-11-01')))).toEqual([
    ['2026-11-24', low],
    ['2026-11-25', low],
  ]);
  const bt = `${clientOf(ana)} needs an RBT or above; ${ana.display_name} is a BT.`;
  expect(told(await check({ specialization: 'BT' })).map(([, why]) => why)).toEqual([bt, bt]);

  // After the save, the last session already breaks a rule, so it is not reported again.
  const url = `/api/therapists/${id}`;
  const saved = await t.staff.call({ method: 'PUT', url, payload: { ...ana, ...until('2026-11-24') } });
  expect(saved.statusCode, saved.body).toBe(200);
  expect(told(await check({ ...until('2026-11-23'), version: 2 }))).toEqual([['2026-11-24', low]]);
  expect(told(await check({ version: 2, specialization: 'BT', credentials: [] }))).toEqual([['2026-11-24', bt]]);
});

test('given a BCBA’s supervision sessions, the check reports those for which the therapist would no longer count as a BCBA', async () => {
  const { id, ana, at, check } = await scene();
  const bcba = { specialization: 'BCBA' };
  const url = `/api/therapists/${id}`;
  const saved = await t.staff.call({ method: 'PUT', url, payload: { ...ana, ...bcba } });
  expect(saved.statusCode, saved.body).toBe(200);
  await at('2026-11-24', '09:00', '10:00'); // direct therapy
  const supervision = { service: 'supervision', subject: 'Supervision' };
  await at('2026-11-24', '13:00', '14:00', supervision);
  await at('2026-11-25', '09:00', '10:00', supervision);
  const until = (until_date: string | null) => ({
    ...bcba,
    version: 2,
    credentials: [{ credential: 'BCBA', number: '', from_date: '2026-01-01', until_date }],
  });
  const why = (is: string) => `Supervision needs a BCBA; ${ana.display_name} ${is}.`;
  expect(told(await check(until(null)))).toEqual([]);
  expect(told(await check(until('2026-11-24')))).toEqual([
    ['2026-11-25', why('has no valid BCBA credential on that date')],
  ]);
  expect(told(await check({ specialization: 'RBT', version: 2 }))).toEqual([
    ['2026-11-24', why('is not a BCBA')],
    ['2026-11-25', why('is not a BCBA')],
  ]);
});

test('given a first or last day, or a window with dates, the check reports the sessions outside them', async () => {
  const { ana, at, check } = await scene();
  await at('2026-11-23', '09:00', '10:00'); // a Monday
  await at('2026-11-30', '09:00', '10:00');
  await at('2026-12-07', '09:00', '10:00');
  const name = ana.display_name;
  expect(told(await check({ start_date: '2026-11-24' }))).toEqual([
    ['2026-11-23', `${name} starts on Tuesday, November 24, 2026.`],
  ]);
  expect(told(await check({ end_date: '2026-12-06' }))).toEqual([
    ['2026-12-07', expect.stringContaining('last day is Sunday, December 6')],
  ]);
  const dated = { ...window(1, '09:00', '17:00'), from_date: '2026-11-30', until_date: '2026-12-06' };
  expect(told(await check({ availability: [dated] })).map(([date]) => date)).toEqual(['2026-11-23', '2026-12-07']);
});

test('overlapping windows are refused, as a save would refuse them', async () => {
  const { id, ana } = await scene();
  const payload = { ...ana, availability: [window(1, '09:00', '12:00'), window(1, '11:00', '13:00')] };
  const reply = await t.staff.call({ method: 'POST', url: `/api/therapists/${id}/check`, payload });
  expect(reply.statusCode).toBe(422);
});
