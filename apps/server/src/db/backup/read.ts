import { createHash } from 'node:crypto';
import {
  FIRST_FORMAT,
  FORMAT,
  type BackupSummary,
  type Footer,
  type Header,
  type SequenceLine,
  type TableLine,
} from './format.ts';
import { BackupFault, endsEarly, notABackup, piecesOf, type Piece } from './lines.ts';

/** A part of a backup; the parts come in the order of the file. */
export type Entry =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly table: TableLine }
  /** A whole row as JSON. */
  | { readonly kind: 'row'; readonly json: Buffer }
  /** A part of a row that is too long to be held in memory. */
  | { readonly kind: 'part'; readonly piece: Piece }
  | { readonly kind: 'sequence'; readonly sequence: SequenceLine }
  | { readonly kind: 'end'; readonly footer: Footer };

/** A backup that was read to its end and found to be complete and unchanged. */
export interface WholeBackup extends BackupSummary {
  readonly file: string;
  readonly header: Header;
  readonly sha256: string;
}

const ROW = '{"row":';

/**
 * Reads a backup part by part and checks that it is complete and unchanged. Throws a BackupFault, possibly only at the
 * end; if it does, the caller must discard everything read so far.
 */
export async function* readBackup(file: string): AsyncGenerator<Entry> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let header: Header | undefined;
  let footer: Footer | undefined;
  let table: string | undefined;
  for await (const piece of piecesOf(file)) {
    if (footer) throw new BackupFault(`${file} has more data after its end, so it is not the backup that was made.`);
    const entry = entryOf(piece) ?? fail(file);
    if ((entry.kind === 'header') === (header !== undefined)) throw notABackup(file);
    if (entry.kind === 'header') header = entry.header;
    if (entry.kind === 'table') rows[(table = entry.table.table)] = 0;
    if (entry.kind === 'row' || (entry.kind === 'part' && piece.last)) {
      if (table === undefined) throw notABackup(file);
      rows[table] = (rows[table] ?? 0) + 1;
    }
    if (entry.kind === 'end') {
      footer = entry.footer;
      continue; // the loop below yields the footer once it has been checked
    }
    hash.update(piece.bytes);
    if (piece.last) hash.update('\n');
    yield entry;
  }
  if (!header) throw notABackup(file);
  if (!footer) throw endsEarly(file);
  if (footer.sha256 !== hash.digest('hex') || !sameCounts(footer.rows, rows))
    throw new BackupFault(`${file} was changed or damaged after it was made (its checksum differs).`);
  yield { kind: 'end', footer };
}

/** Reads a backup to its end, with the same checks as a restore. Throws a BackupFault. */
export async function readThrough(file: string): Promise<WholeBackup> {
  let header: Header | undefined;
  for await (const entry of readBackup(file)) {
    if (entry.kind === 'header') header = entry.header;
    if (entry.kind === 'end' && header)
      return { file, header, madeAt: header.madeAt, rows: entry.footer.rows, sha256: entry.footer.sha256 };
  }
  throw notABackup(file);
}

/** Parses a line of the file; undefined when a backup cannot contain such a line. */
function entryOf(piece: Piece): Entry | undefined {
  const { bytes, first, last } = piece;
  const isRow = bytes.subarray(0, ROW.length).toString('latin1') === ROW;
  if (!first || !last) return first && !isRow ? undefined : { kind: 'part', piece };
  if (isRow) return bytes.at(-1) === 0x7d ? { kind: 'row', json: bytes.subarray(ROW.length, -1) } : undefined;
  const line = parsed(bytes);
  if (typeof line !== 'object' || line === null) return undefined;
  if ('format' in line)
    return line.format === FORMAT || line.format === FIRST_FORMAT
      ? { kind: 'header', header: line as Header }
      : undefined;
  if ('table' in line) return { kind: 'table', table: line as TableLine };
  if ('sequence' in line) return { kind: 'sequence', sequence: line as SequenceLine };
  if ('sha256' in line) return { kind: 'end', footer: line as Footer };
  return undefined;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function sameCounts(one: Record<string, number>, other: Record<string, number>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

function fail(file: string): never {
  throw notABackup(file);
}
