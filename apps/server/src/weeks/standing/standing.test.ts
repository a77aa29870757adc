/** A standing replacement from its options to the calendar and back: docs/weeks.md. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CallsReply, StandingCommit, StandingReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { selectBooked, selectRuled } from '../../day/ruled-sessions.ts';
import { brokenRules } from '../../day/session-rules.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { buildWeeksClinic, type WeeksClinic } from '../../testing/weeks-clinic.ts';
import { repeats } from '../../reliability/testing/doses.ts';

const FROM = isoDate('2026-12-07');
let clinic: WeeksClinic;
const app = useApp(fridayCoverApp, async ({ db }) => {
  clinic = await buildWeeksClinic(db, { seed: 7, therapists: 20, clients: 22, from: FROM, weeks: 6, history: 9 });
});

const propose = async (body: object): Promise<StandingReply> => {
  const reply = await app.staff.call({
    method: 'POST',
    url: '/api/standing',
    payload: { location: 'altamonte', from: FROM, until: clinic.until, ...body },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<StandingReply>();
};
const submit = (proposal: string, choice: Record<string, string>) =>
  app.staff.call({ method: 'POST', url: '/api/standing/commit', payload: { proposal, choice } });
const undo = (commit: string) => app.staff.call({ method: 'POST', url: `/api/commits/${commit}/undo` });

interface Refused {
  readonly detail: { readonly conflicts: readonly { readonly date: string; readonly why: string }[] };
}

/** For each child the same option. */
const all = ({ children }: StandingReply, name: string): Record<string, string> =>
  Object.fromEntries(children.map(({ id }) => [id, name]));

/** Everything about the calendar but versions and history. */
const calendar = async (): Promise<string> => {
  const { rows } = await sql<{ hash: string }>`select md5(string_agg(concat_ws(' ', id, client_id, therapist_id,
    booked_therapist_id, status, starts, ends, place, client_place, seat, clash, commit_id), ',' order by id)) as hash
    from appointment`.execute(app.db);
  return rows[0]?.hash ?? '';
};

