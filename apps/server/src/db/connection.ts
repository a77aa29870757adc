import { performance } from 'node:perf_hooks';
import { Kysely, PostgresDialect, type ControlledTransactionBuilder, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import { makeHosts } from './hosts.ts';
import type { Database } from './schema.ts';
import { prepareSession, type SessionLimits } from './session.ts';

/** The first parameter of query functions: the database or a transaction, which share this type. */
export type Db = Kysely<Database>;

/** An open database: Kysely for queries, and the pools for what Kysely cannot do (COPY). */
export interface OpenDatabase {
  readonly db: Db;
  /** Connections for reads, logins and the record of who read what. */
  readonly pool: pg.Pool;
  /** Connections for transactions that write, which may have to wait for locks. */
  readonly writes: pg.Pool;
  /** The settings for additional connections to the current host. */
  readonly currentHost: () => pg.ClientConfig;
  /**
   * Opens a connection outside the pools, with the same settings as the pools' connections and the name `…:events`. The
   * caller closes it, with `cut` if the connection may be dead.
   */
  connect(): Promise<BoundedClient>;
  /** Finds out again which of several hosts accepts writes, and closes the connections to the other hosts. */
  chooseHost(): Promise<void>;
  /** The connections that have waited for a reply for at least this long. */
  waiting(atLeastMs: number): BoundedClient[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The name that `pg_stat_activity` shows for this process. */
  readonly name?: string;
  /** The maximum number of connections; half of them are for writes. */
  readonly connections?: number;
  /** The time limit of a statement in milliseconds; a longer statement is cancelled. 0 for none. */
  readonly statementTimeoutMs?: number;
  /** How many milliseconds a write waits for a lock before it is refused; 0 for no limit. */
  readonly lockTimeoutMs?: number;
  /**
   * Called when an idle connection fails, for example because the database restarts. The pool replaces the connection.
   */
  readonly onIdleError?: (error: Error) => void;
}

const CONNECT_MS = 10_000;

/** How many of a process's connections are for reads; the rest are for writes. */
export const readConnections = (connections: number): number => Math.max(1, Math.ceil(connections / 2));

/**
 * Opens the pools on `target` (settings of `pg`, or a `connectionString`). No connection is made before the first
 * query.
 *
 * Reads and writes use separate connections, so writes that wait for a lock never hold up reads. `db` runs single statements
 * on the read connections and `db.transaction()` on the write connections; use `amongReads` for a transaction that
 * never waits for a lock.
 */
export function openDatabase(target: pg.PoolConfig, options: OpenOptions = {}): OpenDatabase {
  const { connections = 20, name = 'clinic-server', statementTimeoutMs: statementMs = 30_000 } = options;
  const hosts = makeHosts(target);
  const open = new Set<BoundedClient>();
  let schemas: string | undefined;

  /** A connection to the current host; `waiting` includes it while it is open. */
  const makeClient = (more: pg.ClientConfig): BoundedClient => {
    const given = { application_name: name, ...more, ...hosts.current, connectionTimeoutMillis: CONNECT_MS };
    const client = new BoundedClient(
      { ...given, types: { getTypeParser: parserOf as typeof pg.types.getTypeParser } },
      statementMs,
    );
    open.add(client);
    client.on('end', () => open.delete(client));
    // NOTE: without a listener, a lost connection would crash the process. The query running on that connection fails
    // in any case.
    client.on('error', () => {});
    return client;
  };
  const prepare = async (client: BoundedClient, lockMs: number): Promise<void> => {
    const limits: SessionLimits = { statementMs, lockMs };
    schemas = await prepareSession(client, limits, schemas);
  };
  const makePool = (max: number, lockMs: number): pg.Pool => {
    const pool = new pg.Pool({
      max,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 30_000,
      // The pool calls this function with `new`, which also works for a function that returns an object.
      Client: function (this: unknown, config: pg.ClientConfig) {
        return makeClient(config);
      } as unknown as new () => pg.ClientBase,
      // NOTE: the pool waits for this promise, although its type does not say so.
      onConnect: ((client: pg.PoolClient) =>
        prepare(client as unknown as BoundedClient, lockMs)) as unknown as () => void,
    });
    pool.on('error', options.onIdleError ?? (() => {}));
    return pool;
  };

  const pool = makePool(readConnections(connections), 0);
  const writeConnections = Math.max(1, connections - readConnections(connections));
  const writes = makePool(writeConnections, options.lockTimeoutMs ?? 10_000);
  const db = new SplitDatabase(pool, new Kysely<Database>({ dialect: new PostgresDialect({ pool: writes }) }));
  return {
    db,
    pool,
    writes,
    currentHost: () => hosts.current,
    async connect() {
      const client = makeClient({ application_name: `${name}:events` });
      try {
        await client.connect();
        await prepare(client, 0);
        return client;
      } catch (error) {
        client.cut('it could not be used');
        throw error;
      }
    },
    async chooseHost() {
      if (await hosts.choose()) for (const client of open) client.cut('another host is in use');
    },
    waiting: (atLeastMs) =>
      [...open].filter(
        ({ waitingSince }) => waitingSince !== undefined && performance.now() - waitingSince >= atLeastMs,
      ),
    async close() {
      // NOTE: `db.destroy()` would leave the reads' connections open unless `db` itself has run a statement.
      await Promise.all([pool.end(), writes.end()]);
    },
  };
}

/** Runs single statements on one pool and transactions on the other. */
class SplitDatabase extends Kysely<Database> {
  readonly #writes: Db;
  readonly reads: Db;
  constructor(pool: pg.Pool, writes: Db) {
    const dialect = new PostgresDialect({ pool });
    super({ dialect });
    this.#writes = writes;
    this.reads = new Kysely<Database>({ dialect });
  }
  override transaction(): TransactionBuilder<Database> {
    return this.#writes.transaction();
  }
  override startTransaction(): ControlledTransactionBuilder<Database> {
    return this.#writes.startTransaction();
  }
}

/**
 * Returns the same database with its transactions on the read connections. Snapshots, logins and the record of who read
 * what use it, because they must work even while all writes wait. Never use it to lock rows of the calendar or of
 * profiles.
 */
export function amongReads(db: Db): Db {
  return db instanceof SplitDatabase ? db.reads : db;
}

/**
 * Runs several reads over a read connection, in one snapshot, so that their results are consistent. In a transaction,
 * the reads are part of it.
 */
export function onReadSnapshot<T>(db: Db, work: (reads: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return amongReads(db).transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * How column values arrive. `pg` would turn dates and times into `Date`s in this machine's time zone. Here each value
 * stays the string that PostgreSQL writes with `DateStyle` ISO in UTC: `date` `2026-11-20`, `time` `08:30:00`,
 * `timestamp` `2026-11-20 08:30:00`, `timestamptz` `2026-11-20 13:30:00+00`, `interval` ISO 8601. Arrays contain the
 * same strings.
 */
function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (TIMES.has(oid)) return (value) => value;
    if (ARRAYS_OF_TIMES.has(oid)) return textArray;
  }
  return parserOfNumber(oid, format);
}

/** The parser that `pg` itself uses for a type. */
function parserOfNumber(oid: number, format: 'text' | 'binary' = 'text'): (value: string) => unknown {
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
}

// PostgreSQL's type numbers for date, time, timetz, timestamp, timestamptz and interval, then for arrays of these
// types.
const TIMES = new Set([1082, 1083, 1266, 1114, 1184, 1186]);
const ARRAYS_OF_TIMES = new Set([1182, 1183, 1270, 1115, 1185, 1187]);
const textArray = parserOfNumber(1009);
