import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoOf, millisOf } from './clock.ts';

test.each([
  ['2026-11-20 13:30:00+00', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20 13:30:00.5+00', '2026-11-20T13:30:00.500Z'],
  ['2026-11-20 07:30:00-06', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20 07:30:00.123456-06', '2026-11-20T13:30:00.123Z'],
  ['2026-11-20 19:15:00+05:45', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20T13:30:00Z', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20T13:30Z', '2026-11-20T13:30:00.000Z'],
])('the instant %s is read as %s', (text, iso) => {
  expect(isoOf(text)).toBe(iso);
});

test.each([
  '',
  'infinity',
  '-infinity',
  'Fri Nov 20 13:30:00 2026 UTC',
  '2026-11-20',
  '2026-11-20 13:30:00',
  '2026-02-30 13:30:00+00',
  '2026-11-20 25:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '2026-11-20 13:30:00 CST',
])('%j is refused because it is not a valid date and time with a UTC offset', (text) => {
  expect(() => millisOf(text)).toThrow(RangeError);
});

test('any string is either read as a point in time or refused, and never becomes NaN', () => {
  const nearly = fc
    .tuple(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.nat(30),
      fc.string({ maxLength: 3 }),
    )
    .map(([iso, at, text]) => iso.slice(0, at) + text + iso.slice(at + text.length));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String), nearly), (text) => {
      try {
        return Number.isSafeInteger(millisOf(text));
      } catch (error) {
        return error instanceof RangeError;
      }
    }),
    { numRuns: 2000 },
  );
});

test('an instant is read as the same time whatever UTC offset it is written with', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-02'), max: new Date('2999-12-30'), noInvalidDate: true }),
      fc.integer({ min: -15, max: 15 }),
      fc.constantFrom(0, 15, 30, 45),
      (date, hours, minutes) => {
        const offset = (Math.abs(hours) * 60 + minutes) * (hours < 0 ? -1 : 1);
        const two = (n: number) => String(n).padStart(2, '0');
        const wall = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1).replace('T', ' ');
        const zone = `${hours < 0 ? '-' : '+'}${two(Math.abs(hours))}${minutes ? `:${two(minutes)}` : ''}`;
        expect(millisOf(`${wall}${zone}`)).toBe(date.getTime());
      },
    ),
  );
});
