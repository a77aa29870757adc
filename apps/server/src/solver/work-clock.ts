/**
 * How much longer than its limit a job may take by the clock. Beyond that, people wait too long, whoever keeps the
 * processor busy.
 */
export const SLOWEST = 2;

/** The milliseconds that this thread has worked, and the clock's; only differences mean anything. */
export interface Times {
  worked(): number;
  clock(): number;
}

const TIMES: Times = {
  worked: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  clock: performance.now.bind(performance),
};

/** Measures jobs by work, so that what else the machine does changes no plan unless it takes more than half. */
export interface WorkClock {
  /** Begins a job. */
  begin(): void;
  /** The job's milliseconds so far, counted from any moment: of work, or of the clock divided by SLOWEST if that is more. */
  now(): number;
}

export function makeWorkClock(times: Times = TIMES): WorkClock {
  let before = 0;
  let began = { worked: times.worked(), clock: times.clock() };
  const now = () => before + Math.max(times.worked() - began.worked, (times.clock() - began.clock) / SLOWEST);
  return {
    begin() {
      before = now();
      began = { worked: times.worked(), clock: times.clock() };
    },
    now,
  };
}
