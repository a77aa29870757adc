import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

const HEADER = 'id,first_name,last_name,location,gender,restrictions';
const read = (text: string) => readCsv(text, 'c.csv', 'clients', 10).map(({ line, cells }) => [line, cells[0]]);

test.each([
  ['\\r\\n, then \\n', '\r\n', '\n'],
  ['\\n, then \\r\\n', '\n', '\r\n'],
])(
  'given a file made of two files with different line endings (%s), every row is read with its own line number',
  (_, one, other) => {
    const text = `${HEADER}${one}C-1,Bo,Lee,tampa,Male,${one}C-2,Mo,Diaz,tampa,Male,${other}C-3,Al,Poe,tampa,Male,${other}`;
    expect(read(text)).toEqual([
      [1, 'id'],
      [2, 'C-1'],
      [3, 'C-2'],
      [4, 'C-3'],
    ]);
  },
);

test.each([
  ['\\r\\n', '\r\n'],
  ['\\n', '\n'],
  ['\\r', '\r'],
])(
  'given empty lines, and cells with line breaks (%s), a row’s line number is that of the line where it begins',
  (_, end) => {
    const lines = [HEADER, 'C-1,"Bo', 'Ann",Lee,tampa,Male,', '', 'C-2,"Mo', '', 'X",Diaz,tampa,Male,', 'C-3,Al'];
    expect(read(lines.join(end))).toEqual([
      [1, 'id'],
      [2, 'C-1'],
      [5, 'C-2'],
      [8, 'C-3'],
    ]);
  },
);
