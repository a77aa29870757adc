import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findFaults,
  firstFault,
  hoursFaultWords,
  type MixChoices,
  type MixFacts,
  type MixHours,
} from './mix-faults.ts';
import { settle } from './mix-settle.ts';
import type { Claim } from './mix.ts';

const MONDAY = '2026-11-16';
const FRIDAY = '2026-11-20';
const NEXT = '2026-11-23';
const DATES = [MONDAY, FRIDAY, NEXT];
const CLIENTS = ['Bo Lee', 'constructor'];
const OPTIONS = ['Option 1', 'Option 2', 'Option 3'];
const OPTION_NAMES = Object.fromEntries(DATES.map((date) => [date, OPTIONS]));
const THERAPISTS = ['T1', 'T2'];

const takes = (from: number, to: number): Claim => ({ therapist: 'Ana Ruiz', from, to, changed: true, other: true });

const one = fc.record({
  date: fc.constant(MONDAY),
  client: fc.constantFrom(...CLIENTS),
  option: fc.constantFrom(...OPTIONS),
});
const claim: fc.Arbitrary<Claim> = fc
  .record({
    therapist: fc.constantFrom(...THERAPISTS),
    start: fc.nat(10),
    slots: fc.integer({ min: 1, max: 6 }),
    how: fc.constantFrom('stays', 'own', 'other'),
    short: fc.boolean(),
    knownBy: fc.option(fc.array(fc.array(one, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }), {
      freq: 3,
    }),
  })
  .map(({ therapist, start, slots, how, short, knownBy }) => {
    const [from, to] = [480 + 15 * start, 480 + 15 * (start + slots)];
    return {
      therapist,
      from,
      to,
      changed: how !== 'stays',
      ...(how === 'other' ? { other: true } : {}),
      ...(short ? { exact: { start: from + 5, end: to } } : {}),
      ...(knownBy && how === 'other' ? { knownBy } : {}),
    };
  });
const byOption = fc.array(fc.array(claim, { maxLength: 2 }), { minLength: 3, maxLength: 3 });
const claims = fc.array(fc.array(byOption, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 }).map((all) =>
  Object.fromEntries(
    all.map((clients, d) => [
      DATES[d] ?? '',
      Object.fromEntries(
        clients.map((options, c) => [
          CLIENTS[c] ?? '',
          Object.fromEntries(
            // No client meets a therapist on an earlier date than the first.
            options.map((list, o) => [OPTIONS[o] ?? '', d > 0 ? list : list.map(({ knownBy: _, ...own }) => own)]),
          ),
        ]),
      ),
    ]),
  ),
);
const own: fc.Arbitrary<MixHours> = fc.record({
  week: fc.integer({ min: 0, max: 300 }),
  week_limit: fc.constantFrom(60, 200, 300),
  day: fc.nat(60),
  day_limit: fc.option(fc.integer({ min: 30, max: 300 })),
  freed: fc.constantFrom(0, 0, 30),
  before: fc.constantFrom(0, 60),
  rest: fc.constantFrom<MixHours['rest']>([], [{ start: 480, end: 540 }]),
  booked: fc.constantFrom<MixHours['booked']>(
    undefined,
    { constructor: [{ start: 600, end: 660 }] },
    { 'Bo Lee': [{ start: 540, end: 600 }], constructor: [] },
  ),
});
const facts: fc.Arbitrary<MixFacts> = fc.record({
  claims,
  hours: fc
    .array(fc.array(own, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 })
    .map((all) =>
      Object.fromEntries(
        all.map((list, d) => [DATES[d] ?? '', Object.fromEntries(list.map((each, t) => [THERAPISTS[t] ?? '', each]))]),
      ),
    ),
});
const choices: fc.Arbitrary<MixChoices> = fc
  .array(fc.array(fc.constantFrom(...OPTIONS), { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 })
  .map((all) =>
    Object.fromEntries(
      all.map((list, d) => [DATES[d] ?? '', Object.fromEntries(list.map((option, c) => [CLIENTS[c] ?? '', option]))]),
    ),
  );

const chosenBy = ({ claims: all }: MixFacts, chosen: MixChoices, date: string, therapist: string): Claim[] =>
  CLIENTS.flatMap((client) => all[date]?.[client]?.[chosen[date]?.[client] ?? ''] ?? []).filter(
    (each) => each.therapist === therapist,
  );

/** The minutes of a day in which a therapist works, counted one by one. */
function minutesWorked({ rest, booked }: MixHours, list: readonly Claim[], chosen: MixChoices[string] = {}): number {
  const open = CLIENTS.filter((client) => !Object.keys(chosen).includes(client));
  const stays = Object.entries(booked ?? {}).flatMap(([client, work]) => (open.includes(client) ? work : []));
  const spans = [...rest, ...stays, ...list.map(({ exact, from, to }) => exact ?? { start: from, end: to })];
  let n = 0;
  for (let minute = 0; minute < 1440; minute++)
    if (spans.some(({ start, end }) => start <= minute && minute < end)) n++;
  return n;
}

/** The therapists to whom a mix gives too many hours, found by a plain reading of rule 9: `T1 2026-11-20`. */
function tooMany(all: MixFacts, chosen: MixChoices): string[] {
  return DATES.flatMap((date) =>
    THERAPISTS.filter((therapist) => {
      const hours = all.hours[date]?.[therapist];
      if (!hours) return false;
      let week = hours.week;
      if (date === FRIDAY) {
        const monday = all.hours[MONDAY]?.[therapist];
        const list = chosenBy(all, chosen, MONDAY, therapist);
        if (monday && chosen[MONDAY]) week += minutesWorked(monday, list, chosen[MONDAY]) - monday.before;
      }
      let slots = 0;
      for (const { other, from, to } of chosenBy(all, chosen, date, therapist)) if (other) slots += (to - from) / 15;
      let cap = Math.floor((hours.week_limit - week) / 15);
      if (hours.day_limit !== null) cap = Math.min(cap, Math.floor((hours.day_limit - hours.day) / 15));
      return slots > 0 && slots > Math.max(0, cap) + hours.freed / 15;
    }).map((therapist) => `${therapist} ${date}`),
  );
}

/** Choices for some of the clients on some of the dates, as pins in a refresh are. */
const pins: fc.Arbitrary<MixChoices> = fc
  .tuple(choices, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }))
  .map(([all, made]) =>
    Object.fromEntries(
      DATES.map((date, d) => [
        date,
        Object.fromEntries(Object.entries(all[date] ?? {}).filter((_, c) => made[2 * d + c])),
      ]),
    ),
  );

