import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SLOTS } from '@clinic/domain';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the day on the screen has as many columns as the clinic’s day has quarter hours', () => {
  expect(read('tokens.css')).toContain(`--cols: ${SLOTS};`);
});

test('raw colors appear only in tokens.css', () => {
  const sheets = globSync('../**/*.css', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('tokens.css'));
  expect(sheets.length).toBeGreaterThan(30);
  const raw = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(/gi;
  const found = sheets.flatMap((file) => (read(file).match(raw) ?? []).map((color) => `${file}: ${color}`));
  expect(found).toEqual([]);
});
