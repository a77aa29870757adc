import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { saveAbsences } from '../../testing/calls.ts';
import { buildCoverApp, failingSolver } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { buildAppointment, buildTherapist, dayVersion } from '../../testing/builders.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import type { ServerEvent } from '../../platform/events.ts';

let app: TestApp | undefined;
let who: SignedIn;
beforeEach(async () => {
  await app?.close();
  app = await buildCoverApp();
  who = await app.signIn();
  await buildSmallClinic(app.database.db);
});
afterAll(() => app?.close());

const theApp = (): TestApp => {
  if (!app) throw new Error('no application');
  return app;
};
const detailOf = (reply: { json: () => unknown }): unknown => (reply.json() as { detail: unknown }).detail;

/** Absences that were not withdrawn, such as `Ana Ruiz 480-1440`. */
async function stored(): Promise<string[]> {
  const rows = await theApp()
    .database.db.selectFrom('absence as a')
    .leftJoin('therapist as t', 't.id', 'a.therapist_id')
    .leftJoin('client as c', 'c.id', 'a.client_id')
    .select(['t.display_name as t', 'c.display_name as c', 'a.start_minute as s', 'a.end_minute as e', 'a.date as d'])
    .where('a.withdrawn_at', 'is', null)
    .orderBy('a.date')
    .orderBy('a.start_minute')
    .execute();
  return rows.map((r) => `${r.d === DATE ? '' : `${r.d} `}${r.t ?? r.c ?? ''} ${r.s}-${r.e}`);
}

test('[ABS-05] absences of therapists and clients are stored, and the reply is a proposal', async () => {
  const reply = await saveAbsences(who, [
    { therapist: 'ana ruiz', date: DATE },
    { client: '  Mo   Diaz ', begin: '12:00', end: '14:00', date: DATE },
  ]);
  expect(reply.statusCode, reply.body).toBe(200);
  const body = reply.json<ProposalReply>();
  expect(body.metadata).toMatchObject({ location: 'altamonte', day: DATE, revision: 1 });
  expect(body.metadata.queries).toHaveLength(2);
  expect(body.metadata.weekly_schedule['Bo Lee']).toEqual([
    { date: DATE, time: '8:30 AM - 11:30 AM', therapist: 'Ana Ruiz', subject: 'Direct Therapy', status: 'Scheduled' },
  ]);
  expect(Object.keys(body.data[DATE] ?? {})).toEqual(['Bo Lee', 'Mo Diaz']);
  expect(await stored()).toEqual(['Ana Ruiz 0-1440', 'Mo Diaz 720-840']);
});

test('[ABS-02] times are rounded to quarter hours, and 23:59 counts as the end of the day', async () => {
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', begin: '08:07', end: '10:08', date: DATE }]);
  expect(await stored()).toEqual(['Ana Ruiz 480-615']);
});

test('a window that does not end after it begins is refused, and nothing is stored', async () => {
  for (const [begin, end] of [
    ['12:00', '10:00'],
    ['09:00', '09:00'],
    ['09:01', '09:06'],
    ['23:59', '23:59'],
    ['24:00', '23:59'],
  ] as const) {
    const reply = await saveAbsences(who, [
      { client: 'Mo Diaz', date: DATE },
      { therapist: 'Ana Ruiz', begin, end, date: DATE },
    ]);
    expect(reply.statusCode).toBe(422);
    expect(detailOf(reply)).toMatch(
      /^Ana Ruiz’s absence on Fri, Nov 22, from .* must end at least a quarter of an hour after it begins/,
    );
  }
  expect(await stored()).toEqual([]);
});

test('a refused window that begins with the end of the day says so, and not 12:00 AM', async () => {
  const reply = await saveAbsences(who, [{ therapist: 'Ana Ruiz', begin: '24:00', end: '23:59', date: DATE }]);
  expect(detailOf(reply)).toContain('from the end of the day to 11:59 PM');
});

test('queries with `replaces` replace everything stored for a person and date; other queries only add', async () => {
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE }]);
  await saveAbsences(who, [
    { therapist: 'Ana Ruiz', begin: '08:00', end: '09:00', date: DATE },
    { therapist: 'Ana Ruiz', begin: '13:00', end: '14:00', date: DATE },
  ]);
  expect(await stored()).toEqual(['Ana Ruiz 480-540', 'Ana Ruiz 780-840']);
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', begin: '09:00', end: '10:00', date: DATE, replaces: false }]);
  expect(await stored()).toEqual(['Ana Ruiz 480-540', 'Ana Ruiz 540-600', 'Ana Ruiz 780-840']);
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', begin: '08:00', end: '08:30', date: DATE }]);
  expect(await stored()).toEqual(['Ana Ruiz 480-510']);
});

