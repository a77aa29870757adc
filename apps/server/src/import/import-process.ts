// Runs one import in a separate process: starts the import's thread, and passes messages between the thread and the
// server. A thread that needs too much memory is stopped by its limit. A file that crashes Node.js crashes only this
// process.
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { plainOf, type ProcessStart, type StoreMessage, type ThreadMessage } from './thread-messages.ts';

const say = (message: ThreadMessage): void => void process.send?.(message);

// This process ends when the server is gone.
process.once('disconnect', () => process.exit());
// Only the server stops an import, so signals that reach all its processes, such as Ctrl-C, are ignored here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('message', ({ data, heapMb }: ProcessStart) => {
  const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  worker.on('message', say);
  worker.on('error', (error) => say({ kind: 'failed', error: plainOf(error) }));
  process.on('message', (reply: StoreMessage) => worker.postMessage(reply));
  flushCompileCache();
});
