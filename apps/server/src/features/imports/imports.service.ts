import { randomUUID } from 'node:crypto';
import { addDays, type IsoDate } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { audit } from '../../platform/access/audit.ts';
import { publishEvent } from '../../platform/events.ts';
import { parseDateTime, tidy } from './fields.ts';
import { IMPORT_KINDS, type ImportFile, type ImportKind, type RowOutcome, type SourceTable } from './import-types.ts';
import { lockForImport, readSnapshot } from './imports.queries.ts';
import { writePlan } from './imports.writes.ts';
import { planImport, type ImportNotes, type ImportPlan, type Tables } from './plan.ts';
import { readTable } from './read-table.ts';

/** Any of the exports; people whom the others name may be here already. */
type ImportFiles = Readonly<Partial<Record<ImportKind, ImportFile>>>;

interface ImportOptions {
  /** Answer what would be done, and write nothing. */
  readonly dryRun: boolean;
  readonly adminClientName: string;
  /** Who imports; null: a command. */
  readonly accountId: string | null;
  readonly requestId?: string | null;
  /** Milliseconds since the epoch, by the machine's clock. */
  readonly now: number;
}

export interface ImportResult {
  readonly dryRun: boolean;
  readonly files: readonly { readonly kind: ImportKind; readonly file: string; readonly rows: number }[];
  /** One for each row of each file, in order. */
  readonly outcomes: readonly RowOutcome[];
  readonly notes: ImportNotes;
}

/** Reads the files, without a database. Throws UnreadableFile for one that is no such export. */
export async function readTables(files: ImportFiles): Promise<Tables> {
  const tables: Partial<Record<ImportKind, SourceTable>> = {};
  for (const kind of IMPORT_KINDS) {
    const file = files[kind];
    if (file) tables[kind] = await readTable(file, kind);
  }
  return tables;
}

/**
 * Imports exports of therapists, clients and appointments, in this order, in one transaction: all that can be taken, or
 * nothing. Every row has an outcome. What an earlier run imported is found again by its key and content, so that running
 * it twice changes nothing; what was changed here since stays.
 */
export async function importTables(db: Db, tables: Tables, input: ImportOptions): Promise<ImportResult> {
  const plan = input.dryRun
    ? await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((trx) => makePlan(trx, tables, input))
    : await db.transaction().execute(async (trx) => {
        await lockForImport(trx);
        const made = await makePlan(trx, tables, input);
        if (!isEmpty(made)) await applyPlan(trx, made, input);
        return made;
      });
  return {
    dryRun: input.dryRun,
    files: IMPORT_KINDS.flatMap((kind) => {
      const table = tables[kind];
      return table ? [{ kind, file: table.file, rows: table.rows.length }] : [];
    }),
    outcomes: plan.outcomes,
    notes: plan.notes,
  };
}

async function makePlan(db: Db, tables: Tables, { adminClientName }: ImportOptions): Promise<ImportPlan> {
  const rows = tables.appointments?.rows ?? [];
  const dates = rows.flatMap((row) => parseDateTime(row.cells['StartDateTime'] ?? '')?.date ?? []).sort();
  const ids = new Set(rows.map((row) => `id:${tidy(row.cells['Id'] ?? '')}`));
  return planImport(
    tables,
    await readSnapshot(db, { from: dates[0] ?? null, until: dates.at(-1) ?? null, ids }),
    adminClientName,
  );
}

const isEmpty = (plan: ImportPlan): boolean =>
  [plan.therapists, plan.clients, plan.appointments, plan.places, plan.links.therapist, plan.links.client].every(
    (l) => l.length === 0,
  );

async function applyPlan(trx: Db, plan: ImportPlan, input: ImportOptions): Promise<void> {
  await writePlan(trx, plan, input.accountId);
  const dates = plan.days.map((d) => d.date).sort();
  await publishEvent(trx, { kind: 'import', dates: spanOf(dates) });
  await audit(trx, input.now, {
    action: 'import.applied',
    subjectKind: 'import',
    subjectIds: [randomUUID()],
    accountId: input.accountId,
    requestId: input.requestId ?? null,
    detail: {
      therapists: plan.therapists.length,
      clients: plan.clients.length,
      appointments: plan.appointments.length,
      refused: plan.outcomes.filter((o) => o.outcome === 'refused').length,
      from: dates[0] ?? null,
      until: dates.at(-1) ?? null,
    },
  });
}

/** The dates that changed, for open pages; more than an event can carry are told as none, which means any. */
function spanOf(dates: readonly IsoDate[]): string[] {
  const [first] = dates;
  if (!first) return [];
  const unique = [...new Set(dates)];
  return unique.length <= 100 && (dates.at(-1) ?? first) <= addDays(first, 400) ? unique : [];
}
