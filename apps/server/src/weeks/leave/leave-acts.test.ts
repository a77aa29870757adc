import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { LeaveOutcome } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { saveAbsences, slotsOf } from '../../testing/calls.ts';
import { doseOf, keepFigures, seedOfRun, timeLimit } from '../../reliability/testing/doses.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { HOURS, LeaveModel, type ModelTerms } from '../../testing/leave-model.ts';

// Sunday; the dates lie ahead of the clock.
const START = addDays(isoDate(DATE), 2);
const DAYS = 21;
const ACTS = doseOf('leaves');
/** A run makes two to nine acts. */
const RUNS = Math.ceil(ACTS / 5);
const dateOf = (n: number) => addDays(START, n);
const clock = { now: () => Date.parse(`${addDays(START, -2)}T15:00:00Z`) };

let t: SmallApp;
beforeAll(async () => {
  t = await openSmallClinic(undefined, { deps: { clock } });
});
afterAll(() => t.app.close());

const hour = (n: number): string => `${String(n).padStart(2, '0')}:00`;
const wire = ({ first, last, weekdays, start, end }: ModelTerms) => ({
  first_date: dateOf(first),
  last_date: last === null ? null : dateOf(last),
  weekdays,
  begin: hour(start),
  end: hour(end),
});
const send = (method: 'POST' | 'PUT', path: string, payload: object) =>
  t.who.call({ method, url: `/api${path}`, payload: { location: 'altamonte', ...payload } });

/** The stored hours, as the model says them. Dates beyond the model's are left out. */
async function stored(): Promise<string[]> {
  const { rows } = await sql<{ date: string; start: number; end: number; leave: boolean }>`
    select date::text, start_minute as start, end_minute as end, leave_id is not null as leave from absence
    where therapist_id = ${t.clinic.ana} and withdrawn_at is null and date < ${dateOf(DAYS)}::date`.execute(t.db);
  const days = new Map<string, string[]>();
  for (const { date, start, end, leave } of rows) {
    const day = days.get(date) ?? Array<string>(HOURS).fill('.');
    day.fill(leave ? 'L' : 'p', start / 60, end / 60);
    days.set(date, day);
  }
  return [...days].map(([date, day]) => `${date} ${day.join('')}`).sort();
}

const times = fc
  .tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 1, max: 12 }))
  .map(([start, long]) => ({ start, end: Math.min(24, start + long) }));
const terms = fc
  .record({
    first: fc.integer({ min: 0, max: DAYS - 1 }),
    long: fc.option(fc.integer({ min: 0, max: DAYS }), { freq: 3 }),
    weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
    times,
  })
  .map(({ first, long, weekdays, times: when }): ModelTerms => ({
    first,
    last: long === null ? null : first + long,
    weekdays,
    ...when,
  }))
  .filter(({ first, last, weekdays }) => {
    const until = last ?? first + 6;
    return Array.from({ length: Math.min(7, until - first + 1) }, (_, i) => dateOf(first + i)).some((date) =>
      weekdays.includes(new Date(`${date}T12:00Z`).getUTCDay()),
    );
  });
const n = fc.integer({ min: 0, max: DAYS - 1 });
const act = fc.oneof(
  fc.record({ do: fc.constant('record' as const), terms }),
  fc.record({ do: fc.constant('plain' as const), n, times }),
  fc.record({ do: fc.constant('withdraw' as const), n }),
  fc.record({
    do: fc.constant('end' as const),
    which: n,
    n,
    scope: fc.constantFrom('date' as const, 'from' as const, 'all' as const),
    undo: fc.boolean(),
  }),
  fc.record({ do: fc.constant('change' as const), which: n, terms, undo: fc.boolean() }),
  fc.record({ do: fc.constant('untouched' as const), n }),
);

test(
  'given any acts on a person’s leaves and single absences, then every date is away exactly as a model of the rules says, and an undo restores it',
  async () => {
    const began = performance.now();
    let done = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 9 }), async (acts) => {
        await sql`update absence set withdrawn_at = now() where withdrawn_at is null`.execute(t.db);
        await sql`update leave set ended_at = now() where ended_at is null`.execute(t.db);
        const model = new LeaveModel(START, DAYS);
        const ids = new Map<number, string>();
        for (const each of acts) {
          await run(model, ids, each);
          expect(await stored(), JSON.stringify(each)).toEqual(model.away());
          done++;
        }
      }),
      { numRuns: RUNS, seed: seedOfRun() },
    );
    keepFigures('leaves', ACTS, began, { acts: done, differences: 0 });
  },
  timeLimit(ACTS, 2000),
);

type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

async function run(model: LeaveModel, ids: Map<number, string>, each: Act): Promise<void> {
  if (each.do === 'record') {
    const reply = await send('POST', '/leave', { type: 'therapist', name: 'Ana Ruiz', ...wire(each.terms) });
    expect(reply.statusCode, reply.body).toBe(200);
    ids.set(model.record(each.terms), reply.json<LeaveOutcome>().id ?? '');
  } else if (each.do === 'plain') {
    const { start, end } = each.times;
    const query = { therapist: 'Ana Ruiz', date: dateOf(each.n), replaces: false };
    expect((await saveAbsences(t.who, [{ ...query, begin: hour(start), end: hour(end) }])).statusCode).toBe(200);
    model.addPlain(each.n, start, end);
  } else if (each.do === 'withdraw') {
    await send('POST', '/absences/withdraw', { type: 'therapist', name: 'Ana Ruiz', date: dateOf(each.n) });
    model.withdraw(each.n);
  } else if (each.do === 'untouched') {
    const own = (await slotsOf(t.who, dateOf(each.n))).absences;
    const queries = own.map(({ id, startTime: begin, endTime: end }) => ({ id, begin, end }));
    if (queries.length > 0)
      await saveAbsences(
        t.who,
        queries.map((query) => ({ therapist: 'Ana Ruiz', date: dateOf(each.n), ...query })),
      );
  } else await changeOrEnd(model, ids, each);
}

async function changeOrEnd(
  model: LeaveModel,
  ids: Map<number, string>,
  each: Extract<Act, { which: number }>,
): Promise<void> {
  const list = [...model.leaves.keys()];
  const key = list[each.which % Math.max(1, list.length)];
  if (key === undefined) return;
  const id = ids.get(key);
  const before = model.copy();
  const from = 'scope' in each ? { scope: each.scope, date: dateOf(each.n) } : { scope: 'all', date: dateOf(0) };
  const reply =
    each.do === 'end'
      ? await send('POST', `/leave/${id}/end`, from)
      : await send('PUT', `/leave/${id}`, { ...wire(each.terms), ...from });
  if (reply.statusCode !== 200) return void expect(reply.body).toMatch(/does not include|leave-not-on/);
  const done = reply.json<LeaveOutcome>();
  const was = await stored();
  if (each.do === 'end') model.end(key, each.scope, each.n);
  else model.changeAll(key, each.terms);
  expect(was, JSON.stringify(each)).toEqual(model.away());
  const isChange = each.do === 'end' || !before.same(before.leaves.get(key) ?? each.terms, each.terms);
  if (!each.undo || !isChange) return;
  const undone = await send('POST', `/leave/${id}/undo`, { changed_at: done.changed_at });
  expect(undone.statusCode, undone.body).toBe(200);
  expect(await stored(), `undo of ${JSON.stringify(each)}`).toEqual(before.away());
  model.takeFrom(before);
}
