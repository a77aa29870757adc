import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import {
  cellKey,
  clashCells,
  clashWords,
  clashesOf,
  conflictCells,
  mixFigures,
  mixWords,
  needDecision,
  settlement,
  settlementWords,
} from './mix.ts';
import { proposal } from './sample-proposal.ts';
import { tableOf } from './table.ts';

const date = isoDate('2026-11-20');
const { data, metadata } = proposal();
const table = tableOf(data, metadata, date);
const claims = metadata.claims[date];
const all = (option: string) => ({ 'Bo Lee': option, 'Mo Diaz': option, 'Zoe Fox': option });
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
  expect(clashesOf(claims, all('Option 1'))).toEqual([]);
  expect(clashesOf(claims, all('Option 2'))).toEqual([]);
  const [clash, ...rest] = clashesOf(claims, mixed);
  expect(rest).toEqual([]);
  expect(clash && clashWords(clash)).toEqual({
    what: 'Lin Park would be in two places from 9:00 to 10:00 AM:',
    between: 'with Bo Lee (Option 2) and with Zoe Fox (Option 1).',
  });
});

test('a clash is marked in both clients’ cells and nowhere else', () => {
  expect(clashCells(table, clashesOf(claims, mixed))).toEqual(
    new Set([
      cellKey('Bo Lee', '8:30 AM - 10:00 AM', 'Option 2'),
      cellKey('Zoe Fox', '9:00 AM - 12:00 PM', 'Option 1'),
    ]),
  );
});

test('given a clash over a therapist who is in none of the cells, one cell of each client is still marked', () => {
  const clash = {
    therapist: 'Somebody Else',
    from: 540,
    to: 600,
    clients: ['Bo Lee', 'Mo Diaz'] as [string, string],
    options: ['Option 1', 'Option 1'] as [string, string],
  };
  const marked = [...clashCells(table, [clash])];
  expect(marked).toContain(cellKey('Bo Lee', '8:30 AM - 11:30 AM', 'Option 1'));
  expect(marked).toContain(cellKey('Mo Diaz', '1:00 PM - 4:00 PM', 'Option 1'));
});

test('settling a clash keeps the newest choice and changes as few other choices as possible', () => {
  const changes = settlement(claims ?? {}, mixed, 'Bo Lee', ['Option 1', 'Option 2']);
  expect(changes).toEqual({ 'Zoe Fox': 'Option 2' });
  expect(settlementWords(table, changes ?? {})).toBe('Zoe Fox moves to Option 2, Kai Wood, new face');
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
  expect(needDecision(table, mixed, clashesOf(claims, mixed), none)).toEqual(['Bo Lee', 'Zoe Fox']);
  const conflict = new Map([[cellKey('Mo Diaz', '1:00 PM - 4:00 PM', 'Option 1'), 'moved']]);
  expect(needDecision(table, all('Option 1'), [], conflict)).toEqual(['Mo Diaz']);
});
