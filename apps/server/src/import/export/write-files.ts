import { open, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IMPORT_KINDS, type ImportKind } from '@clinic/contract';
import { toCsv } from '@clinic/domain';
import { onSnapshot } from '../../db/retry.ts';
import type { Db } from '../../db/connection.ts';
import { exportedColumns } from '../columns/exported.ts';
import { exportedRows } from './rows.ts';
import type { ExportScope } from './scope.ts';

/** How many rows each file has. */
export type ExportCounts = Readonly<Record<ImportKind, number>>;

/** The name of a file of an export; a list of changes never replaces a whole export in the same folder. */
export const exportFileName = (kind: ImportKind, { since }: ExportScope): string =>
  since === null ? `${kind}.csv` : `changed-${kind}.csv`;

/**
 * Writes people, sessions, authorizations and credentials into a folder, one CSV file for each kind of import, as
 * they are at one moment. Files of an earlier export are replaced when all new ones are whole. Only the user who runs
 * this may read them.
 * @returns how many rows each file has
 */
export async function writeExport(
  db: Db,
  folder: string,
  scope: ExportScope,
  adminClientName: string,
): Promise<ExportCounts> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = (kind: ImportKind): string => join(folder, exportFileName(kind, scope));
  const part = (kind: ImportKind): string => `${path(kind)}.part`;
  try {
    const counts = await onSnapshot(db, (reads) =>
      eachKind((kind) => writeFile(part(kind), exportedText(reads, kind, scope, adminClientName))),
    );
    for (const kind of IMPORT_KINDS) await rename(part(kind), path(kind));
    return counts;
  } finally {
    for (const kind of IMPORT_KINDS) await rm(part(kind), { force: true });
  }
}

/** Writes one kind after the other, and returns how many rows each has. */
export async function eachKind(write: (kind: ImportKind) => Promise<number>): Promise<ExportCounts> {
  const counts = { therapists: 0, clients: 0, appointments: 0, authorizations: 0, credentials: 0 };
  for (const kind of IMPORT_KINDS) counts[kind] = await write(kind);
  return counts;
}

/** A piece of a file's text, with the number of rows in it. */
export interface Piece {
  readonly text: string;
  readonly rows: number;
}

/** A file of an export as CSV, in pieces that fit in memory. */
export async function* exportedText(
  db: Db,
  kind: ImportKind,
  scope: ExportScope,
  adminClientName: string,
): AsyncGenerator<Piece> {
  yield { text: toCsv([exportedColumns(kind)]), rows: 0 };
  // Only the file itself begins with a byte order mark.
  for await (const rows of exportedRows(db, kind, scope, adminClientName))
    yield { text: toCsv(rows).slice(1), rows: rows.length };
}

async function writeFile(path: string, pieces: AsyncIterable<Piece>): Promise<number> {
  await rm(path, { force: true }); // it may be left from an export that was killed, with other rights
  const file = await open(path, 'wx', 0o600);
  try {
    let count = 0;
    for await (const { text, rows } of pieces) {
      await file.write(text);
      count += rows;
    }
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}
