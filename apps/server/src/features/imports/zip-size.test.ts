import { expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { zipOf } from './fixtures/zip.ts';
import { readTable } from './read-table.ts';
import { unpacksWithin } from './zip-size.ts';

/** An archive of parts of so many zeros, whose directory says `claims` of each. */
const zip = (parts: readonly number[], claims?: number): Buffer =>
  zipOf(
    parts.map((size, i) => [`xl/part${i}.xml`, Buffer.alloc(size)] as const),
    claims,
  );

test('archives within the limits pass, those beyond do not, whatever their directory says', async () => {
  expect(await unpacksWithin(zip([1000, 2000]), 3000)).toBe(true);
  expect(await unpacksWithin(zip([1000, 2001]), 3000)).toBe(false);
  expect(await unpacksWithin(zip([1000, 2001], 10), 3000)).toBe(false);
  expect(await unpacksWithin(zip([10, 10, 10]), 3000, 2)).toBe(false);
  expect(await unpacksWithin(zip([10]).subarray(0, 40), 3000)).toBe(false);
  expect(await unpacksWithin(Buffer.from('PK\u0003\u0004 and no more'), 3000)).toBe(false);
});

test('a workbook as spreadsheets write it passes', async () => {
  const sheet = { sheet: 'A', data: [[{ value: 'id', type: String }], [{ value: 'T-1', type: String }]] };
  expect(await unpacksWithin(await writeXlsxFile([sheet]).toBuffer())).toBe(true);
});

test('a file of a few hundred kilobytes that would unpack to gigabytes is refused before it is read', async () => {
  const bytes = zip(
    Array.from({ length: 5 }, () => 60 * 1024 * 1024),
    1000,
  );
  expect(bytes.length).toBeLessThan(400_000);
  await expect(readTable({ name: 'bomb.xlsx', bytes }, 'clients')).rejects.toThrow(
    /bomb\.xlsx is damaged .*more than 200 MB/,
  );
});