/** Expects the hours found in such mixes to agree with a recount; returns how often there were too many. */
function countTooMany(mixes: fc.Arbitrary<MixChoices>): number {
  let found = 0;
  fc.assert(
    fc.property(facts, mixes, (all, chosen) => {
      const faults = findFaults(all, chosen).filter(({ kind }) => kind === 'hours');
      expect(faults.map(({ therapist, date }) => `${therapist} ${date}`).sort()).toEqual(tooMany(all, chosen).sort());
      found += faults.length;
    }),
    { numRuns: 500 },
  );
  return found;
}

test('given clients without a choice, their booked time counts, and a separate count gives the same hours', () => {
  expect(countTooMany(pins)).toBeGreaterThan(50);
});

test('a mix is found to exceed the hour limits exactly when a separate count finds so, on one date or over a week', () => {
  expect(countTooMany(choices)).toBeGreaterThan(100);
});

test('the first conflict of a mix is the first of all its conflicts', () => {
  fc.assert(
    fc.property(facts, choices, (all, mix) => {
      expect(firstFault(all, mix)).toEqual(findFaults(all, mix)[0] ?? null);
    }),
    { numRuns: 200 },
  );
});

test('given the same choices on two dates, each date is checked against its own claims', () => {
  const all: MixFacts = {
    claims: {
      [MONDAY]: { 'Bo Lee': { 'Option 1': [] }, constructor: { 'Option 1': [] } },
      [FRIDAY]: { 'Bo Lee': { 'Option 1': [takes(480, 600)] }, constructor: { 'Option 1': [takes(480, 600)] } },
    },
    hours: {},
  };
  const same = { 'Bo Lee': 'Option 1', constructor: 'Option 1' };
  const faults = findFaults(all, { [MONDAY]: same, [FRIDAY]: same });
  expect(faults).toMatchObject([{ kind: 'clash', date: FRIDAY, from: 480, to: 600 }]);
});

