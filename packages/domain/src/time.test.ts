import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addDays,
  clockTime,
  dayOfWeek,
  daysBetween,
  decimalHours,
  duration,
  formatTime,
  isoDate,
  longDate,
  mondayOf,
  parseTimeOfDay,
  parseDate,
  parseTime,
  roundToQuarter,
  shortDate,
  timeSlot,
  weekdayName,
} from './time.ts';

const dates = fc.integer({ min: -40_000, max: 40_000 }).map((days) => addDays(isoDate('2026-11-20'), days));
const minutes = fc.integer({ min: 0, max: 1440 });

describe('calendar dates', () => {
  test('a date that does not exist, is out of range or is in another format is refused', () => {
    const wrong = [
      '2026-02-30',
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-11-00',
      '26-11-20',
      '2026-1-2',
      '11/20/2026',
    ];
    for (const text of [...wrong, '', ' 2026-11-20', '2026-11-20T00:00:00', '٢٠٢٦-١١-٢٠']) {
      expect(parseDate(text), text).toBeNull();
    }
    for (const text of ['0000-01-01', '0099-12-31', '1899-12-31', '3000-01-01', '9999-12-31']) {
      expect(parseDate(text), text).toBeNull(); // these dates are outside the years 1900 to 2999
    }
    expect(['1900-01-01', '2999-12-31'].map(parseDate)).toEqual(['1900-01-01', '2999-12-31']);
    expect(parseDate('2024-02-29')).toBe('2024-02-29');
    for (const text of ['2026-02-30', '0999-12-31', '']) expect(() => isoDate(text), text).toThrow(RangeError);
  });

  test('the days before and after the first and the last valid date are dates too', () => {
    const reached = [addDays(isoDate('1900-01-01'), -90), addDays(isoDate('2999-12-31'), 90)];
    expect(reached.map(isoDate)).toEqual(['1899-10-03', '3000-03-31']);
  });

  test('adding days and counting the days between dates undo each other', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
        const later = addDays(date, days);
        expect(parseDate(later)).toBe(later);
        expect(daysBetween(date, later)).toBe(days);
        expect(addDays(later, -days)).toBe(date);
        expect(dayOfWeek(later)).toBe((((dayOfWeek(date) + days) % 7) + 7) % 7);
      }),
    );
  });

  test('the Monday of a date’s week is at most six days earlier, and its week ends on Sunday', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const monday = mondayOf(date);
        expect(dayOfWeek(monday)).toBe(1);
        expect(daysBetween(monday, date)).toBeGreaterThanOrEqual(0);
        expect(daysBetween(monday, date)).toBeLessThan(7);
      }),
    );
    expect(mondayOf(isoDate('2026-11-22'))).toBe('2026-11-16'); // a Sunday belongs to the week of the Monday before it
  });

  test('[CAL-03] a date is written out in full', () => {
    expect(longDate(isoDate('2026-11-20'))).toBe('Friday, November 20, 2026');
    expect(longDate(isoDate('2026-01-05'))).toBe('Monday, January 5, 2026');
    expect(shortDate(isoDate('2026-11-20'))).toBe('Fri, Nov 20');
    expect([0, 1, 6].map(weekdayName)).toEqual(['Sunday', 'Monday', 'Saturday']);
  });
});

