import { expect, test } from 'vitest';
import type { CareReply, Payer, ReportReply, ReportSessions } from '@clinic/contract';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
} from '../../testing/builders.ts';
import { detailOf } from '../../testing/calls.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const DATE = '2026-11-17';
const RANGE = `location=altamonte&from=${DATE}&to=${DATE}`;
let admin: SignedIn;
let bo: string;
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }),
  async () => {
    admin = await t.signIn({ role: 'admin' });
    const { db } = t.deps;
    const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    const sue = await buildTherapist(db, { first: 'Sue', last: 'Fox', specialization: 'BCBA' });
    bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
    for (const { client, payer, at } of [
      { client: bo, payer: 'Acme Health', at: ['09:00', '11:00', '10:00', '11:30'] },
      { client: mo, payer: 'Other', at: ['13:00', '15:00', '14:00', '15:30'] },
    ] as const) {
      for (const code of ['97153', '97155'] as const) await buildAuthorization(db, client, { payer, code, units: 900 });
      // A direct session of two hours, with supervision from its second hour on.
      await buildAppointment(db, { therapist: ana, client, date: DATE, start: at[0], end: at[1] });
      await buildAppointment(db, {
        therapist: sue,
        client,
        date: DATE,
        start: at[2],
        end: at[3],
        service: 'supervision',
        subject: 'Supervision',
      });
    }
    // 1 h 50 min of Mo's direct session are kept: 7 whole units of 15 minutes.
    await buildAbsence(db, { client: mo, date: DATE, start: '13:00', end: '13:10' });
  },
);

const get = async <T>(path: string): Promise<T> => {
  const reply = await t.staff.call({ url: `/api/${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
const say = (concurrent: unknown, name = 'Acme Health') =>
  admin.call({ method: 'PUT', url: '/api/payers', payload: { name, credential: null, tag: null, concurrent } });
/** Each client's kept and billable minutes, and the rules that are off. */
async function figures() {
  const { groups, off } = await get<ReportReply>(`reports?${RANGE}`);
  return {
    of: Object.fromEntries(groups.client.map(({ label, kept, billable }) => [label, [kept, billable]])),
    off: off.map(({ words }) => words),
  };
}
const SILENT = 'not checked, because nobody has entered which codes may be billed at the same time.';

test('given payers without a record of which codes may be billed at the same time, all kept time is billable in whole units, and the report says that the rule is off', async () => {
  expect(await figures()).toEqual({
    of: { 'Bo Lee': [210, 210], 'Mo Diaz': [200, 195] },
    off: [`Acme Health, Other: ${SILENT}`],
  });
});

test.each([
  ['no pair', [], 150],
  ['another pair', ['97153+97156'], 150],
  ['this pair, in either order', ['97155+97153'], 210],
])(
  'given a payer that pays for %s at the same time, then any other overlapping time is billed only once',
  async (_, pairs, billable) => {
    const reply = await say(pairs);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await figures()).toEqual({
      of: { 'Bo Lee': [210, billable], 'Mo Diaz': [200, 195] },
      off: [`Other: ${SILENT}`],
    });
    const key = encodeURIComponent(bo);
    const behind = await get<ReportSessions>(`reports/sessions?${RANGE}&by=client&key=${key}&figure=billable`);
    // The session that began first bills the time that both could bill.
    expect(behind.sessions.map(({ minutes }) => minutes)).toEqual([120, billable - 120]);
    const { rows, off } = await get<CareReply>('ledgers/care?location=altamonte&date=2026-11-20');
    expect(rows.map(({ delivered, billable: own }) => [delivered, own])).toEqual([
      [210, billable],
      [200, 195],
    ]);
    expect(off.map(({ words }) => words)).toEqual([`Other: ${SILENT}`]);
  },
);

test.each([
  ['does not pay', [], 60],
  ['pays', ['97153+97153'], 120],
])(
  'given a child with two therapists for an hour and a payer that %s for both, then both draw units from the authorization, and billable follows the payer',
  async (_, concurrent, billable) => {
    const { db } = t.deps;
    const payer = `Pair ${billable}`;
    const client = await buildClient(db, { first: 'Ida', last: payer, location: 'tampa', twoToOne: true });
    await buildAuthorization(db, client, { payer, units: 900 });
    for (const [i, first] of ['Lin', 'Kai'].entries()) {
      const therapist = await buildTherapist(db, { first, last: payer, location: 'tampa' });
      const hour = { location: 'tampa', date: DATE, start: '09:00', end: '10:00' } as const;
      await buildAppointment(db, { therapist, client, seat: i + 1, ...hour });
    }
    await say(concurrent, payer);
    const { rows } = await get<CareReply>('ledgers/care?location=tampa&date=2026-11-20');
    const own = rows.find(({ id }) => id === client);
    const authorized = [{ code: '97153', authorization: { authorized: 900 * 15, left: 900 * 15 - 120 } }];
    expect(own).toMatchObject({ delivered: 120, billable, authorized });
  },
);

test('saving only a payer’s requirements keeps its code pairs, and changed code pairs are listed and audited', async () => {
  await say(['97155+97153', '97153+97155', '97153+97153']);
  const payload = { name: 'Acme Health', credential: 'RBT', tag: null };
  const reply = await admin.call({ method: 'PUT', url: '/api/payers', payload });
  const concurrent = ['97153+97153', '97153+97155'];
  const saved: unknown = expect.objectContaining({ ...payload, concurrent, authorizations: 2 });
  expect(reply.json<Payer[]>()).toContainEqual(saved);
  await say(null);
  expect((await figures()).off).toEqual([`Acme Health, Other: ${SILENT}`]);
  const trail = await t.deps.db.selectFrom('audit').select('detail').where('action', '=', 'payer.changed').execute();
  expect(trail.at(-2)?.detail).toMatchObject({ before: { concurrent }, after: { credential: 'RBT', concurrent } });
});

test.each([['97153+97159'], ['97153'], ['97153,97155']])('the code pair %s is refused', async (pair) => {
  const reply = await say([pair]);
  expect(reply.statusCode).toBe(422);
  expect(JSON.stringify(detailOf(reply))).toContain('two billing codes');
});

test('the workbook and the CSV file show the billable hours and which rule is off', async () => {
  const csv = await t.staff.call({ url: `/api/reports/file?${RANGE}&format=csv` });
  expect(csv.body).toContain('"Kept, h","Billable, h"');
  expect(csv.body).toContain(`Notes,"Acme Health, Other: ${SILENT}"`);
});
