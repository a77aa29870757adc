import { expect, test } from 'vitest';
import { CLIENTS, plan, SESSIONS, sessionsOf, THERAPISTS } from './testing/foreign.ts';
import { rowsOfTexts, sheetOf } from './testing/sheet.ts';
import { readTable } from './read/read-table.ts';

/** Tests that what a person or a program wrote in a way that would be misread is refused with the reason. */

const session = (date: string, client = 'C3') =>
  `1\t${date}\t8a-11a\t${client}\t\tE-1\t97153\tScheduled\tAltamonte\t12`;
const refusedIn = async (...rows: string[]) => (await sessionsOf(rows)).refused.map(({ text }) => text);

test('given a year that is a slip, then the row is refused and says so', async () => {
  expect(await refusedIn(session('11/16/2062'))).toEqual([
    'its date is 2062-11-16, more than two years ahead; check its year',
  ]);
  expect(await refusedIn(session('11/16/0206'))).toEqual([expect.stringMatching(/must be a date that exists/)]);
  expect(await refusedIn(session('11/16/2028'))).toEqual([]);
  const hired = (date: string) => [THERAPISTS[0] ?? '', `E-1,Ana,Ruiz,Altamonte,RBT,F,${date},40,Mon-Fri 8-5`];
  expect((await plan({ therapists: hired('2062-03-04') })).refused.map(({ text }) => text)).toEqual([
    'start_date is 2062-03-04; check its year',
  ]);
  expect((await plan({ therapists: hired('1988-03-04') })).refused).toEqual([]);
  const credentials = [
    'Therapist,Credential,Number,From,Until',
    'E-1,RBT,N-1,2062-01-01,',
    'E-1,RBT,N-2,2026-01-01,2099-12-31',
  ];
  const { refused } = await plan({ therapists: THERAPISTS, credentials });
  expect(refused.map(({ text }) => text)).toEqual(['from_date is 2062-01-01; check its year']);
});

test.each(['""""', '”', "''", 'ditto', 'As above', 'same as above'])(
  'given %s in a cell, then the row is refused, since no one can know what it repeats',
  async (mark) => {
    expect(await refusedIn(session('11/16/2026', mark))).toEqual([
      expect.stringMatching(/ is '.*', which repeats the row above: write the value in every row$/),
    ]);
  },
);

test('given a row with a last day after its first, then it is refused as a series, whatever its first day is called', async () => {
  const header = 'Id,Start Date,End Date,Days,Start Time,End Time,Client,Provider,Service Code,Status,Location';
  const row = (until: string) => `1,10/5/2026,${until},MWF,8:00 AM,11:00 AM,C1,E-1,97153,Scheduled,Altamonte`;
  const answers = new Map([['column appointments startdate', { answer: 'Date', remembered: false }]]);
  const bytes = Buffer.from([header, row('12/18/2026'), row('10/5/2026'), row(''), row('never')].join('\n'));
  const { rows } = await readTable({ name: 'x.csv', bytes }, 'appointments', answers);
  expect(rows.map(({ fault }) => fault)).toEqual([
    'it is a series from 2026-10-05 to 2026-12-18, and a row must be one session: export the sessions themselves, with one date each',
    null,
    null,
    null,
  ]);
});

test('given sessions without an end, then 15-minute units say how long they take', async () => {
  const header = SESSIONS.replace('Time', 'Start Time');
  const row = (units: string) => `1\t11/16/2026\t8:00 AM\tMia\tLopez (C1)\tE-1\t97153\tScheduled\tAltamonte\t${units}`;
  const read = async (units: string) => {
    const { sessions, refused } = await sessionsOf([row(units)], header);
    return [...sessions.map(({ start, end }) => end - start), ...refused.map(({ text }) => text)];
  };
  // As a duration, 4 would be hours and 16 minutes.
  expect([await read('4'), await read('16'), await read('12.0')]).toEqual([[60], [240], [180]]);
  for (const units of ['2.5', '1:00', '0'])
    expect(await read(units)).toEqual([`Units is '${units}'; it must be a number of 15-minute units`]);
});

test('given a credential that the clinic does not know, then the refusal says what to write', async () => {
  for (const credential of ['BCaBA', 'LBA']) {
    const { refused } = await plan({
      therapists: [THERAPISTS[0] ?? '', `E-1,Ana,Ruiz,Altamonte,${credential},F,3/4/2024,40,Mon-Fri 8-5`],
    });
    expect(refused.map(({ text }) => text)).toEqual([
      `specialization is '${credential}'; it must be BCBA, RBT or BT; for another credential, write the one of these whose sessions the therapist may take`,
    ]);
  }
});

test('given two sheets with the same columns, then the visible one is read, and two visible ones are refused', async () => {
  const lines = (name: string) =>
    rowsOfTexts([CLIENTS[0]?.split(';') ?? [], ...(name === '' ? [] : [['C1', name, 'Altamonte', 'F', '']])]);
  const sheet = (n: number, more = '') => `<sheet name="S${n}" sheetId="${n}" r:id="r${n}"${more}/>`;
  const relation = (n: number) =>
    `<Relationship Id="r${n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${n}.xml"/>`;
  const lastNames = async (state: string, before = 'Old, Mia') => {
    const workbook = sheetOf('', {
      'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets>${sheet(1, state)}${sheet(2)}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1)}${relation(2)}</Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines(before)}</sheetData></worksheet>`,
      'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${lines('New, Mia')}</sheetData></worksheet>`,
    });
    return (await readTable(workbook, 'clients')).rows.map(({ cells }) => cells['last_name']);
  };
  expect(await lastNames(' state="hidden"')).toEqual(['New']);
  expect(await lastNames(' state="veryHidden"')).toEqual(['New']);
  // A template without rows is no second sheet.
  expect(await lastNames('', '')).toEqual(['New']);
  await expect(lastNames('')).rejects.toThrow(
    /^x\.xlsx has several sheets with the same columns: 'S1' and 'S2'\. Put all rows on one sheet, or/,
  );
});
