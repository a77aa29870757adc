/** What an absence would cost before it is granted: docs/weeks.md. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { StandingPrice, StandingReply } from '@clinic/contract';
import { addDays, isAtRisk, isoDate, supervisionOn } from '@clinic/domain';
import { loadRules } from '../../ledgers/count/rules.ts';
import { selectSupervision } from '../../ledgers/count/supervision.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { buildWeeksClinic, type WeeksClinic } from '../../testing/weeks-clinic.ts';
import { repeats } from '../../reliability/testing/doses.ts';

const FROM = isoDate('2026-12-07');
let clinic: WeeksClinic;
const app = useApp(fridayCoverApp, async ({ db }) => {
  clinic = await buildWeeksClinic(db, { seed: 9, therapists: 16, clients: 18, from: FROM, weeks: 5, history: 6 });
});

async function post<T>(url: string, body: object): Promise<T> {
  const reply = await app.staff.call({ method: 'POST', url, payload: { location: 'altamonte', ...body } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
}
const price = (body: object) => post<StandingPrice>('/api/standing/price', body);

/** Everything on the calendar and everything that was offered. */
const stored = async (): Promise<unknown> =>
  (
    await sql`select (select count(*) from proposal_revision) as offers, (select md5(string_agg(a::text, '' order by id))
      from appointment a) as calendar, (select count(*) from absence) as absences`.execute(app.db)
  ).rows;

/** The RBTs who get too little supervision in a month, after what the calendar says. */
async function shortIn(month: string): Promise<string[]> {
  const rules = await loadRules(app.db);
  const rows = await app.db.selectFrom('therapist').select(['id', 'display_name']).execute();
  const ids = rows.map(({ id }) => id);
  const days = await selectSupervision(app.db, ids, [isoDate(`${month}-01`), isoDate(`${month}-31`)]);
  return rows.flatMap(({ id, display_name }) => {
    const own = supervisionOn(days.get(id) ?? [], isoDate(`${month}-01`), rules);
    return own.direct > 0 && isAtRisk(own) ? [display_name] : [];
  });
}

test('[WKS-03] a price says what the absence and the replacement then do, and writes nothing', async () => {
  const therapists = clinic.quarter.therapists.map(({ id }) => `${id}-9`);
  const range = fc.record({
    who: fc.nat(therapists.length - 1),
    start: fc.nat(18),
    days: fc.integer({ min: 0, max: 16 }),
  });
  await fc.assert(
    fc.asyncProperty(range, async ({ who, start, days }) => {
      const therapist = therapists[who] ?? '';
      const from = addDays(FROM, start);
      const body = { therapist, from, until: addDays(from, days) };
      const away = app.db.selectFrom('absence').select('id').where('therapist_id', '=', therapist);
      fc.pre((await away.where('date', '>=', from).where('date', '<=', body.until).execute()).length === 0);
      const before = await stored();
      const said = await price(body);
      expect(await stored()).toEqual(before);
      const reply = await post<StandingReply>('/api/standing', body);
      const [option] = reply.options;
      const series = reply.children.flatMap((child) => child.series.map((each) => ({ child, each })));
      const needed = series.reduce((sum, { each }) => sum + (each.end - each.start) * each.dates.length, 0);
      const open = series.reduce(
        (sum, { each }) => sum + (each.end - each.start) * (option?.series[each.id]?.open ?? each.dates).length,
        0,
      );
      if (reply.left_out.length === 0) expect([said.minutes, said.open.minutes]).toEqual([needed, open]);
      expect(said.open.authorized).toBeLessThanOrEqual(said.open.minutes);
      const faces = new Set(
        series.flatMap(({ child, each }) =>
          (option?.series[each.id]?.runs ?? []).flatMap((run) =>
            run.knows === 'new' ? [`${child.name}: ${reply.people[run.therapist]?.name}`] : [],
          ),
        ),
      );
      expect(said.faces.flatMap(({ child, names }) => names.map((name) => `${child}: ${name}`)).sort()).toEqual(
        [...faces].sort(),
      );
      // Then it is done, and the months are counted again from the calendar.
      const months = [...new Set([body.from, body.until].map((date) => date.slice(0, 7)))];
      const earlier = await Promise.all(months.map(shortIn));
      const absences: string[] = [];
      for (let date = body.from; date <= body.until; date = addDays(date, 1))
        absences.push(await buildAbsence(app.db, { therapist, date }));
      expect(await price(body)).toMatchObject({ supervision: said.supervision, open: said.open });
      const taken = option && Object.values(option.series).some(({ runs }) => runs.length > 0);
      const done = taken
        ? await post<{ commit: string }>('/api/standing/commit', {
            proposal: reply.proposal,
            choice: Object.fromEntries(reply.children.map(({ id }) => [id, option.name])),
          })
        : null;
      const later = await Promise.all(months.map(shortIn));
      const expected = months.flatMap((month, i) =>
        (later[i] ?? []).flatMap((name) => (earlier[i]?.includes(name) ? [] : [`${name} ${month}`])),
      );
      expect(said.supervision.map(({ name, month }) => `${name} ${month}`).sort()).toEqual(expected.sort());
      if (done) await post(`/api/commits/${done.commit}/undo`, {});
      await app.db.deleteFrom('absence').where('id', 'in', absences).execute();
    }),
    { numRuns: repeats(12), seed: 5 },
  );
});

test('[WKS-03] a supervisor’s absence says which RBT gets too little supervision, and what authorizations would have paid', async () => {
  const vera = await buildTherapist(app.db, { first: 'Vera', last: 'Supervises', specialization: 'BCBA' });
  const rob = await buildTherapist(app.db, { first: 'Rob', last: 'Serves', specialization: 'RBT' });
  const bo = await buildClient(app.db, {
    first: 'Bo',
    last: 'Stays',
    excludes: clinic.quarter.therapists.flatMap(({ id, credential }) => (credential === 'BCBA' ? [`${id}-9`] : [])),
    authorizations: [{ code: '97155', from: '2027-01-01', until: '2027-12-31', units: 8 }],
  });
  for (const date of ['2027-03-02', '2027-03-09', '2027-03-16']) {
    await buildAppointment(app.db, { therapist: rob, client: bo, date, start: '10:00', end: '12:00' });
    const own = { therapist: vera, client: bo, service: 'supervision' as const, subject: '97155' };
    await buildAppointment(app.db, { ...own, date, start: '10:00', end: '11:00' });
  }
  const all = { therapist: vera, from: '2027-03-08', until: '2027-03-19' };
  expect(await price(all)).toMatchObject({
    sessions: 2,
    minutes: 120,
    open: { sessions: 2, minutes: 120, authorized: 60 },
    supervision: [{ name: 'Rob Serves', month: '2027-03', minutes: 60, contacts: 1, contacts_needed: 2 }],
  });
  // Eight units pay for two of the three hours.
  // One session less is no loss: two contacts are left.
  expect(await price({ ...all, from: '2027-03-15' })).toMatchObject({ sessions: 1, supervision: [] });
  expect(await price({ ...all, weekdays: [1] })).toMatchObject({ sessions: 0, supervision: [], faces: [] });
});
