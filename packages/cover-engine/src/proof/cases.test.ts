/** Days on which the engine once failed. Each must now be solved and proven without an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CoverProblem } from '../problem.ts';
import { alternativeFaults, answerFaults } from './answer-faults.ts';
import { solveDay } from './engine-under-test.ts';

const folder = new URL('./cases/', import.meta.url);

test.each(readdirSync(folder).toSorted())(
  'given a day that once failed (%s), the result and its alternatives have no errors',
  async (file) => {
    const problem = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as CoverProblem;
    const answer = await solveDay(problem, 9);
    expect(answerFaults(problem, answer)).toEqual([]);
    expect(alternativeFaults(problem, answer)).toEqual([]);
  },
);
