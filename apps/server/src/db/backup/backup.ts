import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { reasonOf, StartError } from '../../start-error.ts';
import { FORMAT, type BackupSummary, type Footer, type Header, type SequenceLine } from './format.ts';
import { goesAlong, quoted, sequences, tablesInOrder } from './tables.ts';

const ROWS_A_FETCH = 1000;

/**
 * Writes the whole database to a file that did not exist, as of one moment, while servers go on working (one REPEATABLE
 * READ transaction). The file appears under its name only when it is complete and on the disk; only its owner may read it.
 * The key that signs tokens is not in it.
 * @returns how many rows of each table it holds
 */
export async function backUp(pool: pg.Pool, file: string, now: Date): Promise<BackupSummary> {
  const part = `${file}.part-${process.pid}`;
  const handle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw new StartError(`The backup cannot be written to ${file}: ${reasonOf(error)}`);
  });
  try {
    const target = await open(file, 'wx', 0o600).catch((error: unknown) => {
      throw new StartError(
        `${file} exists already or cannot be written (${reasonOf(error)}). Nothing was written; name another file.`,
      );
    });
    await target.close();
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('begin transaction isolation level repeatable read read only');
    const rows: Record<string, number> = {};
    await pipeline(
      Readable.from(lines(client, rows, now), { objectMode: false }),
      createGzip({ level: 6 }),
      handle.createWriteStream({ flush: true }),
    );
    await client.query('commit');
    await rename(part, file);
    return { rows, madeAt: now.toISOString() };
  } catch (error) {
    await rm(part, { force: true });
    await rm(file, { force: true }); // the empty file that held the name
    throw error;
  } finally {
    await handle.close().catch(() => {}); // the stream closes it when all went well
    client.release(true);
  }
}

async function* lines(client: pg.PoolClient, rows: Record<string, number>, now: Date): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const text = (line: string): Buffer => {
    const bytes = Buffer.from(`${line}\n`);
    hash.update(bytes);
    return bytes;
  };
  const migrations = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  yield text(
    JSON.stringify({ format: FORMAT, madeAt: now.toISOString(), migrations: migrations.rows } satisfies Header),
  );
  for (const { name } of await tablesInOrder(client)) {
    yield text(JSON.stringify({ table: name }));
    rows[name] = 0;
    await client.query(
      `declare all_rows no scroll cursor for select to_jsonb(t)::text as row from ${quoted(name)} t where ${goesAlong(name)}`,
    );
    for (;;) {
      const batch = await client.query<{ row: string }>(`fetch ${ROWS_A_FETCH} from all_rows`);
      if (batch.rows.length === 0) break;
      rows[name] += batch.rows.length;
      yield Buffer.concat(batch.rows.map((r) => text(`{"row":${r.row}}`)));
    }
    await client.query('close all_rows');
  }
  for (const name of await sequences(client)) {
    const { rows: found } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value, is_called from ${quoted(name)}`,
    );
    const value = found[0];
    if (value)
      yield text(
        JSON.stringify({
          sequence: name,
          lastValue: value.last_value,
          isCalled: value.is_called,
        } satisfies SequenceLine),
      );
  }
  yield Buffer.from(`${JSON.stringify({ rows, sha256: hash.digest('hex') } satisfies Footer)}\n`);
}
