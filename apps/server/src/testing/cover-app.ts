import { buildTestApp, type TestApp, type TestAppOptions } from './test-app.ts';
import { openSolver, type Solver } from '../features/cover/proposals/solver.ts';

let shared: Solver | undefined;

/**
 * The application with a solver that has all the time it needs, however busy the machine. The applications of a test
 * file share the solver, whose workers take a moment to start; they end with the file's process.
 */
export function buildCoverApp(options: TestAppOptions = {}): Promise<TestApp> {
  shared ??= openSolver({ seconds: 60, workers: 2 });
  return buildTestApp({ solver: shared, ...options });
}

/** A solver that never has a plan. */
export const failingSolver = (error: Error): Solver => ({
  solve: () => Promise.reject(error),
  solveSpare: () => Promise.reject(error),
  solveOne: () => Promise.reject(error),
  solveCovering: () => Promise.reject(error),
  warm: () => {},
  close: () => Promise.resolve(),
});