/** The fewest changes that make a mix possible while some choices stay, by trying every mix; null if none does. */
function fewestChanges(all: MixFacts, chosen: MixChoices, kept: readonly string[]): number | null {
  const places = DATES.flatMap((date) => CLIENTS.map((client) => ({ date, client }))).filter(
    ({ date, client }) => !kept.includes(`${date} ${client}`),
  );
  let best: number | null = null;
  for (let n = 0; n < OPTIONS.length ** places.length; n++) {
    const mix: Record<string, Record<string, string>> = Object.fromEntries(
      DATES.map((date) => [date, { ...chosen[date] }]),
    );
    let changes = 0;
    places.forEach(({ date, client }, i) => {
      const option = OPTIONS[Math.floor(n / OPTIONS.length ** i) % OPTIONS.length] ?? '';
      if (option !== chosen[date]?.[client]) changes++;
      (mix[date] ??= {})[client] = option;
    });
    if ((best === null || changes < best) && findFaults(all, mix).length === 0) best = changes;
  }
  return best;
}

test('settling a mix keeps the given choices, changes as few others as possible, and returns a consistent mix, or null if there is none', () => {
  const places = fc.record({ date: fc.constantFrom(...DATES), client: fc.constantFrom(...CLIENTS) });
  let settledMixes = 0;
  fc.assert(
    fc.property(facts, choices, fc.array(places, { maxLength: 2 }), (all, chosen, kept) => {
      const settled = settle(all, chosen, kept, OPTION_NAMES);
      const best = fewestChanges(
        all,
        chosen,
        kept.map(({ date, client }) => `${date} ${client}`),
      );
      if (best === null) return void expect(settled).toBeNull();
      const changes = settled?.changes ?? {};
      for (const { date, client } of kept) expect(Object.keys(changes[date] ?? {})).not.toContain(client);
      const merged = Object.fromEntries(DATES.map((date) => [date, { ...chosen[date], ...changes[date] }]));
      expect(findFaults(all, merged)).toEqual([]);
      expect(Object.values(changes).flatMap((clients) => Object.keys(clients))).toHaveLength(best);
      if (best > 0) settledMixes++;
    }),
    { numRuns: 60 },
  );
  expect(settledMixes).toBeGreaterThan(5);
});

test('when the search is cut short, everyone gets the given choice’s option, since choices of one option always fit together', () => {
  const at = (n: number): Claim[] => [{ therapist: 'T1', from: n, to: n + 10, changed: true }];
  const clients = ['Bo Lee', 'Mo Diaz', 'Ivy Cole', 'Zoe Fox'];
  // Option 1 is consistent for all clients; each client's Option 2 clashes with every other client's options.
  const all: MixFacts = {
    claims: {
      [FRIDAY]: Object.fromEntries(
        clients.map((client, c) => [
          client,
          { 'Option 1': at(c * 10), 'Option 2': [{ therapist: 'T1', from: 0, to: 100, changed: true }] },
        ]),
      ),
    },
    hours: {},
  };
  const chosen = { [FRIDAY]: Object.fromEntries(clients.map((c, i) => [c, i === 0 ? 'Option 1' : 'Option 2'])) };
  const kept = [{ date: FRIDAY, client: 'Bo Lee' }];
  const settled = settle(all, chosen, kept, OPTION_NAMES, 1);
  expect(findFaults(all, { [FRIDAY]: { ...chosen[FRIDAY], ...settled?.changes[FRIDAY] } })).toEqual([]);
});

const limited = (more: Partial<MixHours>, ...list: Claim[]) => {
  const hours = { week: 2280, week_limit: 2400, day: 0, day_limit: null, freed: 0, before: 0, rest: [], ...more };
  const facts = {
    claims: { [FRIDAY]: { 'Bo Lee': { 'Option 1': list } } },
    hours: { [FRIDAY]: { 'Ana Ruiz': hours } },
  };
  return findFaults(facts, { [FRIDAY]: { 'Bo Lee': 'Option 1' } }).map((f) => f.kind === 'hours' && hoursFaultWords(f));
};

test('the sentence names the hours that the therapist would have and the limit that is exceeded', () => {
  expect(limited({}, takes(480, 600))).toEqual([]);
  expect(limited({}, takes(480, 720))).toEqual(['Ana Ruiz would have 42 h that week; the limit is 40 h']);
  expect(limited({ day: 360, day_limit: 450 }, takes(480, 600))).toEqual([
    'Ana Ruiz would have 8 h on Fri, Nov 20; the limit is 7 h 30 min a day',
  ]);
  // The therapist loses sessions of their own, and stays below 40 h, but may not take so much.
  expect(limited({ before: 240 }, takes(480, 720))).toEqual([
    'Ana Ruiz would take 4 h of others’ sessions, but may take at most 2 h',
  ]);
});
