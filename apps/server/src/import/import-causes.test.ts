import { expect, test } from 'vitest';
import { IGNORE_COLUMN } from '@clinic/contract';
import { useWeeks } from '../testing/import-weeks.ts';
import type { ImportResult } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

const HEADER = 'Id,Start,End,Subject,Provider,Status,Client,Location,Canceled Reason,Cancelled By,Cancellation Date';
const weeks = useWeeks(HEADER);
const { run } = weeks;
/** A session on Tuesday 2026-11-17 from 8:00 to 9:00, cancelled unless another status is given. */
const row = (id: string, [reason = '', by = '', at = '']: string[], status = 'Cancelled') =>
  `${id},"11/17/2026, 8:00 AM","11/17/2026, 9:00 AM",Direct Therapy,T-2,${status},C-2,Altamonte,${reason},${by},${at}`;

/** The causes of the appointments whose id begins with this letter; each test uses its own letter. */
const losses = async (letter: string) =>
  (
    await weeks.db
      .selectFrom('appointment')
      .select(['wire_id', 'cause_id', 'lost_by', 'known_at'])
      .where('wire_id', 'like', `${letter}-%`)
      .orderBy('wire_id')
      .execute()
  ).map((a) => [a.wire_id, a.cause_id, a.lost_by, a.known_at]);
const asked = ({ causes }: ImportResult) => causes.questions.map((q) => [q.text, q.rows, q.answer, q.remembered]);
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.outcome);

test('the import understands common column names and words for why and when a session was cancelled, and by whom', async () => {
  const result = await run([
    row('A-1', ['Sick', 'Parent', '11/16/2026 5:30 PM']),
    row('A-2', ['inclement  WEATHER', '', '2026-11-17']),
    row('A-3', ['no show', 'client', ''], 'No Show'),
    row('A-4', ['', '', '']),
  ]);
  expect(result.causes.questions).toEqual([]);
  expect(await losses('A')).toEqual([
    ['A-1', 'sick', 'family', '2026-11-16 17:30:00'],
    ['A-2', 'weather', null, '2026-11-17 00:00:00'],
    ['A-3', 'no-show', 'family', null],
    ['A-4', null, null, null],
  ]);
});

test('a session that takes place gets no cause, whatever its row contains', async () => {
  const result = await run([row('B-1', ['Fever', 'M. Ellis', 'yesterday'], 'Confirmed')]);
  expect(result.causes.questions).toEqual([]);
  expect(await losses('B')).toEqual([['B-1', null, null, null]]);
});

test('an unknown cause never blocks the import: it raises one question for all rows with this cause, and the answer is remembered', async () => {
  const rows = [
    row('C-1', ['Fever', 'M. Ellis', '']),
    row('C-2', ['fever', 'm. ellis', '']),
    row('C-3', ['Sick', 'M. Ellis', '']),
  ];
  const open = await run(rows);
  expect(outcomes(open)).toEqual(['new', 'new', 'new']);
  expect(asked(open)).toEqual([
    ['M. Ellis', 3, null, false],
    ['Fever', 2, null, false],
  ]);
  expect(await losses('C')).toEqual([
    ['C-1', null, null, null],
    ['C-2', null, null, null],
    ['C-3', 'sick', null, null],
  ]);
  expect(summaryText(summarize(open))).toContain(
    'These words for who cancelled a session, or why, are unknown: “M. Ellis”, “Fever”.',
  );

  const [ellis, fever] = open.causes.questions.map(({ key }) => key);
  await run(rows, { [fever ?? '']: 'sick', [ellis ?? '']: 'clinic' });
  expect(await losses('C')).toEqual([
    ['C-1', 'sick', 'clinic', null],
    ['C-2', 'sick', 'clinic', null],
    ['C-3', 'sick', 'clinic', null],
  ]);
  const next = await run([...rows, row('C-4', ['FEVER', '', ''])]);
  expect(outcomes(next)).toEqual(['unchanged', 'unchanged', 'unchanged', 'new']);
  expect(asked(next)).toEqual([
    ['Fever', 3, 'sick', true],
    ['M. Ellis', 3, 'clinic', true],
  ]);
  expect((await losses('C'))[3]).toEqual(['C-4', 'sick', null, null]);
});