test('saving the same absence again adds no row, version, audit entry or event', async () => {
  const { db } = theApp().database;
  const events: ServerEvent[] = [];
  const end = theApp().deps.events.subscribe((e) => events.push(e));
  const query = [{ therapist: 'Ana Ruiz', begin: '08:00', end: '12:00', date: DATE }];
  await saveAbsences(who, query);
  const version = await dayVersion(db, 'altamonte', DATE);
  const rows = await db.selectFrom('absence').selectAll().execute();
  await saveAbsences(who, query);
  expect(await dayVersion(db, 'altamonte', DATE)).toBe(version);
  expect(await db.selectFrom('absence').selectAll().execute()).toEqual(rows);
  const audited = await db
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('action', '=', 'absence.saved')
    .execute();
  expect(audited).toHaveLength(1);
  expect(audited[0]?.detail).toMatchObject({ date: DATE, before: [], after: ['08:00-12:00'] });
  // Events arrive in order: a later event shows that all earlier ones have arrived.
  await saveAbsences(who, [{ client: 'Mo Diaz', date: DATE }]);
  await expect.poll(() => events.length).toBeGreaterThanOrEqual(2);
  expect(events).toEqual([
    { kind: 'absences', location: 'altamonte', dates: [DATE], by: who.accountId },
    { kind: 'absences', location: 'altamonte', dates: [DATE], by: who.accountId },
  ]);
  end();
});

test('an unknown name is refused with the nearest name as a suggestion, and a therapist is not found as a client', async () => {
  const reply = await saveAbsences(who, [{ therapist: 'Ana Ruis', date: DATE }]);
  expect(reply.statusCode).toBe(422);
  expect(detailOf(reply)).toBe("No therapist named 'Ana Ruis' at Altamonte. Did you mean 'Ana Ruiz'?");
  expect((await saveAbsences(who, [{ client: 'Ana Ruiz', date: DATE }])).statusCode).toBe(422);
  expect(await stored()).toEqual([]);
});

test('absences are saved only at locations to which the account has access, and people at other locations are not named', async () => {
  const { db } = theApp().database;
  await buildTherapist(db, { first: 'Pat', last: 'Cruz', location: 'tampa' });
  const local = await theApp().signIn({ locations: ['altamonte'] });
  const elsewhere = await saveAbsences(local, [{ therapist: 'Ana Ruiz', date: DATE }], 'tampa');
  expect(elsewhere.statusCode).toBe(403);
  const query = await saveAbsences(local, [{ therapist: 'Ana Ruiz', date: DATE, location: 'tampa' }]);
  expect(query.statusCode).toBe(403);
  const person = await saveAbsences(local, [{ therapist: 'Pat Cruz', date: DATE }]);
  expect(detailOf(person)).toBe("No therapist named 'Pat Cruz' at Altamonte. Nothing was changed.");
  // The reply does not reveal that two people at another location share a name.
  const second = await buildTherapist(db, { first: 'Pat', last: 'Cruz (2)', location: 'orlando' });
  await db.updateTable('therapist').set({ last_name: 'Cruz' }).where('id', '=', second).execute();
  expect(detailOf(await saveAbsences(local, [{ therapist: 'pat cruz', date: DATE }]))).not.toMatch(
    /Tampa|Orlando|\(2\)/,
  );
  expect(await stored()).toEqual([]);
  await db.deleteFrom('therapist_availability').where('therapist_id', '=', second).execute();
  await db.deleteFrom('therapist').where('id', '=', second).execute();
  expect((await saveAbsences(who, [{ therapist: 'Pat Cruz', date: DATE }])).statusCode).toBe(200);
});

test('[ABS-07] saving an absence that affects nothing returns empty data', async () => {
  const reply = await saveAbsences(who, [{ therapist: 'Kai Wood', date: DATE }]);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json<ProposalReply>().data).toEqual({});
});

