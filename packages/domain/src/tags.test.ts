import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datesMeet, holdsOn } from './dated.ts';
import { needsSentence, unmetNeeds } from './tags.ts';
import { addDays, isoDate } from './time.ts';

const spanish = { tag: 'Spanish', from_date: '2026-01-01', until_date: '2026-12-31' };
const need = (tag: string, must = true) => ({ tag, must });

test.each([
  ['2025-12-31', ['spanish']],
  ['2026-01-01', []],
  ['2026-12-31', []],
  ['2027-01-01', ['spanish']],
])('on %s, a therapist whose tag is valid only in 2026 leaves the needs %j unmet', (date, unmet) => {
  expect(unmetNeeds([need('spanish')], [spanish], isoDate(date)).map(({ tag }) => tag)).toEqual(unmet);
});

test('the sentence names every tag that the client requires, and none that the client only prefers', () => {
  const unmet = [need('Spanish'), need('CPI'), need('Feeding'), need('Pets', false)];
  expect(needsSentence('Bo Lee', 'Ana Ruiz', unmet)).toBe(
    'Bo Lee needs Spanish, CPI and Feeding, which Ana Ruiz does not have on that date.',
  );
  expect(needsSentence('Bo Lee', 'Ana Ruiz', [need('Pets', false)])).toBeNull();
});

test('two date ranges meet exactly when some date lies in both', () => {
  const start = isoDate('2026-01-01');
  const day = fc.option(fc.integer({ min: 1, max: 9 }), { nil: null });
  const dated = fc.tuple(day, day).map(([a, b]) => {
    const [from, until] = a !== null && b !== null && a > b ? [b, a] : [a, b];
    const text = (n: number | null) => (n === null ? null : addDays(start, n));
    return { from_date: text(from), until_date: text(until) };
  });
  fc.assert(
    fc.property(dated, dated, (a, b) => {
      const days = Array.from({ length: 12 }, (_, n) => addDays(start, n));
      expect(datesMeet(a, b)).toBe(days.some((date) => holdsOn(a, date) && holdsOn(b, date)));
    }),
  );
});
