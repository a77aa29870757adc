import { expect, test } from 'vitest';
import type { Contact } from '@clinic/contract';
import { contactWords, headWords } from './model.ts';

const contact = (given: Partial<Contact>): Contact => ({
  name: '',
  relation: '',
  phone: '407 555 0100',
  dial: '+14075550100',
  email: '',
  language: '',
  preferred: '',
  ...given,
});

test('a family’s contact is shown with name and relation; a therapist’s own number is shown without either', () => {
  const mother = contact({ name: 'Maria López', relation: 'Mother', preferred: 'text', language: 'Spanish' });
  expect(contactWords(mother, { name: 'Bo Lee' })).toBe('Maria López, Mother, prefers a text, speaks Spanish');
  const kai = { name: 'Kai Wood' };
  expect(contactWords(contact({ name: 'Kai Wood', preferred: 'text' }), kai)).toBe('prefers a text');
  expect(contactWords(contact({ name: 'K. Wood', relation: 'Self' }), kai)).toBe('');
  expect(contactWords(contact({ name: 'Jo Wood', relation: 'Husband' }), kai)).toBe('Jo Wood, Husband');
});

test('an empty list says that everyone knows only if its day is open', () => {
  const empty = { lines: [], told: [], sheet: null };
  expect(headWords({ ...empty, open: true })).toMatchObject({ title: 'No one to tell' });
  expect(headWords({ ...empty, open: false })).toEqual({
    count: 0,
    title: 'Nothing listed yet',
    text: 'No one has been told about this day.',
  });
});
