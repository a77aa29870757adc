/** A generated clinic's problem, judged by what the plans of its days say: docs/weeks.md. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { isoDate, mondayOf, parseTime, subtract, union, type Interval, type IsoDate } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { onReadSnapshot } from '../../db/connection.ts';
import { toProblem } from '../../plan/problem/to-problem.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildSmallClinic } from '../../testing/small-clinic.ts';
import { useApp } from '../../testing/use-app.ts';
import { buildWeeksClinic } from '../../testing/weeks-clinic.ts';
import { outward } from '../../day/facts/grid-plan.ts';
import { whyNot } from './standing-problem.ts';
import { loadStanding, type LoadedStanding } from './load-standing.ts';

const app = useApp();
const WALL = { date: isoDate('2026-11-20'), minutes: 440 };
const FROM = isoDate('2026-12-07');

const windows = (list: readonly (readonly [string, string])[] | undefined): Interval[] =>
  (list ?? []).map(([start, end]) => ({ start: parseTime(start) ?? 0, end: parseTime(end) ?? 0 }));

const load = (therapist: string, until: IsoDate): Promise<LoadedStanding> =>
  onReadSnapshot(app.db, (db) =>
    loadStanding(db, 'altamonte', { therapist, from: FROM, until, start: 0, end: 1440 }, WALL),
  );

test('[WKS-03] the time that a problem of weeks offers is the time that each day’s plan has', async () => {
  const { busiest, until } = await buildWeeksClinic(app.db, {
    seed: 3,
    therapists: 45,
    clients: 45,
    from: FROM,
    weeks: 8,
    history: 13,
  });
  await load(busiest, until);
  const begun = performance.now();
  const loaded = await load(busiest, until);
  const took = performance.now() - begun;
  console.info(`8 weeks × 45 therapists loaded in ${Math.round(took)} ms`);
  const { problem, series } = loaded;
  expect(JSON.stringify((await load(busiest, until)).problem)).toBe(JSON.stringify(problem));
  expect(problem.therapists.map(({ id }) => id)).not.toContain(busiest);
  expect(series.length).toBeGreaterThan(5);

  // A daily limit, and a date's credential, tag or newness, may take away more than the day's own time.
  let compared = 0;
  for (const date of problem.dates.filter((_, i) => i % 4 === 0)) {
    const day = await loadClinicDay(app.db, 'altamonte', date, { wall: WALL });
    const planned = toProblem(day, { now: null }).problem;
    for (const t of problem.therapists) {
      const own = planned.sessions.filter((s) => s.therapist === t.id && s.service !== 'admin');
      const away = planned.absences.filter((a) => a.who === t.id);
      const taken = [...own, ...away].map(({ start, end }) => ({
        start: parseTime(start) ?? 0,
        end: parseTime(end) ?? 0,
      }));
      const there = subtract(windows(planned.therapists.find((p) => p.id === t.id)?.available), taken);
      const offered = union([...windows(t.free[date]), ...windows(t.admin[date])]);
      expect(subtract(offered, there), `${t.id} on ${date}`).toEqual([]);
      if (loaded.facts.therapists.get(t.id)?.limits.day !== null) continue;
      expect(t.caps[mondayOf(date)], `${t.id}'s week of ${date}`).toBe(
        day.therapists.find(({ id }) => id === t.id)?.work?.cap,
      );
      const refused = series
        .filter((each) => date in each.rows && whyNot(loaded.facts, t.id, each, date) !== null)
        .map(({ start, end }) => outward({ start, end }));
      expect(subtract(subtract(there, offered), refused), `${t.id} on ${date}`).toEqual([]);
      compared++;
    }
    if (date === problem.dates[0])
      for (const client of problem.clients)
        for (const [therapist, how] of Object.entries(client.knows))
          expect(day.clients.find((c) => c.id === client.id)?.knows.get(therapist)).toBe(how);
  }
  expect(compared).toBeGreaterThan(200);
});

test('[WKS-03] what a day’s plan decided, what people were told, and half a session are left out', async () => {
  const { ana, bo, kai } = await buildSmallClinic(app.db);
  const dates = ['2026-12-08', '2026-12-15', '2026-12-22'];
  const keys = [];
  for (const date of dates)
    keys.push(await buildAppointment(app.db, { therapist: ana, client: bo, date, start: '08:30', end: '11:30' }));
  const account = app.staff.accountId;
  await app.db
    .insertInto('call_day')
    .values({ location: 'altamonte', date: dates[1] ?? '' })
    .execute();
  await app.db
    .insertInto('call_answer')
    .values({
      location: 'altamonte',
      date: dates[1] ?? '',
      client_id: bo,
      answer: 'told',
      version: '1',
      at: '2026-11-20T12:00:00Z',
      account_id: account,
    })
    .execute();
  const away = { therapist: ana, from: FROM, until: isoDate('2026-12-22'), start: 0, end: 1440 };
  const all = await loadStanding(app.db, 'altamonte', away, WALL);
  expect(all.problem.series.map(({ dates: own }) => own)).toEqual([['2026-12-08', '2026-12-22']]);
  expect(all.leftOut.map(({ row, why }) => [row.date, why])).toEqual([['2026-12-15', 'told']]);
  const again = await loadStanding(app.db, 'altamonte', away, WALL, true);
  expect(again.problem.series[0]?.dates).toEqual(dates);
  const half = await loadStanding(app.db, 'altamonte', { ...away, start: 600 }, WALL);
  expect(half.problem.series).toEqual([]);
  expect(half.leftOut.map(({ why }) => why)).toEqual(['partly', 'told', 'partly']);
  const mondays = await loadStanding(app.db, 'altamonte', { ...away, weekdays: [1] }, WALL);
  expect(mondays.problem.series).toEqual([]);
  const kaiFree = all.problem.therapists.find(({ id }) => id === kai);
  expect(kaiFree?.free['2026-12-08']).toEqual([['08:00', '17:00']]);
});

test('[WKS-03] a credential that ends within the range takes away only the dates after it', async () => {
  const from = '2026-12-07';
  const until = isoDate('2026-12-28');
  const tia = await buildTherapist(app.db, { first: 'Tia', last: 'Away' });
  const rae = await buildTherapist(app.db, {
    first: 'Rae',
    last: 'Ends',
    credential: [null, '2026-12-20'],
    hours: { day: 3 },
  });
  const lee = await buildClient(app.db, { first: 'Lee', last: 'Strict' });
  await app.db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', lee).execute();
  for (const date of [from, '2026-12-14', '2026-12-21', '2026-12-28'])
    await buildAppointment(app.db, { therapist: tia, client: lee, date, start: '13:00', end: '15:00' });
  const { problem } = await loadStanding(
    app.db,
    'altamonte',
    { therapist: tia, from: FROM, until, start: 0, end: 1440 },
    WALL,
  );
  const own = problem.therapists.find(({ id }) => id === rae);
  expect(own?.credential).toBe('RBT');
  // Only three hours a day: those at which somebody is needed.
  expect(own?.free[from]).toEqual([['13:00', '15:00']]);
  expect(own?.free['2026-12-21'] ?? []).toEqual([]);
});
