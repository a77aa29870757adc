// Runs one import in a process of its own: reads the files, decides what to do with every row, and tells the server what
// to write. Files that need too much memory, or crash Node.js, end only this process.
import { flushCompileCache } from 'node:module';
import { setLocations } from '@clinic/domain';
import { runImport } from './imports.service.ts';
import type { ImportStore } from './plan/import-store.ts';
import { plainOf, type ImportMessage, type ImportStart, type StoreMessage } from './process-messages.ts';
import { reportCsv, summarize } from './report.ts';

const say = (message: ImportMessage): void => void process.send?.(message);

function call(method: keyof ImportStore, ...args: unknown[]): Promise<string> {
  return new Promise((resolve, reject) => {
    process.once('message', (message: StoreMessage) => {
      if ('error' in message) reject(Object.assign(new Error(message.error.message), message.error));
      else resolve(message.value ?? '');
    });
    say({ kind: 'call', method, args: args as Parameters<ImportStore[keyof ImportStore]> });
  });
}
const ask = async (method: keyof ImportStore, ...args: unknown[]): Promise<void> => void (await call(method, ...args));

/** The server's store, as this process calls it. */
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

async function run({ files, options, full, locations }: ImportStart): Promise<void> {
  setLocations(locations);
  try {
    const result = await runImport(store, files, options);
    flushCompileCache(); // the server kills this process as soon as it has the result
    const more = full ? { report: reportCsv(result), differences: result.differences } : {};
    say({ kind: 'done', reply: new TextEncoder().encode(JSON.stringify({ ...summarize(result), ...more })) });
  } catch (error) {
    say({ kind: 'failed', error: plainOf(error) });
  }
}

// This process ends when the server is gone.
process.once('disconnect', () => process.exit());
// Only the server stops an import, so signals that reach all its processes, such as Ctrl-C, are ignored here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('message', (start: ImportStart) => void run(start));
