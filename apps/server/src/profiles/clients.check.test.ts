import { expect, test } from 'vitest';
import type { UnfitSessions, Client, SlotsReply, TodayReply, WellDay } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

async function scene() {
  const { db } = t.deps;
  const ana = await buildTherapist(db, { first: 'Ana', last: `Ruiz${++people}` });
  const kai = await buildTherapist(db, { first: 'Kai', last: `Wood${people}`, gender: 'Male', specialization: 'BT' });
  const bo = await buildClient(db, { first: 'Bo', last: `Lee${people}` });
  const at = (therapist: string | null, date: string, start: string, end: string, more: object = {}) =>
    buildAppointment(db, { therapist, client: bo, date, start, end, ...more });
  const client = (await t.staff.call({ url: `/api/clients/${bo}` })).json<Client>();
  const check = async (more: object, by = t.staff): Promise<UnfitSessions> => {
    const reply = await by.call({
      method: 'POST',
      url: `/api/clients/${bo}/check`,
      payload: { ...client, ...more },
    });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<UnfitSessions>();
  };
  return { ana, kai, bo, at, client, check, names: { ana: `Ana Ruiz${people}`, kai: `Kai Wood${people}` } };
}
let people = 0;

test('given a new restriction, the check reports the upcoming sessions that violate it, with the reason, and saves nothing', async () => {
  const { ana, kai, at, client, check, names } = await scene();
  await at(kai, '2026-11-19', '09:00', '10:00'); // this session is past
  await at(kai, '2026-11-20', '09:00', '10:00');
  await at(kai, '2026-11-20', '11:00', '12:00', { status: 'cancelled' });
  await at(ana, '2026-11-23', '09:00', '10:00');
  await at(null, '2026-11-24', '09:00', '10:00');
  await at(kai, '2026-11-25', '13:00', '14:30', { location: 'tampa' });
  expect(await check({})).toEqual({ total: 0, sessions: [] });
  const unfit = await check({ restrictions: [{ type: 'gender', restriction: 'female' }] });
  expect(unfit.total).toBe(2);
  expect(unfit.sessions).toEqual([
    {
      date: '2026-11-20',
      time: '9:00 AM - 10:00 AM',
      therapist: names.kai,
      location: 'altamonte',
      client: client.display_name,
      why: `${client.display_name} can be booked only with female therapists (client restriction).`,
    },
    expect.objectContaining({ date: '2026-11-25', location: 'tampa' }) as unknown,
  ]);
  expect(
    (await check({ restrictions: [{ type: 'therapist', restriction: ana }] })).sessions.map((s) => s.date),
  ).toEqual(['2026-11-23']);
  expect((await check({ rbt_or_above: true })).total).toBe(2);
  // Kai saw Bo on November 19, so only Ana is new to Bo.
  expect((await check({ care_team_only: true })).sessions.map((s) => s.date)).toEqual(['2026-11-23']);
  expect((await t.staff.call({ url: `/api/clients/${client.id}` })).json()).toEqual(client);
});

test('a session that already violated a rule is not reported again', async () => {
  const { kai, bo, at, client, check } = await scene();
  await at(kai, '2026-11-23', '09:00', '10:00');
  const only = { restrictions: [{ type: 'gender', restriction: 'female' }] };
  await t.staff.call({ method: 'PUT', url: `/api/clients/${bo}`, payload: { ...client, ...only } });
  expect((await check({ ...only, rbt_or_above: true })).total).toBe(0);
});

test('given an authorization from a payer that has requirements, the check reports the sessions whose therapist does not meet them', async () => {
  await t.db.insertInto('payer').values({ name_key: 'optum', name: 'Optum', credential: 'RBT', tag: null }).execute();
  const { ana, kai, at, check, names } = await scene();
  await at(kai, '2026-11-19', '09:00', '10:00'); // this session is past
  await at(kai, '2026-11-23', '09:00', '10:00');
  // The authorization does not cover this session's code.
  await at(kai, '2026-11-24', '09:00', '10:00', { subject: 'Parent Training', service: 'parent-training' });
  await at(ana, '2026-11-25', '09:00', '10:00');
  await at(kai, '2026-12-01', '09:00', '10:00'); // this session is after the authorization's last date
  const authorized = (payer: string) => ({
    authorizations: [{ payer, code: '97153', from_date: '2026-11-01', until_date: '2026-11-30', units: 100 }],
  });
  // Once an authorization is on record, the sessions that it does not pay for are not paid for.
  const unpaid = (day: string) => `No authorization pays for this session on ${day}.`;
  expect((await check(authorized('Acme'))).sessions.map(({ date, why }) => [date, why])).toEqual([
    ['2026-11-24', unpaid('Tue, Nov 24')],
    ['2026-12-01', unpaid('Tue, Dec 1')],
  ]);
  const unfit = await check(authorized('OPTUM'));
  const byPayer = unfit.sessions.filter(({ why }) => !why?.startsWith('No authorization'));
  expect(byPayer.map(({ date, why }) => [date, why])).toEqual([
    ['2026-11-23', `Optum requires an RBT or above; ${names.kai} counts as a BT on that date.`],
  ]);
});

