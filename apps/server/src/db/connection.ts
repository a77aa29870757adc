import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** What query functions take first: the pool's database or a transaction, which share this type. */
export type Db = Kysely<Database>;

/** An open database: Kysely for queries, the pool for what Kysely does not do (LISTEN, COPY). */
export interface OpenDatabase {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Names this process in `pg_stat_activity`. */
  readonly name?: string;
  /** Most connections at a time. */
  readonly connections?: number;
  /** A statement that runs longer is cancelled; 0: never. */
  readonly statementTimeoutMs?: number;
  /** Told about errors on idle connections (the database was restarted, say); they are replaced by themselves. */
  readonly onIdleError?: (error: Error) => void;
}

/** Opens a pool on `target` (settings of `pg`, or a `connectionString`). No connection is made before the first query. */
export function openDatabase(target: pg.PoolConfig, options: OpenOptions = {}): OpenDatabase {
  const pool = new pg.Pool({
    ...target,
    max: options.connections ?? 20,
    application_name: options.name ?? 'clinic-server',
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    options: '-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // NOTE: without listeners a lost connection ends the process: an idle one tells the pool, one in use only itself (and
  // whoever waits for its query).
  pool.on('error', options.onIdleError ?? (() => {}));
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * How values arrive. `pg` would make `Date`s in the zone of the process; here every kind of time is text as PostgreSQL
 * writes it with `DateStyle` ISO and the session in UTC: `date` `2026-11-20`, `time` `08:30:00`, `timestamp`
 * `2026-11-20 08:30:00`, `timestamptz` `2026-11-20 13:30:00+00`, `interval` ISO 8601. Arrays of these hold such text.
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

// The types' numbers, in the order date, time, timetz, timestamp, timestamptz, interval; then their arrays.
const TIMES = new Set([1082, 1083, 1266, 1114, 1184, 1186]);
const ARRAYS_OF_TIMES = new Set([1182, 1183, 1270, 1115, 1185, 1187]);
const textArray = parserOfNumber(1009);
