import nodeIcal from 'node-ical';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment } from '../../testing/builders.ts';
import { CallList } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';

const day = (n: number): string => addDays(isoDate(DATE), n);

let t: SmallApp;
let kai: SignedIn;
beforeEach(async () => {
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => Date.parse(`${day(-1)}T22:00:00Z`) } } });
  kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
});
afterAll(() => t.app.close());

const { covered } = new CallList(() => t.who);
const ask = (path: string) => t.app.app.inject({ method: 'GET', url: `/feeds/${path}` });

/** Kai sees Mo from 9:00 to 12:00. */
const bookMo = () =>
  buildAppointment(t.db, {
    therapist: t.clinic.kai,
    client: t.clinic.mo,
    date: DATE,
    start: '09:00',
    end: '12:00',
  });

async function make(who = kai): Promise<string> {
  const made = await who.call({ method: 'POST', url: '/api/me/feed' });
  expect(made.statusCode, made.body).toBe(200);
  return made.json<{ secret: string }>().secret;
}

/** The events from DATE on: when, what it is called, and its state. */
async function read(secret: string): Promise<string[]> {
  const reply = await ask(`${secret}.ics`);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.headers['content-type']).toBe('text/calendar; charset=utf-8');
  const found = Object.values(nodeIcal.sync.parseICS(reply.body)).flatMap((each) =>
    each?.type === 'VEVENT' ? each : [],
  );
  return found
    .filter((event) => new Date(event.start).toISOString() >= DATE)
    .map((event) => `${new Date(event.start).toISOString()} ${JSON.stringify(event.summary)} ${event.status}`)
    .sort();
}

test('a program reads a therapist’s sessions at the secret address, by instant and without a client’s name', async () => {
  await bookMo();
  const secret = await make();
  expect(await read(secret)).toEqual([`${DATE}T14:00:00.000Z "Direct therapy" CONFIRMED`]);
  const { body } = await ask(secret);
  for (const name of ['Mo', 'Diaz', 'Bo', 'Lee']) expect(body).not.toMatch(new RegExp(`\\b${name}\\b`));
});

test.each([
  ['off', 'Direct therapy'],
  ['initials', 'Direct therapy, M. D.'],
  ['names', 'Direct therapy, Mo Diaz'],
] as const)(
  'with FEED_NAMES=%s a session is called “%s”, and one that was lost never names a client',
  async (feedNames, summary) => {
    const app = await buildTestApp({
      database: t.app.database,
      config: { feedNames },
      deps: { clock: t.app.deps.clock },
    });
    const lost = await bookMo();
    await sql`update appointment set status = 'cancelled' where id = ${lost}`.execute(t.db);
    await buildAppointment(t.db, {
      therapist: t.clinic.kai,
      client: t.clinic.mo,
      date: DATE,
      start: '12:00',
      end: '13:00',
    });
    const reply = await app.app.inject({ url: `/feeds/${await make()}.ics` });
    await app.close();
    const lines = reply.body.split('\r\n').filter((line) => line.startsWith('SUMMARY:'));
    expect(lines.slice(-2)).toEqual([`SUMMARY:${summary.replace(',', '\\,')}`, 'SUMMARY:Direct therapy']);
    expect(reply.headers['cache-control']).toBe('no-store');
  },
);

test('a session that the therapist is only asked for is tentative, and one that they lose is cancelled', async () => {
  const ana = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.ana, locations: ['altamonte'] });
  const [own, anas] = [await make(), await make(ana)];
  expect(await read(anas)).toEqual([`${DATE}T13:30:00.000Z "Direct therapy" CONFIRMED`]);
  await covered();
  expect(await read(own)).toEqual([`${DATE}T13:30:00.000Z "We ask you: Direct therapy" TENTATIVE`]);
  expect(await read(anas)).toEqual([`${DATE}T13:30:00.000Z "Direct therapy" CANCELLED`]);
});

test('a change raises an event’s sequence', async () => {
  const id = await bookMo();
  const secret = await make();
  const sequence = async () => {
    const found = Object.values(nodeIcal.sync.parseICS((await ask(secret)).body));
    const event = found.find((each) => each?.type === 'VEVENT' && String(each.uid).startsWith(id));
    return event?.type === 'VEVENT' ? Number(event.sequence) : Number.NaN;
  };
  const before = await sequence();
  await sql`update appointment set starts = starts + interval '1 hour', version = version + 1 where id = ${id}`.execute(
    t.db,
  );
  expect(await sequence()).toBe(before + 1);
});

test('an address stops working when it is ended, replaced, or its therapist leaves or loses access', async () => {
  const first = await make();
  const second = await make();
  expect((await ask(first)).statusCode).toBe(404);
  expect((await ask(second)).statusCode).toBe(200);
  expect((await kai.call({ url: '/api/me/feed' })).json()).toMatchObject({
    feed: { read_at: expect.any(String) as string },
  });

  await sql`update therapist set start_date = '2020-01-01', end_date = '2020-02-01' where id = ${t.clinic.kai}`.execute(
    t.db,
  );
  expect((await ask(second)).statusCode).toBe(404);
  await sql`update therapist set end_date = null where id = ${t.clinic.kai}`.execute(t.db);
  await sql`update account set disabled_at = now() where therapist_id = ${t.clinic.kai}`.execute(t.db);
  expect((await ask(second)).statusCode).toBe(404);
  await sql`update account set disabled_at = null where therapist_id = ${t.clinic.kai}`.execute(t.db);
  expect((await ask(second)).statusCode).toBe(200);

  expect((await kai.call({ method: 'DELETE', url: '/api/me/feed' })).statusCode).toBe(204);
  expect((await ask(second)).statusCode).toBe(404);
  expect((await kai.call({ url: '/api/me/feed' })).json()).toEqual({ feed: null, names: 'off' });
});

test('each reading, making and ending is in the audit trail, and the secret is stored nowhere', async () => {
  const secret = await make();
  await ask(secret);
  await kai.call({ method: 'DELETE', url: '/api/me/feed' });
  const trail = await t.db
    .selectFrom('audit')
    .select(['action', 'account_id', 'location'])
    .where('action', 'in', ['calendar-feed.made', 'calendar-feed.ended', 'own-day.read'])
    .execute();
  expect(trail.map(({ action }) => action).sort()).toEqual([
    'calendar-feed.ended',
    'calendar-feed.made',
    'own-day.read',
  ]);
  expect(new Set(trail.map(({ account_id }) => account_id)).size).toBe(1);
  const { rows } = await sql<{ hits: number }>`
    select count(*)::int as hits from audit where detail::text like ${`%${secret}%`} or ${secret} = any(subject_ids)`.execute(
    t.db,
  );
  expect(rows).toEqual([{ hits: 0 }]);
});

test('staff have no such address, and an unknown one is not found', async () => {
  expect((await t.who.call({ method: 'POST', url: '/api/me/feed' })).statusCode).toBe(403);
  expect((await ask('unknown')).statusCode).toBe(404);
});
