import { expect, test } from 'vitest';
import { IGNORE_COLUMN } from '@clinic/contract';
import { useWeeks } from '../testing/import-weeks.ts';
import type { ImportResult } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

const HEADER = 'Id,Start,End,Subject,Provider,Status,Client,Location,Canceled Reason,Cancelled By';
const weeks = useWeeks(HEADER);
const { run } = weeks;
/** A session on Tuesday 2026-11-17, one hour long from this hour in the morning. */
const row = (id: string, status: string, hour: number, [reason = '', by = '', client = 'C-2']: string[] = []) =>
  `${id},"11/17/2026, ${hour}:00 AM","11/17/2026, ${hour}:45 AM",Direct Therapy,T-2,${status},${client},Altamonte,${reason},${by}`;

/** The status and the loss of each appointment whose id begins with this letter; each test uses its own letter. */
const stored = async (letter: string) =>
  (
    await weeks.db
      .selectFrom('appointment')
      .select(['wire_id', 'status', 'lost_by', 'cause_id'])
      .where('wire_id', 'like', `${letter}-%`)
      .orderBy('wire_id')
      .execute()
  ).map((a) => [a.wire_id, a.status, a.lost_by, a.cause_id]);
const asked = ({ statuses }: ImportResult) => statuses.questions.map((q) => [q.text, q.rows, q.answer, q.remembered]);
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.reason ?? o.outcome);
const keyOf = ({ statuses }: ImportResult, text: string): string =>
  statuses.questions.find((q) => q.text === text)?.key ?? '';

test('an unknown status is one question for all its rows; the answer decides them all, is remembered, and can be changed', async () => {
  const rows = [row('A-1', 'Rendered', 7), row('A-2', 'RENDERED ', 8), row('A-3', 'Confirmed', 9)];
  const open = await run(rows, {}, true);
  expect(outcomes(open)).toEqual(['unknown status', 'unknown status', 'new']);
  expect(open.outcomes[0]?.text).toBe("the status 'Rendered' is unknown; the import page asks what it means");
  expect(asked(open)).toEqual([['Rendered', 2, null, false]]);
  await expect(run(rows)).rejects.toThrow(
    'A question that can change what rows mean is open: What does the status “Rendered” mean?',
  );
  expect(await stored('A')).toEqual([]);
  await run([row('A-3', 'Confirmed', 9)]);

  const key = keyOf(open, 'Rendered');
  const checked = await run(rows, { [key]: 'Completed' }, true);
  expect(outcomes(checked)).toEqual(['new', 'new', 'unchanged']);
  expect(asked(await run(rows, {}, true))).toEqual([['Rendered', 2, null, false]]);
  expect(outcomes(await run(rows, { [key]: 'Completed' }))).toEqual(outcomes(checked));
  expect((await stored('A')).map(([, status]) => status)).toEqual(['fulfilled', 'fulfilled', 'booked']);

  const next = await run([...rows, row('A-4', 'rendered', 10)]);
  expect(outcomes(next)).toEqual(['unchanged', 'unchanged', 'unchanged', 'new']);
  expect(asked(next)).toEqual([['Rendered', 3, 'Completed', true]]);

  const changed = await run(rows, { [key]: 'cancelled by family' });
  expect(outcomes(changed)).toEqual(['changed', 'changed', 'unchanged']);
  expect(asked(await run(rows, {}, true))).toEqual([['Rendered', 2, 'cancelled by family', true]]);
  expect((await stored('A'))[0]).toEqual(['A-1', 'cancelled', 'family', null]);
  expect(outcomes(await run(rows, { [key]: 'cancelled by clinic' }))).toEqual(['changed', 'changed', 'unchanged']);
  expect((await stored('A'))[0]).toEqual(['A-1', 'cancelled', 'clinic', null]);
});

test('every choice becomes its status, with who cancelled or the cause; the words of a row’s own columns win', async () => {
  const { statuses } = await run([row('B-1', 'Late cancel', 7)], {}, true);
  const key = statuses.questions[0]?.key ?? '';
  const meant: unknown[] = [];
  for (const [i, { id }] of statuses.choices.entries()) {
    await run([row(`B-${i}`, 'Late cancel', 7)], { [key]: id });
    const [found] = (await stored('B')).filter(([wire]) => wire === `B-${i}`);
    meant.push([id, ...(found?.slice(1) ?? ['left out'])]);
  }
  expect(meant).toEqual(
    expect.arrayContaining([
      ['Completed', 'fulfilled', null, null],
      ['Confirmed', 'booked', null, null],
      ['Scheduled', 'pending', null, null],
      ['Cancelled', 'cancelled', null, null],
      ['cancelled by family', 'cancelled', 'family', null],
      ['cancelled by clinic', 'cancelled', 'clinic', null],
      ['cancelled by therapist', 'cancelled', 'therapist', null],
      ['cancelled by payer', 'cancelled', 'payer', null],
      ['cancelled for sick', 'cancelled', null, 'sick'],
      ['No Show', 'noshow', null, null],
      ['deleted', 'entered-in-error', null, null],
      [IGNORE_COLUMN, 'left out'],
    ]),
  );
  expect(meant).toHaveLength(statuses.choices.length);

  await run([row('C-1', 'Late cancel', 8, ['Weather', '']), row('C-2', 'Late cancel', 9, ['', 'Office'])], {
    [key]: 'cancelled by family',
  });
  expect(await stored('C')).toEqual([
    ['C-1', 'cancelled', 'family', 'weather'],
    ['C-2', 'cancelled', 'clinic', null],
  ]);
});

