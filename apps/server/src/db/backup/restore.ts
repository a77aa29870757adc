import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { reasonOf, StartError } from '../../start-error.ts';
import {
  FORMAT,
  type BackupSummary,
  type Footer,
  type Header,
  type Line,
  type SequenceLine,
  type TableLine,
} from './format.ts';
import { goesAlong, quoted, sequences, tablesInOrder } from './tables.ts';

const ROWS_AN_INSERT = 500;
/** Rows that a migrated, empty database holds: what the migrations and the first start write. */
const SEEDED = new Set(['location', 'setting']);

/**
 * Reads a whole backup without touching the database: that it is one, complete and unchanged since it was made.
 * Throws a StartError, one line, otherwise.
 */
export async function checkBackup(file: string): Promise<BackupSummary & { migrations: Header['migrations'] }> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let header: Header | undefined;
  let footer: Footer | undefined;
  let table = '';
  for await (const { line, text } of linesOf(file)) {
    if (!header) {
      if (!('format' in line) || line.format !== FORMAT) throw notABackup(file);
      header = line;
    } else if (footer) {
      throw new StartError(`${file} goes on after its end: it is not a backup as it was made. Nothing was restored.`);
    } else if ('table' in line) {
      table = line.table;
      rows[table] = 0;
    } else if ('row' in line) {
      rows[table] = (rows[table] ?? 0) + 1;
    } else if ('sha256' in line) {
      footer = line;
      continue;
    }
    hash.update(`${text}\n`);
  }
  if (!header) throw notABackup(file);
  if (!footer) throw new StartError(`${file} ends too early: the backup is not complete. Nothing was restored.`);
  const same = Object.keys(footer.rows).every((name) => footer.rows[name] === rows[name]);
  if (footer.sha256 !== hash.digest('hex') || !same) {
    throw new StartError(
      `${file} was changed or damaged after it was made (its checksum differs). Nothing was restored.`,
    );
  }
  return { rows, madeAt: header.madeAt, migrations: header.migrations };
}

/**
 * Puts a backup into the database, in one transaction: all of it or nothing. The file is checked first; afterwards the
 * rows of every table are counted against it. The database holds its rules on every row as on any other write, and keeps
 * its own key for tokens: sessions of the backup go on only where the key is the same.
 * A database that holds data is refused unless `replace`.
 */
export async function restore(pool: pg.Pool, file: string, options: { replace: boolean }): Promise<BackupSummary> {
  const summary = await checkBackup(file);
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin');
    await checkMigrations(client, summary.migrations);
    const tables = await tablesInOrder(client);
    const names = tables.map((t) => quoted(t.name));
    await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
    if (!options.replace)
      await refuseData(
        client,
        tables.map((t) => t.name),
      );
    await client.query('set constraints all deferred');
    // The audit trail and the appointments' history refuse to be emptied; a restore puts whole ones in their place.
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await client.query('create temporary table kept on commit drop as table setting');
    await client.query(`truncate ${names.join(', ')}`);
    await client.query(`insert into setting select * from kept t where not (${goesAlong('setting')})`);
    await load(client, file, new Map(tables.map((t) => [t.name, t.columns])));
    await client.query('set constraints all immediate');
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    await compare(client, summary.rows);
    await client.query('commit');
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error instanceof StartError
      ? error
      : new StartError(`The backup could not be restored: ${reasonOf(error)} Nothing was changed.`);
  } finally {
    client.release(true);
  }
}

async function checkMigrations(client: pg.PoolClient, made: Header['migrations']): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  if (JSON.stringify(rows) !== JSON.stringify(made)) {
    const last = made.at(-1)?.name ?? 'none';
    throw new StartError(
      `The backup belongs to another version of the scheduler (its last migration is ${last}). Restore it with that version, then start this one. Nothing was changed.`,
    );
  }
}

async function refuseData(client: pg.PoolClient, tables: string[]): Promise<void> {
  for (const name of tables.filter((t) => !SEEDED.has(t))) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rowCount) {
      throw new StartError(
        `The database is not empty (${name} has rows). Nothing was restored. To put the backup in the place of what is there, add --replace.`,
      );
    }
  }
}

async function load(client: pg.PoolClient, file: string, columns: ReadonlyMap<string, string[]>): Promise<void> {
  const known = new Set(await sequences(client));
  let table = '';
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const list = columns.get(table)?.map(quoted).join(', ');
    if (list === undefined)
      throw new StartError(`The backup has a table this version does not know (${table}). Nothing was changed.`);
    await client.query(
      `insert into ${quoted(table)} (${list}) overriding system value select ${list} from jsonb_populate_recordset(null::${quoted(table)}, $1::jsonb)`,
      [`[${batch.join(',')}]`],
    );
    batch = [];
  };
  for await (const { line, text } of linesOf(file)) {
    if ('row' in line) {
      batch.push(text.slice('{"row":'.length, -1));
      if (batch.length >= ROWS_AN_INSERT) await flush();
    } else {
      await flush();
      if ('table' in line) table = (line satisfies TableLine).table;
      if ('sequence' in line) await setSequence(client, line, known);
    }
  }
}

async function setSequence(client: pg.PoolClient, line: SequenceLine, known: ReadonlySet<string>): Promise<void> {
  if (!known.has(line.sequence)) return;
  // Not `setval`, which would stand although the restore is taken back: numbers that were given would be given again.
  const next = BigInt(line.lastValue) + (line.isCalled ? 1n : 0n);
  await client.query(`alter sequence ${quoted(line.sequence)} restart with ${next}`);
}

async function compare(client: pg.PoolClient, rows: Record<string, number>): Promise<void> {
  for (const [name, count] of Object.entries(rows)) {
    const found = await client.query<{ n: string }>(
      `select count(*) as n from ${quoted(name)} t where ${goesAlong(name)}`,
    );
    if (Number(found.rows[0]?.n) !== count) {
      throw new StartError(
        `After the restore ${name} has ${found.rows[0]?.n} rows instead of ${count}. Nothing was changed.`,
      );
    }
  }
}

const notABackup = (file: string): StartError =>
  new StartError(`${file} is not a backup of the scheduler. Nothing was restored.`);

/** The file's lines, as text and parsed. */
async function* linesOf(file: string): AsyncGenerator<{ line: Line; text: string }> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  const reader = createInterface({ input: source.pipe(unzipped), crlfDelay: Infinity });
  // NOTE: depending on when it comes, an error of the input ends the lines in silence or is thrown by them.
  let failure: Error | undefined;
  unzipped.on('error', (error) => {
    failure ??= error;
    reader.close();
  });
  try {
    for await (const text of reader) yield { line: parsed(text, file), text };
  } catch (error) {
    if (error instanceof StartError) throw error;
    failure ??= error as Error;
  }
  if (failure) throw damaged(file, failure);
}

function parsed(text: string, file: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw notABackup(file);
  }
}

function damaged(file: string, error: NodeJS.ErrnoException): StartError {
  if (error.code === 'ENOENT') return new StartError(`There is no file ${file}. Nothing was restored.`);
  if (error.code === 'Z_BUF_ERROR')
    return new StartError(`${file} ends too early: the backup is not complete. Nothing was restored.`);
  if (error.code?.startsWith('Z_')) return notABackup(file);
  return new StartError(`${file} cannot be read: ${reasonOf(error)} Nothing was restored.`);
}
