// This file is over 250 lines because it follows weekly series from the preview to the sessions that time brings.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import type { Recognised, SeriesPreview, SeriesReply, WireAppointment } from '@clinic/contract';
import {
  buildAbsence,
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
} from '../testing/builders.ts';
import { DAY, useDesk } from '../testing/desk.ts';
import { makeSeriesFurther } from './series-further.ts';
import { repeats } from '../reliability/testing/doses.ts';

const desk = useDesk();
const FRIDAY = isoDate('2026-11-20');
/** Twelve weeks from the Monday on. */
const HORIZON = '2027-02-14';

const body = (more: object = {}): object => ({
  location: 'altamonte',
  client: desk.names.client,
  subject: 'Direct Therapy',
  days: [
    { weekday: 1, start: '08:30', end: '11:30', therapist: desk.names.therapist },
    { weekday: 3, start: '14:00', end: '16:00', therapist: desk.names.therapist },
  ],
  from: DAY,
  ...more,
});
const ask = (path: string, payload: object) => desk.staff.call({ method: 'POST', url: `/api/series${path}`, payload });
const preview = async (more: object = {}): Promise<SeriesPreview> => {
  const reply = await ask('/preview', body(more));
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<SeriesPreview>();
};
const book = (more: object = {}) => ask('', body(more));
const rows = (client = desk.bo) =>
  desk.db.selectFrom('appointment').selectAll().where('client_id', '=', client).orderBy('starts').execute();
/** Makes series further, as on this day; returns how many sessions the test's client got. */
const further = async (today: string): Promise<number> => {
  const before = (await rows()).length;
  await makeSeriesFurther(desk.db, () => ({ date: isoDate(today), minutes: 480 }), Date.now());
  return (await rows()).length - before;
};
const datesIn = async (client = desk.bo) => (await rows(client)).map((row) => row.starts.slice(0, 10));

