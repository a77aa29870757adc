import { expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { zipOf } from '../testing/zip.ts';
import { readTable } from './read-table.ts';
import { Archive, packStored } from './unpack.ts';

/** An archive whose parts each have the given number of zeros. Its directory states `claims` as their sizes. */
const zip = (parts: readonly number[], claims?: number): Buffer =>
  zipOf(
    parts.map((size, i) => [`xl/part${i}.xml`, Buffer.alloc(size)] as const),
    claims,
  );
/** The names of the parts, after all of them have been unpacked; null if the archive cannot be opened. */
function unpacked(bytes: Buffer, most?: number, parts?: number): readonly string[] | null {
  const archive = Archive.open(bytes, most, parts);
  for (const name of archive?.names ?? []) archive?.part(name);
  return archive && archive.names;
}

test('an archive within the limits is unpacked and a larger one is not, whatever its directory claims', () => {
  expect(unpacked(zip([1000, 2000]), 3000)).toEqual(['xl/part0.xml', 'xl/part1.xml']);
  expect(() => unpacked(zip([1000, 2001]), 3000)).toThrow('unpacks to too much');
  expect(() => unpacked(zip([1000, 5000], 10), 3000)).toThrow('cannot be unpacked');
  expect(unpacked(zip([10, 10, 10]), 3000, 2)).toBeNull();
  expect(unpacked(zip([10]).subarray(0, 40), 3000)).toBeNull();
  expect(unpacked(Buffer.from('PK\u0003\u0004 and no more'), 3000)).toBeNull();
});

test('an archive with two parts of the same name is refused, and only the parts that are asked for are unpacked', () => {
  const part = (name: string, size = 5) => [name, Buffer.alloc(size)] as const;
  expect(unpacked(zipOf([part('a.xml'), part('A.xml')]))).toBeNull();
  expect(unpacked(zipOf([part('a/b.xml'), part('a\\b.xml')]))).toBeNull();
  const archive = Archive.open(zipOf([part('a.xml'), part('b.png', 9000)]), 3000);
  expect(archive?.part('A.XML')).toHaveLength(5);
  expect(archive?.part('c.xml')).toBeNull();
});

test('the archive packed for the library contains only the given parts', () => {
  const parts = new Map([
    ['xl/a.xml', Buffer.from('<a/>')],
    ['xl/b.xml.rels', Buffer.from('<b/>')],
  ]);
  const archive = Archive.open(packStored(parts));
  expect(new Map(archive?.names.map((name) => [name, archive.part(name)]))).toEqual(parts);
});

test.each([1, 100, 60_000])('a workbook followed by %i extra bytes can still be read', async (more) => {
  const texts = [
    ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'],
    ['C-1', 'Bo', 'Lee', 'tampa', 'Male', ''],
  ];
  const sheet = { sheet: 'A', data: texts.map((row) => row.map((value) => ({ value, type: String }))) };
  const bytes = Buffer.concat([await writeXlsxFile([sheet]).toBuffer(), Buffer.alloc(more, 'PK\u0005\u0006')]);
  const table = await readTable({ name: 'x.xlsx', bytes }, 'clients');
  expect(table.rows.map((row) => row.cells['first_name'])).toEqual(['Bo']);
});

test('a file of a few hundred kilobytes that would unpack to gigabytes is refused before it is read', async () => {
  const sheets = Array.from(
    { length: 5 },
    (_, i) => `<Relationship Id="r${i}" Type="x/worksheet" Target="part${i}.xml"/>`,
  );
  const bytes = zipOf(
    [
      ...sheets.map((_, i) => [`xl/part${i}.xml`, Buffer.alloc(60 * 1024 * 1024)] as const),
      ['xl/workbook.xml', Buffer.from('<workbook/>')],
      ['xl/_rels/workbook.xml.rels', Buffer.from(`<Relationships>${sheets.join('')}</Relationships>`)],
    ],
    1000,
  );
  expect(bytes.length).toBeLessThan(400_000);
  await expect(readTable({ name: 'bomb.xlsx', bytes }, 'clients')).rejects.toThrow(
    /bomb\.xlsx is damaged .*more than 150 MB/,
  );
});
