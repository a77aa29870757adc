import { Worker } from 'node:worker_threads';

/** The limit of a worker's heap, which does not include HiGHS's own memory. */
const HEAP_MB = 512;
/**
 * The pause before starting a replacement, so that workers that never get ready are not replaced over and over without
 * a break.
 */
const RESPAWN_MS = 1000;

/** A place for one worker, and the worker's current task. */
export interface Seat<Task> {
  readonly worker: Worker;
  ready: boolean;
  task: Task | null;
  jobId: number;
  /** The timer that runs while the worker has a task. */
  timer: NodeJS.Timeout | undefined;
}

export interface SeatSettings<Task> {
  readonly size: number;
  readonly script: URL;
  readonly workerData: object;
  readonly onMessage: (seat: Seat<Task>, message: unknown) => void;
  /** Called with the reason when a worker is lost and another is started in its place. */
  readonly onReplaced: ((reason: string) => void) | undefined;
  /** Called with the lost worker's task. */
  readonly onLost: (task: Task) => void;
}

export interface Seats<Task> {
  /** A seat whose worker is ready and has no task. */
  free(): Seat<Task> | undefined;
  setReady(seat: Seat<Task>): void;
  /** Removes a worker for good and starts another. */
  lose(seat: Seat<Task>, reason: string): void;
  /** The seats whose workers have a task. */
  busy(): Seat<Task>[];
  /** Resolves when all workers are ready. */
  whenReady(): Promise<void>;
  stats(): { busy: number; replaced: number; ready: number };
  close(): Promise<void>;
}

/** Starts the workers, and replaces any that are lost. */
export function makeSeats<Task>(settings: SeatSettings<Task>): Seats<Task> {
  const seats: Seat<Task>[] = [];
  const respawns = new Set<NodeJS.Timeout>();
  let waitingForReady: (() => void)[] = [];
  let replaced = 0;
  let closed = false;

  const busy = (): Seat<Task>[] => seats.filter((seat) => seat.task);
  const areAllReady = (): boolean => seats.length === settings.size && seats.every((seat) => seat.ready);

  function spawn(): void {
    if (closed) return;
    const worker = new Worker(settings.script, {
      workerData: settings.workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const seat: Seat<Task> = { worker, ready: false, task: null, jobId: 0, timer: undefined };
    seats.push(seat);
    // A lost worker's last messages may still arrive.
    worker.on('message', (message: unknown) => {
      if (seats.includes(seat)) settings.onMessage(seat, message);
    });
    worker.on('error', () => lose(seat, 'died'));
    worker.on('exit', () => lose(seat, 'died'));
  }

  function spawnLater(): void {
    const timer = setTimeout(() => {
      respawns.delete(timer);
      spawn();
    }, RESPAWN_MS);
    respawns.add(timer);
  }

  function lose(seat: Seat<Task>, reason: string): void {
    const at = seats.indexOf(seat);
    if (at < 0) return;
    seats.splice(at, 1);
    clearTimeout(seat.timer);
    void seat.worker.terminate();
    if (closed) return;
    replaced++;
    settings.onReplaced?.(reason);
    if (seat.ready) spawn();
    else spawnLater();
    if (seat.task) settings.onLost(seat.task);
  }

  for (let i = 0; i < settings.size; i++) spawn();

  return {
    free: () => seats.find((seat) => seat.ready && !seat.task),
    setReady(seat) {
      seat.ready = true;
      if (areAllReady()) waitingForReady.splice(0).forEach((go) => go());
    },
    lose,
    busy,
    whenReady: () => (areAllReady() ? Promise.resolve() : new Promise((resolve) => waitingForReady.push(resolve))),
    stats: () => ({
      busy: busy().length,
      replaced,
      ready: seats.filter((seat) => seat.ready).length,
    }),
    async close() {
      closed = true;
      waitingForReady = [];
      respawns.forEach(clearTimeout);
      await Promise.all(
        seats.splice(0).map((seat) => {
          clearTimeout(seat.timer);
          return seat.worker.terminate();
        }),
      );
    },
  };
}
