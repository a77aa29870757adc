// This file is over 250 lines because it is one run of random use, whose acts and checks share their state.
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, formatTime, isoDate, parseTime } from '@clinic/domain';
import {
  parseWireDateTime,
  type ActionsReply,
  type ProposalReply,
  type SlotsReply,
  type WireAppointment,
} from '@clinic/contract';
import { everyone, saveAbsences, submit, submitBody } from '../testing/calls.ts';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { openDatabase, type OpenDatabase } from '../db/connection.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  FIRST_MINUTE,
  NOBODY,
  outcomes,
  QUARTERS,
  type Act,
  type Day,
  type Offer,
  type OfferedCell,
} from './testing/clinic-model.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { halfWritten, overlappingPairs } from './testing/state-checks.ts';

const COUNT = doseOf('random-use');
const ACTS = 25;
const RACE = 3;
const THERAPISTS = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'];
const CLIENTS = ['Bo Lee', 'Mo Diaz', 'Ida Fox'];

/** During a race, lets queries through one at a time, in a random order; null when queries run as they come. */
let gate: (() => Promise<unknown>) | null = null;

let database: TestDatabase;
let own: OpenDatabase;
let t: TestApp;
let staff: SignedIn;
beforeAll(async () => {
  database = await createTestDatabase();
  own = openDatabase(database.target, { connections: 12 });
  for (const pool of [own.pool, own.writes]) pool.on('connect', (client) => gateQueries(client));
  t = await buildTestApp({
    database: { ...database, ...own },
    config: { ...LASTING, logLevel: 'error', solverSeconds: 20 },
  });
  staff = await t.signIn();
  const windows = [1, 2, 3, 4, 5].map((day): [number, string, string] => [day, '08:00', '18:00']);
  for (const name of THERAPISTS) {
    const [first = '', last = ''] = name.split(' ');
    await buildTherapist(database.db, { first, last, windows });
  }
  for (const name of CLIENTS) {
    const [first = '', last = ''] = name.split(' ');
    await buildClient(database.db, { first, last });
  }
}, 300_000);
afterAll(async () => {
  await t.close();
  await own.close();
  await database.close();
});

function gateQueries(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const gated = async (...args: unknown[]): Promise<unknown> => {
    await gate?.();
    return query(...args);
  };
  client.query = ((...args: unknown[]) =>
    typeof args.at(-1) === 'function' ? query(...args) : gated(...args)) as typeof client.query;
}

let days = 0;
/** A new date for each run: a Monday without bookings. */
const freshDate = (): string => addDays(isoDate('2030-01-07'), 7 * days++);
const emptyDay = (): Day => ({
  with: Object.fromEntries(CLIENTS.map((name) => [name, Array.from({ length: QUARTERS }, () => null)])),
  away: Object.fromEntries(THERAPISTS.map((name) => [name, Array.from({ length: QUARTERS }, () => false)])),
  changes: 0,
  standing: null,
});

const time = (quarter: number): string => formatTime(FIRST_MINUTE + 15 * quarter);
const quarterOf = (minute: number): number => (minute - FIRST_MINUTE) / 15;

/** The real clinic, used through the pages' calls, and its last replies. */
class RealDay {
  readonly date = freshDate();
  offers: { offer: Offer; reply: ProposalReply }[] = [];
  commit: string | null = null;
  shown: (WireAppointment & { client: string; from: number; to: number })[] = [];

  /** Performs an act and returns whether it was done. A status that means neither done nor conflict is a fault. */
  async perform(act: Act, day: Day): Promise<boolean> {
    const reply = await this.send(act);
    if (reply.statusCode < 300) {
      if (act.kind === 'away') this.offer(reply.json<ProposalReply>(), outcomes(day, act)[0]?.day.changes ?? 0);
      if (act.kind === 'submit') this.commit = reply.json<ActionsReply>().commit;
      return true;
    }
    expect([409], `${JSON.stringify(act)}: ${reply.body}`).toContain(reply.statusCode);
    return false;
  }

