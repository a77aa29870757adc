import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toCoverProblem } from './fixed-tasks.ts';

const instance = (tasks: readonly (readonly [number, number])[], skills: readonly (readonly number[])[]): string =>
  [
    '# An instance',
    'Type = 1',
    `Jobs = ${tasks.length}`,
    ...tasks.map(([start, end]) => `  ${start}  ${end}`),
    `Qualifications = ${skills.length}`,
    ...skills.map((able) => `  ${able.length}: ${able.join(' ')} `),
  ].join('\n');

test('tasks that overlap share a slot, and tasks that only touch do not', () => {
  const text = instance(
    [
      [0, 10],
      [3, 20],
      [10, 30],
      [20, 25],
    ],
    [
      [0, 2],
      [1, 2, 3],
    ],
  );
  const { sessions, clients } = toCoverProblem(text);
  expect(sessions.slice(0, 4).map(({ start, end }) => `${start} ${end}`)).toEqual([
    '07:00 07:15',
    '07:00 07:30',
    '07:15 07:45',
    '07:30 07:45',
  ]);
  expect(clients.map(({ knows }) => Object.keys(knows ?? {}).join(' '))).toEqual(['W0', 'W1', 'W0 W1', 'W1']);
});

test('a text that is no instance is refused', () => {
  expect(() => toCoverProblem('Jobs = 0')).toThrow('does not say how many Jobs');
});

test('an instance with more slots than a clinic’s day is proven with the fewest workers, and a wrong figure is a fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-fixed-tasks-'));
  // Every fourth task needs the third worker, who cannot do the others. Two of those overlap, and need one worker each.
  const tasks = Array.from({ length: 60 }, (_, i) => [10 * i, 10 * i + (i === 30 ? 15 : 10)] as const);
  const all = tasks.map((_, i) => i);
  const skills = [all.filter((i) => i % 4 !== 0), all.filter((i) => i % 4 !== 0), all.filter((i) => i % 4 === 0)];
  writeFileSync(join(folder, 'long.dat'), instance(tasks, skills));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ long: { fewest_workers: 2 } }));
  const args = [join(import.meta.dirname, 'index.ts'), 'foreign', '--quick', '--data', folder];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stdout).toContain('| 49 to 200 | 1 | 1 | 0 | 0 | 0 |');
  expect(stderr).toContain('long\t59\t2\t3\t3\ttrue');
  expect(stdout).toContain('long: proves 3, not 2');
  expect(status).toBe(1);
});
