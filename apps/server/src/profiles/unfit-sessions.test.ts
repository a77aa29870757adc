import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MOST_UNASSIGNED, type Client, type Therapist } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { lockAll, personDay } from '../db/locks.ts';
import { buildAppointment, buildClient, buildTherapist, dayVersion } from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';
import { blocks, waitsOrReplied } from '../testing/waits.ts';
import { repeats } from '../reliability/testing/doses.ts';

const t = useApp();

let people = 0;
async function scene() {
  const { db } = t.deps;
  const n = ++people;
  const kai = await buildTherapist(db, { first: 'Kai', last: `Wood${n}`, gender: 'Male' });
  const bo = await buildClient(db, { first: 'Bo', last: `Lee${n}` });
  const at = (date: string, more: object = {}) =>
    buildAppointment(db, { therapist: kai, client: bo, date, start: '09:00', end: '10:00', ...more });
  const profile = (await t.staff.call({ url: `/api/clients/${bo}` })).json<Client>();
  const save = (how = '?sessions=unassign', more: object = {}, by = t.staff) =>
    by.call({ method: 'PUT', url: `/api/clients/${bo}${how}`, payload: { ...profile, ...onlyWomen, ...more } });
  return { kai, bo, at, profile, save };
}
const onlyWomen = { restrictions: [{ type: 'gender', restriction: 'female' }] };

const rowOf = (id: string) => t.db.selectFrom('appointment').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a save with sessions=unassign takes the therapist off the sessions that no longer fit, and leaves all other sessions as they are', async () => {
  const { kai, at, save, profile } = await scene();
  const past = await at('2026-11-19');
  const unfit = await at('2026-11-24');
  const other = await at('2026-11-25', { therapist: await buildTherapist(t.db) });
  const before = await dayVersion(t.db, 'altamonte', '2026-11-24');
  const reply = await save();
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json<Client>().restrictions).toEqual([{ type: 'gender', restriction: 'female' }]);
  expect((await rowOf(past)).therapist_id).toBe(kai);
  expect((await rowOf(other)).therapist_id).not.toBeNull();
  expect(await rowOf(unfit)).toMatchObject({ therapist_id: null, status: 'booked', version: 2 });
  expect(await dayVersion(t.db, 'altamonte', '2026-11-24')).toBe(before + 1);
  const check = await t.staff.call({
    method: 'POST',
    url: `/api/clients/${profile.id}/check`,
    payload: { ...profile, ...onlyWomen },
  });
  expect(check.json()).toEqual({ total: 0, sessions: [] });
});

test('the history records who was taken off a session and why; the audit trail lists the sessions', async () => {
  const { bo, at, save } = await scene();
  const key = await at('2026-11-24');
  await save();
  const history = (await t.staff.call({ url: `/api/appointments/${key}/history` })).body;
  expect(history).toMatch(/Left without a therapist, previously with Kai Wood\d+/);
  expect(history).toContain('No longer fits the profile');
  const { detail } = await t.db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'client.changed')
    .where(sql<boolean>`${bo} = any(subject_ids)`)
    .executeTakeFirstOrThrow();
  expect(detail).toEqual({ changed: ['restrictions'], unassigned: [key] });
});

test('a save without sessions=unassign changes no session', async () => {
  const { kai, at, save } = await scene();
  const key = await at('2026-11-24');
  expect((await save('')).statusCode).toBe(200);
  expect(await rowOf(key)).toMatchObject({ therapist_id: kai, version: 1 });
});

test('given an outdated version, or a session at a location that the account may not use, the save is refused and the sessions stay as they were', async () => {
  const { kai, at, save } = await scene();
  const here = await at('2026-11-24');
  const tampa = await at('2026-11-25', { location: 'tampa' });
  const outdated = await save('?sessions=unassign', { version: 99 });
  expect(outdated.statusCode).toBe(409);
  const some = await t.signIn({ locations: ['altamonte'] });
  const elsewhere = await save('?sessions=unassign', {}, some);
  expect([elsewhere.statusCode, elsewhere.body]).toEqual([
    403,
    expect.stringContaining('at Tampa, and your account has no access there'),
  ]);
  for (const key of [here, tampa]) expect(await rowOf(key)).toMatchObject({ therapist_id: kai, version: 1 });
});

test('a save that would leave too many sessions without a therapist is refused, and the refusal says how many', async () => {
  const { kai, at, save, profile } = await scene();
  const from = isoDate('2026-11-23');
  const ids: string[] = [];
  for (let day = 0; day <= MOST_UNASSIGNED; day++) ids.push(await at(addDays(from, day)));
  const reply = await save();
  expect([reply.statusCode, reply.body]).toEqual([422, expect.stringContaining('1,001 sessions')]);
  expect(await rowOf(ids[0] ?? '')).toMatchObject({ therapist_id: kai });
  const stored = (await t.staff.call({ url: `/api/clients/${profile.id}` })).json<Client>();
  expect(stored.restrictions).toEqual([]);
  expect((await save('')).statusCode).toBe(200);
});