describe('booking weekly series', () => {
  test('series on two weekdays without an end are booked for twelve weeks, as the preview showed', async () => {
    const shown = await preview();
    expect(shown.through).toBe(HORIZON);
    expect(shown.days.map((day) => [day.dates.length, day.skipped.length])).toEqual([
      [12, 0],
      [12, 0],
    ]);
    const reply = await book({ version: shown.version });
    expect(reply.statusCode, reply.body).toBe(201);
    const made = await rows();
    const keys = made.slice(0, 2).map(({ id }) => id);
    expect(reply.json()).toEqual({ sessions: 24, skipped: 0, first: DAY, through: HORIZON, keys });
    expect(made.map((row) => row.starts.slice(0, 10))).toEqual(shown.days.flatMap((day) => day.dates).sort());
    const series = await desk.db.selectFrom('weekly_series').selectAll().where('client_id', '=', desk.bo).execute();
    expect(series.map((each) => [each.day_of_week, each.until_date, each.made_until])).toEqual([
      [1, null, HORIZON],
      [3, null, HORIZON],
    ]);
    expect(new Set(made.map((row) => row.series_id))).toEqual(new Set(series.map((each) => each.id)));
    for (const key of keys) await desk.takeBack(key, { scope: 'following' });
    expect(new Set((await rows()).map(({ status }) => status))).toEqual(new Set(['entered-in-error']));
    expect(await further('2026-12-21')).toBe(0);
  });

  test('dates on which someone is booked or away are skipped, each with its reason', async () => {
    await desk.booked({ date: '2026-11-30', start: '10:00', end: '12:00' });
    await buildAbsence(desk.db, { therapist: desk.ana, date: '2026-12-07' });
    await buildAbsence(desk.db, { client: desk.bo, date: '2026-12-14' });
    await buildAbsence(desk.db, { client: desk.bo, date: '2026-12-21', start: '13:00', end: '17:00' });
    const shown = await preview({ until: '2026-12-21' });
    expect(shown.days[0]?.dates).toEqual([DAY, '2026-12-21']);
    expect(shown.days[0]?.skipped).toMatchObject([
      {
        date: '2026-11-30',
        kind: 'booked',
        why: `${desk.names.therapist} is booked on Mon, Nov 30, 10:00 AM - 12:00 PM with ${desk.names.client}.`,
      },
      { date: '2026-12-07', kind: 'away', why: `${desk.names.therapist} is away.` },
      { date: '2026-12-14', kind: 'away', why: `${desk.names.client} is away.` },
    ]);
    expect((await book({ until: '2026-12-21', version: shown.version })).statusCode).toBe(201);
  });

  test('series take no more than authorizations pay for, beside what is booked later in the same week', async () => {
    await buildAuthorization(desk.db, desk.bo, { units: 20, period: 'week', until: '2026-12-31' });
    await desk.booked({ date: '2026-12-04', start: '09:00', end: '11:00' });
    const shown = await preview();
    // 3 + 2 h a week are paid for; in the week with 2 h on Friday, only the Monday is.
    expect(shown.days[1]?.skipped.map(({ date, kind }) => `${date} ${kind}`).slice(0, 1)).toEqual([
      '2026-12-02 authorization',
    ]);
    expect(shown.days[0]?.dates.at(-1)).toBe('2026-12-28');
    expect(shown.days[0]?.skipped.every(({ kind, date }) => kind === 'authorization' && date > '2026-12-31')).toBe(
      true,
    );
    expect((await book()).statusCode).toBe(201);
    const [monday] = await desk.db.selectFrom('weekly_series').selectAll().where('client_id', '=', desk.bo).execute();
    // What waits for a renewed authorization is booked once it is there.
    expect(monday?.made_until).toBe('2027-01-03');
    await buildAuthorization(desk.db, desk.bo, { units: 20, period: 'week', from: '2027-01-01', until: '2027-12-31' });
    await further(FRIDAY);
    expect((await datesIn()).filter((date) => date > '2026-12-31')).toHaveLength(12);
  });

  test('series give a therapist no more than the hours of the week, unless the coordinator says so', async () => {
    const most = await buildTherapist(desk.db, {
      first: 'Most',
      last: `Hours${desk.person}`,
      windows: [
        [1, '08:00', '17:00'],
        [3, '08:00', '17:00'],
      ],
      hours: { week: 4 },
    });
    const days = [1, 3].map((weekday) => ({
      weekday,
      start: '09:00',
      end: '12:00',
      therapist: `Most Hours${desk.person}`,
    }));
    const shown = await preview({ days });
    expect(shown.days.map((day) => day.dates.length)).toEqual([12, 0]);
    expect(shown.days[1]?.skipped[0]).toMatchObject({
      kind: 'hours',
      why: `Most Hours${desk.person} would have 6 h that week, of 4 h.`,
    });
    expect((await preview({ days, anyway: true })).days.map((day) => day.dates.length)).toEqual([12, 12]);
    const early = await preview({ days: [{ ...days[0], start: '07:00' }] });
    expect(early.days[0]?.skipped[0]).toMatchObject({
      kind: 'rule',
      why: `Monday 7:00 AM - 12:00 PM is not in Most Hours${desk.person}’s availability.`,
    });
    const reply = await book({ days: [{ ...days[0], start: '07:00' }] });
    expect(reply.statusCode).toBe(409);
    expect(reply.body).toContain('availability');
    expect(await rows()).toEqual([]);
    expect(most).not.toBe('');
  });

  test('nothing is booked if the calendar has changed since the preview', async () => {
    const { version } = await preview();
    await desk.booked({ date: '2026-11-30', start: '10:00', end: '12:00' });
    const reply = await book({ version });
    expect(reply.statusCode).toBe(409);
    expect(reply.body).toContain('Look at the dates again');
    expect(await rows()).toHaveLength(1);
  });

  test('times that overlap, an end before the start and a therapist who may not are refused', async () => {
    const monday = { weekday: 1, start: '08:30', end: '11:30', therapist: desk.names.therapist };
    const twice = [monday, { ...monday, start: '11:00', end: '12:00' }];
    expect((await book({ days: twice })).body).toContain('two of the times on Monday overlap');
    expect((await book({ until: '2026-11-01' })).statusCode).toBe(422);
    const client = await buildClient(desk.db, { first: 'Ex', last: `Cludes${desk.person}`, excludes: [desk.ana] });
    expect((await book({ client: `Ex Cludes${desk.person}` })).statusCode).toBe(422);
    expect(await rows(client)).toEqual([]);
  });

  test('a session on the calendar becomes the first of a series', async () => {
    const one = await desk.booked();
    const days = [{ weekday: 1, start: '08:30', end: '11:30', therapist: desk.names.therapist }];
    const more = { days, session: one.key, until: '2026-12-07' };
    expect((await preview(more)).days[0]?.dates).toEqual(['2026-11-30', '2026-12-07']);
    expect((await book(more)).statusCode).toBe(201);
    const reply = await desk.staff.call({ url: `/api/appointments/${one.key}/series` });
    expect(reply.json<SeriesReply>().dates).toEqual(['2026-11-30', '2026-12-07']);
    expect((await book(more)).body).toContain('already');
    const other = await desk.booked({ date: '2026-11-24' });
    expect((await book({ ...more, session: other.key })).statusCode).toBe(422);
  });
});

