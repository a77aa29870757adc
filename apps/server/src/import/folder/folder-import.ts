import { join } from 'node:path';
import { openQuestions, type ImportSummary } from '@clinic/contract';
import { defaultLocation } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import type { Difference, ImportFiles } from '../import-types.ts';
import type { ProcessOptions } from '../import-processes.ts';
import { clearFolder, findFiles, moveFiles, readFiles, rowHash, UnusableFile, type FileSet } from './folder-files.ts';
import {
  lastFolderImport,
  lastLook,
  lastRefused,
  saveDifferences,
  saveFolderImport,
  saveLook,
  type FolderSummary,
  type StoredFolderImport,
} from './folder-import.queries.ts';

/** What an import needs, and what this job may do. */
export interface FolderImportDeps {
  readonly db: Db;
  /** The folder, and the time of day from which its files are taken, in minutes. */
  readonly folder: string;
  readonly at: number;
  readonly adminClientName: string;
  readonly accessClock: Clock;
  readonly wallOf: WallClock;
  /** Runs an import, as the page does; returns its reply. */
  readonly run: (files: ImportFiles, options: ProcessOptions) => Promise<Buffer>;
  /** Logs figures, never names. */
  readonly log: (figures: object, words: string) => void;
  /** How long files must stay the same before they are read, in milliseconds. */
  readonly quietMs?: number;
}

/** An import's reply, with the parts that only this job asks for. */
type FullSummary = ImportSummary & { readonly report: string; readonly differences: readonly Difference[] };

const QUIET_MS = 120_000;

/**
 * Makes the job that imports what another system writes into a folder, once a day. It may run as often as one likes: the
 * files are taken after the set time, when none of them has changed for two minutes.
 */
export function makeFolderImport(deps: FolderImportDeps): () => Promise<void> {
  let seen = { signature: '', since: 0 };
  const isQuiet = ({ signature, unfinished }: FileSet): boolean => {
    const now = performance.now();
    if (signature !== seen.signature) seen = { signature, since: now };
    return !unfinished && now - seen.since >= (deps.quietMs ?? QUIET_MS);
  };
  return async () => {
    const last = await lastFolderImport(deps.db);
    if (last?.wanted_at) return again(deps, last);
    const { date, minutes } = deps.wallOf(defaultLocation());
    if (minutes < deps.at || (await lastLook(deps.db)) === date) return;
    const set = await findFiles(deps.folder);
    if (set.names.length > 0) {
      if (!isQuiet(set)) return;
      const done = await take(deps, set, deps.folder, last?.state === 'waiting' ? last : null);
      if (!done) return;
    }
    await saveLook(deps.db, date);
  };
}

/** Imports once more, from where its files are, a set that someone has decided about. */
async function again(deps: FolderImportDeps, last: StoredFolderImport): Promise<void> {
  const from = join(deps.folder, last.folder);
  const set = await findFiles(from).catch(() => null);
  if (set && set.names.length > 0) await take(deps, set, from, last);
  else await saveFolderImport(deps.db, { ...last, wanted_at: null });
}

/**
 * Checks a set of files and imports it, unless someone must decide first. Files are moved only after that, so that a
 * crash at any moment leaves them where they are taken again, and the same files change nothing.
 * @returns false if the files changed while they were read
 */
async function take(
  deps: FolderImportDeps,
  set: FileSet,
  from: string,
  earlier: StoredFolderImport | null,
): Promise<boolean> {
  const at = deps.accessClock.now();
  const isAgain = earlier !== null && from !== deps.folder;
  const finish = async (state: StoredFolderImport['state'], found: Found): Promise<void> => {
    const name = isAgain ? nameOf(earlier) : new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
    const folder = join(FOLDERS[state], name);
    const to = join(deps.folder, folder);
    await moveFiles(from, to, set.names, found.report);
    if (isAgain && from !== to) await clearFolder(from);
    if (earlier && !isAgain) await saveFolderImport(deps.db, { ...earlier, state: 'superseded' });
    const { summary, refused } = found;
    const row = { at: new Date(at).toISOString(), state, folder, summary, refused, wanted_at: null };
    await saveFolderImport(deps.db, isAgain ? { ...row, id: earlier.id } : row);
    const { fault: _, ...figures } = summary;
    deps.log({ state, ...figures }, 'files from the folder for imports');
  };
  try {
    const files = await readFiles(from, set);
    if ((await findFiles(from)).signature !== set.signature) return false;
    const count = set.names.length;
    const dry = await importAll(deps, files, at, true);
    const before = await lastRefused(deps.db);
    const found = foundIn(dry, count, before);
    await saveDifferences(deps.db, dry.differences);
    const waits = found.summary.questions > 0 || (found.summary.newly_refused > 0 && !isAgain);
    if (waits) await finish('waiting', found);
    else await finish('imported', foundIn(await importAll(deps, files, at, false), count, before));
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    await finish('failed', {
      report: `${fault}\n`,
      refused: [],
      summary: { ...NOTHING, files: set.names.length, fault },
    });
  }
  return true;
}

const FOLDERS = { imported: 'done', waiting: 'waiting', superseded: 'waiting', failed: 'failed' } as const;
const nameOf = ({ folder }: StoredFolderImport): string => folder.split('/').at(-1) ?? folder;

async function importAll(
  { run, adminClientName }: FolderImportDeps,
  files: ImportFiles,
  now: number,
  dryRun: boolean,
): Promise<FullSummary> {
  const given = { dryRun, adminClientName, accountId: null, requestId: null, now };
  const reply = await run(files, { ...given, full: true, waits: true });
  return JSON.parse(reply.toString()) as FullSummary;
}

interface Found {
  readonly report: string;
  readonly refused: readonly string[];
  readonly summary: FolderSummary;
}

const NOTHING: FolderSummary = { files: 0, new: 0, changed: 0, refused: 0, newly_refused: 0, questions: 0, fault: '' };

function foundIn(full: FullSummary, files: number, before: ReadonlySet<string>): Found {
  const refused = full.rows.flatMap(({ kind, outcome, original }) =>
    outcome === 'refused' ? [rowHash(kind, original)] : [],
  );
  const sum = (what: 'new' | 'changed' | 'refused'): number => full.files.reduce((n, file) => n + file[what], 0);
  const summary: FolderSummary = {
    files,
    new: sum('new'),
    changed: sum('changed'),
    refused: sum('refused'),
    newly_refused: refused.filter((hash) => !before.has(hash)).length,
    questions: openQuestions(full).length,
    fault: '',
  };
  return { report: full.report, refused, summary };
}

/** Why files cannot be used, in words; null for a trouble of another kind, after which they are tried again. */
function faultOf(error: unknown): string | null {
  if (error instanceof UnusableFile) return error.message;
  return error instanceof Refusal && error.code === 'invalid' ? error.message : null;
}