test('given a session that is booked while a save waits, and that then gets another therapist, the session keeps that therapist', async () => {
  const { bo, at, save } = await scene();
  const first = await at('2026-11-24');
  const ida = await buildTherapist(t.db, { gender: 'Female' });
  const { reply, second } = await t.db.transaction().execute(async (giving) => {
    const sent = await t.db.transaction().execute(async (holding) => {
      await lockAll(holding, [personDay('client', bo, '2026-11-24')]);
      const saving = save();
      await waitsOrReplied(t.deps.pool, [saving]);
      const booked = await at('2026-11-25');
      await lockAll(giving, [personDay('client', bo, '2026-11-25')]);
      await giving.updateTable('appointment').set({ therapist_id: ida }).where('id', '=', booked).execute();
      return { reply: saving, second: booked };
    });
    await expect.poll(() => blocks(giving)).toBe(true);
    return sent;
  });
  const { statusCode, body } = await reply;
  expect(statusCode, body).toBe(200);
  expect((await rowOf(first)).therapist_id).toBeNull();
  expect((await rowOf(second)).therapist_id).toBe(ida);
});

test('given a therapist’s shorter week, the therapist is taken off the sessions outside it', async () => {
  const { kai, at } = await scene();
  const early = await at('2026-11-24');
  const late = await at('2026-11-24', { start: '15:00', end: '16:00' });
  const therapist = (await t.staff.call({ url: `/api/therapists/${kai}` })).json<Therapist>();
  const availability = [1, 2, 3, 4, 5].map((day_of_week) => ({ day_of_week, start_time: '12:00', end_time: '17:00' }));
  const url = `/api/therapists/${kai}?sessions=unassign`;
  const reply = await t.staff.call({ method: 'PUT', url, payload: { ...therapist, availability } });
  expect(reply.statusCode, reply.body).toBe(200);
  expect((await rowOf(early)).therapist_id).toBeNull();
  expect((await rowOf(late)).therapist_id).toBe(kai);
});

test('given a group, only the unfit child’s session loses its therapist, and the rest of the group stays', async () => {
  const { kai, at, save } = await scene();
  const own = await at('2026-11-24', { group: 'g-save' });
  const rest = await at('2026-11-24', { group: 'g-save', client: await buildClient(t.db) });
  await save();
  expect(await rowOf(own)).toMatchObject({ place: 'group:g-save', therapist_id: null });
  expect(await rowOf(rest)).toMatchObject({ place: 'group:g-save', therapist_id: kai });
});

test('given an imported double booking, when one session loses its therapist, the other is no longer marked as double-booked', async () => {
  const { kai, at, save } = await scene();
  const clash = 'save';
  const own = await at('2026-11-24', { clash });
  const half = await at('2026-11-24', { clash, client: await buildClient(t.db) });
  await save();
  expect(await rowOf(own)).toMatchObject({ place: own, clash: false, therapist_id: null });
  expect(await rowOf(half)).toMatchObject({ place: half, clash: false, therapist_id: kai });
});

test('given bookings or changes made during the save, none of them ends up with a therapist whom the client has excluded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('book', 'move', 'give'), { minLength: 1, maxLength: 3 }),
      async (acts) => {
        const { kai, bo, at, profile, save } = await scene();
        const booked = await at('2026-11-24');
        const ida = await buildTherapist(t.db, { first: 'Ida', last: `Frost${people}`, gender: 'Female' });
        const body = {
          location: 'altamonte',
          client: profile.display_name,
          date: '2026-11-24',
          subject: 'Direct Therapy',
          therapist: `Kai Wood${people}`,
          start: '09:00',
          end: '10:00',
        };
        const url = '/api/appointments';
        const run = {
          book: (i: number) =>
            t.staff.call({ method: 'POST', url, payload: { ...body, start: `1${i}:00`, end: `1${i}:45` } }),
          move: () =>
            t.staff.call({ method: 'PUT', url: `${url}/${booked}`, payload: { ...body, date: '2026-11-26' } }),
          give: () =>
            t.staff.call({
              method: 'PUT',
              url: `${url}/${booked}`,
              payload: { ...body, therapist: `Ida Frost${people}` },
            }),
        };
        const [saved, ...others] = await Promise.all([save(), ...acts.map((act, i) => run[act](i + 1))]);
        expect(saved.statusCode, saved.body).toBe(200);
        for (const other of others) expect([200, 201, 409, 422], other.body).toContain(other.statusCode);
        const sessions = await t.db
          .selectFrom('appointment')
          .select(['id', 'therapist_id'])
          .where('client_id', '=', bo)
          .where('occupies', '=', true)
          .execute();
        for (const session of sessions) expect([null, ida]).toContain(session.therapist_id);
        expect(kai).not.toBe(ida);
      },
    ),
    { numRuns: repeats(12) },
  );
});
