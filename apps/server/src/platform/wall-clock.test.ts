import { expect, test } from 'vitest';
import { wallNow } from './wall-clock.ts';

const at = (instant: string) => wallNow({ now: () => Date.parse(instant) }, 'altamonte');

test('given the days on which the clocks change, wallNow shows the same time as a clock on the clinic’s wall, before and after the change', () => {
  expect(at('2026-11-20T12:20:31Z')).toEqual({ date: '2026-11-20', minutes: 440, text: '2026-11-20T07:20:31' });
  expect(at('2026-11-20T03:00:00Z')).toEqual({ date: '2026-11-19', minutes: 1320, text: '2026-11-19T22:00:00' });
  expect(at('2026-07-01T11:20:00Z').text).toBe('2026-07-01T07:20:00');
  // On 2026-03-08, 1:59 is followed by 3:00. On 2026-11-01, 1:30 comes twice.
  expect([at('2026-03-08T06:59:59Z').minutes, at('2026-03-08T07:00:00Z').minutes]).toEqual([119, 180]);
  expect([at('2026-11-01T05:30:00Z').minutes, at('2026-11-01T06:30:00Z').minutes]).toEqual([90, 90]);
});

test('given moments within one minute and in the minutes around it, wallNow shows the second of each', () => {
  const moments = ['12:19:59.999', '12:20:00.000', '12:20:31.250', '12:20:59.999', '12:21:00.000', '12:20:07.000'];
  expect(moments.map((time) => at(`2026-11-20T${time}Z`).text.slice(11))).toEqual(
    moments.map((time) => `07${time.slice(2, 8)}`),
  );
});
