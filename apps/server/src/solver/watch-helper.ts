/** The code of the thread between a busy thread and its helper: passes jobs on, and notices when the helper dies. */
import { parentPort, Worker } from 'node:worker_threads';
import type { HelperCode, HelpJob } from './messages.ts';
import { giveBack } from './shared-searches.ts';

parentPort?.once('message', ({ script, workerData }: HelperCode) => {
  const helper = new Worker(new URL(script), { workerData });
  const jobs: HelpJob[] = [];
  parentPort?.on('message', (job: HelpJob) => {
    jobs.push(job);
    helper.postMessage(job, [job.help.port]);
  });
  // Without a listener, an error would end this thread before it can give anything back.
  helper.on('error', () => undefined);
  helper.on('exit', () => jobs.forEach(({ help }) => giveBack(help)));
});
