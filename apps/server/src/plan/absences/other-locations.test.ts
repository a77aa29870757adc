import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { isoDate, type Location } from '@clinic/domain';
import { detailOf, everyone, saveAbsences, submit, submitBody } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { calendarHash } from '../../reliability/testing/state-checks.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { selectLocationsOf } from './absences.queries.ts';

let t: TestApp;
let both: SignedIn;
let altamonte: SignedIn;
let orlando: SignedIn;
let session: string;
let ana: string;
beforeEach(async () => {
  t = await buildCoverApp();
  const { db } = t.deps;
  const clinic = await buildSmallClinic(db);
  ana = clinic.ana;
  await buildTherapist(db, { first: 'Ola', last: 'Berg', location: 'orlando', windows: [[5, '08:00', '17:00']] });
  const secret = await buildClient(db, { first: 'Quill', last: 'Zephyr', location: 'orlando' });
  session = await buildAppointment(db, {
    therapist: ana,
    client: secret,
    date: DATE,
    start: '13:00',
    end: '15:00',
    location: 'orlando',
  });
  both = await t.signIn();
  altamonte = await t.signIn({ locations: ['altamonte'] });
  orlando = await t.signIn({ locations: ['orlando'] });
});
afterEach(() => t.close());

/** Orlando covers Ana's session there and submits the cover. */
async function submitAtOrlando(): Promise<void> {
  const reply = await saveAbsences(orlando, [{ therapist: 'Ana Ruiz', date: DATE, begin: '12:00' }], 'orlando');
  expect(reply.statusCode, reply.body).toBe(200);
  const options = reply.json<ProposalReply>();
  const done = await submit(orlando, submitBody(options, everyone(options)));
  expect(done.statusCode, done.body).toBe(200);
  expect(await holderOf(session)).toBe('Ola Berg');
}

async function holderOf(key: string): Promise<string | undefined> {
  const row = await t.deps.db
    .selectFrom('appointment as a')
    .innerJoin('therapist as t', 't.id', 'a.therapist_id')
    .select('t.display_name')
    .where('a.id', '=', key)
    .executeTakeFirst();
  return row?.display_name;
}

/** The actions in a location's audit trail that concern a therapist, oldest first. */
async function trailAt(location: Location, subject: string): Promise<string[]> {
  const rows = await t.deps.db
    .selectFrom('audit')
    .select(['action', 'subject_ids'])
    .where('location', '=', location)
    .orderBy('number')
    .execute();
  return rows.filter((row) => row.subject_ids.includes(subject)).map((row) => row.action);
}

const shorten = (who: SignedIn, takeBack?: boolean): Promise<LightMyRequestResponse> =>
  saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '08:00', end: '09:00' }], 'altamonte', {
    take_back: takeBack,
  });
const withdraw = (who: SignedIn, take_back: boolean): Promise<LightMyRequestResponse> =>
  who.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { location: 'altamonte', date: DATE, type: 'therapist', name: 'Ana Ruiz', take_back },
  });

test('an account without access to Orlando cannot shorten or withdraw an absence that Orlando has covered, and is asked to contact Orlando', async () => {
  await submitAtOrlando();
  const before = await calendarHash(t.deps.db);
  for (const act of [() => shorten(altamonte, true), () => withdraw(altamonte, true)]) {
    const reply = await act();
    expect(reply.statusCode, reply.body).toBe(403);
    expect(reply.json()).toEqual({
      detail:
        'This would also change what was recorded or submitted at Orlando for Ana Ruiz on Fri, Nov 22, and your account has no access there. Nothing was changed. Ask someone there to make this change.',
    });
  }
  expect(await calendarHash(t.deps.db)).toBe(before);
  expect(await holderOf(session)).toBe('Ola Berg');
});

test('an account without access to Orlando cannot undo a withdrawal that took back sessions there, and the list already says so', async () => {
  await submitAtOrlando();
  expect((await withdraw(both, true)).statusCode).toBe(200);
  const before = await calendarHash(t.deps.db);
  const where = { location: 'altamonte', date: DATE };
  const why = /^This would also change what was recorded or submitted at Orlando for Ana Ruiz/;
  const restore = (who: SignedIn) =>
    who.call({
      method: 'POST',
      url: '/api/absences/restore',
      payload: { ...where, type: 'therapist', name: 'Ana Ruiz' },
    });
  const listed = await altamonte.call({ url: '/api/absences/withdrawals', query: where });
  expect(listed.json()).toMatchObject([{ name: 'Ana Ruiz', cannot_undo: expect.stringMatching(why) as string }]);
  const refused = await restore(altamonte);
  expect([refused.statusCode, refused.json()]).toEqual([403, { detail: expect.stringMatching(why) as string }]);
  expect(await calendarHash(t.deps.db)).toBe(before);
  expect((await restore(both)).statusCode).toBe(200);
  expect(await holderOf(session)).toBe('Ola Berg');
});

