/** The code of a solver worker, which loads the solver once, warms it up, and then solves one job at a time. */
import type { MessagePort } from 'node:worker_threads';
import type { CoverOption, CoverProblem } from '@clinic/cover-engine';
import { loadHighs, solve } from '@clinic/cover-engine';
import type { SolveJob, SolverMessage, SolverSeatData } from './messages.ts';

/** A small day. Solving it makes V8 compile the code that a real day needs. */
function warmUpProblem(): CoverProblem {
  const ids = Array.from({ length: 12 }, (_, i) => i);
  return {
    format: 'cover-problem/1',
    date: '2026-01-05',
    location: 'warm-up',
    therapists: ids.map((i) => ({
      id: `T${i}`,
      name: `T${i}`,
      credential: 'RBT',
      gender: 'Female',
      available: [['08:00', '17:00']],
    })),
    clients: ids.map((i) => ({
      id: `C${i}`,
      name: `C${i}`,
      knows: Object.fromEntries(ids.map((t) => [`T${t}`, (t + i) % 3 ? 'known' : 'team'])),
    })),
    sessions: ids.flatMap((i) => [
      { id: `A${i}`, client: `C${i}`, therapist: `T${i}`, start: '08:30', end: '12:00', service: 'direct' as const },
      {
        id: `P${i}`,
        client: `C${i}`,
        therapist: `T${(i + 1) % 10}`,
        start: '13:00',
        end: '16:00',
        service: 'direct' as const,
      },
    ]),
    absences: ids.slice(0, 4).map((i) => ({ who: `T${i}`, start: '00:00', end: '24:00' })),
  };
}

/**
 * Serves jobs on a port until the port closes. Resolves when the worker is ready. A failed job does not end the worker.
 */
export async function serveSolver(
  port: MessagePort,
  { memoryLimitBytes, warmUp = true, stop }: SolverSeatData,
): Promise<void> {
  const highs = await loadHighs();
  const say = (message: SolverMessage) => port.postMessage(message);
  if (warmUp) solve(warmUpProblem(), { highs, options: 3 });
  port.on('message', ({ id, problem, options, seconds, seed, mustCover }: SolveJob) => {
    const until = performance.now() + seconds * 1000;
    const mustStop = () => highs.memoryBytes > memoryLimitBytes || Atomics.load(stop, 0) === id;
    const left = () => (mustStop() ? 0 : (until - performance.now()) / 1000);
    try {
      const onOption = (option: CoverOption) => say({ kind: 'option', id, option });
      const covering = mustCover.length > 0 ? { mustCover, strategies: ['balanced' as const] } : {};
      const solved = solve(problem, { highs, options, seed, left, onOption, ...covering });
      say({ kind: 'done', id, refusal: solved.ok ? null : solved.refusal, memoryBytes: highs.memoryBytes });
    } catch (error) {
      say({ kind: 'failed', id, reason: error instanceof Error ? error.name : 'unknown' });
    }
  });
  say({ kind: 'ready' });
}
