import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { randomFrom, type Random } from '@clinic/testkit';
import { everyone, refresh, submit, submitBody } from '../testing/calls.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { buildMornings, type Morning } from './testing/morning.ts';
import { calendarHash } from './testing/state-checks.ts';

const COUNT = doseOf('tampered-proposals');

let t: TestApp;
let staff: SignedIn;
/** An account at a location other than the proposals'. */
let elsewhere: SignedIn;
let mornings: Morning[];
/** The first revision of a proposal that another account has since refreshed. */
let old: { date: string; proposal: ProposalReply };
beforeAll(async () => {
  t = await buildTestApp({ config: { ...LASTING, logLevel: 'error', solverSeconds: 20 } });
  staff = await t.signIn();
  elsewhere = await t.signIn({ locations: ['tampa'] });
  mornings = await buildMornings(t.deps.db, staff, { days: 3, proposals: 2, seed: 2 + (seedOfRun() % 400) });
  const [first] = mornings as [Morning];
  const [proposal] = first.proposals as [ProposalReply];
  old = { date: first.date, proposal };
  const refreshed = await refresh(await t.signIn(), proposal, []);
  if (refreshed.statusCode !== 200) throw new Error(refreshed.body);
  mornings = mornings.map((m) => ({ ...m, proposals: m.proposals.filter((p) => p !== proposal) }));
}, 600_000);
afterAll(() => t.close());

type Body = ReturnType<typeof submitBody>;
type Json = Record<string, unknown>;

interface Target {
  readonly random: Random;
  readonly morning: Morning;
  readonly proposal: ProposalReply;
  /** A copy of the body that a page would send, to be tampered with. */
  readonly body: Body;
}

/** A random key of a record that is not empty. */
const anyKey = (random: Random, record: object): string => random.pick(Object.keys(record));
const at = (value: unknown, ...keys: string[]): Json => keys.reduce((v, key) => v[key] as Json, value as Json);
const NAMES = ['Nobody Here', '', '__proto__', 'constructor', 'T0', "'; drop table appointment; --", '\u202egro'];

/** A random cell of the options that the body sends back. */
function cellOf({ random, body }: Target): { slots: Json; slot: string } {
  const { solutions: options } = body;
  const date = anyKey(random, options);
  const client = anyKey(random, at(options, date));
  const withSlots = Object.keys(at(options, date, client)).filter(
    (option) => Object.keys(at(options, date, client, option)).length > 0,
  );
  const slots = at(options, date, client, random.pick(withSlots));
  return { slots, slot: anyKey(random, slots) };
}

function fullOf({ random, body }: Target): { full: Json; clients: Json; client: string } {
  const clients = at(body.selectedOptionsFullData, anyKey(random, body.selectedOptionsFullData));
  const client = anyKey(random, clients);
  return { full: at(clients, client), clients, client };
}

