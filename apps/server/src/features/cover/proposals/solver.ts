import { availableParallelism } from 'node:os';
import { coveringOf, type CoverAnswer, type CoverProblem, type SolveCovering } from '@clinic/cover-engine';
import { Refusal } from '../../../platform/refusal.ts';
import { SolverBusyError, SolverFailedError } from '../../../solver/errors.ts';
import { COVERING_SECONDS } from '../../../solver/messages.ts';
import { createSolverPool, type SolverPool } from '../../../solver/pool.ts';
import type { Solve } from './solve-days.ts';

/** The engine in its worker threads, as proposals use it. */
export interface Solver {
  /** At most five options. Refuses with 503 when too much is waiting or no plan came in time. */
  solve: Solve;
  /** The cheapest plan that has somebody at every moment of the stretches, as far as it is found in a blink. */
  solveCovering: SolveCovering;
  /** Starts the workers before anyone waits for them. */
  warm(): void;
  close(): Promise<void>;
}

export interface SolverSettings {
  /** Deadline of one solve. */
  readonly seconds: number;
  /** Told when a worker had to be replaced: one word, nothing of a problem. */
  readonly onReplaced?: (reason: string) => void;
}

const MOST_OPTIONS = 5;
const QUEUE_LIMIT = 16;
const MEMORY_LIMIT_MB = 512;

/** Opens the solver; its workers start with the first problem, or when told to warm up. */
export function openSolver(settings: SolverSettings): Solver {
  let pool: SolverPool | undefined;
  const open = (): SolverPool =>
    (pool ??= createSolverPool({
      size: Math.max(2, Math.min(4, availableParallelism() - 1)),
      seconds: settings.seconds,
      memoryLimitMb: MEMORY_LIMIT_MB,
      queueLimit: QUEUE_LIMIT,
      ...(settings.onReplaced ? { onReplaced: settings.onReplaced } : {}),
    }));

  async function ask(problem: CoverProblem, options: number): Promise<CoverAnswer> {
    try {
      const answer = await open().solve(problem, { options });
      if (answer.ok) return { format: 'cover-options/1', options: answer.options.map((o) => o.option) };
      if (answer.refusal.code !== 'pins_clash') throw new Refusal('solver-failed');
      return { format: 'cover-options/1', options: [], refused: answer.refusal };
    } catch (error) {
      throw asRefusal(error);
    }
  }

  return {
    solve: (problem) => ask(problem, MOST_OPTIONS),
    async solveCovering(problem, mustCover) {
      try {
        return coveringOf(await open().solve(problem, { options: 1, mustCover, within: COVERING_SECONDS }));
      } catch (error) {
        throw asRefusal(error);
      }
    },
    warm: () => void open(),
    close: async () => pool?.close(),
  };
}

function asRefusal(error: unknown): unknown {
  if (error instanceof SolverBusyError)
    return new Refusal('busy', { headers: { 'retry-after': String(Math.max(1, error.retryAfterSeconds)) } });
  if (error instanceof SolverFailedError) return new Refusal('solver-failed');
  return error;
}
