import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { useWeeks } from '../testing/import-weeks.ts';
import { summarize, summaryText } from './report.ts';

const weeks = useWeeks('Id,Start,End,Subject,Provider,Status,Client,Location');
const row = (id: string, date: string, from: string, to: string, status = 'Confirmed') =>
  `${id},"${date}, ${from}","${date}, ${to}",Direct Therapy,T-2,${status},C-2,Altamonte`;

test('the check says for which dates sessions come while their location is closed, and how many', async () => {
  // Today is Friday, November 20.
  const closure = { act: randomUUID(), location: 'altamonte' as const, recorded_at: new Date().toISOString() };
  const at = (first: string, from: number, last: string, name: string) => ({
    ...{ first_date: isoDate(first), first_minute: from, last_date: isoDate(last), last_minute: 1440, name },
  });
  await weeks.db
    .insertInto('closure')
    .values([
      { ...closure, ...at('2026-11-16', 0, '2026-11-16', 'Storm') },
      { ...closure, ...at('2026-11-25', 720, '2026-11-26', 'Thanksgiving') },
      { ...closure, ...at('2026-11-27', 0, '2026-11-27', 'Paint'), reopened_at: new Date().toISOString() },
    ])
    .execute();
  const result = await weeks.run(
    [
      row('A-1', '11/16/2026', '8:00 AM', '9:00 AM'),
      row('A-2', '11/25/2026', '8:00 AM', '9:00 AM'),
      row('A-3', '11/25/2026', '1:00 PM', '2:00 PM'),
      row('A-4', '11/26/2026', '8:00 AM', '9:00 AM'),
      row('A-5', '11/26/2026', '9:00 AM', '10:00 AM'),
      row('A-6', '11/26/2026', '1:00 PM', '2:00 PM', 'Cancelled'),
      row('A-7', '11/27/2026', '8:00 AM', '9:00 AM'),
    ],
    {},
    true,
  );
  const summary = summarize(result);
  expect(summary.notes.closed).toBe(3);
  expect(summary.closed).toEqual([
    { place: 'Altamonte', date: '2026-11-25', name: 'Thanksgiving', sessions: 1 },
    { place: 'Altamonte', date: '2026-11-26', name: 'Thanksgiving', sessions: 2 },
  ]);
  expect(result.outcomes.find(({ line }) => line === 4)?.text).toBe('its location is closed then');
  expect(summaryText(summary)).toContain(
    '3 while their location is closed (Altamonte on Wed, Nov 25 (Thanksgiving): 1; Altamonte on Thu, Nov 26 (Thanksgiving): 2)',
  );
});
