import { expect, test } from 'vitest';
import type { PayerBody, UnfitSessions } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist, dayVersion } from '../../testing/builders.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

let admin: SignedIn;
const t = useApp(undefined, async () => {
  admin = await t.signIn({ role: 'admin' });
});

let payers = 0;
/** Kai, a BT, and Ana, an RBT, both booked with Bo, whose authorization from a new payer ends on November 30. */
async function scene() {
  const name = `Payer ${++payers}`;
  const ana = await buildTherapist(t.db, {
    first: 'Ana',
    last: `Ruiz${payers}`,
    tags: [['Enrolled', null, '2026-11-24']],
  });
  const kai = await buildTherapist(t.db, { first: 'Kai', last: `Wood${payers}`, specialization: 'BT' });
  const authorizations = [{ payer: name.toUpperCase(), until: '2026-11-30', units: 1000 }];
  const bo = await buildClient(t.db, { first: 'Bo', last: `Lee${payers}`, authorizations });
  const at = (therapist: string, date: string, more: object = {}) =>
    buildAppointment(t.db, { therapist, client: bo, date, start: '09:00', end: '10:00', ...more });
  const body = (more: Partial<PayerBody>): PayerBody => ({ name, credential: null, tag: null, ...more });
  const check = async (more: Partial<PayerBody>): Promise<UnfitSessions> => {
    const reply = await admin.call({ method: 'POST', url: '/api/payers/check', payload: body(more) });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<UnfitSessions>();
  };
  const save = async (more: Partial<PayerBody>, how = '') => {
    const reply = await admin.call({ method: 'PUT', url: `/api/payers${how}`, payload: body(more) });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  return {
    name,
    ana,
    kai,
    at,
    check,
    save,
    names: { ana: `Ana Ruiz${payers}`, kai: `Kai Wood${payers}`, bo: `Bo Lee${payers}` },
  };
}
const told = ({ sessions }: UnfitSessions) => sessions.map(({ date, why }) => [date, why]);
const rowOf = (id: string) => t.db.selectFrom('appointment').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('given a payer that will require a credential, the check reports the upcoming sessions it will not pay for, with the reason, and saves nothing', async () => {
  const { name, ana, kai, at, check, names } = await scene();
  await at(kai, '2026-11-19'); // this session is past
  await at(kai, '2026-11-23', { location: 'tampa' });
  // The authorization does not cover this session's code.
  await at(kai, '2026-11-24', { subject: 'Parent Training', service: 'parent-training' });
  await at(ana, '2026-11-24');
  await at(kai, '2026-11-25', { status: 'cancelled' });
  await at(kai, '2026-12-01'); // this session is after the authorization's last date
  expect((await check({})).total).toBe(0);
  expect(await check({ credential: 'RBT' })).toEqual({
    total: 1,
    sessions: [
      {
        date: '2026-11-23',
        time: '9:00 AM - 10:00 AM',
        therapist: names.kai,
        location: 'tampa',
        client: names.bo,
        why: `${name} requires an RBT or above; ${names.kai} counts as a BT on that date.`,
      },
    ],
  });
  const stored = await t.db.selectFrom('payer').select('name').where('name', '=', name).execute();
  expect(stored).toEqual([]);
});

test('given a payer that will require an enrollment, the check reports the sessions after the therapist’s enrollment ends; sessions that the payer already does not pay for are not reported again', async () => {
  const { name, ana, kai, at, check, save, names } = await scene();
  await at(ana, '2026-11-24');
  await at(ana, '2026-11-25');
  await at(kai, '2026-11-25', { start: '11:00', end: '12:00' });
  const lacks = (who: string) => `${name} requires Enrolled, which ${who} does not have on that date.`;
  expect(told(await check({ tag: 'enrolled' }))).toEqual([
    ['2026-11-25', lacks(names.ana).replace('Enrolled', 'enrolled')],
    ['2026-11-25', lacks(names.kai).replace('Enrolled', 'enrolled')],
  ]);
  await save({ credential: 'RBT' });
  expect(told(await check({ credential: 'RBT', tag: 'Enrolled' }))).toEqual([['2026-11-25', lacks(names.ana)]]);
  expect((await check({ credential: null, tag: null })).total).toBe(0);
});

test('a plain save leaves the sessions as they are; a save with sessions=unassign takes the therapist off those that the payer no longer pays for, and history and audit trail record it', async () => {
  const { name, ana, kai, at, save, check } = await scene();
  const unfit = await at(kai, '2026-11-25');
  const fine = await at(ana, '2026-11-25', { start: '11:00', end: '12:00' });
  await save({ credential: 'RBT' });
  expect(await rowOf(unfit)).toMatchObject({ therapist_id: kai, version: 1 });
  await save({});
  const before = await dayVersion(t.db, 'altamonte', '2026-11-25');
  await save({ credential: 'RBT' }, '?sessions=unassign');
  expect(await rowOf(unfit)).toMatchObject({ therapist_id: null, status: 'booked', version: 2 });
  expect(await rowOf(fine)).toMatchObject({ therapist_id: ana, version: 1 });
  expect(await dayVersion(t.db, 'altamonte', '2026-11-25')).toBe(before + 1);
  expect((await t.staff.call({ url: `/api/appointments/${unfit}/history` })).body).toContain(
    `${name} no longer pays for this therapist`,
  );
  const trail = await t.db.selectFrom('audit').select('detail').where('action', '=', 'payer.changed').execute();
  expect(trail.at(-1)?.detail).toMatchObject({ unassigned: [unfit] });
  expect((await check({ credential: 'RBT' })).total).toBe(0);
});

test('only administrators may check a payer, and the check is audited', async () => {
  const { name } = await scene();
  const denied = await t.staff.call({
    method: 'POST',
    url: '/api/payers/check',
    payload: { name, credential: null, tag: null },
  });
  expect(denied.statusCode).toBe(403);
  const trail = await t.db.selectFrom('audit').select('account_id').where('action', '=', 'payer.checked').execute();
  expect(trail.map((entry) => entry.account_id)).toContain(admin.accountId);
});
