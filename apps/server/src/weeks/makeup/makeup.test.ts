import { loadHighs } from '@clinic/cover-engine/highs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, parseTime } from '@clinic/domain';
import type { CareReply, MakeupWish, Owed } from '@clinic/contract';
import { solveWeeks } from '@clinic/weeks-engine';
import { doseOf, keepFigures, timeLimit } from '../../reliability/testing/doses.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { useDesk } from '../../testing/desk.ts';
import { proposeMakeup } from './makeup.service.ts';

const desk = useDesk();

/** The engine itself, without worker threads. */
const solver = {
  solveWeeks: (problem: unknown) => solveWeeks(problem, { highs: loadHighs, left: () => 60, options: 1 }),
};
const propose = async (wish: MakeupWish) =>
  (
    await proposeMakeup(
      {
        db: desk.db,
        solver,
        act: { caller: { id: 'desk', locations: null } },
        now: wallNow(desk.deps.clock, wish.location),
      },
      wish,
    )
  ).reply;
const owedOf = async (location: string, client: string): Promise<Owed | undefined> =>
  (await desk.staff.call({ url: `/api/makeup?location=${encodeURIComponent(location)}` }))
    .json<{ owed: Owed[] }>()
    .owed.find((each) => each.client === client);
const book = (location: string, pieces: readonly object[]) =>
  desk.staff.call({ method: 'POST', url: '/api/makeup', payload: { location, pieces } });
const lengthOf = ({ start, end }: { start: string; end: string }): number =>
  (parseTime(end) ?? 0) - (parseTime(start) ?? 0);

/** A therapist who is free on weekdays, and children who lost their session last Tuesday. */
async function lostTuesday(location: 'tampa' | 'orlando', last: string, hours: readonly number[]) {
  const windows = [1, 2, 3, 4, 5].map((day): [number, string, string] => [day, '08:00', '12:00']);
  const therapist = await buildTherapist(desk.db, { first: 'Ana', last, location, windows });
  const children = [];
  for (const [i, length] of hours.entries()) {
    const id = await buildClient(desk.db, { first: `Kid${i}`, last, location });
    const end = `${String(8 + length).padStart(2, '0')}:00`;
    const at = { therapist, client: id, location, start: '08:00', end };
    const [from, to] = [`${13 + i}:00`, `${14 + i}:00`];
    await buildAppointment(desk.db, { ...at, date: '2026-11-10', status: 'fulfilled', start: from, end: to });
    const lost = await buildAppointment(desk.db, { ...at, date: '2026-11-17', status: 'cancelled' });
    children.push({ id, name: `Kid${i} ${last}`, lost });
  }
  return { therapist, children };
}

test('lost hours of several children are made up together, booked in one step, linked to what was lost, and no longer owed', async () => {
  const last = `Joint${desk.person}`;
  const { children } = await lostTuesday('tampa', last, [2, 3]);
  const names = children.map(({ name }) => name);
  expect(await owedOf('tampa', names[0] ?? '')).toMatchObject({
    lost: 120,
    made_up: 0,
    booked: 0,
    owed: 120,
    since: '2026-11-17',
    left: null,
  });
  const { pieces, left, through } = await propose({ location: 'tampa', clients: names, days: 7, times: 'any' });
  expect(left).toEqual([]);
  expect(through).toBe('2026-11-27');
  expect(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)).toBe(300);
  const reply = await book('tampa', pieces);
  expect(reply.statusCode, reply.body).toBe(201);
  expect(reply.json()).toEqual({ sessions: pieces.length, minutes: 300 });
  const links = await desk.db
    .selectFrom('made_up')
    .innerJoin('appointment', 'appointment.id', 'made_up.session')
    .select(['client_id', 'lost', 'minutes'])
    .where(
      'client_id',
      'in',
      children.map(({ id }) => id),
    )
    .execute();
  for (const { id, lost } of children)
    expect(new Set(links.filter((each) => each.client_id === id).map((each) => each.lost))).toEqual(new Set([lost]));
  expect(links.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(300);
  expect(await owedOf('tampa', names[0] ?? '')).toMatchObject({ booked: 120, owed: 0 });
  expect((await book('tampa', pieces)).statusCode).toBe(409);
  // One is cancelled: its time is owed again.
  const [piece] = pieces;
  const first = await desk.db
    .selectFrom('appointment')
    .select(['id', 'client_id'])
    .where('subject', '=', 'Make-up session')
    .where(
      'client_id',
      'in',
      children.map(({ id }) => id),
    )
    .orderBy('starts')
    .executeTakeFirstOrThrow();
  await desk.cancel(first.id);
  const child = children.find(({ id }) => id === first.client_id);
  expect((await owedOf('tampa', child?.name ?? ''))?.owed).toBe(piece ? lengthOf(piece) : -1);
});

