import { expect, test } from 'vitest';
import { isoDate, nameKey } from '@clinic/domain';
import { openDocument, rowsOfTexts, sheetOf } from '../testing/sheet.ts';
import { smallFiles } from '../testing/small.ts';
import { UnreadableFile, type ImportFile, type ImportKind } from '../import-types.ts';
import { LIMITS, Meter } from './limits.ts';
import { PeopleIndex } from '../plan/people-index.ts';
import { readTable } from './read-table.ts';
import { assignPlaces, type Claimant } from '../rows/places.ts';
import { planEveryone } from '../plan/plan.ts';

const csv = (text: string): ImportFile => ({ name: 'x.csv', bytes: Buffer.from(text) });
const HEADER = 'id,first_name,last_name,location,gender,restrictions';
const client = (name: string): string => `C-1,${name},Lee,tampa,Male,`;
const lines = (row: string, count: number): string => `${HEADER}\n${`${row}\n`.repeat(count)}`;

const beyond: [string, ImportFile, RegExp, ImportKind?][] = [
  ['5 million lines', csv('a\n'.repeat(5_000_000)), /more than 20,000 rows\. Split it/],
  ['a row too many', csv(lines(client('Bo'), LIMITS.people + 1)), /more than 20,000 rows/],
  ['a column too many', csv(`${HEADER}${',x'.repeat(LIMITS.columns - 5)}\n`), /has 201 columns in row 1/],
  ['a million columns', csv(`${HEADER}${','.repeat(1_000_000)}\n`), /has 1,000,006 columns in row 1/],
  [
    'a cell too long',
    csv(lines(client('x'.repeat(LIMITS.cell + 1)), 1)),
    /cell of more than 32,767 characters near line 2/,
  ],
  ['400 kB of accents', csv(lines(client(`e${'\u0301'.repeat(200_000)}`), 1)), /more than [\d,]+ characters near line/],
  [
    '31 accents on one letter',
    csv(lines(client(`e${'\u0301\u0323'.repeat(16)}`), 1)),
    /more than 30 accents .* line 2/,
  ],
  [
    'accents with invisible characters between them',
    csv(lines(client(`e${'\u0301\u200b'.repeat(5000)}`), 1)),
    /more than 30 accents .* line 2/,
  ],
  ['a header of accents', csv(`${'\u0301\u0323'.repeat(140_000)}\n`), /more than [\d,]+ characters near line/],
  ['an open quote over megabytes', csv(`${HEADER}\nC-1,"${'Bo,Lee\n'.repeat(1_000_000)}`), /row of more than 300,000/],
  [
    'too many cells',
    csv(`${HEADER}${',x'.repeat(190)}\n${`${','.repeat(195)}\n`.repeat(21_000)}`),
    /more than 4,000,000 cells/,
    'appointments',
  ],
  [
    'a sheet with a cell in its last corner',
    sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    /reaches row 1,048,576; a file may have at most 20,000 rows/,
  ],
  ['a cell in the last column', sheetOf('<row r="1"><c r="XFD1"><v>1</v></c></row>'), /16,384 columns in row 1/],
  [
    'hundreds of kilobytes in a cell',
    sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>${'x'.repeat(400_000)}</t></is></c></row>`),
    /text that is much longer than a cell may be/,
  ],
  [
    'hundreds of kilobytes of CDATA',
    sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t><![CDATA[${'<x>'.repeat(150_000)}]]></t></is></c></row>`),
    /cell of more than 32,767 characters near line 1/,
  ],
  [
    'an attribute of hundreds of kilobytes',
    sheetOf(`<row r="1" spans="${'1:2 '.repeat(100_000)}"></row>`),
    /text that is much longer than a cell may be/,
  ],
  [
    'rows without numbers',
    sheetOf('<row><c t="inlineStr"><is><t>x</t></is></c></row>'.repeat(30_000)),
    /more than 20,000 rows/,
  ],
  ...Object.entries({
    'a row of OpenDocument a million times':
      '<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>',
    'a covered cell a billion times':
      '<table:table-row><table:covered-table-cell table:number-columns-repeated="1000000000"/></table:table-row>',
  }).map(([name, rows]): [string, ImportFile, RegExp] => [name, openDocument(rows), /more than 4,000,000 cells/]),
  [
    'a thousand sheets that are the same part',
    sheetOf('', {
      'xl/workbook.xml': `<workbook><sheets>${'<sheet name="A" sheetId="1" r:id="r1"/>'.repeat(1000)}</sheets></workbook>`,
    }),
    /x\.xlsx is damaged/,
  ],
  [
    'a million spaces in OpenDocument',
    openDocument(
      '<table:table-row><table:table-cell office:value-type="string"><text:p><text:s text:c="1000000"/></text:p></table:table-cell></table:table-row>',
    ),
    /text that is much longer than a cell may be/,
  ],
];

