import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { showWork } from '../../db/watched-work.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Solver } from './solver.ts';
import type { SolvedAnswer } from './solve-days.ts';

/** Returns the solver with its times, results and queue among the metrics. */
export function watchSolver(registry: Registry, solver: Solver): Solver {
  const times = new Histogram({
    name: 'scheduler_solve_seconds',
    help: 'Time from a request to its options, to Option 1 proven best (first), and to options over weeks',
    labelNames: ['what'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30],
    registers: [registry],
  });
  const results = new Counter({
    name: 'scheduler_solves_total',
    help: 'Solves by result: all options proven best, not all of them, or why there are none',
    labelNames: ['what', 'result'],
    registers: [registry],
  });
  // Prometheus misses the first of a series that begins with it; alerts wait for these.
  for (const result of ['busy', 'solver-failed', 'error']) results.inc({ what: 'options', result }, 0);
  new Gauge({
    name: 'scheduler_solver',
    help: 'Solver threads that are ready, busy, or were replaced since the start; requests that wait for one',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      for (const [what, value] of Object.entries(solver.stats())) this.set({ what }, value);
    },
  });

  async function watched<T>(what: string, work: (end: () => void) => Promise<T>, resultOf: (answer: T) => string) {
    const began = performance.now();
    const time = (part: string): void => times.observe({ what: part }, (performance.now() - began) / 1000);
    try {
      const solving = work(() => time('first'));
      showWork('solve', () => what, solving);
      const answer = await solving;
      time(what);
      results.inc({ what, result: resultOf(answer) });
      return answer;
    } catch (error) {
      results.inc({ what, result: error instanceof Refusal ? error.code : 'error' });
      throw error;
    }
  }

  return {
    ...solver,
    solve: (problem, asker, how = {}) =>
      watched(
        'options',
        (endFirst) => {
          const { onFirst } = how;
          if (!onFirst) return solver.solve(problem, asker, how);
          const noted: typeof onFirst = (option) => {
            endFirst();
            onFirst(option);
          };
          return solver.solve(problem, asker, { ...how, onFirst: noted });
        },
        proofOf,
      ),
    solveWeeks: (problem, asker, options) =>
      watched(
        'weeks',
        () => solver.solveWeeks(problem, asker, options),
        () => 'found',
      ),
  };
}

function proofOf({ refused, unfinished, options }: SolvedAnswer): string {
  if (refused) return refused.code;
  return !unfinished && options.every(({ proven }) => proven) ? 'proven' : 'unproven';
}
