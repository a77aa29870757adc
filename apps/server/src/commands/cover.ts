/**
 * Solves a cover problem from a file: `cover PROBLEM.json [--options 5] [--seconds 5] [--strategy S]`. Prints the
 * result as cover-options/1. A second thread helps with a long solve.
 * Exit codes: 0 when there are options; 2 when the problem cannot be read or its pins clash, which the result explains;
 * 64 when the command line is wrong (one line on stderr).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { loadHighs, MOST_OPTIONS, parseProblem, solve, STRATEGY_ORDER, toAnswer } from '@clinic/cover-engine';
import type { CoverAnswer, Helpers, LaterWork, Strategy } from '@clinic/cover-engine';
import { makeHelpers, now, type SearchOffer } from '../solver/shared-searches.ts';
import { askHelper, startHelper } from '../solver/helper.ts';
import { reasonOf } from '../start-error.ts';
import { fileGiven } from './run-command.ts';

const USAGE = `usage: npm run --silent cover -- PROBLEM.json [--options ${MOST_OPTIONS}] [--seconds 5] [--strategy balanced]`;

interface Command {
  file: string;
  options: number;
  seconds: number;
  strategies: Strategy[] | undefined;
}

class BadUsage extends Error {}

function readCommand(args: string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { options: { type: 'string' }, seconds: { type: 'string' }, strategy: { type: 'string' } },
    });
  } catch (error) {
    throw new BadUsage(reasonOf(error));
  }
  const { values, positionals } = parsed;
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new BadUsage('Give exactly one problem file.');
  const options = Number(values.options ?? MOST_OPTIONS);
  const seconds = Number(values.seconds ?? 5);
  if (!Number.isInteger(options) || options < 1)
    throw new BadUsage(`--options ${values.options} is not a whole number of at least 1.`);
  if (!(seconds > 0)) throw new BadUsage(`--seconds ${values.seconds} is not a number of seconds.`);
  const strategy = STRATEGY_ORDER.find((s) => s === values.strategy);
  if (values.strategy !== undefined && !strategy)
    throw new BadUsage(`There is no strategy ${values.strategy}; choose one of ${STRATEGY_ORDER.join(', ')}.`);
  return { file, options, seconds, strategies: strategy ? [strategy] : undefined };
}

function unreadable(detail: string): CoverAnswer {
  return { format: 'cover-options/1', options: [], refused: { code: 'unreadable', detail } };
}

function readProblem(file: string): { problem: unknown } | { answer: CoverAnswer } {
  let text: string;
  try {
    text = readFileSync(fileGiven(file), 'utf8');
  } catch (error) {
    return { answer: unreadable(`The file ${file} cannot be read: ${reasonOf(error)}.`) };
  }
  try {
    return { problem: JSON.parse(text) };
  } catch (error) {
    return { answer: unreadable(`The file ${file} is not JSON: ${reasonOf(error)}.`) };
  }
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

async function answerOf({ file, options, seconds, strategies }: Command): Promise<CoverAnswer> {
  const until = now() + seconds * 1000;
  const read = readProblem(file);
  if ('answer' in read) return read.answer;
  const highs = await loadHighs();
  const left = () => (until - now()) / 1000;
  const second = secondThread(read.problem, until);
  try {
    const { helpers } = second;
    return toAnswer(solve(read.problem, { highs, options, left, helpers, ...(strategies ? { strategies } : {}) }));
  } finally {
    second.end();
  }
}

try {
  const answer = await answerOf(readCommand(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (answer.refused) process.exitCode = 2;
} catch (error) {
  if (!(error instanceof BadUsage)) throw error;
  process.stderr.write(`${error.message} ${USAGE}\n`);
  process.exitCode = 64;
}
