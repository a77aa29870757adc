import { expect, test } from 'vitest';
import type { OptionFigures } from '@clinic/contract';
import { figureNames, headFigures, promiseWords } from './head-figures.ts';

const figures = {
  label: 'Fewest calls',
  strategy: 'calls',
  sessions: 9,
  changes: 7,
  minutes_needed: 1320,
  minutes_kept: 1230,
  minutes_uncovered: 90,
  new_faces: 1,
  calls: 12,
  cuts: 2,
  bcba_minutes: 0,
  leads_in: 'calls',
  proven: true,
} satisfies OptionFigures;

test('every option’s head has the same five figures in the same order and marks the figure that the option is named for', () => {
  expect(headFigures(figures)).toEqual([
    { name: 'Care kept', value: '20 h 30 min', note: '1 h 30 min open', part: 1230 / 1320, leads: false },
    { name: 'Extra calls', value: '12', leads: true },
    { name: 'New faces', value: '1', leads: false },
    { name: 'Handovers', value: '2', leads: false },
    { name: 'By BCBAs', value: '0 min', leads: false },
  ]);
});

test('an option’s head shows how many of the people to tell are not at work yet', () => {
  const shown = headFigures({ ...figures, not_in_yet: 2 }).find(({ leads }) => leads);
  expect(shown).toEqual({ name: 'Extra calls', value: '12', note: '2 not in yet', leads: true });
});

test('given an option named for none of its figures, no figure is marked', () => {
  expect(headFigures({ ...figures, leads_in: null }).some((f) => f.leads)).toBe(false);
});

test('figures missing from the server’s reply are left out, not shown as 0', () => {
  expect(headFigures({ label: 'Balanced', proven: true, calls: 3 })).toEqual([
    { name: 'Extra calls', value: '3', leads: false },
  ]);
  expect(headFigures({ label: 'Balanced', proven: true })).toEqual([]);
});

test('the names of the figures that some option has stand once, in the order of every head', () => {
  expect(figureNames([{ label: '', proven: true, cuts: 1 }, null, { label: '', proven: true, calls: 3 }])).toEqual([
    'Extra calls',
    'Handovers',
  ]);
});

test('an option promises the best of its figure among plans about as good as Option 1 only where that is proven', () => {
  const whole = (of: typeof figures): string => `${of.label} ${promiseWords(of)}`;
  expect(whole(figures)).toBe('Fewest calls of all plans about as good as Option 1');
  expect(promiseWords({ ...figures, leads_in: 'cuts' })).toBe(
    'fewest handovers of all plans about as good as Option 1',
  );
  expect(promiseWords({ ...figures, leads_in: null })).toBeNull();
  expect(promiseWords({ ...figures, proven: false })).toBe('best found so far');
});

test('an option’s head says how many people it makes one tell in all, once that is known', () => {
  const shown = (of: OptionFigures, toTell?: number) => headFigures(of, toTell).find(({ leads }) => leads)?.note;
  expect(shown(figures, 34)).toBe('of 34');
  expect(shown({ ...figures, not_in_yet: 2 }, 34)).toBe('of 34 · 2 not in yet');
  expect(shown(figures)).toBeUndefined();
});
