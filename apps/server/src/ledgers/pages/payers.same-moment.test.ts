import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { addDays, isoDate, type IsoDate } from '@clinic/domain';
import { sql } from 'kysely';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { everyone, propose, solveDay, submit, submitBody } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { BO } from '../../testing/profiles.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { waitsOrReplied } from '../../testing/waits.ts';

const PAYER = 'Acme Health';
const AUTHORIZED = { payer: PAYER, units: 4000, until: '2027-12-31' };

let admin: SignedIn;
let ana: string;
let kai: string;
let bo: string;
const t = useApp(fridayCoverApp, async ({ db }) => {
  admin = await t.signIn({ role: 'admin' });
  ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  // Kai is on Bo's team, so he is chosen unless a rule forbids it.
  kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', specialization: 'BT' });
  bo = await buildClient(db, { first: 'Bo', last: 'Lee', authorizations: [AUTHORIZED] });
  for (const date of ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'])
    await buildAppointment(db, { therapist: kai, client: bo, date, start: '09:00', end: '10:00' });
});

type Reply = Promise<LightMyRequestResponse>;
const put = (credential: 'RBT' | null, how = ''): Reply =>
  admin.call({
    method: 'PUT',
    url: `/api/payers${how}`,
    payload: { name: PAYER, credential, tag: null, concurrent: [] },
  });
beforeEach(async () => {
  const reply = await put(null);
  expect(reply.statusCode, reply.body).toBe(200);
});

let weeks = 0;
/** A Monday without sessions. */
const nextMonday = (): IsoDate => addDays(isoDate('2026-11-30'), 7 * weeks++);
const session = (date: string, therapist: string | null, start = '09:00', end = '11:00', client = bo) =>
  buildAppointment(t.db, { therapist, client, date, start, end });
const bodyOf = (date: string, start = '09:00', end = '11:00') => ({
  location: 'altamonte',
  client: 'Bo Lee',
  therapist: 'Kai Wood',
  date,
  start,
  end,
  subject: 'Direct Therapy',
});
const post = (payload: object): Reply => t.staff.call({ method: 'POST', url: '/api/appointments', payload });
const submitAll = (options: ProposalReply): Reply => submit(t.staff, submitBody(options, everyone(options)));

/** The writes that give Kai a session. Each `prepare` sets up a date, and returns a function that sends the request. */
const WRITES: readonly [what: string, prepare: (date: IsoDate) => Promise<() => Reply>][] = [
  ['a session booked by hand', (date) => Promise.resolve(() => post(bodyOf(date)))],
  ['a weekly series', (date) => Promise.resolve(() => post({ ...bodyOf(date), weekly_until: nextMonday() }))],
  [
    'a session given to another therapist',
    async (date) => {
      const key = await session(date, ana);
      return () => t.staff.call({ method: 'PUT', url: `/api/appointments/${key}`, payload: bodyOf(date) });
    },
  ],
  [
    'a session booked by hand for which the therapist is asked to stay late',
    (date) => Promise.resolve(() => post({ ...bodyOf(date, '16:30', '17:30'), ask: true })),
  ],
  [
    'options that are submitted',
    async (date) => {
      await session(date, ana);
      const options = await propose(t.staff, { therapist: 'Ana Ruiz', date });
      return () => submitAll(options);
    },
  ],
  [
    'a chosen therapist who is asked to stay late',
    async (date) => {
      const key = await session(date, null, '16:30', '17:30');
      const options = await solveDay(t.staff, { dates: [date], choose: { key, therapist: kai, ask: true } });
      return () => submitAll(options);
    },
  ],
];

/**
 * Sends two requests, the second while the first has done part of its work: the first waits for what `hold` has locked.
 */
async function together(hold: (trx: Db) => Promise<unknown>, first: () => Reply, second: () => Reply) {
  const { pool } = t.deps;
  const sent = await t.db.transaction().execute(async (trx) => {
    await hold(trx);
    const one = first();
    expect(await waitsOrReplied(pool, [one])).toBe(true);
    const other = second();
    await waitsOrReplied(pool, [one, other], 2);
    return { one, other };
  });
  return [await sent.one, await sent.other] as const;
}
/** Locks the row that a payer's change writes after it has read the sessions. */
const holdPayer = (trx: Db) => sql`select from payer for update`.execute(trx);
/** Locks the row that every change to a day writes last. */
const holdDay = (date: IsoDate) => (trx: Db) => bumpDays(trx, [{ location: 'altamonte', date }]);

const kaisSessions = async (from: string) =>
  (
    await t.db
      .selectFrom('appointment')
      .select('starts')
      .where('therapist_id', '=', kai)
      .where('starts', '>', from)
      .where('occupies', '=', true)
      .execute()
  ).length;

describe.each(WRITES)('given %s at the same moment as a change to a payer', (_what, prepare) => {
  test('if the change to the payer comes second, it waits and then takes the therapist off again', async () => {
    const date = nextMonday();
    const write = await prepare(date);
    const [written, changed] = await together(holdDay(date), write, () => put('RBT', '?sessions=unassign'));
    expect([written.statusCode, changed.statusCode], written.body + changed.body).toEqual([
      expect.toBeOneOf([200, 201]),
      200,
    ]);
    expect(await kaisSessions(date)).toBe(0);
  });

  test('if the change to the payer comes first, the booking waits and is checked against the new rule', async () => {
    const date = nextMonday();
    const write = await prepare(date);
    const [changed, refused] = await together(holdPayer, () => put('RBT'), write);
    expect([changed.statusCode, refused.statusCode], changed.body + refused.body).toEqual([200, 409]);
    expect(await kaisSessions(date)).toBe(0);
  });
});

describe('given a client’s new authorization and a change to its payer at the same moment, both of which take therapists off sessions', () => {
  /** Kai has a session with a new client, who has no authorization yet. */
  const scene = async () => {
    const date = nextMonday();
    const last = `Lee ${date}`;
    const client = await buildClient(t.db, { first: 'Mo', last });
    await session(date, kai, '09:00', '11:00', client);
    const paid = { payer: PAYER, code: '97153', number: '', units: 4000, period: 'total' };
    const authorizations = [{ ...paid, from_date: date, until_date: AUTHORIZED.until }];
    const save = (): Reply =>
      t.staff.call({
        method: 'PUT',
        url: `/api/clients/${client}?sessions=unassign`,
        payload: { ...BO, first_name: 'Mo', last_name: last, authorizations },
      });
    return { date, save };
  };

  test('if the client is saved first, the change to the payer waits and finds the session', async () => {
    const { date, save } = await scene();
    const replies = await together(holdDay(date), save, () => put('RBT', '?sessions=unassign'));
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect(await kaisSessions(date)).toBe(0);
  });

  test('if the payer is changed first, saving the client waits and finds the session', async () => {
    const { date, save } = await scene();
    const replies = await together(holdPayer, () => put('RBT', '?sessions=unassign'), save);
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect(await kaisSessions(date)).toBe(0);
  });
});

test('given two payers changed at the same moment as a booking, all three requests succeed, one after the other', async () => {
  const date = nextMonday();
  const other = (): Reply =>
    admin.call({
      method: 'PUT',
      url: '/api/payers?sessions=unassign',
      payload: { name: 'Other', credential: 'BCBA', tag: null },
    });
  const book = () => post(bodyOf(date));
  const both = async (): Reply => {
    const [one, two] = [put('RBT', '?sessions=unassign'), other()];
    expect((await two).statusCode).toBe(200);
    return one;
  };
  const replies = await together(holdDay(date), book, both);
  expect(replies.map((reply) => reply.statusCode)).toEqual([201, 200]);
  expect(await kaisSessions(date)).toBe(0);
});
