import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isoDate, type IsoDate } from '@clinic/domain';
import { columnsOf, planned, type Rows } from '../testing/planned.ts';

/** Tests that day and month are told apart for whole columns, never row by row. */

const HEADER = 'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location';
type Write = (date: IsoDate, mark?: string) => string;
const parts = (date: IsoDate) => ({ year: date.slice(0, 4), month: date.slice(5, 7), day: date.slice(8) });
const dayFirst: Write = (date, mark = '/') => [parts(date).day, parts(date).month, parts(date).year].join(mark);
const monthFirst: Write = (date, mark = '/') => [parts(date).month, parts(date).day, parts(date).year].join(mark);
/** One row for each pair of texts, with ids and hours that tell them apart. */
const sessions = (pairs: readonly (readonly [start: string, end: string])[]): Rows => [
  HEADER,
  ...pairs.map(
    ([start, end], i) =>
      `D-${i},${start} ${7 + (i % 11)}:00,${end} ${7 + (i % 11)}:30,Direct Therapy,T-1,Scheduled,C-1,Altamonte`,
  ),
];
const both = (texts: readonly string[]): Rows => sessions(texts.map((text) => [text, text]));
const KEY = 'cause dates appointments startdatetime';
const given = (key: string, answer: string, remembered = false) => new Map([[key, { answer, remembered }]]);
const dates = (result: Awaited<ReturnType<typeof planned>>) => result.sessions.map(({ date }) => date).sort();

describe('a file that writes the day first', () => {
  const days = fc.uniqueArray(
    fc.integer({ min: 0, max: 700 }).map((n) => addDays(isoDate('2026-01-05'), n)),
    { minLength: 1, maxLength: 8 },
  );
  const marks = fc.constantFrom('/', '.', '-');

  test('no row is taken before an answer, and afterwards every date is right', async () => {
    await fc.assert(
      fc.asyncProperty(days, marks, fc.boolean(), fc.boolean(), async (some, mark, isShort, isUnpadded) => {
        const high = isoDate('2026-12-14');
        const all = [...new Set([...some, high])];
        const text = (date: IsoDate): string => {
          const { day, month, year } = parts(date);
          const [d, m] = isUnpadded ? [Number(day), Number(month)] : [day, month];
          return [d, m, isShort ? year.slice(2) : year].join(mark);
        };
        const rows = both(all.map(text));
        const open = await planned({ appointments: rows });
        expect(open.sessions).toEqual([]);
        expect(open.questions.dates.map(({ key, answer }) => [key, answer])).toEqual([[KEY, null]]);
        expect(dates(await planned({ appointments: rows }, given(KEY, 'day')))).toEqual(all.toSorted());
      }),
      { numRuns: 25 },
    );
  });

  test('a day above 12 in one column is enough for the others, also in a column that is not ours', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.constantFrom('Cancelled At', 'Booked on', 'Date of Birth'), async (some, column) => {
        const low = some.filter((date) => Number(parts(date).day) <= 12);
        fc.pre(low.some((date) => parts(date).day !== parts(date).month));
        const [header, ...lines] = both(low.map((date) => dayFirst(date)));
        const rows = [`${header},${column}`, ...lines.map((line, i) => `${line},${i === 0 ? '25/03/2026' : ''}`)];
        const open = await planned({ appointments: rows });
        expect(open.sessions).toEqual([]);
        expect(open.questions.dates).toHaveLength(1);
        const key = open.questions.dates[0]?.key ?? '';
        expect(dates(await planned({ appointments: rows }, given(key, 'day')))).toEqual(low.toSorted());
      }),
      { numRuns: 15 },
    );
  });
});

test('dates that can only be month first, or with slashes could be both, are read month first without a question', async () => {
  for (const some of [['2026-12-03', '2026-12-14'], ['2026-12-03']]) {
    const { questions, sessions: read } = await planned({
      appointments: both(some.map((date) => monthFirst(isoDate(date)))),
    });
    expect(questions.dates).toEqual([]);
    expect(read.map(({ date }) => date)).toEqual(some);
  }
});

test('given both kinds in one column, then its rows are refused, and the refusal names a line of each kind', async () => {
  const rows = both(['14/12/2026', '12/15/2026', '03/12/2026']);
  for (const answers of [new Map(), given(KEY, 'day')]) {
    const { sessions: read, refused, questions } = await planned({ appointments: rows }, answers);
    expect([read, questions.dates]).toEqual([[], []]);
    expect(refused).toHaveLength(3);
    for (const { text } of refused)
      expect(text).toMatch(
        /^the dates of StartDateTime contradict each other: '14\/12\/2026' in line 2 can only be day first, and '12\/15\/2026' in line 3 only month first/,
      );
  }
});

describe('columns that differ', () => {
  test('given a start that is day first and an end that proves to be month first, then only the start is asked about', async () => {
    const rows = sessions([
      ['14/12/2026', '12/14/2026'],
      ['03/12/2026', '12/03/2026'],
    ]);
    const open = await planned({ appointments: rows });
    expect([open.sessions, open.questions.dates.map(({ text }) => text)]).toEqual([[], ['StartDateTime']]);
    expect(dates(await planned({ appointments: rows }, given(KEY, 'day')))).toEqual(['2026-12-03', '2026-12-14']);
  });

  test('given one day written in two ways in each row, then start and end are asked about apart', async () => {
    const rows = sessions([['03/12/2026', '12/03/2026']]);
    const open = await planned({ appointments: rows });
    expect([open.sessions, open.questions.dates.map(({ text }) => text)]).toEqual([
      [],
      ['StartDateTime', 'EndDateTime'],
    ]);
    const answers = new Map([...given(KEY, 'day'), ...given('cause dates appointments enddatetime', 'month')]);
    expect(dates(await planned({ appointments: rows }, answers))).toEqual(['2026-12-03']);
  });
});

