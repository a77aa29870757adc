import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepRecent } from './lib/pages.mjs';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'clinic-pages-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a build keeps files of earlier builds for a week, since open pages and a running server still ask for them', () => {
  const [from, to] = [join(folder, 'old'), join(folder, 'new')];
  for (const each of [from, to]) mkdirSync(each);
  for (const name of ['same.js', 'page-1.js', 'page-0.js']) writeFileSync(join(from, name), 'before');
  writeFileSync(join(to, 'same.js'), 'now');
  const day = 24 * 60 * 60;
  utimesSync(join(from, 'page-1.js'), Date.now() / 1000 - 6 * day, Date.now() / 1000 - 6 * day);
  utimesSync(join(from, 'page-0.js'), Date.now() / 1000 - 8 * day, Date.now() / 1000 - 8 * day);
  keepRecent(from, to);
  expect(readdirSync(to).sort()).toEqual(['page-1.js', 'same.js']);
  expect(readFileSync(join(to, 'same.js'), 'utf8')).toBe('now');
  // The kept file's age is unchanged, so the next build still counts the week from when the file was first built.
  expect(Date.now() - statSync(join(to, 'page-1.js')).mtimeMs).toBeGreaterThan(5 * day * 1000);
});

test('given no earlier build, nothing is kept', () => {
  mkdirSync(join(folder, 'new'));
  keepRecent(join(folder, 'old'), join(folder, 'new'));
  expect(readdirSync(join(folder, 'new'))).toEqual([]);
});
