/**
 * Solves a problem of weeks from a file (a standing replacement, times for new sessions, or lost time made up):
 * `weeks PROBLEM.json [--seconds 5] [--options 5] [--strategy S]`. The seconds count from the start of the command.
 */
import { setFlagsFromString } from 'node:v8';
import { solveWeeks, STRATEGIES, type Strategy, type WeeksAnswer } from '@clinic/weeks-engine';
import { readProblemFile, runProblemCommand, type ProblemCommand } from './problem-command.ts';

const MOST_OPTIONS = 5;
const USAGE = `usage: npm run --silent weeks -- PROBLEM.json [--seconds 5] [--options ${MOST_OPTIONS}] [--strategy balanced]`;

async function answerOf({ file, options, seconds, strategy }: ProblemCommand<Strategy>): Promise<WeeksAnswer> {
  const read = readProblemFile(file);
  if ('fault' in read)
    return { format: 'weeks-options/1', options: [], refused: { code: 'unreadable', detail: read.fault } };
  // A little is kept for the last steps of a search, which cannot be cut short, and for writing the answer.
  const left = () => 0.95 * seconds - performance.now() / 1000;
  // Loaded when it is needed: finding times does without. In most problems, to optimize HiGHS's code takes more processor
  // time than it saves; so V8 does that only to code that has run for long (measured).
  const highs = async () => {
    setFlagsFromString('--wasm-tiering-budget=300000000');
    return (await import('@clinic/cover-engine/highs')).loadHighs();
  };
  return solveWeeks(read.problem, { highs, left, options, strategy });
}

const strategies = STRATEGIES.map(({ strategy }) => strategy);
await runProblemCommand(USAGE, MOST_OPTIONS, strategies, answerOf);
