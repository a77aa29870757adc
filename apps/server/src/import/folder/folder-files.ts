import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IMPORT_KINDS, type ImportFile, type ImportKind } from '../import-types.ts';

const LARGEST = 200 * 1024 * 1024;
const REPORT = 'report.csv';
const NAME = new RegExp(`^(${IMPORT_KINDS.join('|')})(?![a-z]).*\\.(?:csv|txt|xlsx|xlsb|xls|ods)$`, 'i');
/** What programs call a file that they are still writing. */
const UNFINISHED = new RegExp(`^\\.?(?:${IMPORT_KINDS.join('|')}).*\\.(?:part|partial|filepart|crdownload|tmp)$`, 'i');

/** The newest file of each kind in a folder, and older ones, which it replaces. */
export interface FileSet {
  readonly newest: Partial<Readonly<Record<ImportKind, string>>>;
  readonly names: readonly string[];
  /** Changes whenever a file is added, removed or written to. */
  readonly signature: string;
  /** Whether a program is certainly still writing. */
  readonly unfinished: boolean;
}

/** Finds the files for an import in a folder: a file's name begins with its kind, such as `clients 2026-11-20.csv`. */
export async function findFiles(folder: string): Promise<FileSet> {
  const all = await readdir(folder);
  const found: { kind: ImportKind; name: string; at: number; text: string }[] = [];
  for (const name of all.sort()) {
    const kind = IMPORT_KINDS.find((each) => each === NAME.exec(name)?.[1]?.toLowerCase());
    const state = kind && (await stat(join(folder, name)));
    if (kind && state?.isFile())
      found.push({ kind, name, at: state.mtimeMs, text: `${name} ${state.size} ${state.mtimeMs}` });
  }
  const newest: Partial<Record<ImportKind, string>> = {};
  for (const { kind, name } of found.toSorted((a, b) => a.at - b.at)) newest[kind] = name;
  return {
    newest,
    names: found.map(({ name }) => name),
    signature: found.map(({ text }) => text).join('\n'),
    unfinished: all.some((name) => UNFINISHED.test(name)),
  };
}

/** Thrown when a file cannot be taken; the message is for the administrator and names no client. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

/** Reads the newest file of each kind. Throws UnusableFile for one that is too large. */
export async function readFiles(folder: string, { newest }: FileSet): Promise<Partial<Record<ImportKind, ImportFile>>> {
  const files: Partial<Record<ImportKind, ImportFile>> = {};
  for (const kind of IMPORT_KINDS) {
    const name = newest[kind];
    if (name === undefined) continue;
    const path = join(folder, name);
    if ((await stat(path)).size > LARGEST)
      throw new UnusableFile(`The file for ${kind} is larger than ${LARGEST / 1024 / 1024} MB.`);
    files[kind] = { name, bytes: new Uint8Array(await readFile(path)) };
  }
  return files;
}

/** Moves files to another folder, which only this user may read, and writes the report beside them. */
export async function moveFiles(from: string, to: string, names: readonly string[], report: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await writeFile(join(to, REPORT), report, { mode: 0o600 });
  if (from !== to) for (const name of names) await rename(join(from, name), join(to, name));
}

/** Removes the folder of a set that waited, with its report, unless someone put other files there. */
export async function clearFolder(folder: string): Promise<void> {
  await rm(join(folder, REPORT), { force: true });
  await rmdir(folder).catch(() => {});
}

/** Identifies a row of a file without saying what is in it. */
export const rowHash = (kind: string, original: string): string =>
  createHash('sha256').update(`${kind}\n${original}`).digest('hex').slice(0, 32);