  private send(act: Act) {
    const { date } = this;
    const stretch = 'from' in act ? { date, start: time(act.from), end: time(act.to) } : {};
    const session = { location: 'altamonte', subject: 'Direct Therapy', ...stretch };
    switch (act.kind) {
      case 'book':
        return this.post('/api/appointments', { ...session, client: act.client, therapist: act.therapist });
      case 'move': {
        const { key, version } = this.shownAt(act.client, act.was.from);
        const therapist = act.therapist === NOBODY ? null : act.therapist;
        const payload = { ...session, client: act.client, therapist, version };
        return staff.call({ method: 'PUT', url: `/api/appointments/${key}`, payload });
      }
      case 'cancel':
        return this.post(`/api/appointments/${this.shownAt(act.client, act.from).key}/cancel`, {});
      case 'away': {
        const { therapist, replaces } = act;
        const query = { therapist, date, begin: time(act.from), end: time(act.to), replaces };
        return saveAbsences(staff, [query], 'altamonte', { take_back: true });
      }
      case 'submit': {
        const { reply } = this.offers.find((o) => o.offer === act.offer) ?? {};
        if (!reply) throw new Error('an offer that was never made');
        return submit(staff, submitBody(reply, everyone(reply, act.option)));
      }
      case 'undo':
        return this.post(`/api/commits/${this.commit}/undo`, {});
    }
  }

  private post(url: string, payload: object) {
    return staff.call({ method: 'POST', url, payload });
  }

  private shownAt(client: string, from: number): WireAppointment {
    const found = this.shown.find((a) => a.client === client && a.from === from);
    if (!found) throw new Error('an appointment that is not shown');
    return found;
  }

  private offer(reply: ProposalReply, changes: number): void {
    const clients = reply.data[this.date] ?? {};
    if (Object.keys(clients).length === 0) return;
    const names = Object.keys(reply.metadata.options[this.date] ?? {});
    const options = Object.fromEntries(
      names.map((option) => [
        option,
        Object.entries(clients).flatMap(([client, of]) =>
          Object.entries(of[option] ?? {}).map(([slot, cell]): OfferedCell => {
            const [from = '', to = ''] = slot.split(' - ');
            const therapist = cell.status === 'Cancel' ? null : cell.therapist;
            return { client, from: quarterOf(minuteOf(from)), to: quarterOf(minuteOf(to)), therapist };
          }),
        ),
      ]),
    );
    this.offers.push({ offer: { proposal: reply.metadata.proposal, changes, options }, reply });
  }

  /** The calendar in the model's terms. */
  async read(): Promise<Pick<Day, 'with' | 'away'>> {
    const reply = await staff.call({ url: `/api/slots?location=altamonte&date=${this.date}` });
    expect(reply.statusCode, reply.body).toBe(200);
    const { appointments, absences } = reply.json<SlotsReply>();
    const empty = emptyDay();
    const seen = Object.fromEntries(Object.entries(empty.with).map(([name, quarters]) => [name, [...quarters]]));
    const away = Object.fromEntries(Object.entries(empty.away).map(([name, quarters]) => [name, [...quarters]]));
    this.shown = [];
    for (const a of appointments) {
      if (['Cancelled', 'No Show', 'deleted'].includes(a.Appointment_Status)) continue;
      const minute = (text: string): number => parseWireDateTime(text)?.minutes ?? 0;
      const stretch = { from: quarterOf(minute(a.StartDateTime)), to: quarterOf(minute(a.EndDateTime)) };
      this.shown.push({ ...a, client: a['Client Name'], ...stretch });
      for (let q = stretch.from; q < stretch.to; q++) {
        const own = seen[a['Client Name']] ?? [];
        own[q] = own[q] === null ? a.Preferred_Provider_Name : 'two at once';
      }
    }
    for (const { name, startTime, endTime } of absences)
      for (let q = quarterOf(parseTime(startTime) ?? 0); q < quarterOf(parseTime(endTime) ?? 0); q++)
        (away[name] ?? [])[q] = true;
    return { with: seen, away };
  }
}

