import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { CoverAnswer, CoverProblem } from '@clinic/cover-engine';
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
  type Query,
  type Selection,
} from '../../../testing/calls.ts';
import { buildRandomClinic } from '../../../testing/random-clinic.ts';
import { openSmallClinic } from '../../../testing/small-app.ts';
import { DATE } from '../../../testing/small-clinic.ts';
import type { SignedIn, TestApp } from '../../../testing/test-app.ts';
import type { Spare } from '../../../solver/task.ts';
import { openSolver, type Solver } from './solver.ts';
import { makeSolvedAhead } from './solved-ahead.ts';

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
  beforeAll(async () => {
    ({ app, who } = await openSmallClinic(undefined, { solver: counting }));
  });
  afterAll(async () => {
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
    const reply = await saveAbsences(by, queries, 'altamonte', true);
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

  test('a day solved ahead is solved again for another account, and after the day has changed', async () => {
    const ana: Query = { therapist: 'Ana Ruiz', date: DATE };
    await ahead(who, [ana]);
    expect((await save(await app.signIn(), [ana])).solved).toBe(1);
    await ahead(who, [{ ...ana, end: '10:00' }]);
    await app.deps.db.updateTable('therapist').set({ gender: 'Male' }).where('display_name', '=', 'Kai Wood').execute();
    expect((await save(who, [{ ...ana, end: '10:00' }])).solved).toBe(1);
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
    expect((await refreshed(who, proposal, [])).ok).toBe(true);
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
          const other = await app.signIn();
          expect((await ahead(who, queries)).statusCode).toBe(204);
          const used = await save(who, queries);
          const fresh = await save(other, queries);
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
          const freshAgain = await refreshed(other, fresh.reply, pins);
          expect(again.reply).toEqual(freshAgain.reply);
          if (freshAgain.solved > 0 && freshAgain.ok) expect(again.solved).toBe(0);
        }
      }),
      { numRuns: 1 },
    );
  });
});

describe('storing plans that were solved ahead', () => {
  const problem = (of: Partial<CoverProblem> = {}): CoverProblem => ({
    format: 'cover-problem/2',
    date: '2030-11-22',
    location: 'altamonte',
    now: null,
    therapists: [],
    clients: [],
    sessions: [],
    absences: [],
    ...of,
  });
  const answer = (total: number): CoverAnswer => ({
    format: 'cover-options/1',
    options: [{ strategy: 'balanced', proven: true, bound: total, score: { total }, sessions: [] }],
  });

  /** A solver for these tests: requests return 1, and spare jobs return 2 once a worker begins them. */
  function desk(begins = true) {
    const gone: AbortSignal[] = [];
    const spares: Spare[] = [];
    let time = 0;
    const ahead = makeSolvedAhead(
      {
        solve: () => Promise.resolve(answer(1)),
        solveSpare: (_, asker, spare) => {
          spare.begun = begins;
          spares.push(spare);
          if (asker.gone) gone.push(asker.gone);
          return Promise.resolve(answer(2));
        },
      },
      () => time,
    );
    const begin = (account: string, of: CoverProblem) => ahead.begin({ account })(of);
    const total = async (account: string, of: CoverProblem) =>
      (await ahead.solve(of, { account })).options[0]?.score.total;
    return { ahead, begin, total, gone, spares, pass: (ms: number) => void (time += ms) };
  }

  test('a plan solved ahead is used only once, only by its account, and only for its own problem', async () => {
    const { begin, total } = desk();
    await begin('a', problem());
    expect(await total('b', problem())).toBe(1);
    expect(await total('a', problem())).toBe(2);
    expect(await total('a', problem())).toBe(1);
    await begin('a', problem());
    expect(await total('a', problem({ location: 'orlando' }))).toBe(1);
  });

  test('a plan solved ahead is used whatever the order of absences, but only in the same quarter hour', async () => {
    const { begin, total } = desk();
    const away = ['A', 'B'].map((who) => ({ who, start: '08:00', end: '09:00' }));
    await begin('a', problem({ now: '08:01', absences: away }));
    expect(await total('a', problem({ now: '08:14', absences: away.toReversed() }))).toBe(2);
    await begin('a', problem({ now: '08:14' }));
    expect(await total('a', problem({ now: '08:16' }))).toBe(1);
  });

  test('a plan solved ahead is dropped when its account solves another problem ahead', async () => {
    const { begin, gone, total } = desk();
    await begin('a', problem());
    await begin('b', problem());
    await begin('a', problem({ location: 'orlando' }));
    expect(gone.map((each) => each.aborted)).toEqual([true, false, false]);
    expect(await total('a', problem())).toBe(1);
  });

  test('a job that no worker has begun is dropped when a request needs its plan, and the problem is solved like any other', async () => {
    const { begin, total, gone } = desk(false);
    await begin('a', problem());
    expect(await total('a', problem())).toBe(1);
    expect(gone[0]?.aborted).toBe(true);
  });

  test('when a request waits for a plan that is being solved ahead, the plan is marked as wanted', async () => {
    const { begin, total, spares } = desk();
    await begin('a', problem());
    await total('a', problem());
    expect(spares).toEqual([{ begun: true, wanted: true }]);
  });

  test('plans solved ahead are kept for three minutes, and for at most 64 accounts', async () => {
    const { ahead, begin, total, pass } = desk();
    await begin('a', problem());
    pass(3 * 60_000);
    expect(await total('a', problem())).toBe(1);
    for (let i = 0; i < 70; i++) await begin(`${i}`, problem());
    expect(ahead.stats().accounts).toBe(64);
    expect([await total('5', problem()), await total('6', problem())]).toEqual([1, 2]);
  });
});
