/**
 * Solves a cover problem from a file: `cover PROBLEM.json [--options 5] [--seconds 5] [--strategy S]`. Prints the
 * result as cover-options/1.
 * Exit codes: 0 when there are options; 2 when the problem cannot be read or its pins clash, which the result explains;
 * 64 when the command line is wrong (one line on stderr).
 */
import { loadHighs, MOST_OPTIONS, solve, STRATEGY_ORDER, toAnswer } from '@clinic/cover-engine';
import type { CoverAnswer, Strategy } from '@clinic/cover-engine';
import { readProblemFile, runProblemCommand, type ProblemCommand } from './problem-command.ts';

const USAGE = `usage: npm run --silent cover -- PROBLEM.json [--options ${MOST_OPTIONS}] [--seconds 5] [--strategy balanced]`;

function unreadable(detail: string): CoverAnswer {
  return { format: 'cover-options/1', options: [], refused: { code: 'unreadable', detail } };
}

async function answerOf({ file, options, seconds, strategy }: ProblemCommand<Strategy>): Promise<CoverAnswer> {
  const until = performance.now() + seconds * 1000;
  const read = readProblemFile(file);
  if ('fault' in read) return unreadable(read.fault);
  const highs = await loadHighs();
  const left = () => (until - performance.now()) / 1000;
  return toAnswer(solve(read.problem, { highs, options, left, ...(strategy ? { strategies: [strategy] } : {}) }));
}

await runProblemCommand(USAGE, MOST_OPTIONS, STRATEGY_ORDER, answerOf);
