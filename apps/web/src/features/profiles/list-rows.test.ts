import { expect, test } from 'vitest';
import {
  checkRow,
  NEED_LIST,
  needRows,
  needsTyped,
  newRow,
  TAG_LIST,
  tagRows,
  tagsTyped,
  tagWords,
} from './list-rows.ts';

test('skills and needs come back from the form as they were, without rows in which nothing was typed', () => {
  const tags = [
    { tag: 'Spanish', from_date: null, until_date: null },
    { tag: 'CPI', from_date: '2026-01-01', until_date: '2026-12-31' },
  ];
  expect(tagsTyped([...tagRows(tags), newRow(TAG_LIST)])).toEqual(tags);
  const needs = [
    { tag: 'Spanish', must: true },
    { tag: 'Feeding', must: false },
  ];
  expect(needsTyped([...needRows(needs), newRow(NEED_LIST)])).toEqual(needs);
  expect(needsTyped([{ ...newRow(NEED_LIST), tag: 'Lifting' }])).toEqual([{ tag: 'Lifting', must: true }]);
});

test('a last day before the first is reported beside it', () => {
  const row = { tag: 'CPI', from_date: '2026-02-01', until_date: '2026-01-31' };
  expect(checkRow(row, 'until_date')).toBe('Must not be before From');
  expect(checkRow({ ...row, until_date: '2026-02-01' }, 'until_date')).toBe(true);
});

test('a skill with dates shows them', () => {
  expect(tagWords({ tag: 'CPI', from_date: null, until_date: '2026-12-31' })).toBe('CPI (until December 31, 2026)');
  expect(tagWords({ tag: 'Spanish', from_date: null, until_date: null })).toBe('Spanish');
});
