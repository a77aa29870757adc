/**
 * Solves a cover problem from a file: `cover PROBLEM.json [--options 5] [--seconds 5] [--strategy S]`. Prints the
 * result as cover-options/1. A second thread helps with a long solve.
 * Exit codes: 0 when there are options; 2 when the problem cannot be read or its pins clash, which the result explains;
 * 64 when the command line is wrong (one line on stderr).
 */
import type { Worker } from 'node:worker_threads';
import { loadHighs, MOST_OPTIONS, parseProblem, solve, STRATEGY_ORDER, toAnswer } from '@clinic/cover-engine';
import type { CoverAnswer, Helpers, LaterWork, Strategy } from '@clinic/cover-engine';
import { makeHelpers, now, type SearchOffer } from '../solver/shared-searches.ts';
import { askHelper, startHelper } from '../solver/helper.ts';
import { readProblemFile, runProblemCommand, type ProblemCommand } from './problem-command.ts';

const USAGE = `usage: npm run --silent cover -- PROBLEM.json [--options ${MOST_OPTIONS}] [--seconds 5] [--strategy balanced]`;

function unreadable(detail: string): CoverAnswer {
  return { format: 'cover-options/1', options: [], refused: { code: 'unreadable', detail } };
}

/** A solve that takes longer than this gets the help of a second thread: to start one takes some tenths of a second. */
const LONG_MS = 1000;

/** Helpers that start a thread when the solve has taken long. */
function secondThread(problem: unknown, until: number): { helpers: Helpers; end: () => void } {
  const begun = now();
  let worker: Worker | null = null;
  let waiting: SearchOffer | null = null;
  const shared = makeHelpers(
    until,
    () => false,
    (offer) => (waiting = offer),
  );
  const helpIfLong = () => {
    if (!waiting || now() - begun < LONG_MS || until - now() < LONG_MS) return;
    const parsed = parseProblem(problem);
    if (!parsed.ok) return;
    worker ??= startHelper();
    askHelper(worker, parsed.problem, waiting);
    waiting = null;
  };
  const offer = (work: LaterWork) => {
    const offered = shared.offer(work);
    const claim = (i: number) => {
      if (offered.unclaimed() > 1) helpIfLong();
      return offered.claim(i);
    };
    return { ...offered, claim };
  };
  return { helpers: { offer }, end: () => void worker?.terminate() };
}

async function answerOf({ file, options, seconds, strategy }: ProblemCommand<Strategy>): Promise<CoverAnswer> {
  const until = now() + seconds * 1000;
  const read = readProblemFile(file);
  if ('fault' in read) return unreadable(read.fault);
  const highs = await loadHighs();
  const left = () => (until - now()) / 1000;
  const second = secondThread(read.problem, until);
  try {
    const { helpers } = second;
    return toAnswer(
      solve(read.problem, { highs, options, left, helpers, ...(strategy ? { strategies: [strategy] } : {}) }),
    );
  } finally {
    second.end();
  }
}

await runProblemCommand(USAGE, MOST_OPTIONS, STRATEGY_ORDER, answerOf);
