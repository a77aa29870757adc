import { expect, test } from 'vitest';
import { parseAvailability } from './availability.ts';

/** The windows as `day start-end`, in hours, with the days from 0 (Sunday) to 6; or the part that cannot be read. */
function read(text: string): string {
  const parsed = parseAvailability(text);
  if ('wrong' in parsed) return `wrong: ${parsed.wrong}`;
  return parsed.windows.map(({ day, start, end }) => `${day} ${start / 60}-${end / 60}`).join(', ');
}

test.each([
  ['Mon-Fri 8-5', '1 8-17, 2 8-17, 3 8-17, 4 8-17, 5 8-17'],
  ['M-F 8:00a-4:30p', '1 8-16.5, 2 8-16.5, 3 8-16.5, 4 8-16.5, 5 8-16.5'],
  ['Mon, Wed, Fri 9am-3pm; Tue/Thu 12pm-6pm', '1 9-15, 2 12-18, 3 9-15, 4 12-18, 5 9-15'],
  ['Monday - Thursday 8:00 AM - 5:00 PM; Friday 8:00 AM - noon', '1 8-17, 2 8-17, 3 8-17, 4 8-17, 5 8-12'],
  ['MWF 9-3; TTh 10-2', '1 9-15, 2 10-14, 3 9-15, 4 10-14, 5 9-15'],
  ['Mon-Wed 08:00-17:00, Sat 09:00-12:00', '1 8-17, 2 8-17, 3 8-17, 6 9-12'],
  ['Mon 8:00am to 5:00pm | Tue 8:00 a.m. to 5:00 p.m.', '1 8-17, 2 8-17'],
  ['Fri through Mon: 8:30 - 4', '0 8.5-16, 1 8.5-16, 5 8.5-16, 6 8.5-16'],
  ['Weekdays 7-7', '1 7-19, 2 7-19, 3 7-19, 4 7-19, 5 7-19'],
  ['Mon 8-12 & 1-5, Tue 0830-1630', '1 8-12, 1 13-17, 2 8.5-16.5'],
  ['Tues, Weds & Thurs 11-2p', '2 11-14, 3 11-14, 4 11-14'],
])('the weekly windows %s are understood', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('given times without AM and PM, then those within the clinic’s day are meant', () => {
  expect(read('Mon 9:00-3:00; Tue 1:00-6:00; Wed 12-6; Thu 9-12; Fri 1:00-4:30 PM')).toBe(
    '1 9-15, 2 13-18, 3 12-18, 4 9-12, 5 13-16.5',
  );
  // Times of 24 hours stay what they were.
  expect(read('Mon 6:30-15:00; Tue 07:00-12:00; Wed 0:00-12:00; Thu 8:00 AM-16:30')).toBe(
    '1 6.5-15, 2 7-12, 3 0-12, 4 8-16.5',
  );
  // With minutes, times that no reading puts within the clinic's day count 24 hours.
  expect(read('Mon 6:00-10:00; Tue 5:00-8:00; Wed 6:00-12:00')).toBe('1 6-10, 2 5-8, 3 6-12');
  // One certain time can make the other certain.
  expect(read('Mon 6-15; Tue 6 AM-3; Wed 6-noon; Thu 8-20')).toBe('1 6-15, 2 6-15, 3 6-12, 4 8-20');
  // Each of these could be in the morning or in the evening, or is hardly meant as its only reading.
  for (const wrong of ['Mon 6-9', 'Mon 8 PM-5', 'Mon 6:00-9:00 PM', 'Mon 5-4', 'Mon 5:00-4:00'])
    expect(read(wrong)).toBe(`wrong: ${wrong}`);
});

test.each([
  'Mon-Fri',
  '8-5',
  'S 8-5',
  'MM 8-5',
  'Mon-MWF 8-5',
  'Mon-Fri 8-5 8-5',
  'Mon 8-5,',
  'Mon 8-5 or later',
  'Mon 8-',
  'Mon 8--5',
  'Mon 13a-5p',
  'Mon 25:00-26:00',
  'Monnday 8-5',
])('%s is refused', (wrong) => {
  expect(read(wrong)).toBe(`wrong: ${wrong}`);
});

test('weekly windows may be written with AM and PM, in both times or in none', () => {
  const windows = [
    { day: 1, start: 480, end: 990 },
    { day: 3, start: 0, end: 720 },
  ];
  for (const text of ['Mon 8:00 AM - 4:30 PM; Wed 12:00AM-12:00PM', 'Mon 08:00-16:30; Wed 0:00-12:00'])
    expect(parseAvailability(text)).toEqual({ windows });
  for (const wrong of ['Mon 13:00 PM-4:00 PM', 'Mon 8:60-10:00', 'Mon 4:00 PM-8:00 AM'])
    expect(parseAvailability(wrong)).toEqual({ wrong });
});

test('the dates of a weekly window may contain the month’s name', () => {
  const windows = [{ day: 1, start: 510, end: 930, from: '2026-10-05', until: '2026-11-05' }];
  for (const text of [
    'from Oct 5, 2026 until 5 Nov 2026',
    'from 5-Oct-26 to November 5 2026',
    'from 10/5/26 to 11/5/26',
  ])
    expect(parseAvailability(`Mon 08:30-15:30 ${text}`)).toEqual({ windows });
  for (const wrong of ['Mon 08:30-15:30 from Nob 5, 2026', 'Mon 08:30-15:30 from Oct 5, 2026 until 4 Oct 2026'])
    expect(parseAvailability(wrong)).toEqual({ wrong });
});

test('a profile has at most 100 windows, and a far longer list is refused in little time', () => {
  const hours = (n: number) =>
    Array.from({ length: n }, (_, i) => `Mon 8-9 from ${2100 + i}-01-01 to ${2100 + i}-12-31`);
  expect(read(hours(100).join(';')).split(',')).toHaveLength(100);
  expect(read(hours(101).join(';'))).toMatch(/^wrong/);
  const before = process.cpuUsage().user;
  expect(read('daily 8-9,'.repeat(3276))).toMatch(/^wrong/);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});
