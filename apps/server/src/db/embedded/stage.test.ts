import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveInto } from './stage.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-stage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(name: string, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

test('when two processes copy PostgreSQL’s programs at once, the first copy stays, as it may be in use', () => {
  const target = make('postgres', { staged: '18', mark: 'first' });
  moveInto(make('second', { staged: '18', mark: 'second' }), target);
  expect(readFileSync(join(target, 'mark'), 'utf8')).toBe('first');
});

test('a new copy of the programs replaces only an unfinished copy', () => {
  const target = join(folder, 'postgres');
  moveInto(make('made', { staged: '18' }), target);
  expect(existsSync(join(target, 'staged'))).toBe(true);
  rmSync(join(target, 'staged'));
  writeFileSync(join(target, 'half'), '');
  moveInto(make('again', { staged: '18' }), target);
  expect(existsSync(join(target, 'half'))).toBe(false);
});
