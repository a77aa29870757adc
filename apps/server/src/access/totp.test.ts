import { expect, test } from 'vitest';
import { makeSeal } from './seal.ts';
import { base32, codeAt, setUpAddress, stepOf } from './totp.ts';

const RFC = Buffer.from('12345678901234567890');

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('the code at %i seconds is the one in RFC 6238', (seconds, code) => {
  expect(codeAt(RFC, Math.floor(seconds / 30), 8)).toBe(code);
});

test('a code is right for its step and one step before and after, however it is spaced', () => {
  const step = 50_000_000;
  const now = step * 30_000 + 15_000;
  for (const drift of [-1, 0, 1]) expect(stepOf(RFC, codeAt(RFC, step + drift), now)).toBe(step + drift);
  for (const drift of [-2, 2]) expect(stepOf(RFC, codeAt(RFC, step + drift), now)).toBeNull();
  const code = codeAt(RFC, step);
  expect(stepOf(RFC, ` ${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(step);
  for (const wrong of ['', '12345', `${code}0`, 'abcdef', '１２３４５６']) expect(stepOf(RFC, wrong, now)).toBeNull();
});

test('a secret is written as RFC 4648 says, and the address names the account', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(setUpAddress(RFC, 'a b@clinic.example')).toBe(
    'otpauth://totp/Scheduler:a%20b%40clinic.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Scheduler',
  );
});

test('a sealed secret opens with the same key, for the same thing, unchanged', () => {
  const seal = makeSeal('k'.repeat(32));
  const sealed = seal.close(RFC, 'one');
  expect(seal.open(sealed, 'one')).toEqual(RFC);
  expect(seal.open(sealed, 'another')).toBeNull();
  expect(makeSeal('l'.repeat(32)).open(sealed, 'one')).toBeNull();
  expect(sealed.includes(RFC)).toBe(false);
  const changed = Buffer.from(sealed);
  changed[30] = (changed[30] ?? 0) ^ 1;
  expect(seal.open(changed, 'one')).toBeNull();
  expect(seal.open(Buffer.alloc(3), 'one')).toBeNull();
});
