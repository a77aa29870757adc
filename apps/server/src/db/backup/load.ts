import type pg from 'pg';
import { FORMAT, type Header, type SequenceLine, type TableLine } from './format.ts';
import { BackupFault } from './lines.ts';
import { readBackup, type WholeBackup } from './read.ts';
import { quoted, sequences, type Column, type Table } from './tables.ts';

/** How many bytes of JSON one statement may carry; PostgreSQL allows 256 MiB. */
const STATEMENT = 1024 * 1024;
/** A temporary table that collects the parts of a large row until the last part arrives. */
const PARTS = 'restore_part';

/** Writes a backup's rows into empty tables and sets the sequences, in the open transaction. */
export async function load(client: pg.PoolClient, backup: WholeBackup, tables: readonly Table[]): Promise<void> {
  const known = new Set(await sequences(client));
  await client.query(
    `create temporary table ${PARTS} (n bigint generated always as identity, bytes bytea) on commit drop`,
  );
  await client.query(`alter table ${PARTS} alter column bytes set storage external`);
  let into: Target | undefined;
  let batch: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0 || !into) return;
    const rows = [Buffer.from('['), ...batch.flatMap((row, i) => (i === 0 ? [row] : [COMMA, row])), Buffer.from(']')];
    await client.query(into.insertFrom('json_to_recordset($1::json)'), [Buffer.concat(rows)]);
    batch = [];
    size = 0;
  };
  for await (const entry of readBackup(backup.file)) {
    if (entry.kind === 'row') {
      if (size + entry.json.length > STATEMENT) await flush();
      batch.push(entry.json);
      size += entry.json.length;
      continue;
    }
    await flush();
    if (entry.kind === 'table') into = targetOf(entry.table, backup.header.format, tables);
    if (entry.kind === 'part') {
      await client.query(`insert into ${PARTS} (bytes) values ($1)`, [entry.piece.bytes]);
      if (entry.piece.last && into) {
        await client.query(into.insertFrom(ROW_OF_PARTS));
        await client.query(`truncate ${PARTS}`);
      }
    }
    if (entry.kind === 'sequence') await setSequence(client, entry.sequence, known);
    if (entry.kind === 'end' && entry.footer.sha256 !== backup.sha256)
      throw new BackupFault(`${backup.file} was replaced while it was being restored.`);
  }
}

const COMMA = Buffer.from(',');
const ROW_OF_PARTS = `json_to_record((
  select convert_from(string_agg(bytes, ''::bytea order by n), 'UTF8')::json -> 'row' from ${PARTS}))`;

interface Target {
  /** The statement that inserts the rows that an SQL function returns. */
  insertFrom(rows: string): string;
}

function targetOf(line: TableLine, format: Header['format'], tables: readonly Table[]): Target {
  const columns = tables.find((table) => table.name === line.table)?.columns ?? [];
  const names = line.columns ?? columns.map((column) => column.name);
  if (columns.length === 0 || names.length !== columns.length || !columns.every(({ name }) => names.includes(name)))
    throw new BackupFault(
      `The table ${line.table} does not have the same columns in the backup as in the version that made it.`,
    );
  const list = columns.map(({ name }) => quoted(name)).join(', ');
  const asText = format === FORMAT;
  const values = columns.map((column) => valueOf(column, asText)).join(', ');
  const types = columns.map(({ name, type, json }) => `${quoted(name)} ${json && asText ? 'text' : type}`).join(', ');
  const insert = `insert into ${quoted(line.table)} (${list}) overriding system value`;
  return { insertFrom: (rows) => `${insert} select ${values} from ${rows} as x(${types})` };
}

function valueOf({ name, type, json, required }: Column, asText: boolean): string {
  const value = `x.${quoted(name)}`;
  if (!json) return value;
  if (asText) return `${value}::${type}`;
  // The first format did not distinguish JSON's null from a missing value. In a required column, the value must have
  // been JSON's null.
  return required ? `coalesce(${value}, 'null'::${type})` : value;
}

async function setSequence(client: pg.PoolClient, line: SequenceLine, known: ReadonlySet<string>): Promise<void> {
  if (!known.has(line.sequence)) return;
  // A failed restore would not roll `setval` back, so the sequence could later give the same numbers twice.
  const next = BigInt(line.lastValue) + (line.isCalled ? 1n : 0n);
  await client.query(`alter sequence ${quoted(line.sequence)} restart with ${next}`);
}
