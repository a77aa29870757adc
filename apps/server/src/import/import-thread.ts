// Runs one import in a thread: reads the files, decides what to do with every row, and tells the server what to write.
import { flushCompileCache } from 'node:module';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { ImportStore } from './plan/import-store.ts';
import { runImport } from './imports.service.ts';
import { summarize } from './report.ts';
import { plainOf, type StoreMessage, type ThreadData, type ThreadMessage } from './thread-messages.ts';

if (!parentPort) throw new Error('The import thread is started by the server.');
const port: MessagePort = parentPort;
const { files, options } = workerData as ThreadData;

const say = (message: ThreadMessage, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function call(method: keyof ImportStore, ...args: unknown[]): Promise<string> {
  return new Promise((resolve, reject) => {
    port.once('message', (message: StoreMessage) => {
      if ('error' in message) reject(Object.assign(new Error(message.error.message), message.error));
      else resolve(message.value ?? '');
    });
    say({ kind: 'call', method, args: args as Parameters<ImportStore[keyof ImportStore]> });
  });
}
const ask = async (method: keyof ImportStore, ...args: unknown[]): Promise<void> => void (await call(method, ...args));

/** The server's store, as this thread calls it. */
const store: ImportStore = {
  begin: (hold) => ask('begin', hold),
  read: (name, wanted) => call('read', name, wanted),
  write: (name, rows) => ask('write', name, rows),
  tell: (dates) => ask('tell', dates),
  record: (detail) => ask('record', detail),
  commit: (amount) => ask('commit', amount),
  rollback: () => ask('rollback'),
  settle: () => ask('settle'),
};

try {
  const result = await runImport(store, files, options);
  flushCompileCache(); // the server kills this process as soon as it has the result
  const reply = new Uint8Array(new TextEncoder().encode(JSON.stringify(summarize(result))));
  say({ kind: 'done', reply }, [reply.buffer]);
} catch (error) {
  say({ kind: 'failed', error: plainOf(error) });
}
port.unref();