describe('series that go on', () => {
  test('their next sessions are booked as the horizon moves; a date with leave needs cover, one of the family is skipped', async () => {
    expect((await book()).statusCode).toBe(201);
    await buildAbsence(desk.db, { therapist: desk.ana, date: '2027-02-15' });
    await buildAbsence(desk.db, { client: desk.bo, date: '2027-02-22' });
    expect(await further('2026-11-23')).toBe(0);
    expect(await further('2026-12-07')).toBe(3);
    const later = (await datesIn()).filter((date) => date > HORIZON);
    expect(later).toEqual(['2027-02-15', '2027-02-17', '2027-02-24']);
    expect(await further('2026-12-07')).toBe(0);
    const history = await desk.historyOf((await rows()).at(-1)?.id);
    expect(history).toMatchObject([{ what: 'booked', account_id: null }]);
  });

  test('a series whose rule the coordinator let pass goes on; a series that ended or moved goes on as it is now', async () => {
    await desk.db.deleteFrom('therapist_availability').where('therapist_id', '=', desk.ana).execute();
    await desk.db
      .insertInto('therapist_availability')
      .values({
        therapist_id: desk.ana,
        day_of_week: 5,
        start_minute: 0,
        end_minute: 1440,
        from_date: null,
        until_date: null,
      })
      .execute();
    expect((await book({ anyway: true })).statusCode).toBe(201);
    expect(await further('2026-11-30')).toBe(2);
    const made = await rows();
    const [monday] = made.filter((row) => row.starts.includes('08:30'));
    const wednesday = made.filter((row) => row.starts.includes('14:00'))[2];
    expect((await desk.cancel(wednesday?.id, { scope: 'following' })).statusCode).toBe(200);
    const moved = desk.session({ start: '12:00', end: '15:00', scope: 'following', anyway: true });
    expect((await desk.put(monday?.id, moved)).statusCode).toBe(200);
    expect(await further('2026-12-07')).toBe(1);
    expect((await rows()).at(-1)?.starts).toBe('2027-02-22 12:00:00');
  });

  test('given random absences, bookings and limits, what the preview shows is what is booked, and all of it keeps the rules', async () => {
    let person = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
          away: fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }))),
          booked: fc.array(fc.integer({ min: 0, max: 40 })),
          week: fc.integer({ min: 2, max: 12 }),
          units: fc.option(fc.integer({ min: 4, max: 40 })),
        }),
        async ({ weekdays, away, booked, week, units }) => {
          const last = `Random${desk.person}x${person++}`;
          const windows = [0, 1, 2, 3, 4, 5, 6].map((day): [number, string, string] => [day, '08:00', '18:00']);
          const therapist = await buildTherapist(desk.db, { first: 'Tia', last, windows, hours: { week } });
          const client = await buildClient(desk.db, { first: 'Cy', last });
          if (units !== null) await buildAuthorization(desk.db, client, { units, period: 'week' });
          const on = (n: number) => addDays(isoDate(DAY), n);
          for (const [isClient, n] of new Map(away.map((each) => [String(each), each])).values())
            await buildAbsence(desk.db, { ...(isClient ? { client } : { therapist }), date: on(n) });
          for (const n of new Set(booked))
            await buildAppointment(desk.db, { therapist, client, date: on(n), start: '10:00', end: '11:00' });
          const wish = {
            client: `Cy ${last}`,
            days: weekdays.map((weekday) => ({ weekday, start: '09:00', end: '10:30', therapist: `Tia ${last}` })),
            until: on(40),
          };
          const shown = await preview(wish);
          const dates = shown.days.flatMap((day) => day.dates).sort();
          const reply = await book({ ...wish, version: shown.version });
          expect(reply.statusCode, reply.body).toBe(dates.length > 0 ? 201 : 409);
          const made = (await rows(client))
            .filter((row) => row.series_id !== null)
            .map((row) => row.starts.slice(0, 10));
          expect(made).toEqual(dates);
          const minutes = new Map<string, number>();
          for (const row of await rows(client)) {
            const monday = addDays(
              isoDate(row.starts.slice(0, 10)),
              -((new Date(row.starts.slice(0, 10)).getUTCDay() + 6) % 7),
            );
            const length = row.series_id === null ? 60 : 90;
            minutes.set(monday, (minutes.get(monday) ?? 0) + length);
          }
          const before = (monday: string) =>
            [...new Set(booked)].filter((n) => on(n) >= monday && on(n) < addDays(isoDate(monday), 7)).length * 60;
          for (const [monday, sum] of minutes) expect(sum).toBeLessThanOrEqual(Math.max(week * 60, before(monday)));
        },
      ),
      { seed: 7, numRuns: repeats(40) },
    );
  });
});

