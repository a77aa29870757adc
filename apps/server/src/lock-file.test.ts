import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock-file.mjs';

const folder = mkdtempSync(join(tmpdir(), 'clinic-lock-'));
const path = join(folder, 'the.lock');
beforeEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Increments a number in a file ten times, each time under the lock; two processes at once would lose an increment. */
const COUNTER = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock-file.mjs'))};
  const [path, file] = process.argv.slice(1);
  for (let i = 0; i < 10; i++) {
    await withLock(path, async () => {
      const now = Number(readFileSync(file, 'utf8'));
      await delay(2);
      writeFileSync(file, String(now + 1));
    });
  }
`;

test('given several processes, only one at a time does its work', async () => {
  const file = join(folder, 'number');
  writeFileSync(file, '0');
  const codes = await Promise.all(
    Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', COUNTER, path, file], { stdio: 'inherit' });
      return new Promise((resolve) => child.once('exit', resolve));
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readFileSync(file, 'utf8')).toBe('40');
  expect(readdirSync(folder)).toEqual(['number']);
});

test('given a lock whose process no longer runs, another process takes it over', async () => {
  writeFileSync(path, '999999999 1');
  expect(await withLock(path, () => Promise.resolve('done'))).toBe('done');
});

test('given a lock from an earlier process with the same id, the current process takes it over', async () => {
  writeFileSync(path, `${process.pid} 1`); // the process id is this one, but the start time is different
  expect(await withLock(path, () => Promise.resolve('done'))).toBe('done');
});

test('work that fails releases the lock', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
});

test('a process that waits for a lock reports that another process holds the lock', async () => {
  let reported = 0;
  let finish: () => void = () => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  const first = withLock(path, () => promise);
  const second = withLock(
    path,
    () => Promise.resolve('second'),
    () => {
      reported++;
      finish();
    },
  );
  await first;
  expect(await second).toBe('second');
  expect(reported).toBe(1);
});
