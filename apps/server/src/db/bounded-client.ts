import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { showWork } from './watched-work.ts';

/** How much longer than the server's own limit a connection waits, to allow for a slow network or a busy machine. */
const GRACE_MS = 5000;

/**
 * A database connection that never waits forever. PostgreSQL itself stops statements that take too long, but if its
 * machine or the network fails, no reply arrives at all, and the operating system would notice only after a quarter of
 * an hour. So this connection has its own deadline.
 */
export class BoundedClient extends pg.Client {
  /**
   * The id of the PostgreSQL process that serves this session; 0 until `prepareSession` has asked for it. Behind a
   * pooler, `processID` is a different number.
   */
  backend = 0;
  /** When the connection began to wait for the current reply (`performance.now()`); undefined while no reply is due. */
  waitingSince: number | undefined;
  #limitMs: number;
  #lifted = false;
  #deadline: NodeJS.Timeout | undefined;

  /**
   * @param statementMs the server's time limit for a statement; with 0, neither the server nor this connection has a
   * limit
   */
  constructor(config: pg.ClientConfig, statementMs: number) {
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: 5000 });
    this.#limitMs = statementMs === 0 ? 0 : statementMs + GRACE_MS;
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      this.#follow(args[0]);
      this.#wait();
      const result = query(...args);
      showWork('statement', () => textOf(args[0]), result);
      return result;
    }) as typeof this.query;
    this.on('drain', () => this.#rest());
    this.on('end', () => this.#rest());
  }

  /** Lifts this connection's time limit for replies. */
  waitLong(): void {
    this.#limitMs = 0;
  }

  /** Closes the connection without notifying the server, which may be gone. Waiting queries fail with `ETIMEDOUT`. */
  cut(why: string): void {
    this.connection.stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
  }

  /** When a transaction lifts the server's time limit for itself, this connection's limit is lifted too. */
  #follow(query: unknown): void {
    const text = typeof query === 'string' ? query : '';
    if (/^set local statement_timeout = 0$/i.test(text)) this.#lifted = true;
    if (/^(commit|rollback)$/i.test(text)) this.#lifted = false;
  }

  #wait(): void {
    this.waitingSince ??= performance.now();
    clearTimeout(this.#deadline);
    if (this.#limitMs === 0 || this.#lifted) return;
    this.#deadline = setTimeout(() => {
      // First read the data that has already arrived: the process may have been too busy to read it.
      setImmediate(() => {
        if (this.waitingSince !== undefined) this.cut('the database did not reply in time');
      });
    }, this.#limitMs).unref();
  }

  #rest(): void {
    clearTimeout(this.#deadline);
    this.waitingSince = undefined;
  }
}

/** The text of a query, which may be an object with the text in it. */
const textOf = (query: unknown): string => {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return typeof text === 'string' ? text : '';
};

/**
 * Lets statements run for any length of time on a connection, as a migration needs. The connection must not go back to
 * a pool afterwards.
 */
export async function allowLongStatements(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 0');
  if (client instanceof BoundedClient) client.waitLong();
}
