import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterFault, MOST_ACCENTS, oneLine } from './characters.ts';
import { nameKey, tidyText } from './names.ts';

test('a name in the letters of any language can be stored', () => {
  for (const name of ["D'Angelo Smith-Jones", 'José García Núñez', '陳', '𠮷田', 'นุชนาถ', 'Zoë 😀', 'Ma\u200bria', ''])
    expect(characterFault(name), name).toBeNull();
});

test.each([
  ['An\u0001a', 'contains a control character'],
  ['Ana\nLopez', 'contains a control character'],
  ['An\ud83da', 'contains a control character'],
  ['An\ue000a', 'contains a character that most screens cannot show'],
  ['An\u{f0000}a', 'contains a character that most screens cannot show'],
  ['An\u0378a', 'contains a character that most screens cannot show'],
  ['An\uffffa', 'contains a character that most screens cannot show'],
  [`e${'\u0301'.repeat(79)}`, 'has more than 30 accents on one letter'],
  [`e${'\u0301\u200b'.repeat(20)}`, 'has more than 30 accents on one letter'],
])('%j %s', (text, fault) => {
  expect(characterFault(text)).toBe(fault);
});

test('the object character of word processors, which shows nothing, makes no second person', () => {
  expect(tidyText('\ufffcMaria\ufffc Zero\u{1d159}')).toBe('Maria Zero');
  expect(nameKey('Ma\ufffcria Zero')).toBe(nameKey('Maria Zero'));
  expect(characterFault(`e${'\u0301'.repeat(MOST_ACCENTS)}`)).toBeNull();
});

test('a line in a person’s own words has nothing that a name may not have, and a second time does not change it', () => {
  const parts = fc.oneof(
    fc.constantFrom('a', ' ', '\n', '\u0001', '\ue000', '\u0378', '\uffff', '\ufffc', '\u200b', '\u{e0fff}', '😀'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (list) => {
      const line = oneLine(list.join('').replace(/\p{Cs}/gu, '?'));
      expect([null, 'has more than 30 accents on one letter']).toContain(characterFault(line));
      expect(oneLine(line)).toBe(line);
    }),
  );
  expect(oneLine('late\uf0b7 call\u0001back\u200b')).toBe('late call back');
});
