import { formatTime } from '@clinic/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredAbsence } from '@clinic/contract';
import { byPerson, problemOf, reduceAbsences, roundTime, windowOf, windowWords, type AbsenceEntry } from './model.ts';
import { areStored, toQueries } from './saving.ts';

const ana = { name: 'Ana Ruiz', type: 'therapist' } as const;
const entry = (over: Partial<AbsenceEntry> = {}): AbsenceEntry => ({
  ...ana,
  startTime: '00:00',
  endTime: '23:59',
  ...over,
});

const stored = (startTime: string, endTime: string, over: Partial<StoredAbsence> = {}): StoredAbsence => ({
  id: `00000000-0000-4000-8000-${startTime.replace(':', '')}${endTime.replace(':', '')}0000`,
  ...ana,
  startTime,
  endTime,
  ...over,
});
const because = (cause: string): Pick<StoredAbsence, 'loss'> => ({
  loss: { cause, label: cause, lost_by: 'therapist', known: null, late: null },
});
const toggle = (person: Pick<AbsenceEntry, 'name' | 'type'>, recorded: readonly StoredAbsence[] = []) =>
  ({ do: 'toggle', person, stored: recorded }) as const;
const timesOf = (entries: readonly AbsenceEntry[]): string[] =>
  entries.map(({ startTime, endTime }) => `${startTime}-${endTime}`);

test('[DATA-07] an absence entry holds a name, a type and two HH:MM times, and nothing else', () => {
  const [made] = reduceAbsences([], toggle(ana));
  expect(Object.keys(made ?? {}).sort()).toEqual(['endTime', 'name', 'startTime', 'type']);
  expect(made?.startTime).toMatch(/^\d\d:\d\d$/);
  expect(made?.endTime).toMatch(/^\d\d:\d\d$/);
});

test('[ABS-02] a click marks a person absent from 00:00 to 23:59; a second click unmarks them', () => {
  const once = reduceAbsences([], toggle(ana));
  expect(once).toEqual([entry()]);
  expect(reduceAbsences(once, toggle({ name: 'ana  ruiz', type: 'therapist' }))).toEqual([]);
});

test('a therapist and a client with the same name count as two people', () => {
  const both = reduceAbsences([entry()], toggle({ name: 'Ana Ruiz', type: 'client' }));
  expect(both).toHaveLength(2);
});

test('given a person recorded as away twice, a click on their name selects both windows, each with its own cause', () => {
  const recorded = [
    stored('08:00', '09:30', because('sick')),
    stored('14:00', '16:00'),
    stored('08:00', '12:00', { name: 'Kai Wood' }),
  ];
  const taken = reduceAbsences([], toggle(ana, recorded));
  expect(timesOf(taken)).toEqual(['08:00-09:30', '14:00-16:00']);
  expect(taken.map(({ loss }) => loss?.cause)).toEqual(['sick', undefined]);
  expect(byPerson(taken)).toHaveLength(1);
});

test('given a person recorded as away, another window for them adds to theirs; one that overlaps takes its place', () => {
  const recorded = [stored('08:00', '09:30', because('sick')), stored('14:00', '16:00', because('leave'))];
  const set = (before: readonly AbsenceEntry[], startTime: string, endTime: string) =>
    reduceAbsences(before, { do: 'set', entry: entry({ startTime, endTime }), stored: recorded });
  expect(timesOf(set([], '10:00', '11:00'))).toEqual(['08:00-09:30', '14:00-16:00', '10:00-11:00']);
  const longer = set([], '13:00', '16:00');
  expect(timesOf(longer)).toEqual(['08:00-09:30', '13:00-16:00']);
  expect(longer[1]).toMatchObject({ loss: { cause: 'leave' }, recorded: { id: recorded[1]?.id } });
  // One that overlaps both is neither of them.
  expect(set([], '09:00', '15:00')).toEqual([entry({ startTime: '09:00', endTime: '15:00' })]);
  // What was selected counts, not what is recorded.
  expect(timesOf(set([entry()], '10:00', '11:00'))).toEqual(['10:00-11:00']);
});

