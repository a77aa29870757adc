import { expect, test } from 'vitest';
import {
  AUTHORIZATION_LIST,
  authorizationRows,
  authorizationsTyped,
  authorizationWords,
  checkRow,
  NEED_LIST,
  needRows,
  needsTyped,
  newRow,
  TAG_LIST,
  tagRows,
  tagsTyped,
  tagWords,
  type ListRow,
  type ListSpec,
} from './list-rows.ts';

const columnOf = (spec: ListSpec, field: string) => {
  const column = spec.columns.find((each) => each.field === field);
  if (!column) throw new Error(`no column ${field}`);
  return column;
};

test('skills and needs pass through the form unchanged, and rows left empty are dropped', () => {
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

test('a last day before the first day is reported beside its field', () => {
  const row = { tag: 'CPI', from_date: '2026-02-01', until_date: '2026-01-31' };
  const check = (of: ListRow) => checkRow(TAG_LIST, of, columnOf(TAG_LIST, 'until_date'));
  expect(check(row)).toBe('Must not be before “From”');
  expect(check({ ...row, until_date: '2026-02-01' })).toBe(true);
});

test('a complete authorization passes through the form unchanged, and missing required fields are reported', () => {
  const authorization = {
    ...({ payer: 'Acme', code: '97153', number: 'A-1', from_date: '2026-01-01', until_date: '2026-06-30' } as const),
    ...({ units: 160, period: 'week', prior_units: 40, prior_until: '2026-03-31' } as const),
  };
  const [row] = authorizationRows([authorization]);
  expect(authorizationsTyped([row ?? {}, newRow(AUTHORIZATION_LIST)])).toEqual([authorization]);
  expect(authorizationWords(authorization)).toBe(
    'Acme 97153: 40 h each week, 10 h used through March 31, 2026, number A-1 (from January 1, 2026 until June 30, 2026)',
  );
  const check = (field: string, value: string) =>
    checkRow(AUTHORIZATION_LIST, { ...row, [field]: value }, columnOf(AUTHORIZATION_LIST, field));
  expect(check('units', '')).toBe('Units of 15 min is required');
  for (const units of ['1.5', '0', '-1']) expect(check('units', units)).toBe('A whole number, 1 or more');
  expect(check('prior_until', '')).toBe('Fill in both “Units used” and this date, or neither');
  expect(check('prior_until', '2025-12-31')).toBe('Must not be before “From”');
  const none = { ...row, prior_units: '', prior_until: '' };
  expect(authorizationsTyped([none])).toEqual([{ ...authorization, prior_units: null, prior_until: null }]);
  expect(check('from_date', '')).toBe('From is required');
  expect(check('number', '')).toBe(true);
});

test('a skill is shown with its dates, if it has any', () => {
  expect(tagWords({ tag: 'CPI', from_date: null, until_date: '2026-12-31' })).toBe('CPI (until December 31, 2026)');
  expect(tagWords({ tag: 'Spanish', from_date: null, until_date: null })).toBe('Spanish');
});
