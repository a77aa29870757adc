import type { BoundedClient } from './bounded-client.ts';

/** The time limits that the database enforces for a session, in milliseconds; 0 for no limit. */
export interface SessionLimits {
  readonly statementMs: number;
  readonly lockMs: number;
}

/**
 * The settings that the code relies on, as `pg_settings` spells them. A role, a pooler or an environment variable may
 * set them differently, so each new session sets and checks them.
 */
const RELIED_ON: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'iso_8601',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  idle_in_transaction_session_timeout: '60000',
  // The next two are on in PostgreSQL as Debian, Ubuntu and RDS install it, and off in the embedded one. Where
  // PostgreSQL estimates far too many rows, compiling a query takes seconds and the query itself milliseconds.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

/**
 * Thrown when a session does not have the settings that the code relies on. The message contains only settings, never
 * data.
 */
export class SessionUnfit extends Error {
  override name = 'SessionUnfit';
}

/**
 * Applies a new session's settings and checks them; throws SessionUnfit if a setting has another value.
 * @param schemas the search path that this process's first session found; undefined in the first session itself
 * @returns the search path
 */
export async function prepareSession(
  client: BoundedClient,
  limits: SessionLimits,
  schemas: string | undefined,
): Promise<string> {
  const wanted = {
    ...RELIED_ON,
    statement_timeout: String(limits.statementMs),
    lock_timeout: String(limits.lockMs),
    search_path: schemas ?? (await presentSchemas(client)),
  };
  const names = Object.keys(wanted);
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as given (name, value)',
    [names, Object.values(wanted)],
  );
  const { rows } = await client.query<{ name: string; setting: string; backend: number }>(
    'select name, setting, pg_backend_pid() as backend from pg_settings where name = any($1::text[])',
    [names],
  );
  client.backend = rows[0]?.backend ?? 0;
  const found = new Map(rows.map((row) => [row.name, row.setting]));
  const wrong = Object.entries(wanted).find(([name, value]) => found.get(name) !== value);
  if (wrong) {
    const [name, value] = wrong;
    throw new SessionUnfit(
      `the database session does not keep its settings (${name} is '${found.get(name) ?? 'unknown'}' instead of '${value}')`,
    );
  }
  return wanted.search_path;
}

async function presentSchemas(client: BoundedClient): Promise<string> {
  const { rows } = await client.query<{ path: string }>(
    "select coalesce(string_agg(quote_ident(name), ', ' order by place), '') as path from unnest(current_schemas(false)) with ordinality as present (name, place)",
  );
  return rows[0]?.path || 'public';
}
