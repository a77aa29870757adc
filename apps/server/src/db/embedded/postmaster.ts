import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../../lock-file.mjs';
import { codeOf, reasonOf, StartError } from '../../start-error.ts';
import type { DataFolder } from './data-folder.ts';
import type { PackagedBinaries } from './stage.ts';

/** The superuser of an embedded PostgreSQL. */
export const SUPERUSER = 'scheduler';
const SOCKET_NAME = '.s.PGSQL.5432';
const LONGEST_SOCKET_PATH = 107; // in bytes: the system allows 108 including the closing null (on macOS 104, which is checked below)

/** The contents of `postmaster.pid`; its PostgreSQL may no longer be running. */
export interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
}

/**
 * Makes the database files if there are none. They are made in another folder and then moved, so that an interruption
 * never leaves incomplete files.
 */
export function ensureCluster(
  folder: DataFolder,
  bin: string,
  packaged: PackagedBinaries,
  progress: (line: string) => void,
): void {
  for (const name of readdirSync(folder.home)) {
    if (name.startsWith('.cluster-')) rmSync(join(folder.home, name), { recursive: true, force: true });
  }
  if (existsSync(folder.cluster)) {
    checkCluster(folder, packaged);
    return;
  }
  progress('Creating the database (first run only).');
  const making = join(folder.home, `.cluster-${randomBytes(4).toString('hex')}`);
  mkdirSync(making, { mode: 0o700 });
  const passwordFile = join(making, 'password');
  const data = join(making, 'data');
  writeFileSync(passwordFile, `${folder.password}\n`, { mode: 0o600 });
  mkdirSync(data, { mode: 0o700 });
  for (const path of [making, passwordFile, data]) give(path, folder);
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ],
    { ...processOptions(folder), encoding: 'utf8' },
  );
  if (made.error || made.status !== 0) {
    rmSync(making, { recursive: true, force: true });
    const lines = `${made.stderr ?? ''}`.split('\n').filter((line) => /error|fatal|could not/i.test(line));
    throw new StartError(
      `The database could not be created in ${folder.home}: ${lines[0] ?? reasonOf(made.error ?? `initdb ended with ${made.status}`)}`,
    );
  }
  renameSync(data, folder.cluster);
  rmSync(making, { recursive: true, force: true });
}

function checkCluster(folder: DataFolder, packaged: PackagedBinaries): void {
  let version: string;
  try {
    version = readFileSync(join(folder.cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `The database in ${folder.cluster} cannot be read (${reasonOf(error)}): restore a backup into an empty DATA_DIR.`,
    );
  }
  if (version !== String(packaged.major)) {
    throw new StartError(
      `The database in ${folder.cluster} was made by PostgreSQL ${version} and this product includes PostgreSQL ${packaged.major}: start it with the version that made it, back it up, and restore into an empty DATA_DIR.`,
    );
  }
}

/**
 * Finds the PostgreSQL that `postmaster.pid` names, if it is running on these files. If that PostgreSQL is dead, its
 * leftover files are removed.
 */
export function findPostmaster(folder: DataFolder): Postmaster | undefined {
  const path = join(folder.cluster, 'postmaster.pid');
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const socketDir = (lines[4] ?? '').trim();
  if (isPostmasterOf(folder.cluster, pid)) return { pid, socketDir };
  // Another process may now have the dead PostgreSQL's process id, especially after a container restarts; PostgreSQL
  // would then refuse to start.
  rmSync(path, { force: true });
  if (socketDir)
    for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) rmSync(join(socketDir, name), { force: true });
  return undefined;
}

/** Whether a process is the PostgreSQL that runs on these files, and not another program or another PostgreSQL. */
function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isRunning(pid)) return false;
  if (!existsSync('/proc/self')) {
    const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return /\bpostgres$/.test((ps.stdout ?? '').split(' -D ')[0] ?? '') && ps.stdout.includes(` -D ${cluster} `);
  }
  try {
    if (basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') !== 'postgres') return false;
    if (statSync(`/proc/${pid}`).uid !== statSync(cluster).uid) return false; // PostgreSQL runs as the owner of its files
  } catch {
    return false; // the process has exited
  }
  return worksIn(cluster, pid);
}

/**
 * Whether a process's working directory is this data folder. If this cannot be found out, the result is true, because
 * two PostgreSQLs on the same files would destroy them.
 */