test.each(beyond)(
  '%s is refused with a message that states the limit and what to do',
  async (_, file, message, kind = 'clients') => {
    const read = readTable(file, kind);
    await expect(read).rejects.toThrow(UnreadableFile);
    await expect(read).rejects.toThrow(message);
  },
);

test('given empty rows and formatted cells down to the last row, then they are no rows', async () => {
  const cells = ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'];
  const rows = rowsOfTexts([cells, ['C-1', 'Bo', 'Lee', 'tampa', 'Male', '']]);
  const rest = '<row r="1048575"/><row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"/></row>';
  expect((await readTable(sheetOf(`${rows}${rest}`), 'clients')).rows.map(({ line }) => line)).toEqual([2]);
});

test('given merged ranges and links over a whole sheet, then it is read in time', async () => {
  const cells = ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'];
  const rows = rowsOfTexts([cells, ['C-1', 'Bo', 'Lee', 'tampa', 'Male', '']]);
  const file = sheetOf('', {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(100_000)}</mergeCells><hyperlinks>${'<hyperlink ref="A1:XFD1048576" location="x"/>'.repeat(1000)}</hyperlinks></worksheet>`,
  });
  expect((await readTable(file, 'clients')).rows).toHaveLength(1);
});

test('given a long formula that thousands of cells share, then it is not written out for each', async () => {
  const cells = ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'];
  const formula = (at: number) =>
    at === 2 ? `<f t="shared" si="0" ref="A2:A9">${'B2+'.repeat(100_000)}1</f>` : '<f t="shared" si="0"/>';
  const rows = Array.from(
    { length: 20_000 },
    (_, i) => `<row r="${i + 2}"><c r="A${i + 2}">${formula(i + 2)}<v>${i}</v></c></row>`,
  );
  const file = sheetOf(`${rowsOfTexts([cells]).replace('<row>', '<row r="1">')}${rows.join('')}`);
  expect((await readTable(file, 'clients')).rows).toHaveLength(20_000);
});

test('a long text that Excel keeps outside the sheets, such as a query, is no reason to refuse a workbook', async () => {
  const cells = ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'];
  const rows = rowsOfTexts([cells, ['C-1', 'Bo', 'Lee', 'tampa', 'Male', '']]);
  const file = sheetOf(rows, { 'customXml/item1.xml': `<q>${'x'.repeat(LIMITS.xmlText + 1)}</q>` });
  expect((await readTable(file, 'clients')).rows.map(({ cells: { id } }) => id)).toEqual(['C-1']);
});

test('a file exactly at its limits is read', async () => {
  const table = await readTable(csv(lines(client(`e${'\u0301'.repeat(LIMITS.accents)}`), LIMITS.people)), 'clients');
  expect(table.rows).toHaveLength(LIMITS.people);
});

/** Counts how many times the index reads its people while `ask` runs. */
function looksAt(count: number, ask: (index: PeopleIndex) => void): number {
  let looks = 0;
  const people = Array.from({ length: count }, (_, i) => ({
    id: `C-${i}`,
    displayName: `Ana Ruiz (${i})`,
    fullName: 'Ana Ruiz',
    fileIds: [],
    location: 'tampa' as const,
    imported: true,
    windows: [],
    employment: null,
    get former() {
      looks++;
      return false;
    },
  }));
  ask(new PeopleIndex('client', people));
  return looks;
}
const when = { date: '2026-11-16', start: 480, end: 540 } as Parameters<PeopleIndex['find']>[2];

test('a name that many people share is looked up once, however many rows contain it', () => {
  const rows = (n: number) => (index: PeopleIndex) => {
    for (let i = 0; i < n; i++)
      expect(index.find('ana ruiz', 'tampa', when)).toMatchObject({ reason: 'ambiguous client' });
  };
  expect(looksAt(2000, rows(500))).toBe(looksAt(2000, rows(1)));
});

test('given another clinic’s export, only a limited number of names get a suggestion', () => {
  const people = Array.from({ length: 2000 }, (_, i) => ({
    id: `C-${i}`,
    displayName: `Ana Ruiz ${i}`,
    fullName: `Ana Ruiz ${i}`,
    fileIds: [],
    location: 'tampa' as const,
    imported: true,
    former: false,
    windows: [],
    employment: null,
  }));
  const index = new PeopleIndex('client', people);
  const texts = Array.from({ length: 2000 }, (_, i) => {
    const found = index.find(`Anna Ruiz x${i}`, 'tampa', when);
    return 'text' in found ? found.text : '';
  });
  const suggested = texts.filter((text) => text.includes('did you mean'));
  expect(suggested.length).toBeGreaterThan(100);
  expect(suggested.length).toBeLessThanOrEqual(500);
  expect(texts.at(-1)).toBe("there is no client named 'Anna Ruiz x1999'");
  // A name seen before gets its earlier result without further work.
  expect(index.find('Anna Ruiz x0', 'tampa', when)).toMatchObject({ text: texts[0] });
});

test('given twenty thousand people with the same name, each person gets a number', async () => {
  const rows = Array.from({ length: LIMITS.people }, (_, i) => `C-${i},Ana,Ruiz,tampa,Male,`);
  const { clients } = smallFiles({ clients: rows });
  if (!clients) throw new Error('no file');
  const table = await readTable(clients, 'clients');
  const known = { therapist: new Map(), client: new Map() };
  const plan = planEveryone({ clients: table }, { therapists: [], clients: [], known }, 'Admin', isoDate('2026-11-20'));
  expect(new Set(plan.clients.map((c) => nameKey(c.displayName))).size).toBe(LIMITS.people);
  expect(plan.clients.at(-1)?.displayName).toBe(`Ana Ruiz (${LIMITS.people})`);
});

test('given thousands of overlapping appointments, assigning their places reads each appointment only a few times', () => {
  let looks = 0;
  const all = Array.from({ length: 5000 }, (_, i): Claimant => ({
    id: `a${i}`,
    date: '2026-11-16' as Claimant['date'],
    end: 600,
    therapistId: 'T-1',
    clientId: `C-${i}`,
    service: 'direct',
    occupies: true,
    groupKey: 'g',
    fixed: null,
    location: 'tampa',
    get start() {
      looks++;
      return 480;
    },
  }));
  const places = assignPlaces(all, new Set());
  expect(places.get('a4999')).toMatchObject({ place: 'group:g', clash: false });
  expect(looks).toBeLessThan(5000 * 100);
});

test('a row and a file may hold only so many characters, however they are divided into cells', () => {
  const cell = 'x'.repeat(30_000);
  expect(() => new Meter('x.csv', 9).take(Array<string>(11).fill(cell), 7)).toThrow(
    /row of more than 300,000 characters near line 7/,
  );
  const meter = new Meter('x.csv', 1000);
  const row = Array<string>(10).fill(cell);
  for (let n = 0; n < LIMITS.text / LIMITS.row; n++) meter.take(row, n);
  expect(() => meter.take(['x'], 201)).toThrow(/more than 60,000,000 characters\. Split it/);
});
