import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import { readIcs } from './ics.ts';

const TODAY = isoDate('2026-11-23');
const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const WHOLE = { location: null, from_time: '00:00', to_time: '24:00' };

test('given events of whole days and of hours, then each date is a holiday, also folded, escaped and with an alarm inside', () => {
  const text = calendar(
    event('DTSTART;VALUE=DATE:20261126', 'DTEND;VALUE=DATE:20261128', 'SUMMARY:Thanks', ' giving\\, and more'),
    event(
      'DTSTART;TZID=America/New_York:20261224T120000',
      'DTEND;TZID=America/New_York:20261224T190000',
      'BEGIN:VALARM',
      'SUMMARY:not this',
      'END:VALARM',
      'SUMMARY:Christmas Eve',
    ),
    event('DTSTART;VALUE=DATE:20270101', 'SUMMARY:New Year’s Day'),
    event('DTSTART;VALUE=DATE:20200101', 'SUMMARY:Long ago'),
  );
  expect(readIcs(text, TODAY)).toEqual({
    holidays: [
      { ...WHOLE, date: '2026-11-26', name: 'Thanksgiving, and more' },
      { ...WHOLE, date: '2026-11-27', name: 'Thanksgiving, and more' },
      { location: null, date: '2026-12-24', from_time: '12:00', to_time: '19:00', name: 'Christmas Eve' },
      { ...WHOLE, date: '2027-01-01', name: 'New Year’s Day' },
    ],
    leftOut: [],
  });
});

test.each([
  [['DTSTART;VALUE=DATE:20261126', 'RRULE:FREQ=YEARLY', 'SUMMARY:A'], 'A: it repeats; add each of its days by hand'],
  [['DTSTART:20261126T120000Z', 'SUMMARY:A'], 'A: its beginning is not a date, or a time of another zone'],
  [
    ['DTSTART;TZID=Europe/Berlin:20261126T120000', 'SUMMARY:A'],
    'A: its beginning is not a date, or a time of another zone',
  ],
  [['DTSTART;VALUE=DATE:20261301', 'SUMMARY:A'], 'A: its beginning is not a date, or a time of another zone'],
  [['DTSTART;VALUE=DATE:20261126', 'DTEND;VALUE=DATE:20270126', 'SUMMARY:A'], 'A: it has 61 days'],
  [['DTSTART:20261126T120000', 'DTEND:20261127T120000', 'SUMMARY:A'], 'A: it has times, and is not within one day'],
  [['DTSTART;VALUE=DATE:20261126', 'DURATION:P1D', 'SUMMARY:A'], 'A: it has a length instead of an end'],
  [['DTSTART;VALUE=DATE:20261126'], 'An event without a name: it has no name'],
])('given an event that is not understood (%j), then it is left out by name', (lines, why) => {
  expect(readIcs(calendar(event(...lines)), TODAY)).toEqual({ holidays: [], leftOut: [why] });
});

test('given any text, then it is read or refused in words, never read as dates that it does not have', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'BEGIN:VEVENT',
      'END:VEVENT',
      'BEGIN:VCALENDAR',
      'SUMMARY:X',
      'DTSTART;VALUE=DATE:20261225',
      'BEGIN:VALARM',
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        const { holidays } = readIcs(lines.join('\n'), TODAY);
        expect(holidays.every(({ date }) => date === '2026-12-25' && date <= addDays(TODAY, 732))).toBe(true);
      } catch (error) {
        expect(String(error)).toContain('could not be read');
      }
    }),
  );
});