const doubleBooked = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from appointment a join appointment b
    on a.therapist_id = b.therapist_id and a.id < b.id and a.occupies and b.occupies and a.service <> 'admin' and b.service <> 'admin'
    and a.place <> b.place and tsrange(a.starts, a.ends) && tsrange(b.starts, b.ends)`.execute(app.db);
  return rows[0]?.n ?? -1;
};

test('[WKS-03] options differ in meaning, and each date is taken, or left open with a reason', async () => {
  const reply = await propose({ therapist: clinic.busiest });
  expect(reply.children.length).toBeGreaterThan(1);
  expect(reply.options[0]?.label).toBe('Balanced');
  const texts = reply.options.map(({ series }) =>
    JSON.stringify(Object.values(series).map(({ runs }) => runs.map((run) => [run.therapist, run.dates]))),
  );
  expect(new Set(texts).size).toBe(texts.length);
  expect(reply.options.length + reply.same.length + reply.unfinished.length).toBe(4);
  for (const option of reply.options)
    for (const { id, dates } of reply.children.flatMap(({ series }) => series)) {
      const plan = option.series[id];
      const taken = plan?.runs.flatMap((run) => run.dates) ?? [];
      expect([...taken, ...(plan?.open.map(({ date }) => date) ?? [])].sort()).toEqual(dates);
      for (const { why } of plan?.open ?? []) expect(why).toMatch(/^[^.]+\..*\.$|^.*\.$/);
      for (const run of plan?.runs ?? []) {
        expect(run.why.join(' ')).toContain(reply.people[run.therapist]?.name);
        expect(run.therapist).not.toBe(clinic.busiest);
      }
    }
});

test('[WKS-03] what is offered can be submitted, breaks no rule, double-books nobody, and is undone as one', async () => {
  const therapists = clinic.quarter.therapists.map(({ id }) => `${id}-7`);
  const range = fc.record({
    who: fc.nat(therapists.length - 1),
    start: fc.nat(20),
    days: fc.integer({ min: 0, max: 35 }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), { nil: undefined }),
    picks: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
    mixed: fc.boolean(),
  });
  let submitted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(range, async ({ who, start, days, weekdays, picks, mixed }) => {
      const from = addDays(FROM, start);
      const body = {
        therapist: therapists[who] ?? '',
        from,
        until: addDays(from, days),
        ...(weekdays ? { weekdays } : {}),
      };
      const reply = await propose(body);
      const [first] = reply.options;
      if (!first || !Object.values(first.series).some(({ runs }) => runs.length > 0)) return;
      const before = await calendar();
      const name = (i: number): string =>
        reply.options[(picks[i % picks.length] ?? 0) % reply.options.length]?.name ?? '';
      const choice = mixed ? Object.fromEntries(reply.children.map(({ id }, i) => [id, name(i)])) : all(reply, name(0));
      const done = await submit(reply.proposal, choice);
      if (done.statusCode === 409) {
        // Two options may need the same person at the same time: only a mix is ever refused, with a reason for each date.
        expect(new Set(Object.values(choice)).size).toBeGreaterThan(1);
        const { conflicts } = done.json<Refused>().detail;
        for (const { why } of conflicts) expect(why).toMatch(/two children at that time|more hours/);
        expect(await calendar()).toBe(before);
        refused++;
        return;
      }
      if (done.statusCode === 422) return expect(done.body).toContain('No option is selected');
      expect(done.statusCode, done.body).toBe(200);
      submitted++;
      const { commit, sessions } = done.json<StandingCommit>();
      const written = await app.db.selectFrom('appointment').select(['id']).where('commit_id', '=', commit).execute();
      expect(written.length).toBe(sessions);
      expect(await doubleBooked()).toBe(0);
      const rows = await selectBooked(app.db, sql`commit_id = ${commit}`);
      for (const session of await selectRuled(app.db, rows, { everyKnown: true }))
        expect(brokenRules(session)).toEqual([]);
      const after = await calendar();
      const again = await submit(reply.proposal, choice);
      expect(again.json()).toEqual(done.json());
      expect(await calendar()).toBe(after);
      expect((await undo(commit)).statusCode).toBe(200);
      expect(await calendar()).toBe(before);
    }),
    { numRuns: repeats(40), seed: 4 },
  );
  expect(submitted).toBeGreaterThan(repeats(40) / 2);
  expect(refused).toBeLessThan(submitted);
});

test('[WKS-03] a replacement that no longer fits is refused with the reason, and writes nothing', async () => {
  const ana = await buildTherapist(app.db, { first: 'Ana', last: 'Leaves' });
  const kai = await buildTherapist(app.db, { first: 'Kai', last: 'Free', gender: 'Male' });
  const bo = await buildClient(app.db, { first: 'Bo', last: 'Stays', requiresGender: ['Male'] });
  const dates = ['2026-12-08', '2026-12-15', '2026-12-22'];
  const at = (therapist: string, client: string, date: string) =>
    buildAppointment(app.db, { therapist, client, date, start: '10:00', end: '12:00' });
  for (const date of [...dates, '2026-11-10', '2026-11-17']) await at(ana, bo, date);
  for (const date of ['2026-11-11', '2026-11-12', '2026-11-18', '2026-11-19']) await at(kai, bo, date);
  const reply = await propose({ therapist: ana, until: '2026-12-31' });
  const id = bo;
  const plan = Object.values(reply.options[0]?.series ?? {})[0];
  expect(plan?.runs.map((run) => [run.therapist, run.knows, run.dates])).toEqual([[kai, 'team', dates]]);
  expect(plan?.runs[0]?.why[0]).toBe('Kai Free is on Bo Stays’ team.');
  const before = await calendar();
  const absence = await buildAbsence(app.db, { therapist: kai, date: dates[1] ?? '' });
  const away = await submit(reply.proposal, { [id]: 'Option 1' });
  expect(away.statusCode).toBe(409);
  expect(away.json<Refused>().detail.conflicts).toMatchObject([
    { date: dates[1], why: 'Kai Free is no longer free on Tue, Dec 15 at that time.' },
  ]);
  await app.db.deleteFrom('absence').where('id', '=', absence).execute();
  await app.db
    .updateTable('appointment')
    .set({ status: 'cancelled' })
    .where('client_id', '=', bo)
    .where('starts', '=', `${dates[2]} 10:00:00`)
    .execute();
  const gone = await submit(reply.proposal, { [id]: 'Option 1' });
  expect(gone.json<Refused>().detail.conflicts).toMatchObject([
    {
      date: dates[2],
      why: 'Bo Stays’ session on Tue, Dec 22 is no longer as it was: it was changed, planned, told or cancelled.',
    },
  ]);
  await app.db
    .updateTable('appointment')
    .set({ status: 'booked' })
    .where('client_id', '=', bo)
    .where('starts', '=', `${dates[2]} 10:00:00`)
    .execute();
  expect(await calendar()).toBe(before);
  const both = await Promise.all([
    submit(reply.proposal, { [id]: 'Option 1' }),
    submit(reply.proposal, { [id]: 'Option 1' }),
  ]);
  expect(new Set(both.map((each) => each.body)).size).toBe(1);
  const { commit } = both[0].json<StandingCommit>();
  // Whoever's day changes stands on the call list of each date, until the undo.
  const calls = await app.staff.call({ url: `/api/calls?location=altamonte&date=${dates[0]}` });
  const lines = calls.json<CallsReply>().lines.map(({ name }) => name);
  for (const name of ['Bo Stays', 'Kai Free']) expect(lines).toContain(name);
  const unknown = await submit(reply.proposal, { nobody: 'Option 1' });
  expect(unknown.statusCode).toBe(422);
  await app.db
    .updateTable('appointment')
    .set({ therapist_id: null, version: sql`version + 1` })
    .where('client_id', '=', bo)
    .where('starts', '=', `${dates[0]} 10:00:00`)
    .execute();
  const undone = await undo(commit);
  expect(undone.statusCode).toBe(409);
  expect(undone.body).toContain('has changed since');
});
