import { expect, test } from 'vitest';
import { sessionsOf } from '../testing/foreign.ts';

/** What an import reads from the cells of these columns: the session's date and hours, or why its row is refused. */
async function read(columns: string, cells: string): Promise<string> {
  const header = `Id,Subject,Provider,Status,Client,Location,${columns}`;
  const { sessions, refused } = await sessionsOf([`1,97153,E-1,Scheduled,C3,Altamonte,${cells}`], header);
  return [...sessions.map((s) => `${s.date} ${s.start / 60}-${s.end / 60}`), ...refused.map((o) => o.text)].join();
}
const dated = (cells: string) => read('Date,Start,End', cells);
const SESSION = '2026-11-16 8-10';

test.each([
  '"Monday, November 16, 2026",8:00 AM,10:00 AM',
  '"Mon, Nov 16, 2026",8:00 AM,10:00 AM',
  'Mon 11/16/2026,8:00 AM,10:00 AM',
  '11/16/2026 (Mon.),8:00 AM,10:00 AM',
  '20261116,8:00 AM,10:00 AM',
  '11/16/2026,0800,1000',
  '11/16/2026,800,1000',
  ',"Mon, Nov 16, 2026 8:00 AM",Mon 11/16/2026 10:00',
])('%s is read', async (cells) => {
  expect(await dated(cells)).toBe(SESSION);
});

test.each([
  '1/1/1900 8:00:00 AM,1/1/1900 10:00:00 AM',
  '12/30/1899 8:00,12/30/1899 10:00',
  '0001-01-01T08:00:00,0001-01-01T10:00:00',
  '2000-01-01 08:00,2000-01-01 10:00',
  '1904-01-01 08:00,1904-01-01 10:00',
])(
  'given times with the day from which a program counts (%s), then the date is that of its own column',
  async (times) => {
    expect(await dated(`11/16/2026,${times}`)).toBe(SESSION);
    expect(await dated(`,${times}`)).not.toContain('8-10');
  },
);

test('given a time and a date that cannot be read, then the refusal names the date', async () => {
  expect(await dated('11-16-2026,8:00 AM,10:00 AM')).toBe(
    "Date is '11-16-2026'; it must be a date that exists, like 10/5/2026",
  );
  expect(await dated('Tue 11/16/2026,8:00 AM,10:00 AM')).toBe(
    "Date is 'Tue 11/16/2026'; it must be a date that exists, like 10/5/2026, and its day of the week must be right",
  );
  expect(await dated(',8:00 AM,10:00 AM')).toBe(
    "StartDateTime is '8:00 AM'; it has no date, and no column Date has one",
  );
  expect(await dated('11/16/2026,8.30,10:00 AM')).toMatch(/^StartDateTime is '8.30'; it must be a time/);
  expect(await dated('11/16/2026,8:00 AM,')).toBe('EndDateTime is empty');
});

test('given times without AM and PM that are no session on 24 hours, then the only one within the clinic’s day is meant', async () => {
  expect(await dated('11/16/2026,8:00,5:00')).toBe('2026-11-16 8-17');
  expect(await dated('11/16/2026,2:00,5:00')).toBe('2026-11-16 14-17');
  expect(await dated('11/16/2026,8:00,10:00')).toBe(SESSION);
  expect(await dated('11/16/2026,13:00,15:00')).toBe('2026-11-16 13-15');
  expect(await dated('11/16/2026,02:00,05:00')).toMatch(/outside/);
  expect(await dated('11/16/2026,7:00,7:00')).toMatch(/ends .* before/);
  expect(await dated('11/16/2026,5:00 PM,2:00 PM')).toMatch(/ends .* before/);
  expect(await dated('11/16/2026,8:00,19:30')).toMatch(/outside/);
});

test.each([
  ['Duration', '120'],
  ['Duration', '2'],
  ['Duration', '2:00'],
  ['Duration', '2h'],
  ['Duration', '1 hr 60 min'],
  ['Duration', '120 minutes'],
  ['Duration (Hrs)', '2.00'],
  ['Total Hours', '1.997'],
  ['Duration (Min)', '120.0'],
  ['Duration', '1899-12-30 02:00'],
])('given no end, but %s %s, then the session ends after that', async (column, length) => {
  expect(await read(`Date,Start Time,${column}`, `11/16/2026,8:00 AM,${length}`)).toBe(SESSION);
  expect(await read(`Start,End,${column}`, `11/16/2026 8:00,,${length}`)).toBe(SESSION);
  // An end always wins.
  expect(await read(`Start,End,${column}`, `11/16/2026 8:00,11/16/2026 11:00,${length}`)).toBe('2026-11-16 8-11');
});

test.each(['10', '0', '-2', '2,5', 'x', '25:00', ''])(
  'given no end, and the length %s, then the row is refused',
  async (length) => {
    expect(await read('Date,Start,Duration', `11/16/2026,8:00 AM,"${length}"`)).toMatch(
      length === '' ? /^EndDateTime is empty$/ : /it must be like 2:30, 2.5 hours or 150 minutes$/,
    );
  },
);

test('given no end, and a length beyond the day, then the row is refused for that', async () => {
  expect(await read('Date,Start,Hours', '11/16/2026,6:00 PM,2')).toMatch(/outside/);
  expect(await read('Date,Start,Hours', '11/16/2026,6:00 PM,8')).toMatch(/past midnight/);
});

test('given a file without Ids, then it is read once all of its columns are known', async () => {
  const header = 'Date,Start,End,Subject,Provider,Status,Client,Location';
  const row = '11/16/2026,8:00,10:00,97153,E-1,Scheduled,C3,Altamonte';
  const { sessions, tables } = await sessionsOf([row], header);
  expect([tables.appointments?.columns.missing, sessions.length]).toEqual([[], 1]);
  const other = await sessionsOf([`${row},7`], `${header},Key`);
  expect([other.tables.appointments?.columns.missing, other.sessions.length]).toEqual([['Id'], 0]);
});
