import { open, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IMPORT_KINDS, type ImportKind } from '@clinic/contract';
import { toCsv } from '@clinic/domain';
import { onSnapshot } from '../../db/retry.ts';
import type { Db } from '../../db/connection.ts';
import { exportedColumns } from '../columns/exported.ts';
import { exportedRows } from './rows.ts';

/**
 * Writes all people, sessions, authorizations and credentials into a folder, one CSV file for each kind of import, as
 * they are at one moment. Files of an earlier export are replaced when all new ones are whole. Only the user who runs
 * this may read them.
 * @returns how many rows each file has
 */
export async function writeExport(
  db: Db,
  folder: string,
  adminClientName: string,
): Promise<Readonly<Record<ImportKind, number>>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = (kind: ImportKind): string => join(folder, `${kind}.csv`);
  const part = (kind: ImportKind): string => `${path(kind)}.part`;
  const counts = { therapists: 0, clients: 0, appointments: 0, authorizations: 0, credentials: 0 };
  try {
    await onSnapshot(db, async (reads) => {
      for (const kind of IMPORT_KINDS) counts[kind] = await writeFile(reads, kind, part(kind), adminClientName);
    });
    for (const kind of IMPORT_KINDS) await rename(part(kind), path(kind));
    return counts;
  } finally {
    for (const kind of IMPORT_KINDS) await rm(part(kind), { force: true });
  }
}

async function writeFile(db: Db, kind: ImportKind, path: string, adminClientName: string): Promise<number> {
  await rm(path, { force: true }); // it may be left from an export that was killed, with other rights
  const file = await open(path, 'wx', 0o600);
  try {
    let count = 0;
    await file.write(toCsv([exportedColumns(kind)]));
    for await (const rows of exportedRows(db, kind, adminClientName)) {
      await file.write(toCsv(rows).slice(1)); // only the file itself begins with a byte order mark
      count += rows.length;
    }
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}
