import { describe, expect, test } from 'vitest';
import { parseDateAndTime } from './rows/fields.ts';
import { plan } from './testing/foreign.ts';
import { sheetOf } from './testing/sheet.ts';
import { readTable } from './read/read-table.ts';

const HEADER = ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'];
const text = (letter: string, row: number, inside: string): string =>
  `<c r="${letter}${row}" t="inlineStr"><is>${inside}</is></c>`;
const header = `<row r="1">${HEADER.map((name, i) => text('ABCDEF'.charAt(i), 1, `<t>${name}</t>`)).join('')}</row>`;

/** The first names in a workbook whose second row has this cell, without its address, in the second column. */
async function read(cell: string, more: Readonly<Record<string, string>> = {}) {
  const { rows } = await readTable(sheetOf(`${header}<row r="2"><c r="B2"${cell}</row>`, more), 'clients');
  return rows[0];
}
const firstName = async (inside: string) => (await read(` t="inlineStr"><is>${inside}</is></c>`))?.cells['first_name'];

describe('texts of a workbook', () => {
  test.each([
    ['<t>A&amp;B &lt;&gt; &#233;&#x27;</t>', "A&B <> é'"],
    ['<t><![CDATA[Bo & <Lee>]]></t>', 'Bo & <Lee>'],
    ['<t>Bo<![CDATA[ & ]]>Lee</t>', 'Bo & Lee'],
    ['<t>Bo<!-- <t>x</t> --> Lee</t>', 'Bo Lee'],
    ['<t>Bo_x000D_\nLee _x0041_ _x005F_x0041_</t>', 'Bo\nLee A _x0041_'],
    [
      '<t>O&amp;#39;Brien &amp;amp; Ann&amp;nbsp;Lee &amp;#0; &amp;x; &amp;amp;lt;</t>',
      "O'Brien & Ann Lee &#0; &x; &lt;",
    ],
    ['<r><t>Ma</t></r><rPh sb="0" eb="1"><t>x</t></rPh><r><t xml:space="preserve">ria </t></r>', 'Maria '],
  ])('%s is %s', async (inside, expected) => {
    expect(await firstName(inside)).toBe(expected);
  });

  test('given a shared string with CDATA, then it is read as well', async () => {
    const strings = { 'xl/sharedStrings.xml': '<sst><si><t><![CDATA[Bo & Lee]]></t></si></sst>' };
    expect((await read(' t="s"><v>0</v></c>', strings))?.cells['first_name']).toBe('Bo & Lee');
  });

  test('given a comment that never ends, then the file is refused', async () => {
    await expect(firstName('<t>Bo</t><!-- x')).rejects.toThrow(/damaged or not a workbook that can be read here/);
  });
});

test('given HTML in a CSV file, then it is read, and limits count what it stands for', async () => {
  const csv = (name: string) => ({
    name: 'x.csv',
    bytes: Buffer.from(`${HEADER.join(',')}\nC-1,${name},Lee,tampa,F,\n`),
  });
  expect((await readTable(csv('O&#39;Brien'), 'clients')).rows[0]).toMatchObject({
    cells: { first_name: "O'Brien" },
    original: 'C-1,O&#39;Brien,Lee,tampa,F,',
  });
  await expect(readTable(csv(`a${'&#769;'.repeat(31)}`), 'clients')).rejects.toThrow('more than 30 accents');
});

test('given a formula without a value, then its row is refused, in a workbook and in a CSV file', async () => {
  const fault = 'first_name has the formula error #N/A: correct the formula, or write its value, in the file';
  expect((await read(' t="e"><f>VLOOKUP(1)</f><v>#N/A</v></c>'))?.fault).toBe(fault);
  const csv = { name: 'x.csv', bytes: Buffer.from(`${HEADER.join(',')}\nC-1,#N/A,Lee,tampa,F,\n`) };
  expect((await readTable(csv, 'clients')).rows[0]?.fault).toBe(fault);
  // A restriction that a formula did not find must not be forgotten.
  const { refused } = await plan({ clients: [HEADER.join(','), 'C-1,Bo,Lee,tampa,F,#REF!', 'C-2,N/A,Lee,tampa,F,'] });
  expect(refused.map((each) => each.line)).toEqual([2]);
});

test('dates as text stay text, so that the zone of this machine does not matter', async () => {
  for (const [value, shown, date] of [
    ['2026-11-16T08:00:00', '2026-11-16T08:00:00', ''],
    ['2026-11-16T08:00:00.000Z', '2026-11-16T08:00:00.000', ''],
    ['08:00:00', '08:00:00', '11/16/2026'],
  ] as const) {
    const cell = (await read(` s="0" t="d"><f>A1</f><v>${value}</v></c>`))?.cells['first_name'] ?? '';
    expect(cell).toBe(shown);
    expect(parseDateAndTime(date, cell, 'tampa')).toEqual({ date: '2026-11-16', minutes: 480 });
  }
});

test('given a workbook that counts from 1904, then dates and times of day are right, however it says so', async () => {
  const more = (says: string) => ({
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><workbookPr date1904="${says}"/><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="20"/></cellXfs></styleSheet>',
  });
  for (const says of ['1', 'true'])
    expect((await read(' s="1"><v>44880.354166666664</v></c>', more(says)))?.cells['first_name']).toBe(
      '2026-11-16 08:30',
    );
  const time = (await read(' s="2"><v>0.3541666666666667</v></c>', more('true')))?.cells['first_name'] ?? '';
  expect(parseDateAndTime('11/16/2026', time)).toEqual({ date: '2026-11-16', minutes: 510 });
});

test('given a value merged over several rows, then it holds for each of them, and for no row below', async () => {
  const row = (n: number, cells: string) => `<row r="${n}">${text('A', n, `<t>C-${n}</t>`)}${cells}</row>`;
  const merged = (refs: readonly string[]) =>
    sheetOf('', {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${header}${row(2, text('B', 2, '<t>Bo</t>'))}${row(3, '')}${row(4, '')}${row(5, text('B', 5, '<t>Mo</t>'))}</sheetData><mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`,
    });
  const names = async (...refs: string[]) =>
    (await readTable(merged(refs), 'clients')).rows.map(({ cells }) => cells['first_name']);
  expect(await names('B2:B3')).toEqual(['Bo', 'Bo', '', 'Mo']);
  expect(await names('B2:D4', 'A9:A10')).toEqual(['Bo', 'Bo', 'Bo', 'Mo']);
  expect(await names('B2:C2')).toEqual(['Bo', '', '', 'Mo']);
  // Never over what a cell has of its own, nor beyond the table.
  expect(await names('B2:B1048576')).toEqual(['Bo', 'Bo', 'Bo', 'Mo']);
});