test('a status that says who cancelled, or why, is read with it; only an unknown person is asked about, and never holds a row back', async () => {
  const meant: readonly [status: string, side: string | null, cause: string | null][] = [
    ['Cancelled by Provider', 'therapist', null],
    ['Canceled - Staff', 'therapist', null],
    ['CancelledByClient', 'family', null],
    ['CANCELLED_BY_OFFICE', 'clinic', null],
    ['Cancelled (Payor)', 'payer', null],
    ['Canceled by client', 'family', null],
    ['Cancelled by Provider - Illness', 'therapist', 'sick'],
    ['Cancelled by RBT due to weather', 'therapist', 'weather'],
    ['Canceled: Hurricane', null, 'weather'],
    ['Cancelled by weather', null, 'weather'],
    ['Cancelled - No-Show', null, 'no-show'],
    ['Cancelled late', null, null],
    ['Cancelled - late notice', null, null],
    ['Cancelled', null, null],
  ];
  for (const [i, [status, side, cause]] of meant.entries()) {
    const result = await run([row(`G-${i}`, status, 7)]);
    expect([outcomes(result), result.causes.questions, asked(result)], status).toEqual([['new'], [], []]);
    const [found] = (await stored('G')).filter(([id]) => id === `G-${i}`);
    expect(found, status).toEqual([`G-${i}`, 'cancelled', side, cause]);
  }
  await run([row('H-1', 'Cancelled by Provider', 8, ['Leave', 'Parent'])]);
  expect(await stored('H')).toEqual([['H-1', 'cancelled', 'family', 'leave']]);

  const rows = [row('I-1', 'Cancelled by Mrs. Ellis', 9), row('I-2', 'Cancelled by Mrs. Ellis', 10)];
  const open = await run(rows);
  expect(outcomes(open)).toEqual(['new', 'new']);
  expect(open.causes.questions.map(({ kind, text, rows: of }) => [kind, text, of])).toEqual([
    ['side', 'Mrs. Ellis', 2],
  ]);
  await run(rows, { [open.causes.questions[0]?.key ?? '']: 'clinic' });
  expect((await stored('I')).map(([, , side]) => side)).toEqual(['clinic', 'clinic']);
});

test('rows can be left out for good; an answer that is no choice, or names a deleted cause, leaves the question open', async () => {
  const rows = [row('D-1', 'Template', 7)];
  const key = keyOf(await run(rows, {}, true), 'Template');
  for (const answer of ['moonlight', 'cancelled by nobody', 'cancelled for moonlight', 'fulfilled'])
    expect(asked(await run(rows, { [key]: answer }, true)), answer).toEqual([['Template', 1, null, false]]);
  const left = await run(rows, { [key]: IGNORE_COLUMN });
  expect(left.outcomes[0]?.text).toBe("the status 'Template' is left out, as answered on the import page");
  expect(asked(await run(rows, {}, true))).toEqual([['Template', 1, IGNORE_COLUMN, true]]);
  expect(await stored('D')).toEqual([]);

  await run([row('D-3', 'Template', 9)], { [key]: 'cancelled for weather' });
  await weeks.db.updateTable('cause').set({ retired_at: '2026-11-17' }).where('id', '=', 'weather').execute();
  expect(asked(await run(rows, {}, true))).toEqual([['Template', 1, null, false]]);
  await weeks.db.updateTable('cause').set({ retired_at: null }).where('id', '=', 'weather').execute();
});

test('an unknown name in a row with an unknown status is asked about in the same check', async () => {
  const names = ['', '', 'Nobody Known'];
  const result = await run([row('E-1', 'Checked In', 7, names), row('E-2', '✓', 8), row('E-3', '', 9)], {}, true);
  expect(outcomes(result)).toEqual(['unknown client', 'unknown status', 'missing value']);
  expect(result.questions.map(({ name }) => name)).toEqual(['Nobody Known']);
  expect(asked(result).map(([text]) => text)).toEqual(['Checked In', '✓']);
});

test('the command speaks of one row, one session and one double booking as of one', () => {
  const counts = { rows: 1, taken: 1, new: 1, changed: 0, unchanged: 0, merged: 0, kept: 0, refused: 0, reasons: {} };
  const notes = { nobody: 1, double_booked: 1, decided_by_time: 0, off_series: 0, off_grid: 0, deleted: 0 };
  const words = summaryText({
    dry_run: false,
    files: [{ kind: 'appointments', file: 'a.csv', ...counts }],
    notes: { ...notes, cancelled_at: 0 },
    columns: [],
    causes: { questions: [], choices: [] },
    statuses: { questions: [], choices: [] },
    locations: { questions: [], choices: [] },
    dates: { questions: [], choices: [] },
    questions: [],
    rows: [],
    tables: [],
  });
  expect(words).toContain('a.csv: 1 row: 1 new.');
  expect(words).toContain('1 session without a therapist; 1 that double-books a therapist or a client');
});

test('the command says which statuses are unknown, how many rows have them, and how to answer', async () => {
  const rows = [row('F-1', 'Active', 7), row('F-2', 'active', 8), row('F-3', 'Checked In', 9)];
  const lines = summaryText(summarize(await run(rows, {}, true))).split('\n');
  expect(lines).toContain(
    '2 questions must be answered first. Answer on the import page, which remembers the answers, or here (- leaves the column or the rows out):',
  );
  expect(lines).toContain('  What does the status “Active” mean? (2 rows)');
  expect(lines).toContainEqual(
    expect.stringContaining("--answer 'cause status checkedin=…' with Completed, Confirmed, Scheduled, Cancelled,"),
  );
});
