import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { clinicLocations } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { brokenOff } from './plan/broken-off.ts';
import { DatabaseStore, type Importer, type ImportStore } from './plan/import-store.ts';
import type { ImportFiles } from './import-types.ts';
import type { ImportOptions } from './imports.service.ts';
import {
  plainOf,
  type PlainError,
  type ImportStart,
  type StoreMessage,
  type ImportMessage,
} from './process-messages.ts';

export interface ProcessLimits {
  /** The maximum size of the process's heap, in megabytes. */
  readonly heapMb: number;
  /** How long the process may work without a call to the database, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * `full`: whether the reply also has the report and the differences. `waits`: whether it waits for the end of another
 * import instead of being refused.
 */
export type ProcessOptions = ImportOptions & Importer & { readonly full?: boolean; readonly waits?: boolean };

/** Twice what an export of `LIMITS.rows` appointments needs. docs/operations.md says how much memory that takes. */
const PROCESS: ProcessLimits = { heapMb: 1024, silenceMs: 60_000 };

/**
 * Runs imports outside the server, each in a process of its own. Each may need much memory, so this process runs one at a
 * time, whoever asks: the page, which is refused meanwhile, or the folder, which waits. (A thread is not enough: about once in a few hundred imports, V8 loses an entry in its record of
 * code pages, which crashes the whole process.)
 */
export class ImportProcesses {
  static #running: Promise<unknown> | null = null;
  readonly #limits: ProcessLimits;

  constructor(limits: ProcessLimits = PROCESS) {
    this.#limits = limits;
  }

  /**
   * Returns the import's summary as the JSON to send. Throws a Refusal for a file that cannot be read or exceeds the
   * limits. A process that dies or takes too long does not affect the server.
   */
  async run(db: Db, files: ImportFiles, options: ProcessOptions): Promise<Buffer> {
    if (ImportProcesses.#running && options.waits !== true) throw refusal('import-running');
    while (ImportProcesses.#running) await ImportProcesses.#running;
    const work = this.#runAlone(db, files, options).finally(() => (ImportProcesses.#running = null));
    ImportProcesses.#running = work.catch(() => undefined);
    return work;
  }

  async #runAlone(db: Db, files: ImportFiles, options: ProcessOptions): Promise<Buffer> {
    const store = new DatabaseStore(db, options);
    const { dryRun, adminClientName, answers = {}, now, full = false } = options;
    const { heapMb, silenceMs } = this.#limits;
    const told = { dryRun, adminClientName, answers, now };
    const start = { files, options: told, full, locations: clinicLocations() };
    const child = startProcess(start, heapMb);
    try {
      return await converse(child, store, silenceMs);
    } catch (error) {
      throw refusalOf(error, store);
    } finally {
      await end(child);
      await store.close();
    }
  }
}

const MAIN = fileURLToPath(new URL('./import-process.ts', import.meta.url));

/**
 * The process gets no settings and no secrets: only the files, what the store reads for it, and the folder in which
 * Node.js keeps compiled code. Without that folder, each import compiles all its modules again.
 */
function startProcess(start: ImportStart, heapMb: number): ChildProcess {
  const { NODE_COMPILE_CACHE: compiled } = process.env;
  const child = fork(MAIN, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(start);
  return child;
}

/** Kills the process and waits until it has exited, so that its memory is free. */
function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Thrown when the import sent nothing for too long. */
class Silent extends Error {
  override name = 'Silent';
}

/** Thrown when the import's process exited without a result. */
class Ended extends Error {
  override name = 'Ended';
  /** Whether V8 ended the process because its heap was full. */
  readonly outOfMemory: boolean;
  constructor(message: string, { outOfMemory = false, ...options }: ErrorOptions & { outOfMemory?: boolean } = {}) {
    super(message, options);
    this.outOfMemory = outOfMemory;
  }
}

/** Makes the store calls that the import requests, until the import has finished. */
function converse(child: ChildProcess, store: DatabaseStore, silenceMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const listen = (): void => {
      timer = setTimeout(() => reject(new Silent('the import reported nothing in time')), silenceMs);
    };
    const hear = async (message: ImportMessage): Promise<void> => {
      clearTimeout(timer);
      if (message.kind === 'done') return resolve(Buffer.from(message.reply));
      if (message.kind === 'failed') return reject(thrown(message.error));
      const reply = await answer(store, message);
      child.send(reply);
      listen();
    };
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    child.on('message', (message: ImportMessage) => void hear(message).catch(reject));
    child.on('error', (cause) => fail(new Ended('the import could not be reached', { cause })));
    child.on('exit', (_code, signal) =>
      fail(new Ended('the import ended without a result', { outOfMemory: signal === 'SIGABRT' })),
    );
    listen();
  });
}

async function answer(
  store: ImportStore,
  { method, args }: Extract<ImportMessage, { kind: 'call' }>,
): Promise<StoreMessage> {
  try {
    const call = store[method].bind(store) as (...args: unknown[]) => Promise<string | undefined>;
    return { value: await call(...args) };
  } catch (error) {
    return { error: plainOf(error) };
  }
}

const thrown = (error: PlainError): Error => Object.assign(new Error(error.message), error);

/**
 * Turns an error into a refusal if the file is invalid or too costly, if the import's process ended early, or if a part
 * was already written. Returns other errors unchanged.
 */
function refusalOf(error: unknown, store: DatabaseStore): unknown {
  const { name, message } = plainOf(error);
  if (name === 'UnreadableFile') return refusal('import-file-unreadable', message);
  if (error instanceof Ended && error.outOfMemory) return refusal('import-too-costly', 'memory', store.wrote);
  if (error instanceof Silent) return refusal('import-too-costly', 'time', store.wrote);
  if (error instanceof Ended) return Object.assign(refusal('import-ended', store.wrote), { cause: error });
  return brokenOff(error, store);
}
