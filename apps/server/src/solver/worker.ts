import { parentPort, workerData } from 'node:worker_threads';
import type { SolverWorkerData } from './messages.ts';
import { serveSolver } from './serve.ts';

if (!parentPort) throw new Error('The solver worker is started by the pool.');
await serveSolver(parentPort, workerData as SolverWorkerData);
