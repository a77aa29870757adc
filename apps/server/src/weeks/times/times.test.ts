import { beforeAll, describe, expect, test } from 'vitest';
import { formatTime, isoDate, randomFrom } from '@clinic/domain';
import type { TimesReply, TimesWay, TimesWish } from '@clinic/contract';
import { solveWeeks } from '@clinic/weeks-engine';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
} from '../../testing/builders.ts';
import { useDesk } from '../../testing/desk.ts';
import { buildWeeksClinic } from '../../testing/weeks-clinic.ts';
import { doseOf } from '../../reliability/testing/doses.ts';
import { findChanges, findTimes } from './times.service.ts';
import { whoCould } from './who.service.ts';

const desk = useDesk();
const FROM = isoDate('2026-11-23');
const WALL = { date: isoDate('2026-11-20'), minutes: 480 };

/** The engine itself, without worker threads. */
const solver = {
  solveWeeks: (problem: unknown) =>
    solveWeeks(problem, { highs: () => Promise.reject(new Error('not needed')), left: () => 60, options: 5 }),
};
const asked = () => ({ db: desk.db, solver, act: { caller: { id: 'desk', locations: null } }, wall: WALL });
const wishOf = (client: string, more: Partial<TimesWish> = {}): TimesWish => ({
  location: 'tampa',
  client,
  sessions: 2,
  minutes: 120,
  people: 1,
  service: 'direct',
  from: FROM,
  windows: [1, 2, 3].map((weekday) => ({ weekday, start: '08:00', end: '12:00' })),
  ...more,
});
const find = async (wish: TimesWish): Promise<TimesReply> => (await findTimes(asked(), wish)).reply;
const book = (wish: TimesWish, way: TimesWay) =>
  desk.staff.call({
    method: 'POST',
    url: '/api/series',
    payload: {
      location: wish.location,
      client: wish.client,
      subject: 'Direct Therapy',
      days: way.days,
      from: wish.from,
      except: wish.except ?? [],
    },
  });

describe('finding a time', () => {
  test('ways are ranked, each with its reason and the dates on which it is held; the best is booked as series in one step', async () => {
    const last = `Tide${desk.person}`;
    const windows: [number, string, string][] = [1, 2, 3].map((day) => [day, '08:30', '12:00']);
    const ivy = await buildTherapist(desk.db, { first: 'Ivy', last, location: 'tampa', windows });
    await buildClient(desk.db, { first: 'Lu', last, location: 'tampa' });
    await buildAbsence(desk.db, { therapist: ivy, date: '2026-12-07', location: 'tampa' });
    const wish = wishOf(`Lu ${last}`);
    const reply = await find(wish);
    expect(reply).toMatchObject({ through: '2027-02-14', may: 1, of: 1 });
    const [best] = reply.ways;
    expect(best).toMatchObject({
      days: [
        { weekday: 2, start: '08:30', end: '10:30', therapist: `Ivy ${last}` },
        { weekday: 3, start: '08:30', end: '10:30', therapist: `Ivy ${last}` },
      ],
      people: [{ therapist: `Ivy ${last}`, knows: 'new', before: 0, after: 240, most: 2400 }],
      why: 'One face, one time of day. All 24 dates.',
      first: '2026-11-24',
      proven: true,
    });
    const mondays = wishOf(`Lu ${last}`, { sessions: 1, windows: [{ weekday: 1, start: '08:00', end: '12:00' }] });
    expect((await find(mondays)).ways[0]?.missed).toEqual([{ date: '2026-12-07', why: `Ivy ${last} is away.` }]);
    expect(reply.earlier).toEqual({ start: '08:00', reasons: [{ why: 'Not available then', therapists: 1 }] });
    if (!best) throw new Error('no way');
    const booked = await book(wish, best);
    expect(booked.statusCode, booked.body).toBe(201);
    expect(booked.json()).toMatchObject({ sessions: 24, skipped: 0, first: '2026-11-24' });
  });

  test('nobody may: the reasons say why, and a change says what it would take', async () => {
    const last = `Needle${desk.person}`;
    const location = 'palm beach';
    const windows: [number, string, string][] = [[1, '09:00', '12:00']];
    await buildTherapist(desk.db, { first: 'Ana', last, location, windows });
    const kim = await buildTherapist(desk.db, { first: 'Kim', last, location, windows, gender: 'Male' });
    await buildClient(desk.db, { first: 'Lu', last, location, excludes: [kim] });
    const early = wishOf(`Lu ${last}`, {
      location,
      sessions: 1,
      windows: [{ weekday: 1, start: '07:00', end: '10:30' }],
    });
    const none = await find(early);
    expect(none).toMatchObject({ may: 1, of: 2, ways: [], earlier: null });
    expect(none.mayNot).toEqual([{ why: 'The family’s or the clinic’s rules exclude them', therapists: 1 }]);
    const { changes } = await findChanges(asked(), early);
    expect(changes.map(({ what }) => what)).toEqual(['Mondays from 07:00 to 11:30', '1 h 30 min instead of 2 h']);
    for (const change of changes) expect((await find(change.wish)).ways[0]).toEqual(change.way);
  });

  test('what authorizations do not pay for is not held, and not booked', async () => {
    const last = `Paid${desk.person}`;
    await buildTherapist(desk.db, {
      first: 'Ana',
      last,
      location: 'orlando',
      windows: [
        [1, '08:00', '12:00'],
        [2, '08:00', '12:00'],
      ],
    });
    const client = await buildClient(desk.db, { first: 'Lu', last, location: 'orlando' });
    await buildAuthorization(desk.db, client, { units: 8, period: 'week', until: '2026-12-31' });
    const wish = wishOf(`Lu ${last}`, { location: 'orlando' });
    const [way] = (await find(wish)).ways;
    expect(way).toMatchObject({ held: 6, dates: 24 });
    expect(way?.missed[0]?.why).toContain('No authorization pays');
    if (!way) throw new Error('no way');
    expect((await book(wish, way)).json()).toMatchObject({ sessions: 6, skipped: 18 });
  });

  test('who could use a therapist’s free Tuesday: those who lost care come first, none whom a rule excludes', async () => {
    const last = `Free${desk.person}`;
    const location = 'deerfield';
    const maria = await buildTherapist(desk.db, { first: 'Maria', last, location, windows: [[2, '08:00', '12:00']] });
    const lost = await buildClient(desk.db, { first: 'Lost', last, location });
    await buildClient(desk.db, { first: 'Calm', last, location });
    await buildClient(desk.db, { first: 'Ex', last, location, excludes: [maria] });
    await buildAppointment(desk.db, {
      therapist: maria,
      client: lost,
      location,
      date: '2026-11-17',
      start: '09:00',
      end: '11:00',
      status: 'cancelled',
    });
    const { free, could } = await whoCould(desk.db, asked().act, WALL, {
      location,
      therapist: `Maria ${last}`,
      weekday: 2,
    });
    expect(free).toEqual([{ start: 480, end: 720 }]);
    expect(could.map(({ client }) => client)).toEqual([`Lost ${last}`, `Calm ${last}`]);
    expect(could[0]).toMatchObject({ knows: 'new', lost: 120 });
  });
});

