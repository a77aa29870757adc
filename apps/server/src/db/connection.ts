import { performance } from 'node:perf_hooks';
import {
  Kysely,
  PostgresDialect,
  type ControlledTransactionBuilder,
  type PostgresPool,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import { makeHosts } from './hosts.ts';
import type { Database } from './schema.ts';
import { presentTurns } from './turn.ts';
import { prepareSession, type SessionLimits } from './session.ts';

/** What query functions take first: the database or a transaction; both have this type. */
export type Db = Kysely<Database>;

/** An open database: Kysely for queries, and the pools for what Kysely cannot do (COPY). */
export interface OpenDatabase {
  readonly db: Db;
  /** Connections for reads, logins and the record of reads. */
  readonly pool: pg.Pool;
  /** Connections for transactions that write, and may have to wait for locks. */
  readonly writes: pg.Pool;
  /** The settings for further connections to the host that is in use. */
  readonly currentHost: () => pg.ClientConfig;
  /**
   * Opens a connection outside the pools, prepared like theirs and named `…:events`. The caller closes it, with `cut`
   * if it may be dead.
   */
  connect(): Promise<BoundedClient>;
  /** Finds out again which of several hosts takes writes, and closes the connections to the others. */
  chooseHost(): Promise<void>;
  /** The connections that have been waiting for a reply for at least this long. */
  waiting(atLeastMs: number): BoundedClient[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The name of this process in `pg_stat_activity`. */
  readonly name?: string;
  /** The most connections at a time; half of them are for writes. */
  readonly connections?: number;
  /** After how many milliseconds a statement is cancelled; 0 for never. */
  readonly statementTimeoutMs?: number;
  /** After how many milliseconds a write stops waiting for a lock and is refused; 0 for never. */
  readonly lockTimeoutMs?: number;
  /** Called when an idle connection fails, for example because the database was restarted; the pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

const CONNECT_MS = 10_000;

/** How many of a process's connections are for reads; the rest are for writes. */
export const readConnections = (connections: number): number => Math.max(1, Math.ceil(connections / 2));

/**
 * Opens the pools on `target` (settings of `pg`, or a `connectionString`). No connection is made before the first query.
 *
 * Reads and writes use separate connections, so writes that wait for a lock never hold up reads. Every connection for
 * reads first waits for a turn of the request's account (`turn.ts`).
 * `db` runs single statements among the reads and `db.transaction()` among the writes; use `amongReads`
 * for a transaction that never waits for a lock.
 */
export function openDatabase(target: pg.PoolConfig, options: OpenOptions = {}): OpenDatabase {
  const { connections = 20, name = 'clinic-server', statementTimeoutMs: statementMs = 30_000 } = options;
  const hosts = makeHosts(target);
  const open = new Set<BoundedClient>();
  let schemas: string | undefined;

  /** A connection to the host that is in use; `waiting` includes it while it is open. */
  const makeClient = (more: pg.ClientConfig): BoundedClient => {
    const given = { application_name: name, ...more, ...hosts.current, connectionTimeoutMillis: CONNECT_MS };
    const client = new BoundedClient(
      { ...given, types: { getTypeParser: parserOf as typeof pg.types.getTypeParser } },
      statementMs,
    );
    open.add(client);
    client.on('end', () => open.delete(client));
    // NOTE: without a listener, a lost connection would end the process. Its running query fails in any case.
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
      // The pool calls this with `new`, which also works with a function that returns an object.
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
  const writes = makePool(Math.max(1, connections - readConnections(connections)), options.lockTimeoutMs ?? 10_000);
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
      await Promise.all([db.destroy(), writes.end()]);
    },
  };
}

/** The pool for requests: the wait for a turn holds no connection, and the turn ends when the connection is given back. */
function pacedReads(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const endTurn = await presentTurns().read?.();
      try {
        const client = await pool.connect();
        if (!endTurn) return client;
        const release = client.release.bind(client); // the pool sets it again each time it gives the connection out
        client.release = (error) => {
          endTurn();
          release(error);
        };
        return client;
      } catch (error) {
        endTurn?.();
        throw error;
      }
    },
  };
}

/** Single statements on one pool, transactions on the other. */
class SplitDatabase extends Kysely<Database> {
  readonly #writes: Db;
  readonly reads: Db;
  constructor(pool: pg.Pool, writes: Db) {
    const dialect = new PostgresDialect({ pool: pacedReads(pool) });
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
 * The same database with its transactions among the reads: for snapshots, logins and the record of reads, which must
 * work even while all writes wait. Never lock rows of the calendar or of profiles with it.
 */
export function amongReads(db: Db): Db {
  return db instanceof SplitDatabase ? db.reads : db;
}
/**
 * How values arrive. `pg` would make `Date`s in this machine's time zone; here every date and time stays the text
 * that PostgreSQL writes with `DateStyle` ISO in UTC: `date` `2026-11-20`, `time` `08:30:00`, `timestamp` `2026-11-20
 * 08:30:00`, `timestamptz` `2026-11-20 13:30:00+00`, `interval` ISO 8601. Arrays hold the same texts.
 */
function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (TIMES.has(oid)) return (value) => value;
    if (ARRAYS_OF_TIMES.has(oid)) return textArray;
  }
  return parserOfNumber(oid, format);
}

/** The library's own parser. */
function parserOfNumber(oid: number, format: 'text' | 'binary' = 'text'): (value: string) => unknown {
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
}

// PostgreSQL's numbers for date, time, timetz, timestamp, timestamptz and interval; then for their arrays.
const TIMES = new Set([1082, 1083, 1266, 1114, 1184, 1186]);
const ARRAYS_OF_TIMES = new Set([1182, 1183, 1270, 1115, 1185, 1187]);
const textArray = parserOfNumber(1009);
