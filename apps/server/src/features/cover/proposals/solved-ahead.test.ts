import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { randomFrom } from '@clinic/testkit';
import type { ProposalReply, RefreshReply } from '@clinic/contract';
import { dayVersion } from '../../../testing/builders.ts';
import {
  asProposal,
  pin,
  propose,
  queriesOf,
  refresh,
  saveAbsences,
  solveDay,
  type Query,
  type Selection,
} from '../../../testing/calls.ts';
import { buildRandomClinic } from '../../../testing/random-clinic.ts';
import { openSmallClinic } from '../../../testing/small-app.ts';
import { DATE } from '../../../testing/small-clinic.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../../../testing/test-app.ts';
import { openSolver, type Solver } from './solver.ts';

/** No seed is used twice: two clinics made from the same seed would have the same date and the same names. */
const SEEDS = fc.uniqueArray(fc.integer({ min: 1, max: 499 }), { minLength: 5, maxLength: 5 });

describe('requests to solve a day ahead', () => {
  const real = openSolver({ seconds: 60, workers: 2 });
  let asked = 0;
  const counting: Solver = {
    ...real,
    solve: (problem, asker) => {
      asked++;
      return real.solve(problem, asker);
    },
  };
  let app: TestApp;
  let who: SignedIn;
  /** Another process on the same database, which never solves ahead. */
  let other: TestApp;
  beforeAll(async () => {
    ({ app, who } = await openSmallClinic(undefined, { solver: counting }));
    other = await buildTestApp({ database: app.database, solver: counting });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
    await real.close();
  });

  const ahead = (by: SignedIn, queries: readonly Query[]) =>
    by.call({
      method: 'POST',
      url: '/api/absences/solve-ahead',
      payload: { location: 'altamonte', date: queries[0]?.date, queries: queriesOf(queries, 'altamonte') },
    });

  /** Saves absences; returns the reply, and how many problems were solved for it. */
  async function save(by: SignedIn, queries: readonly Query[]): Promise<{ reply: ProposalReply; solved: number }> {
    asked = 0;
    const reply = await saveAbsences(by, queries, 'altamonte', { take_back: true });
    expect(reply.statusCode, reply.body).toBe(200);
    return { reply: reply.json<ProposalReply>(), solved: asked };
  }

  const aheadOfRefresh = (by: SignedIn, { metadata }: ProposalReply, refreshSelections: readonly Selection[]) =>
    by.call({
      method: 'POST',
      url: '/api/proposals/refresh-ahead',
      payload: { proposal: metadata.proposal, revision: metadata.revision, refreshSelections },
    });

  /** Refreshes; returns the new options, or the refusal, and how many problems were solved for them. */
  async function refreshed(by: SignedIn, proposal: ProposalReply, pins: readonly Selection[]) {
    asked = 0;
    const reply = await refresh(by, proposal, pins);
    const ok = reply.statusCode === 200;
    return { reply: ok ? plain(asProposal(reply.json<RefreshReply>())) : reply.json<unknown>(), solved: asked, ok };
  }

  /** The reply without the parts that differ between two proposals of the same day. */
  const plain = ({ data, metadata, backed_up_therapists: reserve }: ProposalReply): unknown =>
    JSON.parse(
      JSON.stringify({ data, metadata: { ...metadata, queries: [] }, reserve }).replaceAll(metadata.proposal, 'P'),
    );

  test('given a saved absence, the options are not solved again for any account that asks for them', async () => {
    const away: Query = { therapist: 'Ana Ruiz', date: DATE };
    const first = await save(who, [away]);
    expect(first.solved).toBe(1);
    for (const by of [who, await app.signIn()]) {
      asked = 0;
      const again = await solveDay(by);
      expect([plain(again), asked]).toEqual([plain(first.reply), 0]);
      expect(again.metadata.proposal).not.toBe(first.reply.metadata.proposal);
    }
    expect((await save(who, [away])).solved).toBe(0);
  });

  test('a day is solved again if anything that its options depend on has changed', async () => {
    const { db } = app.deps;
    const ana: Query = { therapist: 'Ana Ruiz', date: DATE, end: '10:00' };
    const changes: readonly (() => Promise<unknown>)[] = [
      () => db.updateTable('therapist').set({ gender: 'Male' }).where('display_name', '=', 'Kai Wood').execute(),
      () => db.updateTable('client').set({ priority: 2 }).where('display_name', '=', 'Bo Lee').execute(),
      () => save(who, [{ therapist: 'Lin Park', date: DATE, begin: '08:00', end: '08:30' }]),
    ];
    await ahead(who, [ana]);
    expect((await save(who, [ana])).solved).toBe(0);
    for (const change of changes) {
      await change();
      asked = 0;
      await solveDay(who);
      expect(asked).toBe(change === changes.at(-1) ? 0 : 1); // a save has solved the day itself
    }
  });

  test('solving ahead writes nothing except the audit entry for reading the day', async () => {
    const { db } = app.deps;
    const rows = async () => {
      const counts = [await dayVersion(db, 'altamonte', DATE)];
      for (const table of ['absence', 'proposal', 'proposal_revision', 'appointment_event'] as const)
        counts.push((await db.selectFrom(table).selectAll().execute()).length);
      return counts;
    };
    const before = await rows();
    const reply = await ahead(who, [{ therapist: 'Lin Park', date: DATE }]);
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(await rows()).toEqual(before);
    const read = db.selectFrom('audit').select('subject_ids').where('action', '=', 'proposal.solved-ahead');
    expect(await read.execute()).toContainEqual({ subject_ids: [`altamonte/${DATE}`] });
  });

  test('solving a refresh ahead writes nothing except the audit entry, and refuses what the refresh would refuse', async () => {
    const { db } = app.deps;
    const proposal = await propose(who, { therapist: 'Ana Ruiz' });
    const { proposal: id, revision } = proposal.metadata;
    const client = Object.keys(proposal.data[DATE] ?? {})[0] ?? '';
    const newest = () => db.selectFrom('proposal').select('revision').where('id', '=', id).execute();
    const reply = await aheadOfRefresh(who, proposal, [pin(client, 'Option 1')]);
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(await newest()).toEqual([{ revision }]);
    const read = db.selectFrom('audit').select('subject_ids').where('action', '=', 'proposal.solved-ahead');
    expect(await read.execute()).toContainEqual({ subject_ids: [id] });
    expect((await aheadOfRefresh(who, proposal, [pin(client, 'Option 9')])).statusCode).toBe(422);
    const other = await app.signIn();
    expect((await refreshed(other, proposal, [])).ok).toBe(true);
    const replaced = await aheadOfRefresh(who, proposal, []);
    expect([replaced.statusCode, replaced.body]).toEqual([409, expect.stringContaining('replaced by a later refresh')]);
  });

  test('solving ahead refuses the names that a save would refuse', async () => {
    expect((await ahead(who, [{ therapist: 'Nobody Here', date: DATE }])).statusCode).toBe(422);
  });

  test('on any day, solving ahead gives the same options as solving after the save or the refresh, and nothing is solved twice', async () => {
    await fc.assert(
      fc.asyncProperty(SEEDS, async (seeds) => {
        for (const seed of seeds) {
          const clinic = await buildRandomClinic(app.deps.db, seed);
          const random = randomFrom(seed);
          const queries = random
            .sample([...clinic.therapists, ...clinic.clients], random.int(1, 4))
            .map((name): Query => {
              const kind = clinic.therapists.includes(name) ? 'therapist' : 'client';
              const window = random.pick([{}, { begin: '08:00', end: '10:30' }, { begin: '11:10', end: '15:00' }]);
              return { [kind]: name, date: clinic.date, replaces: random.chance(0.5), ...window };
            });
          // One of the people in the request is already recorded as away at another time.
          const [first] = queries;
          if (first) await save(who, [{ ...first, begin: '12:00', end: '13:00' }]);
          const elsewhere = await other.signIn();
          expect((await ahead(who, queries)).statusCode).toBe(204);
          const used = await save(who, queries);
          const fresh = await save(elsewhere, queries);
          expect(plain(used.reply)).toEqual(plain(fresh.reply));
          if (fresh.solved > 0) expect(used.solved).toBe(0);
          const pins = random
            .sample(Object.entries(used.reply.data[clinic.date] ?? {}), 2)
            .map(([client, options]) => ({
              date: clinic.date,
              client,
              option: random.pick(Object.keys(options)),
            }));
          await aheadOfRefresh(who, used.reply, pins);
          const again = await refreshed(who, used.reply, pins);
          const freshAgain = await refreshed(elsewhere, fresh.reply, pins);
          expect(again.reply).toEqual(freshAgain.reply);
          if (freshAgain.solved > 0 && freshAgain.ok) expect(again.solved).toBe(0);
        }
      }),
      { numRuns: 1 },
    );
  });
});