test('given that the client will need an RBT or above, the check reports the sessions after the therapist’s credential ends', async () => {
  const { ana, at, client, check, names } = await scene();
  const until_date = '2026-11-24';
  await t.db.insertInto('therapist_credential').values({ therapist_id: ana, credential: 'RBT', until_date }).execute();
  await at(ana, '2026-11-24', '09:00', '10:00');
  await at(ana, '2026-11-25', '09:00', '10:00');
  expect((await check({})).total).toBe(0);
  expect((await check({ rbt_or_above: true })).sessions.map(({ date, why }) => [date, why])).toEqual([
    [
      '2026-11-25',
      `${client.display_name} needs an RBT or above; ${names.ana} has no valid RBT credential on that date.`,
    ],
  ]);
});

test('the check is audited, and a session at another location is reported without its reason', async () => {
  const { kai, bo, at, check } = await scene();
  await at(kai, '2026-11-25', '13:00', '14:30', { location: 'tampa' });
  const some = await t.signIn({ locations: ['altamonte'] });
  const { sessions } = await check({ rbt_or_above: true }, some);
  expect(sessions).toHaveLength(1);
  expect(Object.keys(sessions[0] ?? {}).sort()).toEqual(['date', 'location', 'therapist', 'time']);
  const elsewhere = await t.signIn({ locations: ['tampa'] });
  const url = `/api/clients/${bo}/check`;
  const payload = { first_name: 'Bo', last_name: 'Lee', location: 'tampa', gender: 'Male', restrictions: [] };
  expect((await elsewhere.call({ method: 'POST', url, payload })).statusCode).toBe(403);
  expect((await t.staff.call({ method: 'POST', url: '/api/clients/C-7777/check', payload })).statusCode).toBe(404);
  const trail = await t.db.selectFrom('audit').select('account_id').where('action', '=', 'client.checked').execute();
  expect(trail.length).toBeGreaterThan(0);
});

test('given a move to another location, the check reports the sessions at the old one; finding cover would not settle them, so a save leaves their therapists', async () => {
  const { ana, at, client, check, names } = await scene();
  const here = await at(ana, '2026-11-23', '09:00', '10:00');
  await at(ana, '2026-11-24', '09:00', '10:00', { location: 'tampa' });
  const moved = { location: 'tampa' };
  const unfit = await check(moved);
  expect(unfit).toMatchObject({ total: 1, not_by_cover: 1 });
  expect(unfit.sessions.map(({ date, why }) => [date, why])).toEqual([
    ['2026-11-23', `${client.display_name}’s location is Tampa, and this session is at Altamonte.`],
  ]);
  const url = `/api/clients/${client.id}?sessions=unassign`;
  expect((await t.staff.call({ method: 'PUT', url, payload: { ...client, ...moved } })).statusCode).toBe(200);
  const row = await t.db.selectFrom('appointment').select('therapist_id').where('id', '=', here).executeTakeFirst();
  expect(row?.therapist_id).toBe(ana);
  // What the check has listed, Today calls wrong.
  const today = await t.staff.call({ url: '/api/today', query: { location: 'altamonte', date: '2026-11-23' } });
  const wrong = (today.json<TodayReply>().wrong ?? []).filter((each) => each.sessions[0]?.key === here);
  expect(wrong.map(({ why }) => why)).toEqual([[unfit.sessions[0]?.why]]);
  expect(wrong[0]?.sessions[0]?.therapist).toBe(names.ana);
});

