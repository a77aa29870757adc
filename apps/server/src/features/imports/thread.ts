import { Worker } from 'node:worker_threads';
import type { Db } from '../../db/connection.ts';
import { refusal } from '../../platform/refusal.ts';
import { brokenOff } from './broken-off.ts';
import { DatabaseStore, type Importer, type ImportStore } from './import-store.ts';
import type { ImportFiles } from './import-types.ts';
import type { ImportOptions } from './imports.service.ts';
import { plainOf, type PlainError, type StoreMessage, type ThreadData, type ThreadMessage } from './thread-messages.ts';

export interface ThreadLimits {
  /** Megabytes of heap. */
  readonly heapMb: number;
  /** How long it may work without a call to the database, in milliseconds. */
  readonly silenceMs: number;
}

/** Twice what an export of `LIMITS.rows` appointments needs. docs/operations.md names both. */
const THREAD: ThreadLimits = { heapMb: 1024, silenceMs: 60_000 };

/**
 * Runs imports outside the server's main thread, one at a time: a second one is refused, since each may need much
 * memory.
 */
export class ImportThreads {
  readonly #limits: ThreadLimits;
  #busy = false;

  constructor(limits: ThreadLimits = THREAD) {
    this.#limits = limits;
  }

  /**
   * Returns the import's summary as the JSON to send. A file that cannot be read, or exceeds the limits, throws a
   * Refusal; a thread that dies or takes too long does not affect the server.
   */
  async run(db: Db, files: ImportFiles, options: ImportOptions & Importer): Promise<Buffer> {
    if (this.#busy) throw refusal('import-running');
    this.#busy = true;
    const store = new DatabaseStore(db, options);
    const { dryRun, adminClientName, answers = {} } = options;
    const worker = startThread({ files, options: { dryRun, adminClientName, answers } }, this.#limits.heapMb);
    try {
      return await converse(worker, store, this.#limits.silenceMs);
    } catch (error) {
      throw refusalOf(error, store);
    } finally {
      await worker.terminate();
      await store.close();
      this.#busy = false;
    }
  }
}

function startThread(data: ThreadData, heapMb: number): Worker {
  const buffers = Object.values(data.files).map(({ bytes }) => bytes.buffer as ArrayBuffer);
  return new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: data,
    transferList: [...new Set(buffers)],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

/** The thread sent nothing for too long. */
class Silent extends Error {
  override name = 'Silent';
}

/** Carries out the thread's calls on the store until the import ends. */
function converse(worker: Worker, store: DatabaseStore, silenceMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const listen = (): void => {
      timer = setTimeout(() => reject(new Silent('the import reported nothing in time')), silenceMs);
    };
    const hear = async (message: ThreadMessage): Promise<void> => {
      clearTimeout(timer);
      if (message.kind === 'done') return resolve(Buffer.from(message.reply.buffer));
      if (message.kind === 'failed') return reject(thrown(message.error));
      const reply = await answer(store, message);
      worker.postMessage(reply);
      listen();
    };
    worker.on('message', (message: ThreadMessage) => void hear(message).catch(reject));
    worker.on('error', (error: Error) => {
      clearTimeout(timer);
      reject(error);
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(new Error('the import ended without a result'));
    });
    listen();
  });
}

async function answer(
  store: ImportStore,
  { method, args }: Extract<ThreadMessage, { kind: 'call' }>,
): Promise<StoreMessage> {
  try {
    const call = store[method].bind(store) as (...args: unknown[]) => Promise<string | undefined>;
    return { value: await call(...args) };
  } catch (error) {
    return { error: plainOf(error) };
  }
}

const thrown = (error: PlainError): Error => Object.assign(new Error(error.message), error);

/** The refusal for a fault of the file or for its cost, and for any error in the middle; other errors unchanged. */
function refusalOf(error: unknown, store: DatabaseStore): unknown {
  const { name, code, message } = plainOf(error);
  if (name === 'UnreadableFile') return refusal('import-file-unreadable', message);
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refusal('import-too-costly', 'memory', store.wrote);
  return error instanceof Silent ? refusal('import-too-costly', 'time', store.wrote) : brokenOff(error, store);
}
