import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('quotes, commas and line breaks stay in their cell, no text can become a formula, and accents can be read', () => {
  expect(
    toCsv([
      ['Lee, "Bo"', 'a\nb', null],
      ['=1+1', '@x', '-3', ' =2'],
      ['José', -3, 0.5],
    ]),
  ).toBe('\uFEFF"Lee, ""Bo""","a\nb",\r\n\'=1+1,\'@x,\'-3,\' =2\r\nJosé,-3,0.5\r\n');
});
