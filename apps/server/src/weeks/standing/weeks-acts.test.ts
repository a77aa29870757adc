/** Random acts of a coordinator over weeks, each compared with what it said beforehand and with the calendar before it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallsReply, LeaveOutcome, StandingCommit, StandingReply } from '@clinic/contract';
import { addDays, isoDate, type IsoDate } from '@clinic/domain';
import { doseOf, keepFigures, seedOfRun, timeLimit } from '../../reliability/testing/doses.ts';
import { halfWritten, overlappingPairs } from '../../reliability/testing/state-checks.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(fridayCoverApp);
/** A Monday; the clock stands on the Friday two weeks before. */
const START = isoDate('2026-12-07');
const WEEKS = 3;
const THERAPISTS = 5;
const CHILDREN = 4;
const ACTS = doseOf('weeks');
/** A run makes four to twelve acts. */
const RUNS = Math.ceil(ACTS / 8);
const dateOf = (n: number): IsoDate => addDays(START, n);

const n = fc.nat(7 * WEEKS - 1);
const who = fc.nat(THERAPISTS - 1);
const act = fc.oneof(
  fc.record({ do: fc.constant('leave' as const), who, n, long: fc.integer({ min: 1, max: 20 }) }),
  fc.record({
    do: fc.constant('end' as const),
    which: n,
    n,
    scope: fc.constantFrom('date' as const, 'from' as const, 'all' as const),
    cover: fc.constantFrom('give-back' as const, 'keep-told' as const, 'keep' as const),
    undo: fc.boolean(),
  }),
  fc.record({ do: fc.constant('replace' as const), who, n, option: fc.nat(3), undo: fc.boolean() }),
  fc.record({ do: fc.constant('undo' as const), which: n }),
  fc.record({ do: fc.constant('close' as const), n, part: fc.boolean(), reopen: fc.boolean() }),
  fc.record({ do: fc.constant('reopen' as const), which: n }),
  fc.record({ do: fc.constant('cancel' as const), which: n }),
  fc.record({ do: fc.constant('told' as const), n }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const send = (url: string, body: object) =>
  app.staff.call({ method: 'POST', url: `/api${url}`, payload: { location: 'altamonte', ...body } });

interface Row {
  readonly id: string;
  readonly status: string;
}
/** The clinic's sessions as they stand, by id: without history, versions, and sessions that an act took back. */
async function calendar(): Promise<ReadonlyMap<string, string>> {
  const rows = await app.db
    .selectFrom('appointment')
    .select(['id', 'client_id', 'therapist_id', 'booked_therapist_id', 'status', 'starts', 'ends', 'commit_id'])
    .where('status', '<>', 'entered-in-error')
    .where('starts', '>=', `${START} 00:00:00`)
    .where('client_id', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
}
const statusIn = (text: string | undefined): string => (text === undefined ? '' : (JSON.parse(text) as Row).status);
/** The ids of what differs between two states. */
const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));

/** A clinic of its own for each run: four children, each with two weekly sessions, and five therapists. */
class Clinic {
  readonly therapists: { readonly id: string; readonly name: string }[] = [];
  private known: ReadonlySet<string> = new Set();
  readonly leaves: string[] = [];
  readonly commits: string[] = [];
  readonly closures: string[] = [];

  async build(run: number): Promise<void> {
    await app.db.updateTable('therapist').set({ end_date: '2026-11-19' }).execute();
    await app.db.updateTable('closure').set({ reopened_at: new Date().toISOString() }).execute();
    await app.db.updateTable('appointment').set({ status: 'cancelled' }).where('occupies', '=', true).execute();
    // These cancellations contradict the commits of earlier runs.
    this.known = new Set(await halfWritten(app.db));
    for (let i = 0; i < THERAPISTS; i++) {
      const [first, last] = [`Th${'ABCDE'[i] ?? ''}`, `Run ${run}`];
      this.therapists.push({ id: await buildTherapist(app.db, { first, last }), name: `${first} ${last}` });
    }
    const idOf = (i: number): string => this.therapists[i % THERAPISTS]?.id ?? '';
    for (let i = 0; i < CHILDREN; i++) {
      const client = await buildClient(app.db, { first: `Ch${'ABCD'[i] ?? ''}`, last: `Run ${run}` });
      const book = (date: IsoDate, therapist: string, start: string, end: string) =>
        buildAppointment(app.db, { client, therapist, date, start, end });
      for (let week = 0; week < WEEKS; week++) {
        await book(dateOf(7 * week + i), idOf(i), '09:00', '11:00');
        await book(dateOf(7 * week + ((i + 2) % 5)), idOf(i + (i % 2)), '12:00', '14:00');
      }
      for (const [back, other] of [i + 1, i + 2].entries())
        await book(addDays(START, -20 + back), idOf(other), '09:00', '10:00');
    }
  }

  async halfWritten(): Promise<string[]> {
    return (await halfWritten(app.db)).filter((each) => !this.known.has(each));
  }
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const refusals = [404, 409, 422];

/** Does an act, and checks it against what it said beforehand; returns whether it was done. */
async function run(clinic: Clinic, each: Act): Promise<boolean> {
  const before = await calendar();
  const nothing = async (reply: { statusCode: number; body: string }): Promise<false> => {
    expect(refusals, reply.body).toContain(reply.statusCode);
    expect(changed(before, await calendar()), reply.body).toEqual([]);
    return false;
  };
  if (each.do === 'leave') {
    const [first, last] = [dateOf(each.n), dateOf(each.n + each.long)];
    const dates = { first_date: first, last_date: last, weekdays: [0, 1, 2, 3, 4, 5, 6], begin: '00:00', end: '23:59' };
    const reply = await send('/leave', { type: 'therapist', name: clinic.therapists[each.who]?.name, ...dates });
    if (reply.statusCode !== 200) return nothing(reply);
    clinic.leaves.push(reply.json<LeaveOutcome>().id ?? '');
    // A leave says who is away; sessions stay as they are until somebody decides.
    expect(changed(before, await calendar())).toEqual([]);
    return true;
  }
  if (each.do === 'end') {
    const id = pick(clinic.leaves, each.which);
    if (id === undefined) return false;
    const body = { scope: each.scope, date: dateOf(each.n), cover: each.cover };
    const said = await send(`/leave/${id}/end-preview`, body);
    const reply = await send(`/leave/${id}/end`, body);
    expect(reply.statusCode).toBe(said.statusCode);
    if (reply.statusCode !== 200) return nothing(reply);
    const outcome = reply.json<LeaveOutcome>();
    expect({ ...outcome, changed_at: '', id: '' }).toEqual({ ...said.json<LeaveOutcome>(), changed_at: '', id: '' });
    const after = await calendar();
    if (each.cover === 'keep') expect(outcome.back).toEqual([]);
    expect(changed(before, after).length).toBe(outcome.back.length);
    if (!each.undo) return true;
    const undone = await send(`/leave/${id}/undo`, { changed_at: outcome.changed_at });
    expect(undone.statusCode, undone.body).toBe(200);
    expect(changed(before, await calendar())).toEqual([]);
    return true;
  }
  if (each.do === 'replace') {
    const from = dateOf(each.n);
    const offered = await send('/standing', {
      therapist: clinic.therapists[each.who]?.id,
      from,
      until: addDays(from, 14),
    });
    expect(offered.statusCode, offered.body).toBe(200);
    const { proposal, children, options } = offered.json<StandingReply>();
    const option = pick(options, each.option);
    if (!option) return false;
    const given = Object.values(option.series).flatMap(({ runs }) => runs.flatMap(({ dates }) => dates));
    const choice = Object.fromEntries(children.map((child) => [child.id, option.name]));
    const reply = await send('/standing/commit', { proposal, choice });
    // One option as a whole always fits, in the state that it was made for.
    if (given.length === 0) return nothing(reply);
    expect(reply.statusCode, reply.body).toBe(200);
    const { commit, sessions } = reply.json<StandingCommit>();
    expect([changed(before, await calendar()).length, sessions]).toEqual([given.length, given.length]);
    if (!each.undo) return (clinic.commits.push(commit), true);
    expect((await send(`/commits/${commit}/undo`, {})).statusCode).toBe(200);
    expect(changed(before, await calendar())).toEqual([]);
    return true;
  }
  if (each.do === 'undo') {
    const id = pick(clinic.commits, each.which);
    if (id === undefined) return false;
    const reply = await send(`/commits/${id}/undo`, {});
    if (reply.statusCode !== 200) return nothing(reply);
    const own = changed(before, await calendar());
    expect(own.every((key) => before.get(key)?.includes(id))).toBe(true);
    return true;
  }
  if (each.do === 'close') return closeAndReopen(clinic, each, before);
  if (each.do === 'reopen') {
    const id = pick(clinic.closures, each.which);
    if (id === undefined) return false;
    const said = await send(`/closures/${id}/reopen-preview`, {});
    const reply = await send(`/closures/${id}/reopen`, {});
    expect(reply.statusCode).toBe(said.statusCode);
    if (reply.statusCode !== 200) return nothing(reply);
    expect(reply.json()).toEqual(said.json());
    expect(changed(before, await calendar()).length).toBeGreaterThanOrEqual(reply.json<{ back: number }>().back);
    return true;
  }
  if (each.do === 'cancel') {
    const open = [...before].filter(([, text]) => statusIn(text) === 'booked').map(([id]) => id);
    const id = pick(open.sort(), each.which);
    if (id === undefined) return false;
    const reply = await send(`/appointments/${id}/cancel`, {});
    if (reply.statusCode !== 200) return nothing(reply);
    const after = await calendar();
    expect(changed(before, after)).toEqual([id]);
    expect(statusIn(after.get(id))).toBe('cancelled');
    return true;
  }
  return tell(dateOf(each.n), before);
}

async function closeAndReopen(
  clinic: Clinic,
  each: Extract<Act, { do: 'close' }>,
  before: ReadonlyMap<string, string>,
): Promise<boolean> {
  const date = dateOf(each.n);
  const times = each.part ? { from_time: '10:00', to_time: '13:00' } : { from_time: '00:00', to_time: '24:00' };
  const body = { locations: ['altamonte'], from_date: date, to_date: date, ...times, name: 'Pipe', cause: null };
  const said = await send('/closures/preview', body);
  const reply = await send('/closures', body);
  expect(reply.statusCode, reply.body).toBe(200);
  const { closures, sessions } = reply.json<{ closures: string[]; sessions: number }>();
  expect(said.json<{ sessions: number }>().sessions).toBe(sessions);
  const after = await calendar();
  const own = changed(before, after);
  expect(own.filter((id) => before.has(id)).length).toBe(sessions);
  expect(own.every((id) => (after.get(id) ?? '').includes(date))).toBe(true);
  if (!each.reopen) return (clinic.closures.push(...closures), true);
  const opened = await send(`/closures/${closures[0] ?? ''}/reopen`, {});
  expect(opened.statusCode, opened.body).toBe(200);
  expect(changed(before, await calendar())).toEqual([]);
  return true;
}

/** Records that the first person on the call list of a date was told. Changes no session. */
async function tell(date: IsoDate, before: ReadonlyMap<string, string>): Promise<boolean> {
  const calls = await app.staff.call({ url: `/api/calls?location=altamonte&date=${date}` });
  const [line] = calls.json<CallsReply>().lines;
  if (!line) return false;
  const { kind, id, version } = line;
  const reply = await send('/calls/answer', { date, kind, id, version, answer: 'told', before_yes: true });
  expect([200, ...refusals], reply.body).toContain(reply.statusCode);
  expect(changed(before, await calendar())).toEqual([]);
  return reply.statusCode === 200;
}

test(
  'given any leaves, replacements, closures, cancellations and calls, then each act does what it said, an undo restores, and nobody is booked or told twice',
  async () => {
    const began = performance.now();
    const kinds = new Map<string, number>();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 12 }), async (acts) => {
        const clinic = new Clinic();
        await clinic.build(runs++);
        for (const each of acts) {
          if (await run(clinic, each)) kinds.set(each.do, (kinds.get(each.do) ?? 0) + 1);
          expect([await overlappingPairs(app.db), await clinic.halfWritten()], JSON.stringify(each)).toEqual([0, []]);
        }
        for (let day = 0; day < 7 * WEEKS; day++) {
          const url = `/api/calls?location=altamonte&date=${dateOf(day)}`;
          const { lines } = (await app.staff.call({ url })).json<CallsReply>();
          expect(new Set(lines.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(lines.length);
        }
      }),
      { numRuns: RUNS, seed: seedOfRun() },
    );
    const acts = [...kinds.values()].reduce((sum, each) => sum + each, 0);
    if (RUNS > 5) expect([...kinds.keys()].length).toBeGreaterThan(5);
    keepFigures('weeks', ACTS, began, { acts, differences: 0 });
  },
  timeLimit(ACTS, 2000),
);