test('an answer may leave the cause out; an answer that is not a known cause leaves the question open', async () => {
  const rows = [row('D-1', ['Dog ate it', '', ''])];
  const [question] = (await run(rows, {}, true)).causes.questions;
  const key = question?.key ?? '';
  expect(asked(await run(rows, { [key]: 'moonlight' }, true))).toEqual([['Dog ate it', 1, null, false]]);
  await run(rows, { [key]: IGNORE_COLUMN });
  expect(await losses('D')).toEqual([['D-1', null, null, null]]);
  expect(asked(await run(rows, {}, true))).toEqual([['Dog ate it', 1, IGNORE_COLUMN, true]]);
});

test('given a cause recorded in the product, a later file does not replace it', async () => {
  await run([row('E-1', ['', '', ''])]);
  await weeks.db.updateTable('appointment').set({ cause_id: 'leave' }).where('wire_id', '=', 'E-1').execute();
  expect(outcomes(await run([row('E-1', ['Sick', 'Parent', ''])]))).toEqual(['changed']);
  expect(await losses('E')).toEqual([['E-1', 'leave', 'family', null]]);
});

test('a corrected export replaces what an earlier one said, but not what was recorded here since; what it no longer says stays', async () => {
  const rows = (of: string[]) => ['G-1', 'G-2'].map((id) => row(id, of));
  await run(rows(['Sick', 'Parent', '11/16/2026']));
  await weeks.db.updateTable('appointment').set({ cause_id: 'leave' }).where('wire_id', '=', 'G-2').execute();
  expect(outcomes(await run(rows(['Weather', 'Office', '11/15/2026 5:30 PM'])))).toEqual(['changed', 'changed']);
  const after = [
    ['G-1', 'weather', 'clinic', '2026-11-15 17:30:00'],
    ['G-2', 'leave', 'family', '2026-11-16 00:00:00'],
  ];
  expect(await losses('G')).toEqual(after);
  await run(rows(['', '', '']));
  expect(await losses('G')).toEqual(after);
});

test('given a cancelled session that was changed here and changed back, a later file can still bring it back', async () => {
  await run([row('H-1', ['Sick', '', ''])]);
  const own = weeks.db.updateTable('appointment').where('wire_id', '=', 'H-1');
  await own.set((eb) => ({ subject: 'Other', version: eb('version', '+', 1) })).execute();
  await own.set((eb) => ({ subject: 'Direct Therapy', version: eb('version', '+', 1) })).execute();
  expect(outcomes(await run([row('H-1', [], 'Confirmed')]))).toEqual(['changed']);
  expect(await losses('H')).toEqual([['H-1', null, null, null]]);
});

test('a cancellation time that cannot be read is left out, and the row is marked for review', async () => {
  // Midnight in another zone is not midnight here.
  const zones = ['Z', 'z', '+00:00', '-08:00', '-04:00', '-05:00'];
  const zoned = zones.map((zone, i) => row(`F-${i + 2}`, ['', '', `2026-11-16T00:00:00${zone}`]));
  const result = await run([row('F-1', ['Sick', '', 'last week']), ...zoned]);
  expect(summarize(result).notes.cancelled_at).toBe(6);
  expect(result.outcomes[0]?.text).toBe('the time of its cancellation cannot be read, and is left out');
  expect(await losses('F')).toEqual([
    ['F-1', 'sick', null, null],
    ...['F-2', 'F-3', 'F-4', 'F-5', 'F-6'].map((id) => [id, null, null, null]),
    ['F-7', null, null, '2026-11-16 00:00:00'],
  ]);
});
