import { performance } from 'node:perf_hooks';
import pg from 'pg';

/** Added to the server's own statement limit, for the network and for a busy machine. */
const GRACE_MS = 5000;

/**
 * A connection that never waits forever. PostgreSQL cancels a long statement itself, but only our own deadline ends the
 * wait for a reply that never comes: if power, cable or address are lost, no packet reports it, and unconfirmed bytes
 * keep the connection open for a quarter of an hour.
 */
export class BoundedClient extends pg.Client {
  /**
   * The number of PostgreSQL's process for this session; 0 until `prepareSession` has asked. With a pooler, `processID`
   * is another.
   */
  backend = 0;
  /** When the current wait for a reply began (`performance.now()`); undefined when no reply is awaited. */
  waitingSince: number | undefined;
  #limitMs: number;
  #lifted = false;
  #deadline: NodeJS.Timeout | undefined;

  /** @param statementMs the server's own limit on a statement; 0: none, on either side */
  constructor(config: pg.ClientConfig, statementMs: number) {
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: 5000 });
    this.#limitMs = statementMs === 0 ? 0 : statementMs + GRACE_MS;
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      this.#follow(args[0]);
      this.#wait();
      return query(...args);
    }) as typeof this.query;
    this.on('drain', () => this.#rest());
    this.on('end', () => this.#rest());
  }

  /** Waits for replies without a time limit. */
  waitLong(): void {
    this.#limitMs = 0;
  }

  /** Ends the connection without notifying a server that may be gone; waiting queries fail with `ETIMEDOUT`. */
  cut(why: string): void {
    this.connection.stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
  }

  /** A transaction that lifts the server's limit for itself lifts ours as well. */
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
      // This process may have been too busy to read a reply that has arrived: read it before deciding.
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

/** Lets a connection run statements of any length, such as a migration's. It must not go back to a pool afterwards. */
export async function allowLongStatements(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 0');
  if (client instanceof BoundedClient) client.waitLong();
}
