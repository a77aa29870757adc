import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { ActionsReply, ProposalReply } from '@clinic/contract';
import { randomFrom } from '@clinic/testkit';
import { saveAbsences, submit, submitBody, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildRandomClinic, randomAbsences } from '../../testing/random-clinic.ts';
import { doubleBookings } from '../../testing/state.ts';
import { openDatabase } from '../../db/connection.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { tokenFor, type SignedIn, type TestApp } from '../../testing/test-app.ts';

/** How many random days to try, and how many accounts race on each. `racing-submits` does more of it. */
const DAYS = 3;
const RACERS = 6;

// Two servers on one database, each with its own pool.
let database: TestDatabase;
const apps: TestApp[] = [];
const racers: SignedIn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (let n = 0; n < 2; n++) {
    const own = { ...database, ...openDatabase(database.target, { connections: 8 }) };
    apps.push(await buildCoverApp({ database: own, config: { tokenKey: 'k'.repeat(40), solverSeconds: 60 } }));
  }
  const [first, second] = apps;
  if (!first || !second) throw new Error('two applications');
  for (let n = 0; n < RACERS; n++) {
    const who = await first.signIn();
    const app = n % 2 === 0 ? first : second;
    const token = await tokenFor(app.app, who.email, who.password);
    racers.push({
      ...who,
      call: (options) =>
        app.app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } }),
    });
  }
});
afterAll(async () => {
  for (const app of apps) {
    await app.close();
    await app.database.close();
  }
  await database.close();
});

test(
  'racing commits, undos and absences leave no double booking and no half-written state, and never return a 5xx',
  async () => {
    const { db } = database;
    const seen = new Map<number, number>();
    const answered = (status: number, body: string): void => {
      expect(status, body).toBeLessThan(500);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    };
    for (let seed = 0; seed < DAYS; seed++) {
      const clinic = await buildRandomClinic(db, 1000 + seed);
      const before = await doubleBookings(db);
      const random = randomFrom(seed);
      const absences = randomAbsences(1000 + seed, clinic);
      const proposals: ProposalReply[] = [];
      for (const racer of racers) proposals.push((await saveAbsences(racer, absences)).json<ProposalReply>());
      const bodies = proposals.map((p) => {
        const options = Object.keys(p.metadata.options[clinic.date] ?? {});
        const one = random.pick(options);
        return submitBody(p, {
          [clinic.date]: Object.fromEntries(Object.keys(p.data[clinic.date] ?? {}).map((c) => [c, one])),
        });
      });
      if (Object.keys(proposals[0]?.data ?? {}).length === 0) continue;
      const late = { therapist: random.pick(clinic.therapists), begin: '10:00', end: '12:00', date: clinic.date };
      const replies = await Promise.all([
        ...racers.map((racer, i) => submit(racer, bodies[i])),
        // Two servers receive the same commit at once.
        submit(racers[1] as SignedIn, bodies[0]),
        saveAbsences(racers[2] as SignedIn, [late]),
      ]);
      for (const reply of replies) answered(reply.statusCode, reply.body);
      const commits = await db
        .selectFrom('schedule_commit')
        .select(['id', 'changes'])
        .where(sql<boolean>`summary->'dates' ? ${clinic.date}`)
        .execute();
      const written = replies.slice(0, RACERS + 1).filter((r) => r.statusCode === 200);
      const ids = new Set(written.map((r) => r.json<ActionsReply>().commit));
      // Every acknowledged commit is stored exactly once.
      expect([...ids].sort()).toEqual(commits.map((c) => c.id).sort());
      expect(await doubleBookings(db), `seed ${seed}`).toBe(before);
      const undone = await Promise.all(commits.flatMap((c) => [0, 1].map((n) => undo(racers[n] as SignedIn, c.id))));
      for (const reply of undone) answered(reply.statusCode, reply.body);
      expect(await doubleBookings(db), `seed ${seed}`).toBe(before);
    }
    expect(seen.get(200) ?? 0).toBeGreaterThan(DAYS);
    expect(seen.get(409) ?? 0).toBeGreaterThan(0);
  },
  DAYS * 60_000,
);

test("given a booking made between a commit's reading and writing, then the exclusion constraint fails and the reply is 409", async () => {
  const { db } = database;
  const seed = 5000;
  const clinic = await buildRandomClinic(db, seed);
  const racer = racers[0] as SignedIn;
  const proposal = (
    await saveAbsences(racer, [{ therapist: clinic.therapists[1] ?? '', date: clinic.date }])
  ).json<ProposalReply>();
  const cells = Object.values(proposal.data[clinic.date] ?? {}).flatMap((o) => Object.values(o['Option 1'] ?? {}));
  const cover = cells.find((c) => c.status === 'Cover');
  expect(cover).toBeDefined();
  // A trigger books the helper for another session inside the commit's own transaction, after the commit has read the
  // calendar.
  await sql`create function book_elsewhere() returns trigger language plpgsql as $$
    begin
      insert into appointment (wire_id, location, therapist_id, client_id, service, subject, status, starts, ends, place, client_place)
      select 'X', 'tampa', t.id, c.id, 'supervision', 'X', 'booked', ${sql.lit(clinic.date)}::date + time '07:00', ${sql.lit(clinic.date)}::date + time '19:00', 'x', 'x'
      from therapist t, client c where t.display_name = ${sql.lit(cover?.therapist ?? '')} limit 1;
      return null;
    end $$`.execute(db);
  await sql`create trigger book_elsewhere after update of commit_id on appointment for each statement execute function book_elsewhere()`.execute(
    db,
  );
  const choice = {
    [clinic.date]: Object.fromEntries(Object.keys(proposal.data[clinic.date] ?? {}).map((c) => [c, 'Option 1'])),
  };
  const reply = await submit(racer, submitBody(proposal, choice));
  await sql`drop trigger book_elsewhere on appointment`.execute(db);
  expect(reply.statusCode, reply.body).toBe(409);
  const { conflicts } = reply.json<{ detail: { conflicts: { date: string; therapist: string; why: string }[] } }>()
    .detail;
  expect(conflicts[0]).toMatchObject({
    date: clinic.date,
    therapist: cover?.therapist,
    why: `${cover?.therapist} is booked elsewhere at that time.`,
  });
  expect((await submit(racer, submitBody(proposal, choice))).statusCode).toBe(200);
});