test.each([
  ['07:07', '07:00', '07:00'],
  ['07:08', '07:15', '07:15'],
  ['23:59', '23:45', '23:59'],
  ['23:53', '23:45', '23:59'],
  ['23:52', '23:45', '23:45'],
  ['', '', ''],
])('[ABS-02] %s is rounded to %s as a start and %s as an end', (typed, start, end) => {
  expect(roundTime(typed, 'start')).toBe(start);
  expect(roundTime(typed, 'end')).toBe(end);
});

test('[ABS-02] a typed time is rounded only when its field loses the focus', () => {
  const typed = reduceAbsences([entry()], { do: 'start', at: 0, time: '07:01' });
  expect(typed[0]?.startTime).toBe('07:01');
  expect(reduceAbsences(typed, { do: 'round', at: 0 })[0]?.startTime).toBe('07:00');
});

test('[ABS-01] Remove takes one window off the list, and Clear takes all off', () => {
  const three = reduceAbsences([entry({ endTime: '09:00' }), entry({ name: 'Kai Wood' })], { do: 'add', person: ana });
  expect(timesOf(three)).toEqual(['00:00-09:00', '00:00-23:59', '-']);
  expect(reduceAbsences(three, { do: 'remove', at: 0 }).map((e) => e.name)).toEqual(['Kai Wood', 'Ana Ruiz']);
  expect(reduceAbsences(three, { do: 'clear' })).toEqual([]);
});

test('[ABS-09] an end that is not after the start is reported beside its field', () => {
  const only = (over: Partial<AbsenceEntry>) => {
    const each = entry(over);
    return problemOf(each, [each]);
  };
  expect(only({ startTime: '09:00', endTime: '09:00' })).toEqual({ field: 'end', text: 'Must be after 9:00 AM' });
  expect(only({ startTime: '09:00', endTime: '08:00' })?.field).toBe('end');
  expect(only({ startTime: '', endTime: '08:00' })?.field).toBe('start');
  expect(only({})).toBeNull();
  expect(windowOf(entry({ startTime: '09:00', endTime: '09:05' }))).toBeNull();
});

test('[ABS-09] given two windows of one person that overlap, one of them says so beside its field', () => {
  const [morning, later] = [
    entry({ startTime: '08:00', endTime: '10:00' }),
    entry({ startTime: '09:00', endTime: '12:00' }),
  ];
  expect([morning, later].map((each) => problemOf(each, [morning, later]))).toEqual([
    null,
    { field: 'start', text: 'Already away until 10:00 AM' },
  ]);
  expect([later, morning].map((each) => problemOf(each, [later, morning]))).toEqual([
    null,
    { field: 'end', text: 'Already away from 9:00 AM' },
  ]);
  // The one that was changed says so, not the one that is recorded.
  const [recorded] = reduceAbsences([], toggle(ana, [stored('09:00', '12:00')]));
  const both = [morning, recorded ?? morning];
  expect(both.map((each) => problemOf(each, both)?.field)).toEqual(['end', undefined]);
  // Another person may be away then, and one window may begin as another ends.
  const others = [morning, { ...later, name: 'Kai Wood' }, { ...later, startTime: '10:00' }];
  expect(others.map((each) => problemOf(each, others))).toEqual([null, null, null]);
});

test('[ABS-05] each query names the therapist or client, has rounded times and replaces the stored absences', () => {
  const list = [entry({ startTime: '07:04', endTime: '10:00' }), entry({ name: 'Mo Diaz', type: 'client' })];
  const shared = { date: '2026-11-20', location: 'altamonte', replaces: true };
  expect(toQueries(list, '2026-11-20', 'altamonte')).toEqual([
    { type: 'therapist_cancel', begin: '07:00', end: '10:00', therapist: 'Ana Ruiz', ...shared },
    { type: 'client_cancel', begin: '00:00', end: '23:59', client: 'Mo Diaz', ...shared },
  ]);
});

test.each([
  ['the same window', [stored('08:00', '11:00')], true],
  ['a start beside the quarter hour', [stored('08:05', '11:00')], false],
  ['another end', [stored('08:00', '12:00')], false],
  ['one window more', [stored('08:00', '11:00'), stored('13:00', '14:00')], false],
  ['nothing', [], false],
] as const)('given %s on record, the selection counts as stored only if it is the same', (_, recorded, answer) => {
  const others = stored('00:00', '23:59', { name: 'Bo Lee', type: 'client' });
  expect(areStored([entry({ startTime: '08:03', endTime: '11:00' })], [others, ...recorded])).toBe(answer);
});