describe('changing all sessions of a series that are still to come', () => {
  const all = { scope: 'all' };

  test('a change of all includes the sessions before this one, and leaves out exceptions and the past', async () => {
    await desk.post(desk.session({ weekly_until: '2026-12-21', date: '2026-11-09' }));
    const made = await rows();
    expect(
      (await desk.put(made[4]?.id, desk.session({ date: '2026-12-07', start: '13:00', end: '16:00' }))).statusCode,
    ).toBe(200);
    const read = await desk.staff.call({ url: `/api/appointments/${made[5]?.id}/series` });
    expect(read.json<SeriesReply>()).toMatchObject({
      earlier: ['2026-11-23', '2026-11-30'],
      dates: ['2026-12-21'],
      apart: 0,
    });
    const reply = await desk.put(
      made[5]?.id,
      desk.session({ date: '2026-12-15', start: '09:00', end: '12:00', ...all }),
    );
    expect(reply.statusCode, reply.body).toBe(200);
    const by = (a: string, b: string) => (a < b ? -1 : 1);
    expect((await rows()).map((row) => row.starts.slice(5, 16)).sort(by)).toEqual([
      '11-09 08:30',
      '11-16 08:30',
      '11-24 09:00',
      '12-01 09:00',
      '12-07 13:00',
      '12-15 09:00',
      '12-22 09:00',
    ]);
  });

  test('all can be cancelled, and the series makes no further sessions', async () => {
    await book();
    const [first, , , fourth] = await rows();
    expect((await desk.cancel(fourth?.id, all)).json<WireAppointment>().Appointment_Status).toBe('Cancelled');
    const statuses = (await rows()).filter((row) => row.series_id === fourth?.series_id).map((row) => row.status);
    expect(new Set(statuses)).toEqual(new Set(['cancelled']));
    expect(first?.series_id).not.toBe(fourth?.series_id);
    expect(await further('2026-11-30')).toBe(1);
  });
});

describe('imported sessions that repeat every week', () => {
  const imported = async (last: string) => {
    const kai = await buildTherapist(desk.db, { first: 'Kai', last });
    const keys: string[] = [];
    for (let week = 0; week < 13; week++) {
      const date = addDays(isoDate('2026-10-06'), 7 * week);
      const therapist = week === 5 ? kai : desk.ana;
      keys.push(await buildAppointment(desk.db, { therapist, client: desk.bo, date, start: '09:00', end: '11:00' }));
    }
    return keys;
  };
  const recognised = async (session?: string, location = 'altamonte'): Promise<Recognised[]> => {
    const query = `location=${location}${session === undefined ? '' : `&session=${session}`}`;
    const reply = await desk.staff.call({ url: `/api/series/recognised?${query}` });
    return reply.json<{ series: Recognised[] }>().series.filter((each) => each.client === desk.names.client);
  };

  test('they are recognised with their evidence, accepted, and then change from now on', async () => {
    const keys = await imported(`Cover${desk.person}`);
    const [found, ...others] = await recognised();
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      therapist: desk.names.therapist,
      weekday: 2,
      start: '09:00',
      end: '11:00',
      weeks: 13,
      held: 12,
      covered: [{ therapist: `Kai Cover${desk.person}`, dates: 1 }],
    });
    const alone = await desk.booked({ date: '2026-11-27', start: '15:00', end: '16:00' });
    expect(await recognised(keys[8])).toEqual([found]);
    expect(await recognised(alone.key)).toEqual([]);
    expect(await recognised(keys[8], 'tampa')).toEqual([]);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await recognised(unknown)).toEqual([]);
    const reply = await ask('/recognised', { location: 'altamonte', keys: [found?.key, unknown] });
    expect(reply.json()).toEqual({ series: 1, changed: 1 });
    expect(await recognised()).toEqual([]);
    const later = await desk.put(
      keys[8],
      desk.session({ date: '2026-12-01', start: '13:00', end: '15:00', scope: 'following' }),
    );
    expect(later.statusCode, later.body).toBe(200);
    expect((await rows()).filter((row) => row.starts.includes('13:00'))).toHaveLength(5);
    // A series made of an import makes no sessions itself: the next import brings them.
    expect(await further('2026-12-28')).toBe(0);
  });
});