describe('an answer from an earlier import', () => {
  const low = both(['03/12/2026']);

  test('decides dates that could be both', async () => {
    const { sessions: read, questions } = await planned({ appointments: low }, given(KEY, 'day', true));
    expect(read.map(({ date }) => date)).toEqual(['2026-12-03']);
    expect(questions.dates).toMatchObject([{ answer: 'day', remembered: true }]);
  });

  test('does not count against the dates of the file', async () => {
    const proven = both(['03/12/2026', '12/14/2026']);
    expect(dates(await planned({ appointments: proven }, given(KEY, 'day', true)))).toEqual([
      '2026-03-12',
      '2026-12-14',
    ]);
    const { sessions: read, questions } = await planned(
      { appointments: both(['03/12/2026', '14/12/2026']) },
      given(KEY, 'month', true),
    );
    expect([read, questions.dates.map(({ answer }) => answer)]).toEqual([[], [null]]);
  });
});

test('given the answer month first, then dates that can only be day first are refused, and the others read', async () => {
  const { sessions: read, refused } = await planned(
    { appointments: both(['14/12/2026', '03/12/2026']) },
    given(KEY, 'month'),
  );
  expect(read.map(({ date }) => date)).toEqual(['2026-03-12']);
  expect(refused).toHaveLength(1);
});

test('given a workbook whose program has read some of its dates month first, then its rows are refused', async () => {
  const { sessions: read, refused } = await planned({ appointments: both(['2026-03-12', '14/12/2026']) });
  expect(read).toEqual([]);
  expect(refused.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^a spreadsheet program has probably read dates/),
    expect.stringMatching(/^a spreadsheet program has probably read dates/),
  ]);
});

test('a series written day first is refused as a series, once its dates are known', async () => {
  const rows = [
    'Id,Start Date,End Date,Start Time,End Time,Client,Provider,Service Code,Status,Location',
    '1,05/10/2026,18/12/2026,8:00 AM,11:00 AM,C-1,T-1,97153,Scheduled,Altamonte',
  ];
  const answers = new Map(given('column appointments startdate', 'Date'));
  const open = await planned({ appointments: rows }, answers);
  const { refused } = await planned(
    { appointments: rows },
    new Map([...answers, ...given(open.questions.dates[0]?.key ?? '', 'day')]),
  );
  expect(refused.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^it is a series from 2026-10-05 to 2026-12-18/),
  ]);
});

describe('dates of other files, and within other text', () => {
  const THERAPISTS = columnsOf('therapists');
  const therapist = (hired: string, more: string) => `T-9,Uma,Ray,altamonte,RBT,Female,${hired},80,${more}`;
  const answered = (result: Awaited<ReturnType<typeof planned>>, answer: string) =>
    new Map(result.questions.dates.flatMap(({ keys }) => keys.flatMap((key) => [...given(key, answer)])));

  test('hires, credentials, tags and weekly windows', async () => {
    const rows = [
      `${THERAPISTS},credential_number,credential_until,tags`,
      therapist(
        '03/04/2024',
        'Mon 9-5 from 02/03/2026 until 01/12/2026,N-1,01/02/2027,CPI until 25/12/2026; Spanish until 03/04/2027',
      ),
    ];
    const open = await planned({ therapists: rows });
    expect(open.therapists).toEqual([]);
    expect(open.questions.dates.map(({ text }) => text)).toEqual([
      'start_date, availability, credential_until and tags',
    ]);
    const { therapists } = await planned({ therapists: rows }, answered(open, 'day'));
    expect(therapists[0]).toMatchObject({
      startDate: '2024-04-03',
      availability: [{ day: 1, from: '2026-03-02', until: '2026-12-01' }],
      credentials: [{ until_date: '2027-02-01' }],
      tags: [
        { tag: 'CPI', until_date: '2026-12-25' },
        { tag: 'Spanish', until_date: '2027-04-03' },
      ],
    });
  });

  test('authorizations and credentials', async () => {
    const authorizations = [
      'client,payer,code,number,from_date,until_date,units,prior_units,prior_until',
      'C-1,Acme,97153,A-1,01/03/2026,30/11/2026,80,8,02/11/2026',
    ];
    const credentials = ['therapist,credential,number,from_date,until_date', 'T-1,RBT,N-1,13.01.2026,12.01.2028'];
    const open = await planned({ authorizations, credentials });
    expect(open.details).toEqual([]);
    const { details } = await planned({ authorizations, credentials }, answered(open, 'day'));
    expect(details).toMatchObject([
      { from_date: '2026-03-01', until_date: '2026-11-30', prior_until: '2026-11-02' },
      { from_date: '2026-01-13', until_date: '2028-01-12' },
    ]);
  });

  test('a date before a range of times, and a date and times apart', async () => {
    const cells = 'C-1,T-1,97153,Scheduled,Altamonte';
    const range = [
      'Id,Time,Client,Provider,Service Code,Status,Location',
      `1,"14/12/2026, 8:00 AM - 9:00 AM",${cells}`,
    ];
    const apart = [
      'Id,Date,Start Time,End Time,Client,Provider,Service Code,Status,Location',
      `1,14.12.26,8:00,9:00,${cells}`,
    ];
    for (const rows of [range, apart]) {
      const open = await planned({ appointments: rows });
      expect(open.sessions).toEqual([]);
      expect(dates(await planned({ appointments: rows }, answered(open, 'day')))).toEqual(['2026-12-14']);
    }
  });
});
