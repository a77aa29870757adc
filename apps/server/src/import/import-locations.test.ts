import { expect, test } from 'vitest';
import { IGNORE_COLUMN } from '@clinic/contract';
import { useWeeks } from '../testing/import-weeks.ts';
import { importFiles, type ImportResult } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

const weeks = useWeeks('Id,Start,End,Subject,Provider,Status,Client,Location');
const { run } = weeks;
const row = (id: string, hour: number, location: string) =>
  `${id},"11/17/2026, ${hour}:00 AM","11/17/2026, ${hour}:45 AM",Direct Therapy,T-2,Confirmed,C-2,"${location}"`;
const asked = ({ locations }: ImportResult) => locations.questions.map((q) => [q.text, q.rows, q.answer, q.remembered]);
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.reason ?? o.outcome);
const keyOf = ({ locations }: ImportResult, text: string) =>
  locations.questions.find((q) => q.text === text)?.key ?? '';

test('an unknown location is one question for all its rows; the answer decides them all, and is remembered', async () => {
  const rows = [
    row('A-1', 7, 'Altamonte Springs, FL'),
    row('A-2', 8, 'ALTAMONTE SPRINGS FL '),
    row('A-3', 9, 'Altamonte'),
  ];
  const open = await run(rows, {}, true);
  expect(outcomes(open)).toEqual(['unknown location', 'unknown location', 'new']);
  expect(open.outcomes[0]?.text).toBe(
    "there is no location 'Altamonte Springs, FL'; the import page asks which one it is",
  );
  expect(asked(open)).toEqual([['Altamonte Springs, FL', 2, null, false]]);
  expect(open.locations.choices.map(({ id }) => id)).toEqual(expect.arrayContaining(['altamonte', IGNORE_COLUMN]));
  expect(summaryText(summarize(open))).toContain(
    'These locations are unknown, and their rows are refused: “Altamonte Springs, FL” (2 rows). On the import page',
  );
  const key = keyOf(open, 'Altamonte Springs, FL');
  expect(outcomes(await run(rows, { [key]: 'mars' }, true))[0]).toBe('unknown location');
  expect(outcomes(await run(rows, { [key]: 'altamonte' }))).toEqual(['new', 'new', 'new']);
  const next = await run(rows);
  expect([outcomes(next), asked(next)]).toEqual([
    ['unchanged', 'unchanged', 'unchanged'],
    [['Altamonte Springs, FL', 2, 'altamonte', true]],
  ]);
  // A row without a location, or with one of ours, is no question.
  expect(asked(await run([row('A-4', 10, ''), row('A-5', 11, ' Palm  beach')], {}, true))).toEqual([]);
});

test('one answer counts for every kind of file, and rows can be left out for good', async () => {
  const file = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(lines.join('\n')) });
  const files = {
    therapists: file(
      't.csv',
      'Id,Name,Office,Credential,Gender,Hire Date,Availability',
      'T-8,Una Ray,Main St,RBT,F,1/1/2026,',
    ),
    clients: file(
      'c.csv',
      'Id,Name,Office,Gender,Restrictions',
      'C-8,Ida Roe,main st.,F,',
      'C-9,Ida Poe,Telehealth,F,',
    ),
    authorizations: file(
      'a.csv',
      'Client,Office,Payer,Code,From,To,Units',
      'Ida Roe,Main St,Acme,97153,1/1/2026,6/30/2026,80',
    ),
    credentials: file('k.csv', 'Therapist,Office,Credential', 'Una Ray,Main St,RBT'),
  };
  const check = (answers: Record<string, string>, dryRun = false) =>
    importFiles(weeks.db, files, {
      dryRun,
      answers,
      adminClientName: 'Admin',
      accountId: null,
      now: Date.UTC(2026, 10, 20),
    });
  const open = await check({}, true);
  expect(asked(open)).toEqual([
    ['Main St', 4, null, false],
    ['Telehealth', 1, null, false],
  ]);
  const answers = { [keyOf(open, 'Main St')]: 'tampa', [keyOf(open, 'Telehealth')]: IGNORE_COLUMN };
  expect(outcomes(await check(answers))).toEqual(['new', 'new', 'unknown location', 'new', 'new']);
  expect(asked(await check({}, true)).map(([text, , answer, remembered]) => [text, answer, remembered])).toEqual([
    ['Main St', 'tampa', true],
    ['Telehealth', IGNORE_COLUMN, true],
  ]);
});
