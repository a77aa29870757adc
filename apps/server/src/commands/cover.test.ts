import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CoverAnswer, CoverProblem } from '@clinic/cover-engine';
import { afterAll, expect, test } from 'vitest';

const command = fileURLToPath(new URL('./cover.ts', import.meta.url));
const fixture = new URL('../../../../packages/cover-engine/fixtures/12x12-absent20-201.json', import.meta.url);
const { problem } = JSON.parse(readFileSync(fixture, 'utf8')) as { problem: CoverProblem };
const folder = mkdtempSync(join(tmpdir(), 'cover-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const cover = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('a solved problem is printed as one line of JSON with its options', async () => {
  const { code, stdout, stderr } = await cover(file('day.json', problem), '--options', '3', '--seconds', '60');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const answer = JSON.parse(stdout) as CoverAnswer;
  expect(answer.options.map((o) => [o.strategy, o.score.total, o.proven])).toEqual([
    ['balanced', 5540, true],
    ['whole-sessions', 15880, true],
    ['alternative', 6176, true],
  ]);
});

test('given one strategy, only its options are printed', async () => {
  const { stdout } = await cover(file('day.json', problem), '--strategy', 'bcba-free', '--seconds', '60');
  expect((JSON.parse(stdout) as CoverAnswer).options).toMatchObject([{ strategy: 'bcba-free', bound: 45540 }]);
});

const pins = [{ session: problem.sessions[0]?.id, pieces: [] }];
const refused: [string, string, string][] = [
  ['a file that is not there', join(folder, 'none.json'), 'unreadable'],
  ['a file that is not JSON', file('text.json', 'not JSON'), 'unreadable'],
  ['another format', file('other.json', { format: 'cover-problem/4' }), 'unreadable'],
  [
    'an absence of an unknown person',
    file('who.json', { ...problem, absences: [{ who: 'X', start: '08:00', end: '09:00' }] }),
    'unreadable',
  ],
  ['pins that clash', file('pins.json', { ...problem, pins }), 'pins_clash'],
];
test.each(refused)(
  'given %s, the command prints a refusal as JSON and exits with code 2',
  async (_what, path, reason) => {
    const { code, stdout } = await cover(path);
    expect(code).toBe(2);
    const answer = JSON.parse(stdout) as CoverAnswer;
    expect(answer).toMatchObject({ format: 'cover-options/1', options: [], refused: { code: reason } });
    expect(answer.refused?.detail).toMatch(/\.$/);
  },
);

test.each([
  [[]],
  [['a.json', 'b.json']],
  [['a.json', '--options', '0']],
  [['a.json', '--seconds', 'x']],
  [['a.json', '--strategy', 'best']],
  [['a.json', '--what']],
])('given the invalid command %j, one line explains what is wrong', async (args) => {
  const { code, stdout, stderr } = await cover(...args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+usage: [^\n]+\n$/);
});
