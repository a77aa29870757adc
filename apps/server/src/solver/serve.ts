/** The code of a solver worker, which loads the solver once, warms it up, and then solves one job at a time. */
import type { MessagePort } from 'node:worker_threads';
import type { CoverOption, CoverProblem } from '@clinic/cover-engine';
import { loadHighs, solve } from '@clinic/cover-engine';
import { solveWeeks } from '@clinic/weeks-engine';
import type { SolveJob, SolverMessage, SolverWorkerData, WeeksJob } from './messages.ts';
import { makeWorkClock } from './work-clock.ts';

/** What a worker says of a solve when it is done, besides the options. */
type Found = Pick<Extract<SolverMessage, { kind: 'done' }>, 'refusal' | 'unfinished'>;

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
  { memoryLimitBytes, warmUp = true }: SolverWorkerData,
): Promise<void> {
  const highs = await loadHighs();
  const mustStop = () => highs.memoryBytes > memoryLimitBytes;
  const say = (message: SolverMessage) => port.postMessage(message);
  const work = makeWorkClock();
  performance.now = () => work.now(); // HiGHS reads it for its own time limit, which would come too early
  /** Begins a job; returns how many of its seconds are left, and none once it must stop. */
  const clock = (seconds: number) => {
    work.begin();
    const until = work.now() + seconds * 1000;
    return () => (mustStop() ? 0 : (until - work.now()) / 1000);
  };
  if (warmUp) solve(warmUpProblem(), { highs, options: 3 });

  /** Solves a job's problem; returns why there is no plan, or null, and which strategies may have one that was not found. */
  function solveJob({ id, problem, options, distinct, seconds, mustCover }: SolveJob): Found {
    const left = clock(seconds);
    const onOption = (option: CoverOption) => say({ kind: 'option', id, option });
    const covering = mustCover.length > 0 ? { mustCover, strategies: ['balanced' as const] } : {};
    const settings = { highs, options, distinct, left, stopped: mustStop, onOption, ...covering };
    const solved = solve(problem, settings);
    return solved.ok ? { refusal: null, unfinished: solved.unfinished } : { refusal: solved.refusal, unfinished: [] };
  }

  /** Solves a problem of weeks. The worker gets no other job before it has answered. */
  async function weeksJob({ id, weeks, options, seconds }: WeeksJob): Promise<void> {
    const left = clock(seconds);
    const answer = await solveWeeks(weeks, { highs: () => Promise.resolve(highs), left, options });
    say({ kind: 'weeks', id, answer, memoryBytes: highs.memoryBytes });
  }

  port.on('message', (job: SolveJob | WeeksJob) => {
    const { id } = job;
    const fail = (error: unknown) =>
      say({ kind: 'failed', id, reason: error instanceof Error ? error.name : 'unknown' });
    if ('weeks' in job) return void weeksJob(job).catch(fail);
    try {
      say({ kind: 'done', id, ...solveJob(job), memoryBytes: highs.memoryBytes });
    } catch (error) {
      fail(error);
    }
  });
  say({ kind: 'ready' });
}
