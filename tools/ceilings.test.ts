import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkCeilings, countIn, longFiles } from './ceilings.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-ceilings-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FILE = 'apps/server/src/planted.ts';

function plant(text: string, file = FILE): string {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return root;
}

const functionOf = (lines: number): string => `export function f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;

test('the repository is not above its ceilings', () => {
  expect(checkCeilings()).toEqual([]);
});

test.each([
  [80, 0, 0],
  [81, 1, 0],
  [120, 1, 0],
  [121, 1, 1],
])('given a function of %i lines, %i long and %i too long functions are counted', (lines, long, tooLong) => {
  const found = countIn(plant(functionOf(lines)));
  expect([found.long.length, found.tooLong.length]).toEqual([long, tooLong]);
});

test.each([
  ['as', 'export const a = (b as string).length;', FILE, 1],
  ['twice', 'export const a = b as unknown as string;', FILE, 2],
  ['not null', 'export const a = b!;', FILE, 1],
  ['as const', 'export const a = [1] as const;', FILE, 0],
  ['satisfies', 'export const a = 1 satisfies number;', FILE, 0],
  ['an index in the engine', 'export const a = b[0]!;', 'packages/cover-engine/src/planted.ts', 0],
  ['in a test', 'export const a = b as string;', 'apps/server/src/planted.test.ts', 0],
])('type assertions are counted as expected: %s', (_, text, file, count) => {
  expect(countIn(plant(text, file)).assertions).toHaveLength(count);
});

test.each([
  ['of fields', 'export const a = { ...{ b }, c };', 1],
  ['of elements', 'export const a = [...[b], c];', 1],
  ['of an object', 'export const a = { ...b };', 0],
  ['under a condition', 'export const a = { ...(b ? { c } : {}) };', 0],
  ['of arguments', 'f(...[b, c]);', 0],
])('spreads of a literal are counted as expected: %s', (_, text, count) => {
  expect(countIn(plant(text)).spreads).toHaveLength(count);
});

test('a count above its ceiling is reported, with everything that was counted', () => {
  plant('export const a = b as string;');
  expect(checkCeilings(root, { long: 0, assertions: 1, spreads: 0 })).toEqual([]);
  expect(checkCeilings(root, { long: 0, assertions: 0, spreads: 0 })).toEqual([
    '1 type assertions; at most 0 are allowed:',
    `${FILE}:1: b as string`,
  ]);
});

test.each([
  ['400 lines', 400, 0],
  ['401 lines', 401, 1],
])('files that are too long are reported, tests too: %s', (_, lines, count) => {
  expect(longFiles(plant('g();\n'.repeat(lines), 'apps/server/src/planted.test.ts'))).toHaveLength(count);
});
