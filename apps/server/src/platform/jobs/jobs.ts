import type pg from 'pg';
import { PgBoss } from 'pg-boss';

/** A periodic task. If several servers share a database, only one of them does each run. */
export interface Job {
  /** The job's name, of letters and dashes only. */
  readonly name: string;
  /**
   * When the job runs, as a cron expression in UTC. A run missed while no server was running happens after the next
   * start.
   */
  readonly cron: string;
  run(): Promise<void>;
}

export interface JobsOptions {
  /** Called when a job fails (it will be retried), or when the queue has trouble with its database. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** How often the queue checks for due jobs. */
  readonly pollSeconds?: number;
}

export interface RunningJobs {
  /** Requests a run of a job now; if several servers request the job within a minute, it runs once. */
  ask(name: string): Promise<void>;
  /** Starts no more jobs, and gives running ones at most three seconds to finish. */
  stop(): Promise<void>;
}

/** The database schema of the queue's tables, separate from ours so that backups and migrations leave it alone. */
const SCHEMA = 'pgboss';
const STOP_PATIENCE_MS = 3000;

/**
 * Runs these jobs, shared with every other server on the same database. The queue is pg-boss: a due job is a row that
 * one server claims; if that server dies, another claims it.
 * @param target how to connect; the queue opens up to two additional connections
 */
export async function startJobs(
  target: pg.ClientConfig,
  jobs: readonly Job[],
  { onTrouble, pollSeconds = 20 }: JobsOptions,
): Promise<RunningJobs> {
  const { connectionString, host, port, user, password, database } = target;
  const bounds = { connectionTimeoutMillis: 10_000, query_timeout: 60_000, keepAlive: true };
  const given = { connectionString, host, port, user, password, database, ...bounds };
  const boss = new PgBoss({
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    schema: SCHEMA,
    max: 2,
    application_name: 'clinic-jobs',
  });
  boss.on('error', (error) => onTrouble('queue', error));
  const stop = () => boss.stop({ graceful: true, timeout: STOP_PATIENCE_MS });
  try {
    await boss.start();
    for (const job of jobs) {
      const { name, cron } = job;
      await boss.createQueue(name, { policy: 'exclusive', retryLimit: 3, retryDelay: 60, expireInSeconds: 600 });
      await boss.work(name, { pollingIntervalSeconds: pollSeconds }, async () => {
        const failed = await job.run().then(
          () => false,
          (error: unknown) => {
            onTrouble(name, error);
            return true;
          },
        );
        // The queue stores thrown errors, so our own errors, which may contain data, must not reach it.
        if (failed) throw new Error('failed');
      });
      await boss.schedule(name, cron, null, { missed: 'once' });
    }
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return {
    async ask(name) {
      await boss.send(name, null, { singletonSeconds: 60 });
    },
    stop,
  };
}

/**
 * Starts the jobs a while after the server, so that they do not slow down its start. A failure is reported and tried
 * again later, while the server continues. Returns a function that stops the jobs, or cancels their start.
 * @param target returns how to connect now: after a failover, the jobs move to the new host
 */
export function startJobsLater(
  target: () => pg.ClientConfig,
  jobs: readonly Job[],
  {
    afterMs,
    lookEveryMs = 30_000,
    ...options
  }: JobsOptions & { readonly afterMs: number; readonly lookEveryMs?: number },
): () => Promise<void> {
  let on: pg.ClientConfig | undefined;
  let running: Promise<RunningJobs | undefined> = Promise.resolve(undefined);
  const report = (error: unknown): undefined => {
    on = undefined;
    options.onTrouble('start', error);
  };
  const look = (): void => {
    const wanted = target();
    if (wanted === on) return;
    on = wanted;
    running = running
      .then((before) => before?.stop().catch(() => {}))
      .then(() => startJobs(wanted, jobs, options).catch(report));
  };
  let looking: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    look();
    looking = setInterval(look, lookEveryMs);
  }, afterMs);
  return async () => {
    clearTimeout(timer);
    clearInterval(looking);
    await (await running)?.stop();
  };
}
