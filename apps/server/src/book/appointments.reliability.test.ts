import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { formatTime } from '@clinic/domain';
import type { WireAppointment } from '@clinic/contract';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp, FRIDAY_MORNING } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

// There are few people and little time, so nearly every booking conflicts with another.
const DATES = ['2026-11-23', '2026-11-24'];
const THERAPISTS = ['Ana Ruiz', 'Kai Wood', 'Lin Park'];
const CLIENTS = ['Bo Lee', 'Mo Diaz', 'Two One'];
const WORKERS = 8;
const ACTS = 60;

const t = useApp(
  () => buildTestApp({ config: { ...FRIDAY_MORNING, logLevel: 'error' } }),
  async ({ db }) => {
    for (const name of THERAPISTS)
      await buildTherapist(db, { first: name.split(' ')[0] ?? '', last: name.split(' ')[1] ?? '' });
    for (const name of CLIENTS) {
      await buildClient(db, {
        first: name.split(' ')[0] ?? '',
        last: name.split(' ')[1] ?? '',
        twoToOne: name === 'Two One',
      });
    }
  },
);

const act = fc.record({
  kind: fc.constantFrom('book', 'book', 'series', 'move', 'move', 'move', 'cancel'),
  which: fc.nat(1000),
  body: fc.record({
    location: fc.constantFrom('altamonte', 'tampa'),
    client: fc.constantFrom(...CLIENTS, 'Admin'),
    therapist: fc.constantFrom(...THERAPISTS, null),
    date: fc.constantFrom(...DATES),
    start: fc.integer({ min: 480, max: 600 }),
    length: fc.integer({ min: 10, max: 90 }),
    subject: fc.constantFrom('Direct Therapy', 'Supervision', 'Social Group'),
  }),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const keys: string[] = [];

async function perform({ kind, which, body }: Act): Promise<number> {
  const { start, length, ...rest } = body;
  const payload = { ...rest, start: formatTime(start), end: formatTime(start + length) };
  const key = keys[which % Math.max(1, keys.length)];
  const send = (method: 'POST' | 'PUT', url: string, more: object) =>
    t.staff.call({ method, url: `/api/appointments${url}`, payload: more });
  if (kind === 'cancel' && key !== undefined) return (await send('POST', `/${key}/cancel`, {})).statusCode;
  if (kind === 'move' && key !== undefined) return (await send('PUT', `/${key}`, payload)).statusCode;
  const reply = await send('POST', '', kind === 'series' ? { ...payload, weekly_until: '2026-12-08' } : payload);
  if (reply.statusCode === 201) keys.push(...reply.json<WireAppointment[]>().map((made) => made.key ?? ''));
  return reply.statusCode;
}

test('given many users who book, move and cancel at once, no one is in two places, no request fails, and the history has every write', async () => {
  const counts = new Map<number, number>();
  const work = async (seed: number): Promise<void> => {
    for (const next of fc.sample(act, { seed, numRuns: ACTS })) {
      const status = await perform(next);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, i) => work(20_261_120 + i)));

  expect([...counts.keys()].filter((status) => ![200, 201, 409, 422].includes(status))).toEqual([]);
  expect(counts.get(409) ?? 0).toBeGreaterThan(20); // bookings were refused because they conflicted with each other
  expect(counts.get(201) ?? 0).toBeGreaterThan(5);
  // Looks for double bookings without the constraints, and without the columns `occupies` and `place`, that prevent
  // them.
  const { rows: twice } = await sql`
    select a.id from appointment a join appointment b on a.id < b.id and a.starts < b.ends and b.starts < a.ends
    where a.status in ('pending', 'booked') and b.status in ('pending', 'booked')
      and ((a.therapist_id = b.therapist_id and a.client_id is not null and b.client_id is not null
             and (a.group_key is null or a.group_key is distinct from b.group_key))
        or (a.client_id = b.client_id and a.service = 'direct' and b.service = 'direct'
             and (a.seat = b.seat or a.client_id not in (select id from client where two_to_one))))`.execute(t.db);
  expect(twice).toEqual([]);
  const { rows: untold } = await sql`
    select a.id from appointment a
    where a.version <> (select count(*) from appointment_event e where e.appointment_id = a.id)`.execute(t.db);
  expect(untold).toEqual([]);
  const { rows: misplaced } = await sql`
    select id from appointment where occupies and (
      (group_key is null and place <> id::text) or (group_key is not null and place <> 'group:' || group_key)
      or client_place <> id::text or clash)`.execute(t.db);
  expect(misplaced).toEqual([]);
});