describe('in random clinics', () => {
  const SEED = 20261123;
  let clients: string[] = [];
  beforeAll(async () => {
    const plan = { seed: SEED, therapists: 12, clients: 16, from: FROM, weeks: 12, history: 4 };
    await buildWeeksClinic(desk.db, plan);
    clients = (await desk.db.selectFrom('client').select('display_name').where('location', '=', 'altamonte').execute())
      .map((row) => row.display_name)
      .filter((name) => name.endsWith(String(SEED)));
  });

  test(
    'each way that is offered can be booked as it was shown, in the same state: none is refused',
    { timeout: 600_000 },
    async () => {
      const random = randomFrom('offers');
      const wanted = doseOf('offers');
      let offers = 0;
      for (let wishes = 0; offers < wanted && wishes < wanted; wishes++) {
        const weekdays = [1, 2, 3, 4, 5].filter(() => random.chance(0.7));
        const start = 480 + 60 * random.int(0, 5);
        const wish = wishOf(random.pick(clients), {
          location: 'altamonte',
          sessions: random.int(1, 3),
          minutes: 30 * random.int(2, 5),
          people: random.int(1, 2),
          windows: (weekdays.length > 0 ? weekdays : [2]).map((weekday) => ({
            weekday,
            start: formatTime(start),
            end: formatTime(start + 240 + 60 * random.int(0, 2)),
          })),
          ...(random.chance(0.2) ? { known: true } : {}),
          ...(random.chance(0.2) ? { except: [isoDate('2026-12-25')] } : {}),
        });
        for (const way of (await find(wish)).ways) {
          offers++;
          const reply = await book(wish, way);
          expect(reply.statusCode, `${JSON.stringify(wish)} ${JSON.stringify(way.days)} ${reply.body}`).toBe(201);
          expect(reply.json()).toMatchObject({ sessions: way.held, skipped: way.dates - way.held, first: way.first });
          // The next offer is booked in the same state, too.
          await desk.db
            .updateTable('appointment')
            .set({ status: 'cancelled' })
            .where('series_id', 'is not', null)
            .where('occupies', '=', true)
            .execute();
          await desk.db.updateTable('weekly_series').set({ until_date: FROM }).execute();
        }
      }
      expect(offers).toBeGreaterThanOrEqual(wanted);
    },
  );
});
