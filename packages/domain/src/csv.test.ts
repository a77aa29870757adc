import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('quotes, commas and line breaks stay in their cell, and no text can become a formula', () => {
  expect(
    toCsv([
      ['Lee, "Bo"', 'a\nb', null],
      ['=1+1', '@x', '-3'],
      ['plain', -3, 0.5],
    ]),
  ).toBe('"Lee, ""Bo""","a\nb",\r\n\'=1+1,\'@x,\'-3\r\nplain,-3,0.5\r\n');
});
