import { resolve } from 'node:path';
import { reasonOf, StartError } from '../start-error.ts';

/**
 * Runs a command with its command-line arguments. A StartError gives exit code 1 and one line on standard error; an
 * unexpected error also shows its stack.
 */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    console.error(
      error instanceof StartError
        ? error.message
        : `Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : reasonOf(error)}`,
    );
    process.exitCode = 1;
  }
}

/** A number with its noun: `1 row`, `3 rows`. */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/**
 * The absolute path of a file argument, relative to the caller's folder: `npm run` itself runs in the product's folder.
 */
export const fileGiven = (path: string): string => resolve(process.env['SCHEDULER_FOLDER'] ?? '', path);
