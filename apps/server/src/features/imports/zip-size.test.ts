import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { readTable } from './read-table.ts';
import { unpacksWithin } from './zip-size.ts';

/** A ZIP archive of parts of so many zeros, whose directory says `claims` of each. */
function zip(parts: readonly number[], claims?: number): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [i, size] of parts.entries()) {
    const data = deflateRawSync(Buffer.alloc(size));
    const name = Buffer.from(`xl/part${i}.xml`);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(8, 8);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(claims ?? size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(head, name, data);
    directory.push(entry, name);
    at += head.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...directory, end]);
}

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