test('given access to both locations, shortening an absence undoes cover only after the coordinator confirms, and both audit trails record it', async () => {
  await submitAtOrlando();
  const asked = await shorten(both);
  expect(asked.statusCode, asked.body).toBe(409);
  expect(detailOf(asked)).toMatchObject({ returned: 1 });
  expect(detailOf(asked).message).toBe(
    '1 of Ana Ruiz’s sessions (1 at Orlando) was given to others or left unassigned in submitted changes. If you continue, the session will need a therapist again, and new options will offer the usual therapist first. Nothing was changed.',
  );
  expect(await holderOf(session)).toBe('Ola Berg');
  const done = await shorten(both, true);
  expect(done.statusCode, done.body).toBe(200);
  expect(await holderOf(session)).toBeUndefined();
  expect(await trailAt('orlando', ana)).toEqual(['absence.saved', 'absence.saved']);
  expect(await trailAt('altamonte', ana)).toEqual(['absence.saved', 'absence.saved']);
});

test('given an absence that Orlando recorded, an account without access to Orlando can neither withdraw it there nor undo its withdrawal', async () => {
  expect((await saveAbsences(orlando, [{ therapist: 'Ana Ruiz', date: DATE }], 'orlando')).statusCode).toBe(200);
  const there = (who: SignedIn, act: 'withdraw' | 'restore') =>
    who.call({
      method: 'POST',
      url: `/api/absences/${act}`,
      payload: { location: 'orlando', date: DATE, type: 'therapist', name: 'Ana Ruiz' },
    });
  const refusedUnchanged = async (act: 'withdraw' | 'restore') => {
    const before = await calendarHash(t.deps.db);
    const reply = await there(altamonte, act);
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      { detail: 'Your account does not include this location. Ask an administrator.' },
    ]);
    expect(await calendarHash(t.deps.db)).toBe(before);
  };
  await refusedUnchanged('withdraw');
  expect((await there(orlando, 'withdraw')).statusCode).toBe(200);
  await refusedUnchanged('restore');
  expect((await there(orlando, 'restore')).statusCode).toBe(200);
});

test('an absence recorded at one location is audited at every location where the day changes', async () => {
  expect((await saveAbsences(altamonte, [{ therapist: 'Ana Ruiz', date: DATE }])).statusCode).toBe(200);
  expect(await trailAt('orlando', ana)).toEqual(['absence.saved']);
  expect(await trailAt('altamonte', ana)).toEqual(['absence.saved']);
});

test('if the cause of an absence is recorded later, it is audited at every location whose day shows it', async () => {
  const away = { therapist: 'Ana Ruiz', date: DATE };
  expect((await saveAbsences(both, [away])).statusCode).toBe(200);
  const events: unknown[] = [];
  const stop = t.deps.events.subscribe((event) => events.push('location' in event ? event.location : null));
  const said = await saveAbsences(both, [{ ...away, loss: { cause: 'sick' } }]);
  expect(said.statusCode, said.body).toBe(200);
  expect(await trailAt('altamonte', ana)).toEqual(['absence.saved', 'cause.said']);
  expect(await trailAt('orlando', ana)).toEqual(['absence.saved', 'cause.said']);
  await expect.poll(() => events).toEqual(expect.arrayContaining(['altamonte', 'orlando']));
  stop();
});

test('a new absence neither replaces nor shortens an absence that another location recorded', async () => {
  await saveAbsences(orlando, [{ therapist: 'Ana Ruiz', date: DATE, begin: '10:00', end: '12:00' }], 'orlando');
  const rows = () =>
    t.deps.db
      .selectFrom('absence')
      .select(['location', 'start_minute', 'end_minute'])
      .where('withdrawn_at', 'is', null)
      .orderBy('start_minute')
      .execute();
  const longer = { therapist: 'Ana Ruiz', date: DATE, begin: '09:00', end: '13:00' };
  expect((await saveAbsences(altamonte, [longer])).statusCode).toBe(200);
  expect(await rows()).toEqual([
    { location: 'altamonte', start_minute: 540, end_minute: 600 },
    { location: 'orlando', start_minute: 600, end_minute: 720 },
    { location: 'altamonte', start_minute: 720, end_minute: 780 },
  ]);
  expect((await saveAbsences(altamonte, [{ ...longer, end: '11:00' }])).statusCode).toBe(403);
  expect((await withdraw(altamonte, true)).statusCode).toBe(403);
  expect((await saveAbsences(both, [{ ...longer, end: '11:00' }])).statusCode).toBe(200);
  expect((await rows()).map((row) => [row.start_minute, row.end_minute])).toEqual([[540, 660]]);
});

test('a therapist’s locations on a date include those where their sessions were given to someone else', async () => {
  const { db } = t.deps;
  const person = { kind: 'therapist' as const, id: ana, displayName: 'Ana Ruiz', location: 'altamonte' as const };
  const locations = async () => (await selectLocationsOf(db, [{ person, date: isoDate(DATE) }])).flat().toSorted();
  expect(await locations()).toEqual(['altamonte', 'orlando']);
  const given = { therapist_id: null, booked_therapist_id: ana };
  await db.updateTable('appointment').set(given).where('id', '=', session).execute();
  expect(await locations()).toEqual(['altamonte', 'orlando']);
});
