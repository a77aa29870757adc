/** Too many requests are waiting for the pool; try again after `retryAfterSeconds`. */
export class SolverBusyError extends Error {
  readonly code = 'solver_busy';
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('Too many schedules are being worked out at the moment.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No worker gave a usable answer within the deadline. The problem itself may still have a solution. */
export class SolverFailedError extends Error {
  readonly code = 'solver_failed';
  /** The last failure: `hung`, `died`, `nonsense`, `failed` or `closed`. */
  readonly reason: string;
  constructor(reason: string) {
    super('The schedule could not be worked out in time.');
    this.reason = reason;
  }
}

/** The caller closed the connection while the problem was waiting; it was not solved. */
export class SolverGoneError extends Error {
  readonly code = 'solver_gone';
  constructor() {
    super('No one is waiting for this schedule anymore.');
  }
}
