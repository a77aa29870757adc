import { findFaults, isoDate, type Choice, type MixFacts, type MixHours } from '@clinic/domain';
import { expect, test } from 'vitest';
import {
  cellKey,
  conflictCells,
  faultCells,
  faultWords,
  mixFigures,
  mixWords,
  needDecision,
  settlement,
  settlementWords,
} from './mix.ts';
import { proposal } from './testing/sample-proposal.ts';
import { tableOf } from './table.ts';

const date = isoDate('2026-11-20');
const { data, metadata } = proposal();
const table = tableOf(data, metadata, date);
const facts: MixFacts = { claims: metadata.claims, hours: {} };
const all = (option: string) => ({ 'Bo Lee': option, 'Mo Diaz': option, 'Zoe Fox': option });
const faultsOf = (choice: Choice, of = facts) => findFaults(of, { [date]: choice });
const mixed = { ...all('Option 1'), 'Bo Lee': 'Option 2' };

const figures = (kept: number, faces: number) => ({
  minutes_needed: 360,
  minutes_kept: kept,
  changes: 3,
  new_faces: faces,
});

test('given one option chosen for everyone, the mix has exactly that option’s figures', () => {
  expect(mixFigures(table, all('Option 1'))).toEqual(figures(360, 0));
  expect(mixFigures(table, all('Option 2'))).toEqual(figures(270, 2));
});

test('a mix adds up the figures of each client’s own option', () => {
  expect(mixFigures(table, mixed)).toEqual(figures(270, 1));
  expect(mixWords({ minutes_needed: 1320, minutes_kept: 1260, changes: 9, new_faces: 1 })).toBe(
    'keeps 21 h of 22 h, 9 changes, 1 new face',
  );
});

test('given a missing figure, a mix has no figures', () => {
  const columns = table.columns.map((c) => ({ ...c, figures: { label: '', proven: false, minutes_kept: 270 } }));
  const blocks = table.blocks.map((b) => ({ ...b, figures: {} }));
  expect(mixFigures({ ...table, columns, blocks }, all('Option 2'))).toBeNull();
});

test('given no figures per client from the server, a mix has figures only if all clients have the same option', () => {
  const bare = tableOf(data, { ...metadata, client_figures: {} }, date);
  expect(mixFigures(bare, all('Option 2'))).toMatchObject(figures(270, 2));
  expect(mixFigures(bare, mixed)).toBeNull();
});

test('one option for everyone never clashes, but a mix can clash, and the message names both clients and their options', () => {
  expect(faultsOf(all('Option 1'))).toEqual([]);
  expect(faultsOf(all('Option 2'))).toEqual([]);
  const [clash, ...rest] = faultsOf(mixed);
  expect(rest).toEqual([]);
  expect(clash && faultWords(clash)).toEqual({
    what: 'Lin Park would be in two places from 9:00 to 10:00 AM:',
    why: 'with Bo Lee (Option 2) and with Zoe Fox (Option 1).',
  });
});

test('a clash is marked in both clients’ cells and nowhere else', () => {
  expect(faultCells(table, faultsOf(mixed))).toEqual(
    new Map([
      [cellKey('Bo Lee', '8:30 AM - 10:00 AM', 'Option 2'), 'In two places'],
      [cellKey('Zoe Fox', '9:00 AM - 12:00 PM', 'Option 1'), 'In two places'],
    ]),
  );
});

test('given a clash over a therapist who is in none of the cells, one cell of each client is still marked', () => {
  const choices = ['Bo Lee', 'Mo Diaz'].map((client) => ({ date, client, option: 'Option 1' }));
  const clash = { kind: 'clash' as const, date, therapist: 'Somebody Else', from: 540, to: 600, choices, others: [] };
  const marked = [...faultCells(table, [clash]).keys()];
  expect(marked).toContain(cellKey('Bo Lee', '8:30 AM - 11:30 AM', 'Option 1'));
  expect(marked).toContain(cellKey('Mo Diaz', '1:00 PM - 4:00 PM', 'Option 1'));
});

