import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeMemoryFolder } from './lib/memory-folder.mjs';

const base = mkdtempSync(join(tmpdir(), 'clinic-memory-folder-'));
const GIB = 1024 ** 3;
const PLENTY = { free: 8 * GIB, memory: 8 * GIB };

afterAll(() => rmSync(base, { recursive: true, force: true }));

test('given enough room, a folder is made and stays until it is removed', () => {
  const made = makeMemoryFolder(base, PLENTY);
  expect(readdirSync(base)).toEqual([made?.folder.slice(base.length + 1)]);
  writeFileSync(join(made?.folder ?? '', 'a file'), '');
  made?.remove();
  expect(readdirSync(base)).toEqual([]);
});

test('given no file system in memory, too little space in it or too little memory, no folder is made', () => {
  expect(makeMemoryFolder(base, { ...PLENTY, free: GIB })).toBeUndefined();
  expect(makeMemoryFolder(base, { ...PLENTY, memory: GIB })).toBeUndefined();
  expect(makeMemoryFolder(join(base, 'not there'))).toBeUndefined();
  expect(readdirSync(base)).toEqual([]);
});

test('the folder of a killed test run is removed; folders of running test runs and other folders stay', () => {
  const { pid } = spawnSync(process.execPath, ['--version']); // this process has exited, so no process has its id
  const left = join(base, `clinic-tests-${pid}-abc`);
  const others = [join(base, `clinic-tests-${process.pid}-abc`), join(base, 'clinic-tests')];
  for (const folder of [left, ...others]) mkdirSync(folder);
  const made = makeMemoryFolder(base, PLENTY);
  expect([left, ...others].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  made?.remove();
});
