/**
 * What the commands `cover` and `weeks` share: `PROBLEM.json [--options N] [--seconds S] [--strategy S]`, and the answer
 * as one line of JSON. Exit codes: 0 when the problem was solved; 2 when the answer is a refusal; 64 when the command
 * line is wrong (one line on stderr).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../start-error.ts';
import { fileGiven } from './run-command.ts';

export interface ProblemCommand<S extends string> {
  file: string;
  options: number;
  seconds: number;
  strategy: S | undefined;
}

class BadUsage extends Error {}

function readCommand<S extends string>(
  args: string[],
  mostOptions: number,
  strategies: readonly S[],
): ProblemCommand<S> {
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
  const options = Number(values.options ?? mostOptions);
  const seconds = Number(values.seconds ?? 5);
  if (!Number.isInteger(options) || options < 1)
    throw new BadUsage(`--options ${values.options} is not a whole number of at least 1.`);
  if (!(seconds > 0)) throw new BadUsage(`--seconds ${values.seconds} is not a number of seconds.`);
  const strategy = strategies.find((s) => s === values.strategy);
  if (values.strategy !== undefined && !strategy)
    throw new BadUsage(`There is no strategy ${values.strategy}; choose one of ${strategies.join(', ')}.`);
  return { file, options, seconds, strategy };
}

/** The problem in a file, or why it cannot be read. */
export function readProblemFile(file: string): { problem: unknown } | { fault: string } {
  let text: string;
  try {
    text = readFileSync(fileGiven(file), 'utf8');
  } catch (error) {
    return { fault: `The file ${file} cannot be read: ${reasonOf(error)}.` };
  }
  try {
    return { problem: JSON.parse(text) };
  } catch (error) {
    return { fault: `The file ${file} is not JSON: ${reasonOf(error)}.` };
  }
}

export async function runProblemCommand<S extends string>(
  usage: string,
  mostOptions: number,
  strategies: readonly S[],
  answerOf: (command: ProblemCommand<S>) => Promise<{ refused?: object }>,
): Promise<void> {
  try {
    const answer = await answerOf(readCommand(process.argv.slice(2), mostOptions, strategies));
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    if (answer.refused) process.exitCode = 2;
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error;
    process.stderr.write(`${error.message} ${usage}\n`);
    process.exitCode = 64;
  }
}
