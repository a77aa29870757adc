import { expect, test } from 'vitest';
import type { ChoicesReply, Payer } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, propose, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const TAGGED = '2026-12-02';
const LAPSED = '2026-12-03';
const RANKED = '2026-12-04';
let admin: SignedIn;
const t = useApp(fridayCoverApp, async ({ db }) => {
  admin = await t.signIn({ role: 'admin' });
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  // Kai is on Bo's team, so he is chosen unless a rule forbids it.
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', specialization: 'BT' });
  await buildTherapist(db, { first: 'Lou', last: 'Vance', tags: [['ACME ENROLLMENT', null, TAGGED]] });
  const authorizations = [
    { payer: 'acme  health', units: 1000 },
    { payer: 'Other', code: '97155' as const, units: 1000 },
  ];
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee', authorizations });
  for (const date of ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'])
    await buildAppointment(db, { therapist: kai, client: bo, date, start: '09:00', end: '10:00' });
  for (const date of [TAGGED, LAPSED, RANKED])
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
});

const requires = async (name: string, credential: Payer['credential'], tag: string | null) => {
  const reply = await admin.call({ method: 'PUT', url: '/api/payers', payload: { name, credential, tag } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Payer[]>();
};
const planFor = (date: string) => propose(t.staff, { therapist: 'Ana Ruiz', date });

test('a payer named in an authorization is listed, and requires nothing until an administrator sets a requirement', async () => {
  await requires('Acme Health', null, null);
  const listed = (await t.staff.call({ url: '/api/payers' })).json<Payer[]>();
  expect(listed.map(({ name, authorizations }) => [name, authorizations])).toEqual([
    ['acme  health', 1],
    ['Other', 1],
  ]);
  expect(takersOf(await planFor(TAGGED), TAGGED)).toEqual(['Kai Wood']);
  const denied = await t.staff.call({ method: 'PUT', url: '/api/payers', payload: { name: 'Acme Health' } });
  expect(denied.statusCode).toBe(403);
});

test('given a payer that requires enrollment, an enrolled therapist is chosen, and the reasons name the payer', async () => {
  expect(await requires('Acme Health', null, 'Acme enrollment')).toContainEqual({
    name: 'Acme Health',
    credential: null,
    tag: 'Acme enrollment',
    concurrent: null,
    authorizations: 1,
    version: expect.any(String) as unknown,
  });
  const reply = await planFor(TAGGED);
  expect(takersOf(reply, TAGGED)).toEqual(['Lou Vance']);
  const why = await explainFirst(t.staff, reply, TAGGED, 'Bo Lee');
  expect(why.speaks_for).toContain('Has what Acme Health requires: Acme enrollment.');
});

test('given that no therapist is enrolled on the date, the reasons name the payer, and count every therapist once', async () => {
  await requires('Acme Health', null, 'Acme enrollment');
  const reply = await planFor(LAPSED);
  expect(takersOf(reply, LAPSED)).toEqual(['Unassigned']);
  const why = await explainFirst(t.staff, reply, LAPSED, 'Bo Lee');
  expect([why.therapists, why.excluded.map(({ reason, count }) => [reason, count])]).toEqual([
    3,
    [
      ['1 is away', 1],
      ['2 do not have what Acme Health requires', 2],
    ],
  ]);
});

test('given a payer that requires an RBT, a BT is not chosen; what the payer of another billing code requires does not matter', async () => {
  await requires('Other', 'BCBA', null);
  await requires('Acme Health', 'RBT', null);
  const reply = await planFor(RANKED);
  expect(takersOf(reply, RANKED)).toEqual(['Lou Vance']);
  const why = await explainFirst(t.staff, reply, RANKED, 'Bo Lee');
  expect(why.speaks_for).toContain('Has what Acme Health requires: RBT.');
});

test('given a therapist who does not meet what the payer requires, a booking by hand is refused unless confirmed', async () => {
  await requires('Acme Health', 'RBT', 'Acme enrollment');
  const book = (therapist: string, anyway: boolean) =>
    t.staff.call({
      method: 'POST',
      url: '/api/appointments',
      payload: {
        location: 'altamonte',
        client: 'Bo Lee',
        therapist,
        date: '2026-12-07',
        start: '13:00',
        end: '14:00',
        subject: 'Direct Therapy',
        anyway,
      },
    });
  const asked = await book('Kai Wood', false);
  expect(asked.statusCode).toBe(409);
  expect(asked.body).toContain('Acme Health requires an RBT or above; Kai Wood counts as a BT on that date.');
  const lacking = await book('Lou Vance', false);
  expect(lacking.statusCode).toBe(409);
  expect(lacking.body).toContain('Acme Health requires Acme enrollment, which Lou Vance does not have on that date.');
  const passed = await book('Kai Wood', true);
  expect(passed.statusCode, passed.body).toBe(201);
});

test('given a form for a session that is not booked yet, the choices know what its payer requires, as booking it does', async () => {
  await requires('Acme Health', 'RBT', null);
  const kai = async (subject: string) => {
    const session = { client: 'Bo Lee', start: '09:00', end: '10:00', subject };
    const payload = { location: 'altamonte', date: '2026-12-08', session };
    const reply = await t.staff.call({ method: 'POST', url: '/api/sessions/choices', payload });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<ChoicesReply>().choices.find(({ therapist }) => therapist === 'Kai Wood')?.words;
  };
  expect(await kai('Direct Therapy')).toBe('not: does not have what Acme Health requires');
  // Acme does not pay for this code.
  expect(await kai('97154')).toMatch(/^free, on the team/);
});
