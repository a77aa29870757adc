import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import { afterAll, expect, test } from 'vitest';

const command = fileURLToPath(new URL('./weeks.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'weeks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string): { problem: object; best: number[] } => {
  const url = new URL(`../../../../packages/weeks-engine/fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as { problem: object; best: number[] };
};
const answerIn = (stdout: string): WeeksAnswer => JSON.parse(stdout) as WeeksAnswer;
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const weeks = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test.each([
  ['standing-small', 'standing-options/1'],
  ['times', 'times-options/1'],
  ['makeup', 'makeup-options/1'],
])('given the problem %s, then its proven options are printed as one line of JSON', async (name, format) => {
  const { problem, best } = fixture(name);
  const { code, stdout, stderr } = await weeks(file(`${name}.json`, problem), '--seconds', '120', '--options', '2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  expect(answerIn(stdout)).toMatchObject({ format });
  expect(answerIn(stdout).options[0]).toMatchObject({ proven: true, bound: best[0], score: { total: best[0] } });
});

test('given almost no time, then the command still answers, and says that nothing is proven', async () => {
  const { code, stdout } = await weeks(file('late.json', fixture('standing-small').problem), '--seconds', '0.001');
  expect(code).toBe(0);
  expect(answerIn(stdout).options).toMatchObject([{ strategy: 'balanced', proven: false, bound: 0 }]);
});

test.each([
  ['a file that is not there', join(folder, 'none.json'), 'weeks-options/1'],
  ['a file that is not JSON', file('text.json', 'not JSON'), 'weeks-options/1'],
  ['another format', file('other.json', { format: 'weeks-problem/1' }), 'weeks-options/1'],
  ['a problem with a fault', file('fault.json', { ...fixture('times').problem, dates: 'all' }), 'times-options/1'],
])('given %s, then a refusal is printed as JSON with exit code 2', async (_what, path, format) => {
  const { code, stdout } = await weeks(path);
  expect(code).toBe(2);
  expect(answerIn(stdout)).toMatchObject({ format, options: [], refused: { code: 'unreadable' } });
  expect(answerIn(stdout).refused?.detail).toMatch(/\.$/);
});

test.each([[[]], [['a.json', '--options', '0']], [['a.json', '--seconds', '-1']], [['a.json', '--strategy', 'best']]])(
  'given the invalid command %j, then one line explains what is wrong',
  async (args) => {
    const { code, stdout, stderr } = await weeks(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+usage: [^\n]+\n$/);
  },
);
