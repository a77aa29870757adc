import { expect, test } from 'vitest';
import { sessionsOf } from './testing/foreign.ts';

/** What an import reads from a date and a time in columns of their own: the session's times, or why it is refused. */
async function read(date: string, time: string): Promise<string> {
  const row = `1\t${date}\t${time}\tMia\tLopez (C1)\tE-1\t97153\tCompleted\tAltamonte\t4`;
  const { sessions, refused } = await sessionsOf([row]);
  return [...sessions.map((s) => `${s.date} ${s.start / 60}-${s.end / 60}`), ...refused.map((o) => o.text)].join();
}

test('given a range of 24 hours without spaces, then its second time is not read as a time zone', async () => {
  expect(await read('11/16/2026', '08:00-11:00')).toBe('2026-11-16 8-11');
  expect(await read('11/16/2026', '8:30-14:30')).toBe('2026-11-16 8.5-14.5');
  expect(await read('', '2026-11-17 08:00-11:00')).toBe('2026-11-17 8-11');
  // Behind a range, it is one.
  expect(await read('11/16/2026', '08:00-11:00-05:00')).toBe('2026-11-16 8-11');
  expect(await read('11/16/2026', '1:00-3:00 -05:00')).toBe('2026-11-16 13-15');
  expect(await read('7/15/2026', '1:00-3:00 -05:00')).toMatch(/time zone/);
  expect(await read('11/16/2026', '08:00-05:00')).toMatch(/^Time is .* it must be a start and an end/);
});

test('given text before a range that is not a date, then the refusal names the column for the time', async () => {
  expect(await read('11/16/2026', 'Mon 8:00-9:00')).toBe(
    "Time is 'Mon 8:00-9:00'; before the start there may only be a date that exists",
  );
  expect(await read('', '2/29/2027 8a-9a')).toMatch(/^Time is '2\/29/);
  expect(await read('2/29/2027', '8a-9a')).toMatch(/^Date is '2\/29/);
});

test('given a start and a time but no end, then the file lacks the column for the end', async () => {
  const missing = async (columns: string) => {
    const header = `Id,${columns},Subject,Provider,Status,Client,Location`;
    return (await sessionsOf([], header)).tables.appointments?.columns.missing;
  };
  expect(await missing('Start,Time,Finish')).toEqual(['EndDateTime']);
  expect(await missing('Begin,Time,End')).toEqual(['StartDateTime']);
  expect(await missing('Date,Time')).toEqual([]);
  expect(await missing('Start,End,Time')).toEqual([]);
});

test('given a time with a zone, then a refusal says what the clinic’s zone is on that date, or that there is no such time', async () => {
  const header = 'Id,Start,End,Subject,Provider,Status,Client,Location';
  const why = async (start: string) => {
    const row = `1,${start},11/16/2026 6:00 PM,97153,E-1,Completed,Lopez (C1),Altamonte`;
    return (await sessionsOf([row], header)).refused.map(({ text }) => text).join();
  };
  expect(await why('7/15/2026 8:00 AM EST')).toBe(
    "StartDateTime is '7/15/2026 8:00 AM EST'; its time zone is not the clinic’s (EDT on that date); if the clinic’s clock shows this time, remove the zone",
  );
  expect(await why('2026-11-16T08:00:00Z')).toMatch(/\(EST on that date\)/);
  expect(await why('11/16/2026 13:61 EST')).toMatch(/it must be a time that exists/);
  expect(await why('2/30/2026 8:00 AM EST')).toMatch(/it must be a time that exists/);
});
