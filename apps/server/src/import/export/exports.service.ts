import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { groupBy, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import { audit, type ActEntry, type Writer } from '../../access/audit.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { clientsIn, sessionsIn, type ExportScope } from './scope.ts';
import { eachKind, exportedText, exportFileName, type ExportCounts, type Piece } from './write-files.ts';
import { ZipFile } from './zip-file.ts';

const MARK = 'export-mark';
/**
 * A change is dated when its request begins and seen when it commits. So that none is missed, each list of changes
 * begins this long before the export before it: a change in between may be in both.
 */
const OVERLAP_MS = 120_000;
/** How many clients one entry of the audit trail names. */
const NAMED_AT_ONCE = 500;

/** The last export of everything, or of all changes since the one before. */
export interface LastExport {
  /** When it was made, and where the next list of changes begins (ISO 8601). */
  readonly at: string;
  readonly mark: string;
  /** Who made it; null for a command. */
  readonly by: string | null;
}

export async function lastExport(db: Db): Promise<LastExport | null> {
  const { rows } = await sql<{ at: string; mark: string; by: string | null }>`
    select value ->> 'at' as at, value ->> 'mark' as mark, a.name as by
    from setting left join account a on a.id::text = value ->> 'account' where key = ${MARK}`.execute(db);
  return rows[0] ?? null;
}

/** What to export, as asked for: `since` may also be `last`. */
export type AskedScope = Omit<ExportScope, 'since'> & { readonly since: string | null };

/** The scope with an instant instead of `last`. Refuses `last` if nothing was exported before. */
export async function scopeOf(db: Db, asked: AskedScope): Promise<ExportScope> {
  if (asked.since !== 'last') return asked;
  const last = await lastExport(db);
  if (!last) throw refusal('export-never-made');
  return { ...asked, since: last.mark };
}

/** A finished export, and the clients that it names. */
export interface MadeExport {
  readonly counts: ExportCounts;
  readonly clients: readonly { readonly id: string; readonly location: Location }[];
}

/** The clients that the files of an export name. */
export async function namedIn(db: Db, scope: ExportScope): Promise<MadeExport['clients']> {
  const { rows } = await sql<{ id: string; location: Location }>`
    select c.id, c.location from client c
    where ${clientsIn(scope, 'c')}
      or exists (select from appointment s where s.client_id = c.id and ${sessionsIn(scope, 's')})
    order by c.id`.execute(db);
  return rows;
}

/** A zip file that has no name anymore: it is gone from the disk as soon as it is closed. */
export interface ZippedExport extends MadeExport {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Writes an export into a zip file without a name, as the database is at one moment. The caller closes the file. */
export async function zipExport(db: Db, scope: ExportScope, adminClientName: string): Promise<ZippedExport> {
  const file = await openNameless();
  try {
    return await onSnapshot(db, async (reads) => {
      const zip = new ZipFile(file);
      const counts = await eachKind(async (kind) => {
        let count = 0;
        const counted = async function* (pieces: AsyncIterable<Piece>) {
          for await (const { text, rows } of pieces) {
            count += rows;
            yield text;
          }
        };
        await zip.add(exportFileName(kind, scope), counted(exportedText(reads, kind, scope, adminClientName)));
        return count;
      });
      return { file, bytes: await zip.end(), counts, clients: await namedIn(reads, scope) };
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file that has no name anymore: it is gone from the disk as soon as it is closed. */
export async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-export-'));
  try {
    return await open(join(folder, 'export.zip'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Records an export and every client that it names. An export of everything, or of all changes since the last one,
 * becomes the one from which the next list of changes begins.
 */
export async function recordExport(db: Db, act: Writer, asked: AskedScope, made: MadeExport): Promise<void> {
  const { locations, from, until, since } = asked;
  const detail = {
    ...made.counts,
    ...(locations === null ? {} : { locations: [...locations] }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(since === null ? {} : { since }),
  };
  const isWhole = locations === null && from === null && until === null && (since === null || since === 'last');
  const whole = { action: 'export.made', subjectKind: 'database', subjectIds: [], detail } as const;
  const entries: ActEntry[] = [whole, ...namedEntries(made.clients)];
  await inTransaction(db, async (trx) => {
    if (isWhole) await saveMark(trx, act);
    const { caller, requestId, at } = act;
    await audit(trx, at, ...entries.map((entry) => ({ ...entry, accountId: caller.id, requestId })));
  });
}

function namedEntries(clients: MadeExport['clients']): ActEntry[] {
  const entries: ActEntry[] = [];
  for (const [location, those] of groupBy(clients, (client) => client.location)) {
    const ids = those.map(({ id }) => id);
    for (let i = 0; i < ids.length; i += NAMED_AT_ONCE) {
      const subjectIds = ids.slice(i, i + NAMED_AT_ONCE);
      entries.push({ action: 'export.made', subjectKind: 'client', subjectIds, location });
    }
  }
  return entries;
}

async function saveMark(trx: Db, { at, caller }: Writer): Promise<void> {
  const value = JSON.stringify({ at: isoAt(at), mark: isoAt(at - OVERLAP_MS), account: caller.id });
  await trx
    .insertInto('setting')
    .values({ key: MARK, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
}
