import { expect, test } from 'vitest';
import type { AuthorizationsReply, AuthorizedSession, CareReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { firstUnpaid } from '../../ledgers/count/authorizations.ts';
import { loadClinicDay } from '../../day/clinic-day.ts';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
} from '../../testing/builders.ts';
import { explainFirst, propose, saveAbsences, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { buildOneHelper, planOneHelper } from '../../testing/one-helper.ts';
import { useApp } from '../../testing/use-app.ts';
import { toProblem } from './to-problem.ts';

const DATE = '2026-12-09';
const WALL = { date: isoDate('2026-11-20'), minutes: 440 };
let clients: { bo: string; mo: string };
const t = useApp(fridayCoverApp, async ({ db }) => {
  clients = await buildOneHelper(db, ['2026-12-07', DATE]);
});

/** What the care ledger shows of the authorizations for a client's booked codes: code, period, authorized and left. */
const authorizedOf = ({ rows }: CareReply, client: string) =>
  rows
    .find(({ id }) => id === client)
    ?.authorized?.map(
      ({ code, authorization: own }) => [code, own?.period, own?.authorized ?? 0, own?.left ?? 0] as const,
    );

const SENTENCE = 'No authorization pays for this session on Wed, Dec 9.';

test.each(['bo', 'mo'] as const)(
  'given that an earlier session has used up the authorization of %s, then the only free therapist goes to the other child',
  async (used) => {
    const other = used === 'bo' ? 'mo' : 'bo';
    await t.db.deleteFrom('client_authorization').execute();
    // Two hours a week, which Monday's session uses up.
    await buildAuthorization(t.db, clients[used], { units: 8, period: 'week' });
    await buildAuthorization(t.db, clients[other], { units: 9, period: 'week' });
    const names = { bo: 'Bo Lee', mo: 'Mo Diaz' };
    const { covered, reply } = await planOneHelper(t.staff, DATE);
    expect(covered).toEqual([names[other]]);
    expect((await explainFirst(t.staff, reply, DATE, names[used])).about).toEqual([SENTENCE]);
    expect((await explainFirst(t.staff, reply, DATE, names[other])).about).toEqual([]);
    const url = (path: string) => t.staff.call({ url: `/api/ledgers/${path}date=${DATE}` });
    const ledger = (await url('authorizations?location=altamonte&')).json<AuthorizationsReply>();
    expect(ledger.rows.find((row) => row.client_id === clients[used])).toMatchObject({
      name: names[used],
      code: '97153',
      period: 'week',
      authorized: 120,
      delivered: 120,
      left: 0,
    });
    const behind = (await url(`authorizations/${clients[used]}?`)).json<AuthorizedSession[]>();
    expect(behind.map(({ date, delivered }) => [date, delivered])).toEqual([['2026-12-07', 120]]);
    const care = (await url('care?location=altamonte&')).json<CareReply>();
    expect(authorizedOf(care, clients[other])).toEqual([['97153', 'week', 135, 15]]);
    // The client's record does not say which codes the payer pays for at the same time.
    expect(care.off.map(({ rule }) => rule)).toEqual(['concurrent']);
  },
);

test('given units used before the calendar began, then the plan, the ledgers and a booking by hand know that none is left', async () => {
  await t.db.deleteFrom('client_authorization').execute();
  // Without the recorded units, Monday’s session would have used 8 of 100. The payer’s number contains that session.
  await buildAuthorization(t.db, clients.bo, { units: 100, prior: { units: 100, until: '2026-12-07' } });
  await buildAuthorization(t.db, clients.mo, { units: 100, prior: { units: 40, until: '2026-12-01' } });
  const { covered, reply } = await planOneHelper(t.staff, DATE);
  expect(covered).toEqual(['Mo Diaz']);
  expect((await explainFirst(t.staff, reply, DATE, 'Bo Lee')).about).toEqual([SENTENCE]);
  const url = (path: string) => t.staff.call({ url: `/api/ledgers/${path}date=${DATE}` });
  const { rows } = (await url('authorizations?location=altamonte&')).json<AuthorizationsReply>();
  expect(rows.map((row) => [row.name, row.delivered / 15, row.left / 15, row.prior])).toEqual([
    ['Bo Lee', 100, 0, { used: 1500, until: '2026-12-07' }],
    ['Mo Diaz', 48, 52, { used: 600, until: '2026-12-01' }],
  ]);
  const care = (await url('care?location=altamonte&')).json<CareReply>();
  expect(authorizedOf(care, clients.bo)).toEqual([['97153', 'total', 1500, 0]]);
  const date = isoDate(DATE);
  const booking = { date, service: 'direct' as const, subject: 'Direct Therapy', start: 600, end: 660 };
  expect(await firstUnpaid(t.db, clients.bo, [booking], { date, cut: 0 })).toBe(date);
  expect(await firstUnpaid(t.db, clients.mo, [booking], { date, cut: 0 })).toBeNull();
});

test.each(['bo', 'mo'] as const)(
  'given that Monday’s session of %s needs cover and would use the last units, then Wednesday’s helper goes to the other child in the same proposal',
  async (used) => {
    const other = used === 'bo' ? 'mo' : 'bo';
    const names = { bo: 'Bo Lee', mo: 'Mo Diaz' };
    const therapists = { bo: 'Ana Ruiz', mo: 'Lin Shaw' };
    const [monday, wednesday] = used === 'bo' ? ['2027-01-04', '2027-01-06'] : ['2027-01-11', '2027-01-13'];
    await t.db.deleteFrom('client_authorization').execute();
    await buildAuthorization(t.db, clients[used], { from: monday, until: wednesday, units: 8 });
    await buildAuthorization(t.db, clients[other], { from: monday, until: wednesday, units: 16 });
    const keys: string[] = [];
    for (const date of [monday, wednesday])
      for (const child of [used, other] as const) {
        const named = t.db.selectFrom('therapist').select('id').where('display_name', '=', therapists[child]);
        const therapist = (await named.executeTakeFirstOrThrow()).id;
        const booked = { therapist, client: clients[child], date, start: '09:00', end: '11:00' };
        keys.push(await buildAppointment(t.db, booked));
      }
    const reply = await propose(
      t.staff,
      { therapist: therapists[used], date: monday },
      { therapist: therapists.bo, date: wednesday },
      { therapist: therapists.mo, date: wednesday },
    );
    expect(takersOf(reply, monday, names[used])).toEqual(['Kai Wood']);
    expect(takersOf(reply, wednesday, names[other])).toEqual(['Kai Wood']);
    // Once Monday is over, its session can no longer be covered, and used no units.
    const weightOn = async (date: string) => {
      const wall = { date: isoDate(date), minutes: 440 };
      const { weights } = await loadClinicDay(t.db, 'altamonte', isoDate(wednesday), { wall });
      return weights.get(keys[2] ?? '')?.percent ?? 100;
    };
    expect([await weightOn(monday), await weightOn(wednesday)]).toEqual([30, 100]);
    // The ledger shows only what was delivered.
    const url = `/api/ledgers/authorizations?location=altamonte&date=${wednesday}`;
    const { rows } = (await t.staff.call({ url })).json<AuthorizationsReply>();
    expect(rows.find((row) => row.client_id === clients[used])).toMatchObject({ delivered: 0, left: 120 });
  },
);

test.each([
  ['2 units', { first: 4, second: 6 }, { left: 30, drawn: [4, 4], about: [] }],
  ['no unit', { first: 4, second: 4 }, { left: 0, drawn: [4, 4], about: [SENTENCE] }],
  ['units of only the first one', { first: 14, second: 4 }, { left: 150, drawn: [8, 0], about: [] }],
])(
  'given two authorizations that have %s left after an earlier session, then the plan, the ledgers and a booking by hand agree',
  async (_case, { first, second }, { left, drawn, about }) => {
    await t.db.deleteFrom('client_authorization').execute();
    // Monday's session used 8 units. The second is listed last, since it ends last.
    await buildAuthorization(t.db, clients.bo, {
      units: second,
      from: '2026-11-15',
      until: '2027-01-31',
      payer: 'Sun',
    });
    await buildAuthorization(t.db, clients.bo, { units: first, until: '2026-12-20' });
    const { reply } = await planOneHelper(t.staff, DATE);
    expect((await explainFirst(t.staff, reply, DATE, 'Bo Lee')).about).toEqual(about);
    const url = (path: string) => t.staff.call({ url: `/api/ledgers/${path}date=${DATE}` });
    const { rows } = (await url('authorizations?location=altamonte&')).json<AuthorizationsReply>();
    expect(rows.map(({ payer, delivered }) => [payer, delivered / 15])).toEqual([
      ['Acme', drawn[0]],
      ['Sun', drawn[1]],
    ]);
    expect(rows.reduce((sum, row) => sum + row.left, 0)).toBe(left);
    const care = (await url('care?location=altamonte&')).json<CareReply>();
    expect(authorizedOf(care, clients.bo)?.reduce((sum, [, , , own]) => sum + own, 0)).toBe(left);
    const behind = (await url(`authorizations/${clients.bo}?`)).json<AuthorizedSession[]>();
    for (const { id, delivered } of rows)
      expect(behind.reduce((sum, own) => sum + (own.authorization === id ? own.used : 0), 0)).toBe(delivered);
    // On the date, only the session that needs cover may still use units.
    const { id } = await t.db
      .selectFrom('appointment')
      .select('id')
      .where('client_id', '=', clients.bo)
      .where('starts', '=', `${DATE} 09:00`)
      .executeTakeFirstOrThrow();
    const booking = {
      key: id,
      date: isoDate(DATE),
      service: 'direct' as const,
      subject: 'Direct Therapy',
      start: 780,
      end: 840,
    };
    const now = { date: WALL.date, cut: WALL.minutes };
    expect(await firstUnpaid(t.db, clients.bo, [booking], now)).toBe(left > 0 ? null : DATE);
  },
);

test.each([
  ['ended the day before', { until: '2026-12-08', units: 900 }, [SENTENCE]],
  ['ends that day', { until: DATE, units: 900 }, []],
  ['begins that day', { from: DATE, units: 1 }, []],
  ['begins the day after', { from: '2026-12-10', units: 900 }, [SENTENCE]],
  ['is for another code', { code: '97155' as const, units: 900 }, [SENTENCE]],
])(
  'given an authorization that %s, then the explanation says whether it pays for the session',
  async (_case, authorization, about) => {
    await t.db.deleteFrom('client_authorization').execute();
    await buildAuthorization(t.db, clients.bo, authorization);
    const { reply } = await planOneHelper(t.staff, DATE);
    expect((await explainFirst(t.staff, reply, DATE, 'Bo Lee')).about).toEqual(about);
    // Mo has no authorization, so the rule is off.
    expect((await explainFirst(t.staff, reply, DATE, 'Mo Diaz')).about).toEqual([]);
    const ledger = await t.staff.call({ url: `/api/ledgers/authorizations?location=altamonte&date=${DATE}` });
    const { off, lapsed } = ledger.json<AuthorizationsReply>();
    expect(off.map(({ words }) => words)).toEqual(['Not checked for 1 client: no authorization.']);
    expect(lapsed).toEqual(about.length > 0 && !('code' in authorization) ? ['Bo Lee'] : []);
  },
);

test('given that the child is away in the morning, then the afternoon session can use the units that the morning session no longer needs', async () => {
  await t.db.deleteFrom('client_authorization').execute();
  const therapist = (await t.db.selectFrom('therapist').select('id').execute())[0]?.id ?? null;
  const afternoon = { therapist, client: clients.bo, date: DATE, start: '13:00', end: '15:00' };
  const key = await buildAppointment(t.db, afternoon);
  await buildAuthorization(t.db, clients.bo, { from: DATE, units: 8 });
  const why = async () =>
    (await loadClinicDay(t.db, 'altamonte', isoDate(DATE), { wall: WALL })).weights.get(key)?.why ?? [];
  expect(await why()).toEqual([SENTENCE]);
  await saveAbsences(t.staff, [{ client: 'Bo Lee', date: DATE, begin: '08:00', end: '12:00' }]);
  expect(await why()).toEqual([]);
});

test('given a session at another location that uses up the units that day, then no authorization pays for a later session here', async () => {
  await t.db.deleteFrom('client_authorization').execute();
  const date = '2026-12-10';
  const key = await buildAppointment(t.db, { therapist: null, client: clients.bo, date, start: '13:00', end: '15:00' });
  await buildAuthorization(t.db, clients.bo, { from: date, units: 8 });
  const why = async () =>
    (await loadClinicDay(t.db, 'altamonte', isoDate(date), { wall: WALL })).weights.get(key)?.why ?? [];
  expect(await why()).toEqual([]);
  const therapist = await buildTherapist(t.db, { first: 'Eve', last: 'Tampa', location: 'tampa' });
  const there = { therapist, client: clients.bo, date, start: '09:00', end: '11:00' };
  await buildAppointment(t.db, { ...there, location: 'tampa' });
  expect(await why()).toEqual(['No authorization pays for this session on Thu, Dec 10.']);
});

test.each([
  ['passed without a therapist', { therapist: false }, 13 * 60, []],
  ['can still be covered', { therapist: false }, 8 * 60, ['No authorization pays for this session on Mon, Dec 14.']],
  ['took place', { therapist: true }, 13 * 60, ['No authorization pays for this session on Mon, Dec 14.']],
  ['passed while its therapist was away', { therapist: true, away: true }, 13 * 60, []],
  ['passed at another location, its therapist away', { therapist: true, away: true, tampa: true }, 13 * 60, []],
])(
  'given a morning session that %s, then the plan for the afternoon and a booking by hand count its units alike',
  async (_case, morning: { therapist: boolean; away?: boolean; tampa?: boolean }, minutes, why) => {
    const date = isoDate('2026-12-14');
    await t.db.deleteFrom('client_authorization').execute();
    await t.db.deleteFrom('appointment').where('client_id', '=', clients.bo).where('starts', '>=', date).execute();
    await t.db.deleteFrom('absence').where('date', '=', date).execute();
    const location = morning.tampa ? 'tampa' : 'altamonte';
    const therapist = morning.therapist ? await buildTherapist(t.db, { location }) : null;
    const at = { client: clients.bo, date };
    await buildAppointment(t.db, { ...at, therapist, start: '09:00', end: '11:00', location });
    const key = await buildAppointment(t.db, { ...at, therapist: null, start: '15:00', end: '17:00' });
    await buildAuthorization(t.db, clients.bo, { from: date, units: 8 });
    if (morning.away && therapist !== null) await buildAbsence(t.db, { therapist, date, location });
    const { weights } = await loadClinicDay(t.db, 'altamonte', date, { wall: { date, minutes } });
    expect(weights.get(key)?.why ?? []).toEqual(why);
    const afternoon = { key, date, service: 'direct' as const, subject: 'Direct Therapy', start: 900, end: 1020 };
    const unpaid = await firstUnpaid(t.db, clients.bo, [afternoon], { date, cut: minutes });
    expect(unpaid).toBe(why.length > 0 ? date : null);
  },
);

test('given a group in which only one child’s units run out, then the group weighs as usual, since the others are paid for, and Why names the child', async () => {
  const date = isoDate('2026-12-11');
  const [ana] = await t.db.selectFrom('therapist').select('id').where('first_name', '=', 'Ana').execute();
  const children = ['Ida', 'Jo', 'Zed'].map((first) => ({ first, last: 'Group' }));
  for (const child of children) {
    // Zed needs no authorization. Ida’s pays for the first hour only.
    const units = child.first === 'Ida' ? 4 : 40;
    const authorizations = child.first === 'Zed' ? [] : [{ code: '97154' as const, from: date, units }];
    const client = await buildClient(t.db, { ...child, authorizations });
    for (const [start, end] of [['09:00', '10:00'] as const, ['13:00', '14:00'] as const])
      await buildAppointment(t.db, {
        ...{ therapist: ana?.id ?? '', client, date, start, end },
        ...{ subject: 'Play group', group: `${start} ${date}` },
      });
  }
  const weightOf = async () => {
    const { sessions } = toProblem(await loadClinicDay(t.db, 'altamonte', date, { wall: WALL }), { now: null });
    return sessions.map(({ start, weight, about }) => [start / 60, weight ?? 100, about ?? []]);
  };
  expect(await weightOf()).toEqual([
    [9, 100, []],
    [13, 100, ['No authorization pays for Ida Group in this group on Fri, Dec 11.']],
  ]);
  await t.db.updateTable('client_authorization').set({ units: 4 }).where('from_date', '=', date).execute();
  const zed = t.db.selectFrom('client').select('id').where('first_name', '=', 'Zed');
  await t.db.deleteFrom('appointment').where('client_id', '=', zed).execute();
  expect(await weightOf()).toEqual([
    [9, 100, []],
    [13, 30, ['No authorization pays for this session on Fri, Dec 11.']],
  ]);
});

test('given a child with two therapists at once, then the units of both count, and the page says so if the payer pays for only one', async () => {
  const { db } = t;
  const location = 'orlando';
  const two = await buildClient(db, { first: 'Two', last: 'Atonce', location, twoToOne: true });
  await buildAuthorization(db, two, { units: 100, payer: 'Sunrise' });
  for (const seat of [1, 2]) {
    const therapist = await buildTherapist(db, { first: `T${seat}`, last: 'Atonce', location });
    const at = { date: '2026-12-07', start: '09:00', end: '11:00', location } as const;
    await buildAppointment(db, { therapist, client: two, seat, ...at });
  }
  const ledger = async () =>
    (
      await t.staff.call({ url: `/api/ledgers/authorizations?location=${location}&date=${DATE}` })
    ).json<AuthorizationsReply>();
  expect((await ledger()).rows.map(({ delivered }) => delivered)).toEqual([240]);
  const off = async (concurrent: string[] | null) => {
    await db.deleteFrom('payer').where('name_key', '=', 'sunrise').execute();
    const payer = { name_key: 'sunrise', name: 'Sunrise', credential: null, tag: null, concurrent };
    await db.insertInto('payer').values(payer).execute();
    return (await ledger()).off.map(({ words }) => words);
  };
  expect(await off(null)).toEqual([]);
  expect(await off(['97153+97153'])).toEqual([]);
  expect(await off(['97153+97155'])).toEqual([
    'Two Atonce: the payer pays for one therapist at a time, but the units of both are counted here.',
  ]);
  expect((await ledger()).rows.map(({ delivered }) => delivered)).toEqual([240]);
});