test('resolving a clash keeps the newest choice and changes as few other choices as possible', () => {
  const kept = { date, client: 'Bo Lee' };
  const found = settlement(facts, { [date]: mixed }, kept, { [date]: ['Option 1', 'Option 2'] });
  expect(found).toEqual({ changes: { [date]: { 'Zoe Fox': 'Option 2' } }, keepsNewest: true });
  expect(settlementWords(table, found?.changes ?? {})).toBe('Zoe Fox moves to Option 2, Kai Wood, new to the client');
});

test('if no mix can keep the newest choice, that choice changes', () => {
  const busy = [{ therapist: 'Kai Wood', from: 540, to: 600, changed: true }];
  const claims = { [date]: { 'Bo Lee': { 'Option 2': busy }, 'Zoe Fox': { 'Option 1': busy, 'Option 2': busy } } };
  const found = settlement(
    { claims, hours: {} },
    { [date]: mixed },
    { date, client: 'Bo Lee' },
    { [date]: ['Option 1', 'Option 2'] },
  );
  expect(found).toEqual({ changes: { [date]: { 'Bo Lee': 'Option 1' } }, keepsNewest: false });
});

test('a conflict marks every cell that has its date, time and therapist, and says what changed', () => {
  const marked = conflictCells(table, [
    { date, time: '9:00 AM - 9:30 AM', therapist: 'Lin Park', why: 'Lin Park is away from 8:00 AM.' },
  ]);
  expect([...marked]).toEqual([
    [cellKey('Bo Lee', '8:30 AM - 10:00 AM', 'Option 2'), 'Lin Park is away from 8:00 AM.'],
    [cellKey('Zoe Fox', '9:00 AM - 12:00 PM', 'Option 1'), 'Lin Park is away from 8:00 AM.'],
  ]);
  const ofOne = conflictCells(table, [{ date, time: '9:00 AM - 9:30 AM', therapist: 'Lin Park', client: 'Zoe Fox' }]);
  expect([...ofOne.keys()]).toEqual([cellKey('Zoe Fox', '9:00 AM - 12:00 PM', 'Option 1')]);
  expect(conflictCells(table, [{ date: '2026-11-23', time: '9:00 AM - 9:30 AM', therapist: 'Lin Park' }]).size).toBe(0);
});

test('a client needs a decision only because of a clash, a conflict or time without a therapist', () => {
  const none = new Map<string, string>();
  expect(needDecision(table, all('Option 1'), [], none)).toEqual([]);
  expect(needDecision(table, all('Option 2'), [], none)).toEqual(['Bo Lee']);
  expect(needDecision(table, mixed, faultsOf(mixed), none)).toEqual(['Bo Lee', 'Zoe Fox']);
  const conflict = new Map([[cellKey('Mo Diaz', '1:00 PM - 4:00 PM', 'Option 1'), 'moved']]);
  expect(needDecision(table, all('Option 1'), [], conflict)).toEqual(['Mo Diaz']);
});

const MONDAY = isoDate('2026-11-16');
/** Lin Park has 1 h left in the week, and no work of their own. */
const hours: MixHours = { week: 2340, week_limit: 2400, day: 0, day_limit: null, freed: 0, before: 0, rest: [] };
const takes = (from: number, to: number) => [{ therapist: 'Lin Park', from, to, changed: true, other: true }];