test('[ABS-06] a request without queries, or with an invalid value, is refused with the reason, and nothing is stored', async () => {
  const empty = await who.call({
    method: 'POST',
    url: '/api/api/scheduler/process',
    payload: { date: DATE, location: 'altamonte', queries: [] },
  });
  expect(empty.statusCode).toBe(422);
  expect(detailOf(empty)).toBe('queries: No absences to save');
  for (const change of [{ date: '2026-02-30' }, { location: 'miami' }, { begin: '25:00' }]) {
    const reply = await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE, ...change }]);
    expect(reply.statusCode).toBe(422);
    expect(String(detailOf(reply))).toMatch(/not a date|no such location|not a time/);
  }
  expect(await stored()).toEqual([]);
});

test('given several dates, a therapist who covers a client on one date is treated as part of the client’s team on later dates', async () => {
  const { db } = theApp().database;
  const next = '2030-11-25';
  const people = await db.selectFrom('therapist').select(['id', 'first_name']).execute();
  const id = (first: string): string => people.find((p) => p.first_name === first)?.id ?? '';
  const client = await db.selectFrom('client').select('id').where('first_name', '=', 'Bo').executeTakeFirstOrThrow();
  await buildAppointment(db, { therapist: id('Ana'), client: client.id, date: next, start: '09:00', end: '11:00' });
  // Kai and Max are away on both dates, so Lin, whom Bo barely knows, covers both sessions.
  const reply = await saveAbsences(
    who,
    ['Ana Ruiz', 'Kai Wood', 'Max Dean'].flatMap((therapist) => [
      { therapist, date: next },
      { therapist, date: DATE },
    ]),
  );
  expect(reply.statusCode, reply.body).toBe(200);
  const { data } = reply.json<ProposalReply>();
  expect(Object.keys(data)).toEqual([DATE, next]);
  expect(data[DATE]?.['Bo Lee']?.['Option 1']?.['8:30 AM - 11:30 AM']).toMatchObject({
    therapist: 'Lin Park',
    familiarity: 'known',
  });
  expect(data[next]?.['Bo Lee']?.['Option 1']?.['9:00 AM - 11:00 AM']).toMatchObject({
    therapist: 'Lin Park',
    familiarity: 'team',
  });
});

test('withdrawing an absence removes everything stored for that person and date', async () => {
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE }]);
  const withdraw = (name: string, by = who) =>
    by.call({
      method: 'POST',
      url: '/api/absences/withdraw',
      payload: { location: 'altamonte', date: DATE, type: 'therapist', name },
    });
  const reply = await withdraw('Ana Ruiz');
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json()).toEqual({ absences: [], withdrawn_at: expect.any(String) as string });
  expect(await stored()).toEqual([]);
  const row = await theApp().database.db.selectFrom('absence').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ withdrawn_by: who.accountId });
  // Sent again after its reply was lost, the request finds nothing more to do.
  const again = await withdraw('Ana Ruiz');
  expect(again.statusCode, again.body).toBe(200);
  expect(again.json()).toEqual(reply.json());
  const other = await theApp().signIn();
  const late = await withdraw('Ana Ruiz', other);
  expect(late.statusCode).toBe(422);
  expect(detailOf(late)).toBe(
    'Ana Ruiz is not recorded as away on Fri, Nov 22. Nothing was changed. Load the calendar again.',
  );
});

test('if no options can be made, the absences are saved, and the error says so', async () => {
  const cases = [
    [
      new Refusal('busy', { headers: { 'retry-after': '7' } }),
      503,
      '7',
      /^The absences are saved\. The scheduler is working on other requests/,
    ],
    [new Refusal('solver-failed'), 503, '2', /^The absences are saved\. The options could not be worked out/],
    [new Error('a fault of ours'), 503, '2', /^The absences are saved\. The options could not be worked out/],
    [new Refusal('not-signed-in'), 403, undefined, /^The absences are saved\. Your account was changed or logged out/],
    [refusal('rights-changed'), 403, undefined, /^The absences are saved\. Your account was changed or logged out/],
  ] as const;
  for (const [error, status, retryAfter, words] of cases) {
    await theApp().close();
    app = await buildCoverApp({ solver: failingSolver(error) });
    who = await app.signIn();
    await buildSmallClinic(app.database.db);
    const reply = await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE }]);
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(detailOf(reply)).toMatch(words);
    expect(await stored()).toEqual(['Ana Ruiz 0-1440']);
  }
});
