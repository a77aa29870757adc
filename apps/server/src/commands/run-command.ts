import { resolve } from 'node:path';
import { loadConfig, type Config } from '../config.ts';
import type { OpenDatabase } from '../db/connection.ts';
import { openStore } from '../platform/store.ts';
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

/**
 * Runs a command's work on the database, which must exist, and says which one it is. Its statements may take as long as they need.
 * @param statementTimeoutMs the time limit of a statement in milliseconds; 0 for none
 */
export async function withStore(
  name: string,
  work: (store: OpenDatabase, config: Config) => Promise<void>,
  { statementTimeoutMs = 0 } = {},
): Promise<void> {
  const config = loadConfig(process.env);
  const store = await openStore(config, {
    name: `clinic-${name}`,
    creates: false,
    connections: 2,
    statementTimeoutMs,
    progress: (line) => console.error(line),
  });
  try {
    console.error(`Database: ${store.where}`);
    await work(store, config);
  } finally {
    await store.close();
  }
}

/** A number with its noun: `1 row`, `3 rows`. */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/**
 * Returns the absolute path of a file argument, relative to the caller's folder: `npm run` itself runs in the product's
 * folder.
 */
export const fileGiven = (path: string): string => resolve(process.env['SCHEDULER_FOLDER'] ?? '', path);