test('given a mix with too many hours, the message names the hours and every choice that adds to them, and only the cells of these choices are marked', () => {
  const limited: MixFacts = {
    claims: {
      [MONDAY]: { 'Ivy Cole': { 'Option 3': takes(540, 600) } },
      [date]: { 'Bo Lee': { 'Option 2': takes(510, 600) }, 'Zoe Fox': { 'Option 1': takes(600, 690) } },
    },
    hours: { [MONDAY]: { 'Lin Park': hours }, [date]: { 'Lin Park': hours } },
  };
  const chosen = { [MONDAY]: { 'Ivy Cole': 'Option 3' }, [date]: mixed };
  const faults = findFaults(limited, chosen);
  expect(faults.map(faultWords)).toEqual([
    {
      what: 'Lin Park would have 43 h that week; the limit is 40 h.',
      why: 'Chosen: Ivy Cole (Option 3 on Mon, Nov 16), Bo Lee (Option 2 on Fri, Nov 20), Zoe Fox (Option 1 on Fri, Nov 20).',
    },
  ]);
  expect(faultCells(table, faults)).toEqual(
    new Map([
      [cellKey('Bo Lee', '8:30 AM - 10:00 AM', 'Option 2'), 'Too many hours'],
      [cellKey('Zoe Fox', '9:00 AM - 12:00 PM', 'Option 1'), 'Too many hours'],
    ]),
  );
  expect(needDecision(table, mixed, faults, new Map())).toEqual(['Bo Lee', 'Zoe Fox']);
});

test('the words for one change say whether its session is cancelled or keeps time without a therapist', () => {
  expect(settlementWords(table, { [date]: { 'Mo Diaz': 'Option 2' } })).toBe('Mo Diaz moves to Option 2, cancelled');
  const { 'Option 2': pieces = {} } = data[date]?.['Bo Lee'] ?? {};
  const [, open] = Object.entries(pieces);
  const day = { ...data[date], 'Bo Lee': { 'Option 2': Object.fromEntries(open ? [open] : []) } };
  expect(settlementWords(tableOf({ [date]: day }, metadata, date), { [date]: { 'Bo Lee': 'Option 2' } })).toBe(
    'Bo Lee moves to Option 2, part of the session without a therapist',
  );
});

test('given a choice on another date that must change too, the message names the date', () => {
  const limited: MixFacts = {
    claims: {
      [MONDAY]: { 'Ivy Cole': { 'Option 2': takes(540, 600) } },
      [date]: { 'Zoe Fox': { 'Option 1': takes(600, 630) } },
    },
    hours: { [MONDAY]: { 'Lin Park': hours }, [date]: { 'Lin Park': hours } },
  };
  const chosen = { [MONDAY]: { 'Ivy Cole': 'Option 2' }, [date]: { 'Zoe Fox': 'Option 1' } };
  const options = { [MONDAY]: ['Option 1', 'Option 2'], [date]: ['Option 1'] };
  const found = settlement(limited, chosen, { date, client: 'Zoe Fox' }, options);
  expect(found).toEqual({ changes: { [MONDAY]: { 'Ivy Cole': 'Option 1' } }, keepsNewest: true });
  expect(settlementWords(table, found?.changes ?? {})).toBe('Ivy Cole moves to Option 1 on Mon, Nov 16');
});

test('given a therapist whom a client meets only through another choice, the message names the date of that choice', () => {
  const knownBy = [[{ date: MONDAY, client: 'Bo Lee', option: 'Option 1' }]];
  const claims = {
    [MONDAY]: { 'Bo Lee': { 'Option 1': [], 'Option 2': [] } },
    [date]: { 'Bo Lee': { 'Option 2': takes(510, 600).map((claim) => ({ ...claim, knownBy })) } },
  };
  const faults = (onMonday: Choice) =>
    findFaults({ claims, hours: {} }, { [MONDAY]: onMonday, [date]: { 'Bo Lee': 'Option 2' } });
  expect(faults({ 'Bo Lee': 'Option 1' })).toEqual([]);
  expect(faults({})).toEqual([]);
  expect(faults({ 'Bo Lee': 'Option 2' }).map(faultWords)).toEqual([
    {
      what: 'Lin Park would be new to Bo Lee:',
      why: 'this choice needs Lin Park to work with Bo Lee on Mon, Nov 16 first.',
    },
  ]);
  expect([...faultCells(table, faults({ 'Bo Lee': 'Option 2' }))]).toEqual([
    [cellKey('Bo Lee', '8:30 AM - 10:00 AM', 'Option 2'), 'New to client'],
  ]);
});
