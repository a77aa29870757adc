import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
} from 'kysely';
import type { Database } from './schema.ts';

const BEGIN = 'start transaction isolation level repeatable read read only';
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

const snapshots = new WeakSet<object>();

/** Whether all reads on this database see the same moment. */
export const isSnapshot = (db: Kysely<Database>): boolean => snapshots.has(db);

/**
 * Runs reads on one snapshot. Reads that are started together go to the database together, because the pool's
 * connections are pipelined. So each step of the work costs one round trip, however many statements it has, and
 * beginning the transaction costs none.
 */
export async function readSnapshot<T>(pool: PostgresPool, work: (reads: Kysely<Database>) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const connection = new SnapshotConnection(client);
  const begun = client.query(BEGIN, []);
  begun.catch(() => {}); // `begun` is awaited below; if `work` fails first, the rejection of `begun` must not go unhandled
  try {
    const reads = new Kysely<Database>({ dialect: dialectOn(connection) });
    snapshots.add(reads);
    const result = await work(reads);
    await begun; // without this line, a failed BEGIN would go unnoticed, and the reads would see different moments
    return result;
  } finally {
    connection.end();
    // What was read does not depend on how the transaction ends, so no one waits for its end.
    void client.query('commit', []).then(
      () => client.release(),
      // If the transaction could not be ended, the pool must not use the connection again.
      () => client.release(true),
    );
  }
}

/** Sends each statement at once, without waiting for the previous reply. */
class SnapshotConnection implements DatabaseConnection {
  readonly #client: PostgresPoolClient;
  #ended = false;
  constructor(client: PostgresPoolClient) {
    this.#client = client;
  }
  /** Refuses further statements, because the connection may serve another request by then. */
  end(): void {
    this.#ended = true;
  }
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) throw new Error('the snapshot has ended');
    const { rows } = await this.#client.query<R>(sql, parameters);
    return { rows };
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('a snapshot does not stream');
  }
}

const refused = (): Promise<never> => Promise.reject(new Error('a snapshot has no transactions'));

function dialectOn(connection: DatabaseConnection) {
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refused,
    commitTransaction: refused,
    rollbackTransaction: refused,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  return {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}

/**
 * Waits for several reads; on a snapshot, they go to the database together. If a read fails, the promise rejects only
 * when all reads have ended, because a transaction must not end before all of its reads have run.
 */
export async function together<T extends readonly unknown[]>(
  ...reads: { readonly [K in keyof T]: T[K] | Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}
