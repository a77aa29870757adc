import type pg from 'pg';
import { reasonOf, StartError } from '../../start-error.ts';
import { lockMigrations, readMigrations, runMigration, type Migration } from '../migrate.ts';
import type { BackupSummary } from './format.ts';
import { bringTo, levelOf } from './level.ts';
import { BackupFault } from './lines.ts';
import { load } from './load.ts';
import { readThrough, type WholeBackup } from './read.ts';
import { dropRules } from './rules.ts';
import { goesAlong, liftTimeouts, quoted, tablesInOrder } from './tables.ts';

/**
 * The tables that are not empty in a new database, because migrations and the first start fill them; and the notes of
 * changes, which say less than the rows that changed.
 */
const SEEDED = new Set(['cause', 'location', 'record_change', 'record_floor', 'record_state', 'setting']);

interface RestoreOptions {
  /** Whether existing data may be replaced. */
  readonly replace: boolean;
  readonly migrations?: readonly Migration[];
}

/**
 * Reads a whole backup without touching the database. Throws a one-line StartError if the file is not a backup, is
 * incomplete or changed, or comes from a version that cannot be restored.
 */
export async function checkBackup(
  file: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<WholeBackup> {
  const backup = await readThrough(file).catch((error: unknown) => {
    throw error instanceof BackupFault ? new StartError(`${error.message} Nothing was restored.`) : error;
  });
  levelOf(backup.header.migrations, migrations);
  return backup;
}

/**
 * Restores a backup into a database in one transaction, so that everything is restored, or nothing. An older backup is
 * loaded into the tables of its own version, which are then brought up to date. At the end, the number of rows in every
 * table is compared with the backup. The database applies its usual rules to all rows: keys and exclusion constraints once
 * all rows are there, which takes far less time. It keeps its own token signing
 * key, so users stay logged in only if the backup comes from a database with the same key. A database with data is
 * refused unless `replace` is set.
 * @param backup the result of `checkBackup`
 */
export async function restore(pool: pg.Pool, backup: WholeBackup, options: RestoreOptions): Promise<BackupSummary> {
  const migrations = options.migrations ?? readMigrations();
  const level = levelOf(backup.header.migrations, migrations);
  const client = await pool.connect();
  try {
    await liftTimeouts(client);
    await client.query('begin');
    await lockMigrations(client);
    await replaceAll(client, backup, level, options.replace);
    for (const migration of migrations.filter((each) => !level.includes(each))) await runMigration(client, migration);
    await client.query('commit');
    return { rows: backup.rows, madeAt: backup.madeAt };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error instanceof StartError
      ? error
      : new StartError(`The backup could not be restored: ${sentence(reasonOf(error))} Nothing was changed.`);
  } finally {
    client.release(true);
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Replaces all rows with the backup's; the tables must already have the structure of the backup's version. */
async function replaceAll(
  client: pg.PoolClient,
  backup: WholeBackup,
  level: readonly Migration[],
  replace: boolean,
): Promise<void> {
  const present = (await tablesInOrder(client)).map((table) => table.name);
  await client.query(`lock table ${present.map(quoted).join(', ')} in access exclusive mode`);
  if (!replace) await refuseData(client, present);
  await client.query('create temporary table kept on commit drop as select key, value from setting');
  await bringTo(client, level);
  const tables = await tablesInOrder(client);
  const names = tables.map((table) => quoted(table.name));
  // The audit trail and the appointment history refuse to be emptied; a restore replaces them as a whole.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')}`);
  const makeRules = await dropRules(client);
  await client.query(
    `insert into setting (key, value) select key, value from kept t where not (${goesAlong('setting')})`,
  );
  await load(client, backup, tables);
  await makeRules();
  await client.query(`analyze ${names.join(', ')}`);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { name } of tables) await compare(client, name, backup.rows[name]);
}

async function refuseData(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  for (const name of tables.filter((table) => !SEEDED.has(table))) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rowCount) {
      throw new StartError(
        `The database is not empty (${name} has rows). Nothing was restored. To replace what is there with the backup, add --replace.`,
      );
    }
  }
}

async function compare(client: pg.PoolClient, name: string, count: number | undefined): Promise<void> {
  if (count === undefined) throw new StartError(`The backup does not have the table ${name}. Nothing was changed.`);
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from ${quoted(name)} t where ${goesAlong(name)}`,
  );
  if (Number(rows[0]?.n) !== count) {
    throw new StartError(`After the restore, ${name} has ${rows[0]?.n} rows instead of ${count}. Nothing was changed.`);
  }
}
