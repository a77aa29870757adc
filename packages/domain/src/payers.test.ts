import { expect, test } from 'vitest';
import { payerSentence } from './payers.ts';
import type { DatedTag } from './tags.ts';
import { isoDate } from './time.ts';

const acme = { name: 'Acme', credential: 'RBT', tag: 'Autism course' } as const;
const tag = (name: string, until_date: string | null = null): DatedTag => ({
  tag: name,
  from_date: null,
  until_date: until_date === null ? null : isoDate(until_date),
});
const said = (credential: 'BCBA' | 'RBT' | 'BT', tags: readonly DatedTag[]): string | null =>
  payerSentence(acme, { name: 'Ana Ruiz', credential, tags }, isoDate('2026-11-20'));

test('a payer pays for a therapist with its credential or a higher one, and with its tag on that date', () => {
  for (const credential of ['RBT', 'BCBA'] as const) expect(said(credential, [tag('autism  COURSE')])).toBeNull();
  expect(said('RBT', [tag('Other'), tag('Autism course', '2026-11-20')])).toBeNull();
});

test('otherwise a sentence names what the therapist lacks on that date', () => {
  expect(said('BT', [tag('Autism course')])).toBe(
    'Acme requires an RBT or above; Ana Ruiz counts as a BT on that date.',
  );
  const lacks = 'Acme requires Autism course, which Ana Ruiz does not have on that date.';
  for (const tags of [[], [tag('Other')], [tag('Autism course', '2026-11-19')]]) expect(said('RBT', tags)).toBe(lacks);
});

test('a payer that requires nothing pays for everyone', () => {
  const free = { name: 'Free', credential: null, tag: null };
  expect(payerSentence(free, { name: 'Ana Ruiz', credential: 'BT', tags: [] }, isoDate('2026-11-20'))).toBeNull();
});