function minuteOf(clock: string): number {
  const [, hours = '', minutes = '', half] = /^(\d+):(\d+) (AM|PM)/.exec(clock) ?? [];
  return (Number(hours) % 12) * 60 + Number(minutes) + (half === 'PM' ? 720 : 0);
}

/** Random numbers from which the test makes an act that fits the current day; some numbers make no act. */
interface Whim {
  readonly kind: Act['kind'];
  readonly who: number;
  readonly whom: number;
  readonly from: number;
  readonly length: number;
  readonly yes: boolean;
}
const whims = fc.record({
  kind: fc.constantFrom<Act['kind']>(
    'book',
    'book',
    'book',
    'move',
    'move',
    'cancel',
    'away',
    'submit',
    'submit',
    'undo',
  ),
  who: fc.nat(11),
  whom: fc.nat(11),
  from: fc.integer({ min: 0, max: QUARTERS - 12 }),
  length: fc.integer({ min: 2, max: 12 }),
  yes: fc.boolean(),
});

function actOf({ kind, who, whom, from, length, yes }: Whim, day: Day, real: RealDay): Act | null {
  const therapist = THERAPISTS[who % THERAPISTS.length] ?? '';
  const client = CLIENTS[whom % CLIENTS.length] ?? '';
  const stretch = { from, to: from + length };
  const shown = real.shown[whom % Math.max(1, real.shown.length)];
  switch (kind) {
    case 'book':
      return { kind, client, therapist, ...stretch };
    case 'move': {
      if (!shown) return null;
      const was = { from: shown.from, to: shown.to };
      const to = from + was.to - was.from;
      return to > QUARTERS
        ? null
        : { kind, client: shown.client, therapist: shown.Preferred_Provider_Name, was, from, to };
    }
    case 'cancel':
      return shown && yes ? { kind, client: shown.client, from: shown.from, to: shown.to } : null;
    case 'away':
      // While a commit stands, no absence is shortened: covered time would need cover again, as other tests check.
      return { kind, therapist, replaces: yes && !day.standing, ...stretch };
    case 'submit': {
      // Often chooses the newest proposal; an older one works too, as long as the calendar has not changed.
      const made = real.offers[yes ? real.offers.length - 1 : whom % Math.max(1, real.offers.length)];
      if (!made || (day.standing && day.standing.proposal !== made.offer.proposal)) return null;
      const options = Object.keys(made.offer.options);
      return { kind, offer: made.offer, option: options[who % options.length] ?? '' };
    }
    case 'undo':
      return real.commit === null ? null : { kind };
  }
}

let performed = 0;
let differences = 0;
let submitted = 0;

async function step(day: Day, whim: Whim, real: RealDay): Promise<Day> {
  const act = actOf(whim, day, real);
  if (!act) return day;
  performed++;
  const allowed = outcomes(day, act);
  const done = await real.perform(act, day);
  if (done && act.kind === 'submit') submitted++;
  const outcome = allowed.find((o) => o.done === done);
  differences++; // the act counts as a difference until the comparison below shows that there is none
  expect(outcome, `${done ? 'done' : 'refused'}: ${JSON.stringify(act)}`).toBeDefined();
  const next = outcome?.day ?? day;
  expect(await real.read(), JSON.stringify(act)).toEqual({ with: next.with, away: next.away });
  differences--;
  return next;
}

class Use implements fc.AsyncCommand<{ day: Day }, RealDay> {
  readonly whim: Whim;
  constructor(whim: Whim) {
    this.whim = whim;
  }
  check(): boolean {
    return true;
  }
  async run(model: { day: Day }, real: RealDay): Promise<void> {
    model.day = await step(model.day, this.whim, real);
  }
  toString(): string {
    return JSON.stringify(this.whim);
  }
}

