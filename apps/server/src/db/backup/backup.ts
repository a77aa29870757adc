import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { isRunning } from '../../lock-file.mjs';
import { reasonOf, StartError } from '../../start-error.ts';
import { FORMAT, type BackupSummary, type Footer, type Header, type SequenceLine, type TableLine } from './format.ts';
import { BackupFault } from './lines.ts';
import { readThrough } from './read.ts';
import { goesAlong, liftTimeouts, quoted, sequences, tablesInOrder, type Table } from './tables.ts';

/**
 * The size of a slice in bytes; longer rows are read slice by slice. Together with `SLICES_A_FETCH`, it limits the
 * memory used.
 */
const SLICE = 64 * 1024;
const SLICES_A_FETCH = 256;

/**
 * Writes the whole database, as of one moment, to a new file while servers keep working (one REPEATABLE READ
 * transaction). The file gets its name only when it is complete and on disk, and has been read back as a restore would
 * read it. Only the file's owner may read it. The token signing key is left out.
 * @returns how many rows of each table the file contains
 */
export async function backUp(pool: pg.Pool, file: string, now: Date): Promise<BackupSummary> {
  if (existsSync(file)) throw taken(file);
  removeLeftovers(file);
  const part = `${file}${PART}${process.pid}`;
  const handle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw new StartError(`The backup cannot be written to ${file}: ${reasonOf(error)}.`);
  });
  try {
    await write(pool, handle, now);
    const { rows, madeAt } = await readThrough(part);
    await rename(part, await reserved(file));
    return { rows, madeAt };
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof StartError) throw error;
    if (error instanceof BackupFault)
      throw new StartError(
        `The backup was written but cannot be read back (${error.message.replace(part, file)}) The file was removed: check the disk, then back up again.`,
      );
    throw new StartError(`The backup could not be made: ${reasonOf(error)}. Nothing was kept.`);
  } finally {
    await handle.close().catch(() => {}); // after a successful backup, the stream has already closed the file
  }
}

const PART = '.part-';

/** Removes what earlier backups to this file left when they were killed. It holds clients' data. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  const prefix = `${basename(file)}${PART}`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    const isLeft = /^\d+$/.test(pid) && (Number(pid) === process.pid || !isRunning(Number(pid)));
    if (isLeft) rmSync(join(folder, name), { force: true });
  }
}

/** Creates the file empty, to reserve its name. Fails if a file with this name has appeared in the meantime. */
async function reserved(file: string): Promise<string> {
  const target = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? taken(file) : error;
  });
  await target.close();
  return file;
}

const taken = (file: string): StartError =>
  new StartError(`${file} already exists. Nothing was written; choose another name.`);

async function write(pool: pg.Pool, handle: FileHandle, now: Date): Promise<void> {
  const client = await pool.connect();
  try {
    await liftTimeouts(client);
    await client.query('begin transaction isolation level repeatable read read only');
    await pipeline(
      Readable.from(lines(client, now), { objectMode: false }),
      createGzip({ level: 6 }),
      handle.createWriteStream({ flush: true }),
    );
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

async function* lines(client: pg.PoolClient, now: Date): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer): Buffer => {
    hash.update(bytes);
    return bytes;
  };
  const line = (value: Header | TableLine | SequenceLine): Buffer => hashed(Buffer.from(`${JSON.stringify(value)}\n`));
  const migrations = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  yield line({ format: FORMAT, madeAt: now.toISOString(), migrations: migrations.rows });
  const rows: Record<string, number> = {};
  for (const table of await tablesInOrder(client)) {
    yield line({ table: table.name, columns: table.columns.map((column) => column.name) });
    rows[table.name] = 0;
    for await (const fetched of fetches(client, table)) {
      rows[table.name] = (rows[table.name] ?? 0) + fetched.filter((slice) => slice.last).length;
      yield hashed(bytesOf(fetched));
    }
  }
  for (const name of await sequences(client)) {
    const { rows: found } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value, is_called from ${quoted(name)}`,
    );
    const value = found[0];
    if (value) yield line({ sequence: name, lastValue: value.last_value, isCalled: value.is_called });
  }
  yield Buffer.from(`${JSON.stringify({ rows, sha256: hash.digest('hex') } satisfies Footer)}\n`);
}

/** A row as JSON or, for a long row, a slice of its bytes. */
interface Slice {
  readonly text: string | null;
  readonly slice: Buffer | null;
  readonly first: boolean;
  readonly last: boolean;
}

/**
 * Reads a table's rows, a limited amount at a time. NOTE: without `offset 0`, PostgreSQL would build a row's JSON again
 * for each slice.
 */
async function* fetches(client: pg.PoolClient, { name, columns }: Table): AsyncGenerator<Slice[]> {
  const list = columns.map((c) => (c.json ? `t.${quoted(c.name)}::text` : `t.${quoted(c.name)}`));
  await client.query(
    `declare all_rows no scroll cursor for
     select case when bytes is null then text end as text, substring(bytes from at for ${SLICE}) as slice,
       at = 1 as first, at + ${SLICE} > coalesce(octet_length(bytes), 1) as last
     from (
       select text, case when octet_length(text) > ${SLICE} then convert_to(text, 'UTF8') end as bytes
       from (
         select row_to_json(r)::text as text
         from (select ${list.join(', ')} from ${quoted(name)} t where ${goesAlong(name)}) r offset 0
       ) rows offset 0
     ) sized cross join lateral generate_series(1, coalesce(octet_length(bytes), 1), ${SLICE}) at`,
  );
  for (;;) {
    const { rows } = await client.query<Slice>(`fetch ${SLICES_A_FETCH} from all_rows`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close all_rows');
}

const [OPENS, ENDS] = [Buffer.from('{"row":'), Buffer.from('}\n')];

function bytesOf(slices: readonly Slice[]): Buffer {
  return Buffer.concat(
    slices.flatMap(({ text, slice, first, last }) => [
      ...(first ? [OPENS] : []),
      slice ?? Buffer.from(text ?? ''),
      ...(last ? [ENDS] : []),
    ]),
  );
}
