import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialable, isEmailAddress } from './contacts.ts';

test.each([
  ['407-555-0123', '+14075550123'],
  ['(407) 555-0123', '+14075550123'],
  ['407.555.0123', '+14075550123'],
  ['407 555 0123', '+14075550123'],
  ['1-407-555-0123', '+14075550123'],
  ['+1 (407) 555-0123', '+14075550123'],
  ['407–555–0123', '+14075550123'],
  ['４０７-555-0123', '+14075550123'],
  ['407-555-0123 x12', '+14075550123;ext=12'],
  ['407-555-0123 ext. 12', '+14075550123;ext=12'],
  ['407-555-0123x12', '+14075550123;ext=12'],
  ['407-555-0123 #4', '+14075550123;ext=4'],
  ['407-555-0123 (cell)', '+14075550123'],
  ['407-555-0123 home', '+14075550123'],
  ['555-0123', '5550123'],
  ['44 20 7946 0958 1', '4420794609581'],
  ['20 7946 09581', '20794609581'],
  ['020 7946 095', '0207946095'],
  ['+44 20 7946 0958', '+442079460958'],
  ['011 44 20 7946 0958', '+442079460958'],
])('given %s, the number to dial is %s', (typed, dialled) => {
  expect(dialable(typed)).toBe(dialled);
});

test.each([
  '',
  ' ',
  '911',
  '555-012',
  'none',
  'call after 5',
  '407-555-0123 or 555-0124',
  '+',
  '12345678901234567',
  'a@b.c',
])('given %s, there is nothing to dial', (typed) => {
  expect(dialable(typed)).toBeNull();
});

const digits = fc.tuple(fc.integer({ min: 2, max: 9 }), fc.stringMatching(/^\d{9}$/)).map(([a, b]) => `${a}${b}`);
const marks = fc.array(fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '/', ')'), { minLength: 10, maxLength: 10 });

test('given any ten digits, the characters between them do not change the dialed number', () => {
  fc.assert(
    fc.property(digits, marks, (number, between) => {
      const typed = [...number].map((digit, i) => `${digit}${between[i] ?? ''}`).join('');
      expect(dialable(typed)).toBe(`+1${number}`);
    }),
  );
});

test('given any text, its dialed form is safe in a link and does not change when it is parsed again', () => {
  const number = fc.stringMatching(/^[+\d]?[\d ().-]{5,18}( ?(x|ext\.?|#) ?\d{1,6})?$/);
  fc.assert(
    fc.property(fc.oneof(number, fc.string({ unit: 'binary' }), fc.string()), (typed) => {
      const dialled = dialable(typed);
      if (dialled === null) return;
      expect(dialled).toMatch(/^\+?\d{7,15}(;ext=\d{1,6})?$/);
      expect(dialable(dialled)).toBe(dialled);
    }),
    { numRuns: 300 },
  );
});

test('an email address has exactly one @, with a dot after it', () => {
  for (const fine of [
    'pat@example.org',
    'p.o+kids@mail.example.org',
    'jörg@exämple.de',
    "o'brien@example.org",
    'a_b-c@sub-domain.example',
    'P@E.ORG',
    '4@e.org',
    'a@1.example',
    'a@xn--exmple-cua.example',
  ])
    expect(isEmailAddress(fine), fine).toBe(true);
  for (const wrong of [
    '',
    'pat',
    'pat@',
    'pat@example',
    'pat@example.',
    'a b@example.org',
    'a@b@example.org',
    'Pat <p@e.org>',
    'a@e.org, b@e.org',
    `${'a'.repeat(250)}@e.org`,
    `${'a'.repeat(65)}@e.org`,
    `a@${'e'.repeat(64)}.org`,
    'a@[1.2.3.4]',
    'a@[IPv6:::1]',
    'a@1.2.3.4',
    '=?utf-8?q?a?=@e.org',
    'a@=?utf-8?q?e?=.org',
    '-a@e.org',
    '-oQ/tmp@e.org',
    'a@-e.org',
    'a@e-.org',
    '"a b"@e.org',
    '"a"@e.org',
    'a(comment)@e.org',
    'a\\b@e.org',
    '.a@e.org',
    'a.@e.org',
    'a..b@e.org',
    'a@e..org',
    'a%e.org@relay.example',
    'host!a@e.org',
    'a@e.org\n',
    'a@e.org\r\nBcc: b@e.org',
    'a\u200b@e.org',
    'a\u2028@e.org',
    'a@e.org.',
  ])
    expect(isEmailAddress(wrong), wrong).toBe(false);
});

test('an email address contains no control character, so it cannot break out of an email header', () => {
  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)];
  for (const code of controls) {
    const sign = String.fromCharCode(code);
    for (const wrong of [`${sign}a@e.org`, `a${sign}@e.org`, `a@e${sign}.org`, `a@e.o${sign}rg`, `a@e.org${sign}`])
      expect(isEmailAddress(wrong), JSON.stringify(wrong)).toBe(false);
  }
});