test(
  'given one user, after every action the clinic is as the model predicts',
  async () => {
    const began = performance.now();
    const commands = fc.commands([whims.map((whim) => new Use(whim))], { maxCommands: ACTS, size: '+1' });
    for (let round = 0; performed < COUNT * 0.8; round++) {
      await fc.assert(
        fc.asyncProperty(commands, (all) =>
          fc.asyncModelRun(() => ({ model: { day: emptyDay() }, real: new RealDay() }), all),
        ),
        { numRuns: 20, seed: seedOfRun() + round, endOnFailure: true },
      );
    }
    expect(await overlappingPairs(database.db)).toBe(0);
    expect(await halfWritten(database.db)).toEqual([]);
    keepFigures('random-use', performed, began, { 'differences from the model': differences });
    expect(submitted).toBeGreaterThan(COUNT / 100);
  },
  timeLimit(COUNT, 1500),
);

/**
 * Lets no absent person return while a commit is in progress: if the commit came first, their sessions would need cover
 * again, which the model cannot express.
 */
const apart = (acts: readonly Act[]): Act[] =>
  acts.map((act) =>
    act.kind === 'away' && acts.some(({ kind }) => kind === 'submit') ? { ...act, replaces: false } : act,
  );

/** Every possible order of some items. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((one, i) => orders(things.filter((_, j) => j !== i)).map((rest) => [one, ...rest]));
}

/** Whether some order of the acts explains all their results, done or refused. */
function explains(
  before: Day,
  acts: readonly { act: Act; done: boolean }[],
  after: Pick<Day, 'with' | 'away'>,
): boolean {
  const wanted = JSON.stringify({ with: after.with, away: after.away });
  const leads = (day: Day, rest: readonly { act: Act; done: boolean }[]): boolean => {
    const [next, ...others] = rest;
    if (!next) return JSON.stringify({ with: day.with, away: day.away }) === wanted;
    return outcomes(day, next.act)
      .filter((outcome) => outcome.done === next.done)
      .some((outcome) => leads(outcome.day, others));
  };
  return orders(acts).some((order) => leads(before, order));
}

test(
  'given several users at once, the result is as if their actions had happened one after another, in some order',
  async () => {
    const began = performance.now();
    const before = performed;
    let raced = 0;
    const race = fc.asyncProperty(
      fc.scheduler(),
      fc.array(whims, { minLength: 6, maxLength: 12 }),
      fc.array(
        whims.filter(({ kind }) => !['move', 'cancel'].includes(kind)),
        { minLength: 4, maxLength: 8 },
      ),
      async (scheduler, first, then) => {
        const real = new RealDay();
        let day = emptyDay();
        for (const whim of first) day = await step(day, whim, real);
        const acts = apart(then.flatMap((whim) => actOf(whim, day, real) ?? []).slice(0, RACE));
        gate = () => scheduler.schedule(Promise.resolve());
        const running = Promise.all(acts.map(async (act) => ({ act, done: await real.perform(act, day) })));
        try {
          await scheduler.waitFor(running);
        } finally {
          gate = null;
        }
        raced += acts.length;
        differences++;
        const seen = await real.read();
        expect(explains(day, await running, seen), JSON.stringify([await running, seen])).toBe(true);
        differences--;
      },
    );
    for (let round = 0; performed - before + raced < COUNT * 0.2; round++)
      await fc.assert(race, { numRuns: 10, seed: seedOfRun() + round, endOnFailure: true });
    expect(await overlappingPairs(database.db)).toBe(0);
    expect(await halfWritten(database.db)).toEqual([]);
    keepFigures('random-use', performed + raced, began, { 'differences from the model': differences, raced });
    expect(raced).toBeGreaterThan(0);
  },
  timeLimit(COUNT, 1500),
);
