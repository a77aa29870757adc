/**
 * A worker that misbehaves for its first jobs, counted across all its replacements, and then works properly. In
 * `workerData`, `mode` is the way to misbehave, and `shared` is an Int32Array's buffer with the number of bad jobs
 * left. In the mode `note`, the worker always works properly. `shared` then gets the number of jobs, followed by each job's time limit in milliseconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { SolveJob, SolverWorkerData } from '../messages.ts';
import { serveSolver } from '../serve.ts';

export type BadMode =
  | 'hang'
  | 'hang-after-option'
  | 'die'
  | 'throw'
  | 'nonsense'
  | 'lies'
  | 'silent-exit'
  | 'heap'
  | 'never-ready'
  | 'note';

const { mode, shared, ...data } = workerData as SolverWorkerData & { mode: BadMode; shared: SharedArrayBuffer };
const turns = new Int32Array(shared);
const port = parentPort;
if (!port) throw new Error('The worker is started by the pool.');

const misbehave = (job: SolveJob): void => {
  const first = { session: job.problem.sessions[0]?.id ?? '', pieces: [] };
  const lie = { strategy: 'balanced', proven: true, bound: 0, score: { total: 0 }, sessions: [first] };
  switch (mode) {
    case 'hang':
    case 'hang-after-option':
      while (Date.now() > 0) Math.sqrt(2);
      break;
    case 'die':
      return process.exit(3);
    case 'throw':
      throw new Error('thrown by the worker');
    case 'nonsense':
      return port.postMessage('what?');
    case 'lies':
      return port.postMessage({ kind: 'option', id: job.id, option: lie });
    case 'silent-exit':
      return port.postMessage({ kind: 'done', id: job.id, refusal: null, memoryBytes: 0 });
    case 'heap': {
      const held: unknown[] = [];
      while (Date.now() > 0) held.push(new Array(100_000).fill(held.length));
      break;
    }
    case 'note':
    case 'never-ready':
      return;
  }
};

const note = ({ seconds }: SolveJob): void =>
  void Atomics.store(turns, Atomics.add(turns, 0, 1) + 1, Math.round(seconds * 1000));

if (mode === 'never-ready' && Atomics.sub(turns, 0, 1) > 0) process.exit(4);

/** Passes messages between the pool and the real worker, and misbehaves. */
const between = new Proxy(port, {
  get(target, name) {
    if (name === 'on')
      return (event: string, listen: (job: SolveJob) => void) =>
        target.on(event, (job: SolveJob) => {
          if (mode === 'note') {
            note(job);
            return listen(job);
          }
          const bad = mode !== 'never-ready' && Atomics.sub(turns, 0, 1) > 0;
          current = bad ? job : null;
          if (bad && mode !== 'hang-after-option') misbehave(job);
          else listen(job);
        });
    if (name === 'postMessage')
      return (message: { kind?: string }) => {
        target.postMessage(message);
        if (current && message.kind === 'option') misbehave(current);
      };
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
});
let current: SolveJob | null = null;
await serveSolver(between, data);