/** Ways to tamper with a commit's body. A body changed in any of these ways must not be written. */
const SPOILS: Record<string, (target: Target) => void> = {
  'a cell of the options has another therapist': (target) => {
    const { slots, slot } = cellOf(target);
    at(slots, slot)['therapist'] = `${String(at(slots, slot)['therapist'])} x`;
  },
  'a cell of the options has another status': (target) => {
    const { slots, slot } = cellOf(target);
    const cell = at(slots, slot);
    cell['status'] = target.random.pick(
      ['Scheduled', 'Cover', 'Swap', 'Cancel', 'Unassigned', 'Done'].filter((s) => s !== cell['status']),
    );
  },
  'a cell of the options has the branch state of another option': (target) => {
    const { slots, slot } = cellOf(target);
    at(slots, slot)['branch_state'] = `${target.proposal.metadata.proposal}.1.${target.random.int(6, 99)}`;
  },
  'a cell of the options is gone': (target) => {
    const { slots, slot } = cellOf(target);
    delete slots[slot];
  },
  'the options have a slot more': (target) => {
    const { slots, slot } = cellOf(target);
    slots['6:00 PM - 6:30 PM'] = slots[slot];
  },
  'the options have a client more': ({ random, body }) => {
    const day = at(body.solutions, anyKey(random, body.solutions));
    day[`${anyKey(random, day)} x`] = day[anyKey(random, day)];
  },
  'the options of two clients are swapped': ({ random, body }) => {
    const day = at(body.solutions, anyKey(random, body.solutions));
    const names = Object.keys(day);
    const one = random.pick(names);
    const other = names.find((n) => JSON.stringify(day[n]) !== JSON.stringify(day[one])) ?? 'Nobody Here';
    [day[one], day[other]] = [day[other], day[one]];
    if (day[one] === undefined) day[one] = {};
  },
  'one of a client’s options is gone': ({ random, body }) => {
    const day = at(body.solutions, anyKey(random, body.solutions));
    const options = at(day, anyKey(random, day));
    delete options[anyKey(random, options)];
  },
  'an option that does not exist is selected': ({ random, body }) => {
    const day = at(body.selectedOptions, anyKey(random, body.selectedOptions));
    const not = ['Option 0', 'Option 99', 'option 1', 'Option 1 ', '__proto__', 'toString', ''];
    day[anyKey(random, day)] = random.pick(not);
  },
  'a client who is not listed is selected': ({ random, body }) => {
    const day = at(body.selectedOptions, anyKey(random, body.selectedOptions));
    const name = random.pick(NAMES.filter((n) => n !== '__proto__'));
    day[name] = 'Option 1';
  },
  'another date is selected': ({ random, body }) => {
    const selected = body.selectedOptions as Json;
    selected[random.pick(['2031-01-05', '2020-02-29', '2099-12-31'])] = selected[anyKey(random, selected)];
  },
  'nothing is selected': ({ random, body }) => {
    for (const day of Object.keys(body.selectedOptions)) (body.selectedOptions as Json)[day] = {};
    if (random.chance(0.5)) (body as Json)['selectedOptionsFullData'] = {};
  },
  'the details name another option': (target) => {
    const { full } = fullOf(target);
    full['optionName'] = full['optionName'] === 'Option 1' ? 'Option 2' : 'Option 1';
  },
  'the details name another client': (target) => {
    fullOf(target).full['clientName'] = target.random.pick(NAMES);
  },
  'the details have a branch state that was never given': (target) => {
    const { proposal, revision } = target.proposal.metadata;
    fullOf(target).full['branch_state'] = target.random.pick([
      `${proposal}.${revision}.99`,
      `${proposal}.${revision + 1}.1`,
      `p_${'x'.repeat(20)}.1.1`,
      '',
      `${proposal}.${revision}.1 `,
    ]);
  },
  "the details have another proposal's branch state": (target) => {
    const other = target.random.pick(mornings.filter((m) => m !== target.morning));
    fullOf(target).full['branch_state'] = `${String(other.proposals[0]?.metadata.proposal)}.1.1`;
  },
  'the details have another therapist': (target) => {
    const { full } = fullOf(target);
    const slots = full['timeSlots'] as Json;
    const [slot] = Object.keys(slots);
    if (slot === undefined) slots['8:00 AM - 9:00 AM'] = { therapist: 'T0', status: 'Cover' };
    else at(slots, slot)['therapist'] = `${String(at(slots, slot)['therapist'])}x`;
  },
  'the details have a slot more': (target) => {
    (fullOf(target).full['timeSlots'] as Json)['5:15 PM - 6:45 PM'] = { therapist: 'T0', status: 'Cover' };
  },
  'the details of a client who is not selected come with it': (target) => {
    const { full, clients } = fullOf(target);
    clients['Nobody Here'] = { ...full, clientName: 'Nobody Here' };
  },
  'the proposal is one that was never made': ({ random, body }) => {
    body.metadata.proposal = random.pick(['p_0', '', 'x'.repeat(64), `${body.metadata.proposal}x`, '__proto__']);
  },
  'the revision is one that was never made': ({ random, body }) => {
    body.metadata.revision = random.pick([0, -1, 2, 7, 1.5, 2 ** 31, 2 ** 53, Number.MAX_VALUE]);
  },
  "the proposal is another day's": ({ random, morning, body }) => {
    const other = random.pick(mornings.filter((m) => m !== morning));
    body.metadata.proposal = String(other.proposals[0]?.metadata.proposal);
  },
};
const KINDS = [...Object.keys(SPOILS), 'somebody of another location', 'an older revision'];

test(
  'a commit whose body was edited, mixed up, invented, replaced or sent for another location is never written',
  async () => {
    const began = performance.now();
    const { db } = t.deps;
    const before = await calendarHash(db);
    const written: string[] = [];
    const unexpected: string[] = [];
    const kinds = new Map<string, number>();
    for (let n = 0; n < COUNT; n++) {
      const kind = KINDS[n % KINDS.length] as string;
      const random = randomFrom(seedOfRun() + n);
      const morning = random.pick(mornings);
      const proposal = random.pick(morning.proposals);
      const option = random.pick(Object.keys(proposal.metadata.options[morning.date] ?? {}));
      const whole = kind === 'an older revision' ? old.proposal : proposal;
      const chosen = kind === 'an older revision' ? everyone(whole) : everyone(whole, option);
      const body = structuredClone(submitBody(whole, chosen));
      SPOILS[kind]?.({ random, morning, proposal, body });
      const reply = await submit(kind === 'somebody of another location' ? elsewhere : staff, body);
      kinds.set(`${kind}: ${reply.statusCode}`, n);
      if (reply.statusCode === 200) written.push(`${kind} (${n})`);
      const expected = kind === 'somebody of another location' ? [403] : kind === 'an older revision' ? [409] : [422];
      if (!expected.includes(reply.statusCode)) unexpected.push(`${kind} (${n}): ${reply.statusCode} ${reply.body}`);
    }
    const commits = await db.selectFrom('schedule_commit').select('id').execute();
    keepFigures('tampered-proposals', COUNT, began, { written: commits.length, 'ways to spoil': KINDS.length });
    expect(written).toEqual([]);
    expect(unexpected.slice(0, 5)).toEqual([]);
    expect(commits).toEqual([]);
    expect(await calendarHash(db)).toBe(before);
    // An untampered body is written, so the refusals above were caused by the tampering.
    for (const morning of mornings) {
      const proposal = morning.proposals.at(-1) as ProposalReply;
      expect((await submit(staff, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
    }
  },
  timeLimit(COUNT, 500),
);
