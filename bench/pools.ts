import { createSolverPool, type SolverPool } from '../apps/server/src/solver/pool.ts';

/** The server's own pool of solver workers, with room for long solves. */
export const openPool = (size: number): SolverPool =>
  createSolverPool({ size, seconds: 60, memoryLimitMb: 1024, queueLimit: 4, queueLimitOfOne: 4, waitSeconds: 600 });