test('a make-up session that took place counts as made up in the care ledger', async () => {
  const last = `Ledger${desk.person}`;
  const { therapist, children } = await lostTuesday('tampa', last, [2]);
  const [child] = children;
  if (!child) throw new Error('no child');
  const at = { therapist, client: child.id, location: 'tampa' as const, date: '2026-11-18' };
  await buildAppointment(desk.db, {
    ...at,
    start: '09:00',
    end: '10:00',
    status: 'fulfilled',
    subject: 'Make-up session',
  });
  const { rows } = (
    await desk.staff.call({ url: '/api/ledgers/care?location=tampa&date=2026-11-20' })
  ).json<CareReply>();
  expect(rows.find(({ name }) => name === child.name)).toMatchObject({ lost: 120, made_up: 60 });
  expect(await owedOf('tampa', child.name)).toMatchObject({ lost: 120, made_up: 60, owed: 60 });
});

test('no more is proposed than authorizations still pay for, beside what is booked', async () => {
  const last = `Capped${desk.person}`;
  const { children } = await lostTuesday('orlando', last, [4]);
  const [child] = children;
  if (!child) throw new Error('no child');
  await buildAuthorization(desk.db, child.id, { units: 26, from: '2026-01-01', until: '2026-12-31' });
  await buildAppointment(desk.db, {
    therapist: null,
    client: child.id,
    location: 'orlando',
    date: '2026-12-15',
    start: '14:00',
    end: '18:00',
  });
  const wish: MakeupWish = { location: 'orlando', clients: [child.name], days: 7, times: 'any' };
  const { pieces, left } = await propose(wish);
  // 26 units: 4 used on the 10th, 16 booked in December, so 6 are left.
  expect(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)).toBe(90);
  expect(left).toEqual([
    { client: child.name, minutes: 150, why: 'Authorizations pay for 1 h 30 min more in these days.' },
  ]);
  expect((await book('orlando', pieces)).statusCode).toBe(201);
  expect((await propose(wish)).pieces).toEqual([]);
});

test(
  'given random losses, limits and bookings, each proposal can be booked in the same state: none is refused',
  async () => {
    let n = 0;
    let booked = 0;
    const wanted = doseOf('makeups');
    const began = performance.now();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          lost: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
          units: fc.array(fc.option(fc.integer({ min: 2, max: 60 })), { minLength: 3, maxLength: 3 }),
          busy: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
          week: fc.integer({ min: 1, max: 8 }),
          days: fc.integer({ min: 1, max: 14 }),
          times: fc.constantFrom('usual' as const, 'any' as const),
        }),
        async ({ lost, units, busy, week, days, times }) => {
          const last = `Any${desk.person}x${n++}`;
          const { therapist, children } = await lostTuesday('tampa', last, lost);
          await desk.db
            .updateTable('therapist')
            .set({ week_minutes: week * 60 })
            .where('id', '=', therapist)
            .execute();
          for (const [i, { id }] of children.entries()) {
            const own = units[i];
            if (own != null) await buildAuthorization(desk.db, id, { units: own, period: i % 2 ? 'week' : 'total' });
          }
          for (const day of new Set(busy))
            await buildAppointment(desk.db, {
              therapist,
              client: children[0]?.id ?? null,
              location: 'tampa',
              date: addDays(isoDate('2026-11-21'), day),
              start: '09:00',
              end: '10:30',
            });
          const clients = children.map(({ name }) => name);
          const { pieces } = await propose({ location: 'tampa', clients, days, times });
          if (pieces.length === 0) return;
          const reply = await book('tampa', pieces);
          expect(reply.statusCode, `${JSON.stringify(pieces)} ${reply.body}`).toBe(201);
          booked += pieces.length;
        },
      ),
      { seed: 11, numRuns: wanted },
    );
    expect(booked).toBeGreaterThan(0);
    keepFigures('makeups', wanted, began, { 'sessions booked': booked, refused: 0 });
  },
  timeLimit(doseOf('makeups'), 10_000),
);