test('given an authorization that will end earlier or is deleted, the check reports the sessions that nothing pays for', async () => {
  const { ana, at, bo, client, check } = await scene();
  const granted = { payer: 'Acme', code: '97153', number: '1', from_date: '2026-11-01', until_date: '2026-12-31' };
  const authorization = { ...granted, units: 1000, period: 'total' };
  const url = `/api/clients/${bo}`;
  const saved = await t.staff.call({ method: 'PUT', url, payload: { ...client, authorizations: [authorization] } });
  expect(saved.statusCode, saved.body).toBe(200);
  for (const date of ['2026-11-24', '2026-12-01', '2026-12-08']) await at(ana, date, '09:00', '10:00');
  const datesOf = async (authorizations: object[]) => {
    const { sessions, not_by_cover } = await check({ version: 2, authorizations });
    return [not_by_cover ?? 0, ...sessions.map(({ date }) => date)];
  };
  expect(await datesOf([authorization])).toEqual([0]);
  expect(await datesOf([{ ...authorization, until_date: '2026-12-01' }])).toEqual([1, '2026-12-08']);
  expect(await datesOf([])).toEqual([3, '2026-11-24', '2026-12-01', '2026-12-08']);
});

test('given an authorization with fewer units than are booked, the check reports the sessions that are not paid for any more, and Today calls them wrong', async () => {
  const { ana, at, bo, client, check } = await scene();
  const granted = { payer: 'Acme', code: '97153', number: '1', from_date: '2026-11-01', until_date: '2026-12-31' };
  const authorization = { ...granted, units: 16, period: 'total' };
  const url = `/api/clients/${bo}`;
  const save = (authorizations: object[], version?: number) =>
    t.staff.call({
      method: 'PUT',
      url,
      payload: { ...client, authorizations, ...(version === undefined ? {} : { version }) },
    });
  const saved = await save([authorization]);
  expect(saved.statusCode, saved.body).toBe(200);
  await at(ana, '2026-11-10', '09:00', '10:00', { status: 'fulfilled' });
  for (const date of ['2026-11-24', '2026-12-01', '2026-12-08']) await at(ana, date, '09:00', '10:00');
  const datesOf = async (more: object, list: object[] = []) => {
    const { sessions } = await check({ version: 2, authorizations: [{ ...authorization, ...more }, ...list] });
    return sessions.map(({ date }) => date);
  };
  const wrongOn = async (date: string) => {
    const reply = await t.staff.call({ url: '/api/today', query: { location: 'altamonte', date } });
    return (reply.json<TodayReply>().wrong ?? []).flatMap(({ why, sessions }) =>
      sessions.some((each) => each.client === client.display_name) ? (why ?? []) : [],
    );
  };
  const PAYS = (day: string) => `No authorization pays for this session on ${day}.`;
  // Four hours are granted, and four are booked.
  expect(await datesOf({})).toEqual([]);
  expect(await wrongOn('2026-12-08')).toEqual([]);
  expect(await datesOf({ units: 12 })).toEqual(['2026-12-08']);
  expect(await datesOf({ units: 4 })).toEqual(['2026-11-24', '2026-12-01', '2026-12-08']);
  expect(await datesOf({ units: 4, period: 'week' })).toEqual([]);
  expect(await datesOf({ prior_units: 12, prior_until: '2026-11-15' })).toEqual(['2026-12-01', '2026-12-08']);
  expect(await datesOf({ units: 8 }, [{ ...granted, number: '2', units: 8, period: 'total' }])).toEqual([]);
  expect((await save([{ ...authorization, units: 12 }], 2)).statusCode).toBe(200);
  expect(await wrongOn('2026-12-01')).toEqual([]);
  expect(await wrongOn('2026-12-08')).toEqual([PAYS('Tue, Dec 8')]);
  // What was wrong already is not reported again.
  expect(await datesOf({ units: 12 })).toEqual([]);
  const week = await t.staff.call({ url: '/api/today/week', query: { from: '2026-12-07' } });
  expect(week.json<{ days: WellDay[] }>().days).toContainEqual(
    expect.objectContaining({ location: 'altamonte', date: '2026-12-08', wrong: 1 }),
  );
  // An earlier session that is cancelled leaves its units.
  const slots = await t.staff.call({ url: '/api/slots', query: { location: 'altamonte', date: '2026-12-01' } });
  const earlier = slots.json<SlotsReply>().appointments.find((each) => each['Client Name'] === client.display_name);
  const cancel = { method: 'POST', url: `/api/appointments/${earlier?.key}/cancel`, payload: {} } as const;
  const cancelled = await t.staff.call(cancel);
  expect(cancelled.statusCode, cancelled.body).toBe(200);
  expect(await wrongOn('2026-12-08')).toEqual([]);
});
