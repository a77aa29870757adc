/** Jobs for which no one waits at the moment. They use only workers that no request needs. */
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { SolverGoneError } from './errors.ts';
import type { Seat, Seats } from './seats.ts';
import { isSpare, SPARE_RANKS, type Spare, type Task } from './task.ts';

/**
 * When a request needs the worker: how long the worker may take to stop its current job before it is replaced. On a
 * busy machine, a new worker takes longer to start than an old one to stop.
 */
const STOP_MS = 500;

export interface SparesSettings {
  /** The number of workers in the pool. */
  readonly size: number;
  readonly queueLimit: number;
  readonly queueLimitOfOne: number;
  readonly waitSeconds: number;
}

export interface Spares {
  readonly waiting: number;
  add(task: Task): void;
  /** Removes and returns the next job. A guess is returned only if that leaves a worker free for requests. */
  next(): Task | undefined;
  began(seat: Seat<Task>, spare: Spare): void;
  /** Stops one job for each request that has no worker, and helpers for spare jobs that come before them. */
  makeRoom(requests: number): void;
  clear(): Task[];
}

/** Whether the worker was asked to give up its job. */
export const isStopping = (seat: Seat<Task>): boolean => Atomics.load(seat.stop, 0) === seat.jobId;

export function makeSpares(seats: Seats<Task>, settings: SparesSettings): Spares {
  const makeLine = () =>
    makeWaitingLine<Task>({
      most: settings.queueLimit,
      mostOfOne: settings.queueLimitOfOne,
      patienceMs: settings.waitSeconds * 1000,
      busy: () => new SolverGoneError(),
      gone: () => new SolverGoneError(),
    });
  const lines = { first: makeLine(), rest: makeLine(), help: makeLine(), guess: makeLine() };
  /** How many workers may be busy with guesses at the same time. */
  const atOnce = Math.max(1, settings.size - 1);
  const rankOf = (seat: Seat<Task>): number => SPARE_RANKS.indexOf(seat.task?.spare?.rank ?? 'first');
  /** The workers that are busy with spare jobs, the least urgent jobs first. */
  const running = (): Seat<Task>[] =>
    seats
      .busy()
      .filter(({ task }) => task && isSpare(task))
      .sort((a, b) => rankOf(b) - rankOf(a));
  const guesses = (): number => running().filter(({ task }) => task?.spare?.rank === 'guess').length;

  /** The jobs that were already told to stop because a request needs their worker. */
  const hurried = new WeakSet<Task>();

  const stop = (seat: Seat<Task>): void => void Atomics.store(seat.stop, 0, seat.jobId);

  /** Stops a job to free its worker for a request, and replaces the worker if it takes too long to stop. */
  function hurry(seat: Seat<Task>): void {
    if (!seat.task || hurried.has(seat.task)) return;
    hurried.add(seat.task);
    stop(seat);
    clearTimeout(seat.timer);
    seat.timer = setTimeout(() => seats.lose(seat, 'stopped'), STOP_MS);
  }

  return {
    get waiting() {
      return SPARE_RANKS.reduce((sum, rank) => sum + lines[rank].size, 0);
    },
    add: (task) => lines[task.spare?.rank ?? 'guess'].add(task),
    next: () =>
      lines.first.next() ??
      lines.rest.next() ??
      lines.help.next() ??
      (guesses() < atOnce ? lines.guess.next() : undefined),
    began(seat, spare) {
      const { task } = seat;
      spare.begun = true;
      task?.signal?.addEventListener('abort', () => {
        if (seat.task === task && isSpare(task)) stop(seat);
      });
    },
    makeRoom(requests) {
      running().slice(0, requests).forEach(hurry);
      // A helper makes room for a person's options too.
      const helpers = running().filter(({ task }) => task?.spare?.rank === 'help');
      helpers.slice(0, lines.first.size + lines.rest.size).forEach(stop);
    },
    clear: () => SPARE_RANKS.flatMap((rank) => lines[rank].clear()),
  };
}
