import { expect, test } from 'vitest';
import { showable, writePdf } from './pdf.ts';

test('the PDF is tagged, says its language and title, and loses no letter', async () => {
  const parts = [{ title: 'Bo Núñez', lines: [['Client', '李 Lee'] as const] }];
  const pdf = String((await writePdf({ title: 'Sessions', notes: ['Note'], parts }, new Date(0))).toString('latin1'));
  expect(pdf).toMatch(/^%PDF-1\.7/);
  for (const mark of ['/MarkInfo', '/StructTreeRoot', '/Lang (en-US)', '/DisplayDocTitle true', '/S /H1', '/S /H2'])
    expect(pdf).toContain(mark);
  expect(showable('Núñez Łukasz Żółć Дмитрий Ελένη')).toBe('Núñez Łukasz Żółć Дмитрий Ελένη');
  expect(showable('Ana משה כהן, 9')).toBe('Ana כהן, משה 9');
  expect(showable('李 Lee')).toBe('[U+674E] Lee');
});