describe('times of day', () => {
  test('minutes written as HH:MM are read back unchanged; other text is refused', () => {
    fc.assert(fc.property(minutes, (m) => void expect(parseTime(formatTime(m))).toBe(m)));
    for (const text of ['9:00', '24:01', '12:60', '25:00', '', '09:00 ', '0900', '-1:00'])
      expect(parseTime(text)).toBeNull();
  });

  test('minutes written as a clock time are read back unchanged, except that the end of the day reads as midnight', () => {
    fc.assert(fc.property(minutes, (m) => void expect(parseTimeOfDay(clockTime(m))).toBe(m % 1440)));
    expect([0, 719, 720, 721, 779, 780, 1439].map(clockTime)).toEqual([
      '12:00 AM',
      '11:59 AM',
      '12:00 PM',
      '12:01 PM',
      '12:59 PM',
      '1:00 PM',
      '11:59 PM',
    ]);
    for (const text of ['0:30 AM', '13:00 PM', '8:60 AM', '8:5 AM', '8', '24:15', '8:30:75', 'noon'])
      expect(parseTimeOfDay(text)).toBeNull();
    for (const text of [' 8:30 p.m. ', '8:30:59 PM', '20:30', '20:30:00.000', '8:30\u202FPM'])
      expect(parseTimeOfDay(text)).toBe(20 * 60 + 30);
    expect(parseTimeOfDay('24:00')).toBe(1440);
  });

  test('a window is written like an option’s time slot; a duration is written in hours and minutes', () => {
    expect(timeSlot(510, 690)).toBe('8:30 AM - 11:30 AM');
    expect([0, 45, 60, 90, 120, 74_085].map(duration)).toEqual([
      '0 min',
      '45 min',
      '1 h',
      '1 h 30 min',
      '2 h',
      '1,234 h 45 min',
    ]);
  });

  test('[ABS-02] times are rounded to the nearest 15 minutes; 23:59 stays as it is', () => {
    expect(roundToQuarter(1439)).toBe(1439);
    expect([0, 7, 8, 22, 23, 1425].map(roundToQuarter)).toEqual([0, 0, 15, 15, 30, 1425]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1438 }), (m) => {
        expect(roundToQuarter(m) % 15).toBe(0);
        expect(Math.abs(roundToQuarter(m) - m)).toBeLessThanOrEqual(7);
        expect(roundToQuarter(roundToQuarter(m))).toBe(roundToQuarter(m));
      }),
    );
  });
});

describe('daylight saving', () => {
  const before = process.env['TZ'];
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  // Each zone's offset on 2026-01-15, in minutes, to check that the process really changed its zone.
  const ZONES = [
    ['America/New_York', 300],
    ['UTC', 0],
    ['Europe/Berlin', -60],
    ['Australia/Lord_Howe', -660],
    ['Pacific/Kiritimati', -840],
  ] as const;

  test.each(ZONES)(
    'given a process in %s, no slot shifts in the weeks around the clock changes of 2024 to 2034',
    (zone, offset) => {
      process.env['TZ'] = zone;
      expect(new Date(2026, 0, 15).getTimezoneOffset()).toBe(offset);
      for (const day of daysOfClockChanges()) {
        const date = isoDate(day);
        expect(addDays(addDays(date, 1), -1)).toBe(date);
        expect(daysBetween(date, addDays(date, 1))).toBe(1);
        // Zeller's congruence gives the day of the week without any Date.
        expect(dayOfWeek(date)).toBe(zeller(day));
        let last = -1;
        for (let m = 0; m < 1440; m += 15) {
          const again = parseTime(formatTime(m));
          const clock = parseTimeOfDay(clockTime(m));
          if (again !== m || clock !== m || m <= last) throw new Error(`${day} ${m} reads ${again} and ${clock}`);
          last = m;
        }
      }
    },
  );
});

/** Every day of the weeks around the US and European clock changes from 2024 to 2034. */
function daysOfClockChanges(): string[] {
  const days: string[] = [];
  for (let year = 2024; year <= 2034; year++) {
    for (const [month, from, to] of [
      [3, 1, 31],
      [4, 1, 14],
      [10, 18, 31],
      [11, 1, 15],
    ] as const) {
      for (let day = from; day <= to; day++) {
        days.push(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
      }
    }
  }
  return days;
}

function zeller(text: string): number {
  const [y = 0, m = 0, d = 0] = text.split('-').map(Number);
  const year = m < 3 ? y - 1 : y;
  const month = m < 3 ? m + 12 : m;
  const h =
    (d +
      Math.floor((13 * (month + 1)) / 5) +
      year +
      Math.floor(year / 4) -
      Math.floor(year / 100) +
      Math.floor(year / 400)) %
    7;
  return (h + 6) % 7; // zeller's formula counts the days from Saturday
}

test('given up to a thousand times in hours, then their sum is right to the minute', () => {
  expect([0, 20, 45, 90].map(decimalHours)).toEqual([0, 0.33333, 0.75, 1.5]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 1000, size: 'max' }), (list) => {
      const hours = list.reduce((sum, each) => sum + decimalHours(each), 0);
      expect(Math.round(hours * 60)).toBe(list.reduce((sum, each) => sum + each, 0));
    }),
  );
});
