import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_RULES, type HoursReply, type ProposalReply, type SlotsReply, type TodayReply } from '@clinic/contract';
import { loadRules, saveRules } from '../../ledgers/count/rules.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, saveAbsences, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);

async function planFor(therapist: string, date: string, location: string) {
  const reply = await saveAbsences(t.staff, [{ therapist, date }], location);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ProposalReply>();
}

describe('given an availability window with a first and a last date', () => {
  beforeAll(async () => {
    const { db } = t.deps;
    const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    const windows: [number, string, string, string | null, string | null][] = [
      [1, '09:00', '17:00', '2026-12-07', '2026-12-14'],
    ];
    await buildTherapist(db, { first: 'Kai', last: 'Wood', windows });
    const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    for (const date of ['2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21'])
      await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  });

  test.each([
    ['2026-11-30', 'Unassigned', 'the Monday before its first date'],
    ['2026-12-07', 'Kai Wood', 'its first date'],
    ['2026-12-14', 'Kai Wood', 'its last date'],
    ['2026-12-21', 'Unassigned', 'the Monday after it'],
  ])(
    'the session on %s goes to %s (%s), and the calendar and the Today page’s list of free therapists agree',
    async (date, therapist) => {
      const reply = await planFor('Ana Ruiz', date, 'altamonte');
      expect(takersOf(reply, date, 'Bo Lee')).toEqual([therapist]);
      const query = `location=altamonte&date=${date}`;
      const day = (await t.staff.call({ url: `/api/slots?${query}` })).json<SlotsReply>();
      const { reserve } = (await t.staff.call({ url: `/api/today?${query}` })).json<TodayReply>();
      const there = therapist === 'Kai Wood';
      expect(day.availabilities.some((window) => window.therapist_name === 'Kai Wood')).toBe(there);
      expect(reserve.some((each) => each.therapist === 'Kai Wood')).toBe(there);
      if (there) return;
      // A therapist without a window on the date is not in the problem, but the explanation counts them.
      const why = await explainFirst(t.staff, reply, date, 'Bo Lee');
      expect(why.excluded.map(({ reason }) => reason)).toEqual(['1 is away', '1 does not work then']);
    },
  );
});

describe('given an RBT credential that expires', () => {
  beforeAll(async () => {
    const { db } = t.deps;
    const lou = await buildTherapist(db, { first: 'Lou', last: 'Vance', location: 'tampa' });
    await buildTherapist(db, { first: 'Max', last: 'Ray', location: 'tampa', credential: [null, '2026-12-08'] });
    const mo = await buildClient(db, { first: 'Mo', last: 'Diaz', location: 'tampa' });
    await db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', mo).execute();
    for (const date of ['2026-12-08', '2026-12-09'])
      await buildAppointment(db, {
        therapist: lou,
        client: mo,
        date,
        start: '09:00',
        end: '11:00',
        location: 'tampa',
      });
  });

  test('the therapist counts as a BT from the day after the credential expires, and the reasons name the credential', async () => {
    expect(takersOf(await planFor('Lou Vance', '2026-12-08', 'tampa'), '2026-12-08', 'Mo Diaz')).toEqual(['Max Ray']);
    const after = await planFor('Lou Vance', '2026-12-09', 'tampa');
    expect(takersOf(after, '2026-12-09', 'Mo Diaz')).toEqual(['Unassigned']);
    const why = await explainFirst(t.staff, after, '2026-12-09', 'Mo Diaz');
    expect(why.excluded.map(({ reason }) => reason)).toEqual(['1 is away', '1 does not have the credential']);
  });

  test.each([
    ['2026-12-08', 'RBT'],
    ['2026-12-09', 'BT'],
  ])('on %s the calendar, the Today page and the hours show %s', async (date, credential) => {
    const read = async <T>(path: string) =>
      (await t.staff.call({ url: `/api/${path}?location=tampa&date=${date}` })).json<T>();
    const { people } = await read<SlotsReply>('slots');
    expect(people.find((person) => person.name === 'Max Ray')).toMatchObject({ credential });
    const { reserve } = await read<TodayReply>('today');
    expect(reserve.find((each) => each.therapist === 'Max Ray')).toMatchObject({ credential });
    const { rows, off } = await read<HoursReply>('ledgers/hours');
    expect(rows.find((row) => row.name === 'Max Ray')).toMatchObject({ credential });
    // Lou Vance's credential has no dates.
    expect(off.map(({ words }) => words)).toEqual(['Not checked for 1 person: no credential dates.']);
  });
});

describe('the first days of a new therapist', () => {
  beforeAll(async () => {
    const { db } = t.deps;
    const eve = await buildTherapist(db, { first: 'Eve', last: 'Stone', location: 'orlando' });
    const newt = await buildTherapist(db, {
      first: 'Newt',
      last: 'Fox',
      location: 'orlando',
      firstDay: '2026-12-01',
    });
    const ida = await buildClient(db, { first: 'Ida', last: 'Cole', location: 'orlando' });
    const jo = await buildClient(db, { first: 'Jo', last: 'Park', location: 'orlando' });
    for (const date of ['2026-12-14', '2026-12-15'])
      for (const [client, start, end] of [[ida, '09:00', '10:00'] as const, [jo, '10:00', '11:00'] as const])
        await buildAppointment(db, { therapist: eve, client, date, start, end, location: 'orlando' });
    await buildAppointment(db, {
      therapist: newt,
      client: jo,
      date: '2026-12-02',
      start: '09:00',
      end: '10:00',
      location: 'orlando',
    });
  });

  test('a new therapist covers only clients who know them for the first 14 days, and all clients after that', async () => {
    const within = await planFor('Eve Stone', '2026-12-14', 'orlando');
    expect([takersOf(within, '2026-12-14', 'Ida Cole'), takersOf(within, '2026-12-14', 'Jo Park')]).toEqual([
      ['Unassigned'],
      ['Newt Fox'],
    ]);
    const why = await explainFirst(t.staff, within, '2026-12-14', 'Ida Cole');
    expect(why.excluded.map(({ reason }) => reason)).toEqual(['1 is away', '1 is new here and does not know Ida Cole']);
    const after = await planFor('Eve Stone', '2026-12-15', 'orlando');
    expect(takersOf(after, '2026-12-15', 'Ida Cole')).toEqual(['Newt Fox']);
  });

  test('a therapist counts as new for as many days as the rules set', async () => {
    const { db } = t.deps;
    expect(await loadRules(db)).toEqual(DEFAULT_RULES);
    await saveRules(db, { ...DEFAULT_RULES, new_here_days: 13 });
    const reply = await planFor('Eve Stone', '2026-12-14', 'orlando');
    expect(takersOf(reply, '2026-12-14', 'Ida Cole')).toEqual(['Newt Fox']);
    await saveRules(db, DEFAULT_RULES);
  });
});
