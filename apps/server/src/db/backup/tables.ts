import type pg from 'pg';
import { allowLongStatements } from '../bounded-client.ts';

export interface Column {
  readonly name: string;
  /** The column's SQL type. */
  readonly type: string;
  /** Whether the type is json or jsonb. */
  readonly json: boolean;
  readonly required: boolean;
}

export interface Table {
  readonly name: string;
  /** The columns that can be written; the database fills generated columns itself. */
  readonly columns: readonly Column[];
}

/**
 * Returns all of our tables, each after the tables that it refers to, so that rows can be inserted in this order. (A
 * table that refers to itself has a deferrable key.) The migrations table is left out, because a backup's header lists
 * the migrations.
 */
export async function tablesInOrder(client: pg.ClientBase): Promise<Table[]> {
  const tables = await client.query<Table>(
    `select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
       'json', a.atttypid in ('json'::regtype, 'jsonb'::regtype), 'required', a.attnotnull) order by a.attnum)
       filter (where a.attgenerated = '') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
     group by c.relname order by c.relname`,
  );
  const references = await client.query<{ from: string; to: string }>(
    `select distinct f.relname as "from", t.relname as "to" from pg_constraint k
     join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and f.oid <> t.oid`,
  );
  const left = new Map(tables.rows.map((t) => [t.name, t]));
  const ordered: Table[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter((t) => !references.rows.some((r) => r.from === t.name && left.has(r.to)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    for (const table of ready) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/**
 * For each table, the rows that a backup leaves out, as a condition on the alias `t`. The token signing key is left
 * out, so that no one can log in with a stolen backup. Challenges for passkeys and sign-ons under way are left out, so that
 * an old one does not work again after a restore. The servers on a database belong to it, not to a backup; so do the
 * changes that other programs follow and the addresses that are told of them, since a copy must not call what only the
 * original may.
 */
const STAYS: Readonly<Record<string, string>> = {
  passkey_challenge: 'true',
  sign_on: 'true',
  record_change: 'true',
  record_floor: 'true',
  server: 'true',
  service_assertion: 'true',
  setting: "t.key = 'token_key'",
  webhook: 'true',
  webhook_delivery: 'true',
};

/** Makes an SQL condition on the alias `t` for the table's rows that a backup contains and a restore replaces. */
export const goesAlong = (table: string): string => (STAYS[table] === undefined ? 'true' : `not (${STAYS[table]})`);

/** All of our sequences, including those of identity columns. */
export async function sequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`,
  );
  return rows.map((r) => r.name);
}

/** A name quoted for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Removes the time limits of a database session, because a backup or a restore may take a long time. */
export async function liftTimeouts(client: pg.ClientBase): Promise<void> {
  await allowLongStatements(client);
  for (const name of ['lock_timeout', 'idle_in_transaction_session_timeout']) await client.query(`set ${name} = 0`);
}