function worksIn(cluster: string, pid: number): boolean {
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/**
 * Starts PostgreSQL in a separate session, so that neither Ctrl-C nor the end of this process stops it.
 * @param settings additional PostgreSQL settings, as `name=value`
 * @returns a function that returns why PostgreSQL has exited, or undefined while it is running
 */
export function launch(
  folder: DataFolder,
  bin: string,
  settings: readonly string[],
): { socketDir: string; ended: () => string | undefined } {
  const socketDir = makeSocketDir(folder);
  const options = [
    'listen_addresses=',
    `unix_socket_directories="${socketDir.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'max_connections=200',
    'shared_buffers=128MB',
    'timezone=UTC',
    'log_timezone=UTC',
    // The log records what PostgreSQL does but never the text of a statement, since statements contain clients' names.
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_parameter_max_length_on_error=0',
    'log_checkpoints=off',
    'max_parallel_workers_per_gather=0', // the tables are small, and a container's shared memory may be only 64 MB
    ...settings,
  ];
  if (existsSync(folder.log) && statSync(folder.log).size > 5_000_000) renameSync(folder.log, `${folder.log}.old`);
  const log = openSync(folder.log, 'a', 0o600);
  const from = statSync(folder.log).size;
  const child = spawn(join(bin, 'postgres'), ['-D', folder.cluster, ...options.flatMap((option) => ['-c', option])], {
    ...processOptions(folder),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let why: string | undefined;
  child.once('error', (error) => (why = reasonOf(error)));
  child.once(
    'exit',
    (code, signal) => (why = lastWords(folder.log, from) ?? `PostgreSQL ended with ${signal ?? code}`),
  );
  child.unref();
  return { socketDir, ended: () => why };
}

/**
 * Stops PostgreSQL after a checkpoint, or at once if the checkpoint takes over 10 s. No commit is lost in either case.
 */
export async function stopPostmaster(cluster: string, postmaster: Postmaster): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    try {
      process.kill(postmaster.pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < patience; waited += 20) {
      if (!isPostmasterOf(cluster, postmaster.pid)) return;
      await delay(20);
    }
  }
}

/** Returns the first error that PostgreSQL has logged after the offset `from`, without its timestamp. */
function lastWords(path: string, from: number): string | undefined {
  if (!existsSync(path)) return undefined; // the whole data folder has been deleted
  const lines = readFileSync(path).subarray(from).toString('utf8').split('\n');
  return lines
    .filter((line) => /(FATAL|PANIC|ERROR|could not)/.test(line))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, ''))[0];
}

function processOptions(folder: DataFolder): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return folder.runAs ? { uid: folder.runAs.uid, gid: folder.runAs.gid, cwd: '/', env } : { cwd: '/', env };
}

function give(path: string, folder: DataFolder): void {
  if (folder.runAs) chownSync(path, folder.runAs.uid, folder.runAs.gid);
}

/**
 * Chooses a private folder for the socket: `run` beside the database files, or another folder if that path is too long
 * for PostgreSQL.
 */
function makeSocketDir(folder: DataFolder): string {
  const owner = folder.runAs?.uid ?? process.getuid?.() ?? 0;
  const longest = process.platform === 'darwin' ? LONGEST_SOCKET_PATH - 4 : LONGEST_SOCKET_PATH;
  const fits = (dir: string) => Buffer.byteLength(join(dir, SOCKET_NAME)) <= longest && !/[,\n]/.test(dir);
  const beside = join(folder.home, 'run');
  if (fits(beside)) {
    mkdirSync(beside, { recursive: true, mode: 0o700 });
    give(beside, folder);
    chmodSync(beside, 0o700);
    return beside;
  }
  const base = [tmpdir(), '/tmp'].find((dir) => fits(join(dir, 'clinic-0123456789ab'))) ?? '/tmp';
  const short = join(base, `clinic-${createHash('sha256').update(folder.cluster).digest('hex').slice(0, 12)}`);
  try {
    mkdirSync(short, { mode: 0o700 });
    give(short, folder);
    return short;
  } catch {
    const found = lstatSync(short);
    if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return short;
  }
  const other = mkdtempSync(join(base, 'clinic-')); // another user owns a folder of that name
  give(other, folder);
  return other;
}
