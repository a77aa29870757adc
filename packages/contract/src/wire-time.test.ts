import fc from 'fast-check';
import { addDays, isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { formatWireDateTime, parseWireDateTime } from './wire-time.ts';

test('[CAL-14] times are read as M/D/YYYY, h:mm AM/PM', () => {
  expect(formatWireDateTime('2026-11-20', 510)).toBe('11/20/2026, 8:30 AM');
  expect(formatWireDateTime('2026-03-08', 780)).toBe('3/8/2026, 1:00 PM');
  expect(parseWireDateTime('11/20/2026, 8:30 AM')).toEqual({ date: '2026-11-20', minutes: 510 });
});

test('[CAL-14] every wall time is read back as it was written, even in hours that a clock change skips or repeats', () => {
  const date = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(isoDate('2000-01-01'), days));
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 1439 }), (day, minutes) => {
      expect(parseWireDateTime(formatWireDateTime(day, minutes))).toEqual({ date: day, minutes });
    }),
  );
  for (const day of ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07']) {
    for (let minutes = 0; minutes < 1440; minutes += 15) {
      expect(parseWireDateTime(formatWireDateTime(day, minutes))).toEqual({ date: day, minutes });
    }
  }
});

test('[CAL-14] an end at midnight is written as the first moment of the next day', () => {
  expect(formatWireDateTime('2026-11-30', 1440)).toBe('12/1/2026, 12:00 AM');
});

test('[CAL-14] a time with a zone says how far the zone is ahead of UTC', () => {
  const at = { date: '2026-11-20', minutes: 510 };
  expect(parseWireDateTime('2026-11-20T08:30:00')).toEqual(at);
  expect(parseWireDateTime('2026-11-20T08:30:00Z')).toEqual({ ...at, offset: 0 });
  expect(parseWireDateTime('2026-11-20T08:30:00.5-05:00')).toEqual({ ...at, offset: -300 });
  expect(parseWireDateTime('2026-11-20 8:30 AM+0530')).toEqual({ ...at, offset: 330 });
});

test('a wall time in a slightly different format is read; any other text is refused', () => {
  for (const text of ['11/20/2026 8:30 AM', ' 11/20/2026,  8:30 am ', '11/20/2026, 08:30 AM', '11/20/2026, 8:30AM']) {
    expect(parseWireDateTime(text), text).toEqual({ date: '2026-11-20', minutes: 510 });
  }
  const none = [
    '2/30/2026, 8:30 AM',
    '13/1/2026, 8:30 AM',
    '11/20/26, 8:30 AM',
    '11/20/2026',
    '11/20/2026, 13:30 PM',
    '',
    '11/20/2026, noon',
  ];
  for (const text of none) expect(parseWireDateTime(text), text).toBeNull();
});
