import { expect, test } from 'vitest';
import { filesToRepeat, playwrightFiles, settle, vitestFiles } from './lib/reports.mjs';

const passed = (count: number) => ({ passed: count, failures: [] });
const failed = (count: number, ...failures: string[]) => ({ passed: count, failures });

test('in a Vitest report, a skipped test and a file that could not be loaded count as failed', () => {
  const result = (status: string, fullName: string) => ({ status, fullName });
  const report = {
    testResults: [
      { name: 'a.ts', status: 'passed', assertionResults: [result('passed', 'one'), result('passed', 'two')] },
      { name: 'b.ts', status: 'failed', assertionResults: [result('failed', 'three'), result('passed', 'four')] },
      { name: 'c.ts', status: 'passed', assertionResults: [result('skipped', 'five')] },
      { name: 'd.ts', status: 'failed', assertionResults: [] },
    ],
  };
  expect([...vitestFiles(report)]).toEqual([
    ['a.ts', passed(2)],
    ['b.ts', failed(1, 'three')],
    ['c.ts', failed(0, 'five')],
    ['d.ts', failed(0, 'the file could not be loaded')],
  ]);
});

test('in a Playwright report, tests in groups are found, and an error outside the tests counts as a failure', () => {
  const spec = (file: string, title: string, status: string) => ({ file, title, tests: [{ status }] });
  const report = {
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('a.spec.ts', 'opens', 'expected')],
        suites: [{ title: 'then', specs: [spec('a.spec.ts', 'closes', 'unexpected')] }],
      },
      { title: 'b.spec.ts', specs: [spec('b.spec.ts', 'is left out', 'skipped')] },
    ],
    errors: [{}],
  };
  expect([...playwrightFiles(report)]).toEqual([
    ['a.spec.ts', failed(1, 'then closes')],
    ['b.spec.ts', failed(0, 'is left out')],
    ['', failed(0, 'an error outside the tests')],
  ]);
});

test('up to three failed files run again; given more failed files, or an error outside the tests, no file runs again', () => {
  const files = (...names: string[]) =>
    new Map([['whole', passed(1)], ...names.map((name) => [name, failed(0, 'x')] as const)]);
  expect(filesToRepeat(files())).toEqual([]);
  expect(filesToRepeat(files('a', 'b', 'c'))).toEqual(['a', 'b', 'c']);
  expect(filesToRepeat(files('a', 'b', 'c', 'd'))).toEqual([]);
  expect(filesToRepeat(files('a', ''))).toEqual([]);
});

test('a file that passes when run again counts as passed, and the tests that failed at first are named', () => {
  const first = new Map([
    ['a', passed(3)],
    ['b', failed(2, 'waits')],
  ]);
  expect(settle(first, new Map([['b', passed(3)]]))).toEqual({ passed: 6, failed: 0, unsteady: ['b: waits'] });
});

test('a file that fails again, runs fewer tests or does not run again stays failed', () => {
  const first = new Map([['b', failed(2, 'waits')]]);
  const still = { passed: 2, failed: 1, unsteady: [] };
  expect(settle(first, new Map([['b', failed(2, 'waits')]]))).toEqual(still);
  expect(settle(first, new Map([['b', passed(2)]]))).toEqual(still);
  expect(settle(first, new Map())).toEqual(still);
});
