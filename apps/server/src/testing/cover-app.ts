import { buildTestApp, FRIDAY_MORNING, type TestApp, type TestAppOptions } from './test-app.ts';
import { NOT_OPEN, openSolver, type Solver } from '../plan/options/solver.ts';

let shared: Solver | undefined;

/**
 * An application whose solver has enough time, however busy the machine is. All applications in a test file share one
 * solver, because its workers take a moment to start; they stop with the process.
 */
export function buildCoverApp(options: TestAppOptions = {}): Promise<TestApp> {
  shared ??= openSolver({ seconds: 60, workers: 2 });
  return buildTestApp({ solver: shared, ...options });
}

/** The same application on a Friday morning, for `useApp`. */
export const fridayCoverApp = (): Promise<TestApp> => buildCoverApp({ config: FRIDAY_MORNING });

/** A solver whose answers are not used again, for tests that request the same options many times. */
export const forgetting = (solver: Solver): Solver => ({
  ...solver,
  solve: async (...asked) => ({ ...(await solver.solve(...asked)), hurried: true }),
});

/** A solver that always fails with this error. */
export const failingSolver = (error: Error): Solver => ({
  solve: () => Promise.reject(error),
  solveOne: () => Promise.reject(error),
  solveCovering: () => Promise.reject(error),
  solveWeeks: () => Promise.reject(error),
  warm: () => {},
  stats: () => NOT_OPEN,
  close: () => Promise.resolve(),
});