/** Any windows that may be recorded for a person: of any minutes, side by side, each with a cause or none. */
const anyStored = fc
  .uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 12 })
  .chain((list) => {
    const cuts = list.toSorted((a, b) => a - b);
    const windows = cuts.slice(1).map((end, i) => ({ start: cuts[i] ?? 0, end }));
    const cause = fc.constantFrom(null, 'sick', 'leave', 'weather');
    const why = fc.tuple(cause, fc.constantFrom({}, {}, { untold: true }, { untold: false }));
    return fc.tuple(fc.shuffledSubarray(windows, { minLength: 1 }), fc.array(why, { minLength: 12, maxLength: 12 }));
  })
  .map(([windows, whys]) =>
    windows.map(({ start, end }, i) => {
      const [cause, untold] = whys[i] ?? [null, {}];
      const said = { ...(cause === null ? {} : because(cause)), ...untold };
      return stored(formatTime(start), formatTime(Math.min(end, 1439)), said);
    }),
  );

test('[ABS-02] whatever is recorded, selecting a person, leaving the fields and saving sends just that', () => {
  fc.assert(
    fc.property(anyStored, (recorded) => {
      let entries = reduceAbsences([], toggle(ana, recorded));
      for (const at of entries.keys()) entries = reduceAbsences(entries, { do: 'round', at });
      expect(entries.map((each) => problemOf(each, entries))).toEqual(recorded.map(() => null));
      expect(areStored(entries, recorded)).toBe(true);
      const sent = toQueries(entries, '2026-11-20', 'altamonte');
      expect(sent.map(({ id, begin, end, replaces, loss }) => ({ id, begin, end, replaces, loss }))).toEqual(
        recorded.map(({ id, startTime, endTime }) => ({ id, begin: startTime, end: endTime, replaces: true })),
      );
    }),
  );
});

test('given two recorded windows of which one is changed, the other is sent as it is recorded', () => {
  const recorded = [stored('08:07', '09:30', because('sick')), stored('14:00', '16:00', because('leave'))];
  let entries = reduceAbsences([], toggle(ana, recorded));
  entries = reduceAbsences(entries, { do: 'end', at: 1, time: '15:05' });
  entries = reduceAbsences(entries, { do: 'part', at: 1, part: { loss: { cause: 'sick' } } });
  expect(toQueries(entries, '2026-11-20', 'altamonte')).toMatchObject([
    { id: recorded[0]?.id, begin: '08:07', end: '09:30' },
    { id: recorded[1]?.id, begin: '14:00', end: '15:00', loss: { cause: 'sick' } },
  ]);
  expect(areStored(entries, recorded)).toBe(false);
});

test('given someone who does not know yet, then this is sent once it is said, and stays as recorded until it changes', () => {
  const recorded = [stored('08:00', '09:00', { untold: true }), stored('10:00', '11:00', because('weather'))];
  let entries = reduceAbsences([], toggle(ana, recorded));
  expect(entries.map(({ loss }) => loss?.untold)).toEqual([true, undefined]);
  entries = reduceAbsences(entries, { do: 'part', at: 0, part: { loss: { cause: null, untold: false } } });
  expect(areStored(entries, recorded)).toBe(false);
  const [first, second] = toQueries(entries, '2026-11-20', 'altamonte');
  expect([first?.loss, second?.loss]).toEqual([{ cause: null, untold: false }, undefined]);
});

test.each([
  ['00:00', '23:59', 'All day'],
  ['00:00', '10:00', 'Until 10:00 AM'],
  ['13:00', '23:59', 'From 1:00 PM'],
  ['08:07', '09:30', '8:07 AM - 9:30 AM'],
  ['', '', 'No time yet'],
])('the window from %s to %s reads: %s', (startTime, endTime, words) => {
  expect(windowWords({ startTime, endTime })).toBe(words);
});
