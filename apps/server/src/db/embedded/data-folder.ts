import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { reasonOf, StartError } from '../../start-error.ts';
import { canReach, chooseRunAs, type RunAs } from './run-as.ts';

/** The paths where the embedded PostgreSQL keeps its files, and the user it runs as. */
export interface DataFolder {
  /** DATA_DIR itself, with symbolic links resolved. */
  readonly root: string;
  /**
   * The folder that holds the database files, the socket and the programs: DATA_DIR, or another folder if the
   * database's user cannot reach DATA_DIR.
   */
  readonly home: string;
  readonly cluster: string;
  readonly password: string;
  readonly lock: string;
  readonly log: string;
  readonly runAs: RunAs | null;
}

interface Marker {
  readonly format: typeof FORMAT;
  readonly home: string;
  readonly password: string;
}

const MARKER = 'scheduler-data.json';
/** The version of the folder's layout; a change that makes existing folders unusable must raise this number. */
const FORMAT = 2;
const OUTSIDE = '/var/lib/clinic-scheduler';

/**
 * Opens DATA_DIR, and creates it if it is missing. A folder that holds files of another program, cannot be read, or was
 * made by an incompatible version is refused with one line and left alone. If the server runs as root, the database
 * runs as another user. If that user cannot reach DATA_DIR (for example, under a home folder with mode 0700), the
 * database goes into a separate folder under /var/lib, and a file in DATA_DIR says where.
 */
export function openDataFolder(dataDir: string, outside: string = OUTSIDE): DataFolder {
  const wanted = resolve(dataDir);
  try {
    const fresh = !existsSync(wanted);
    makeFolder(wanted, process.getuid?.() === 0 ? 0o711 : 0o700);
    const root = realpathSync(wanted);
    const marker = readMarker(root) ?? writeMarker(root, fresh, outside);
    const home = isAbsolute(marker.home) ? marker.home : join(root, marker.home);
    const cluster = join(home, 'cluster');
    if (isAbsolute(marker.home) && !existsSync(home)) {
      throw new StartError(
        `The data folder ${root} says its database is in ${home}, which is missing: put it back, or restore a backup.`,
      );
    }
    const runAs = chooseRunAs(existsSync(cluster) ? statSync(cluster).uid : undefined);
    return {
      root,
      home,
      cluster,
      password: marker.password,
      lock: join(root, 'postgres.lock'),
      log: join(root, 'postgres.log'),
      runAs,
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The data folder ${wanted} cannot be used: ${reasonOf(error)}`);
  }
}

/** Whether a folder was set up as DATA_DIR. */
export const isDataFolder = (dataDir: string): boolean => existsSync(join(resolve(dataDir), MARKER));

/**
 * Makes a folder and its missing parents. NOTE: `recursive` would try forever where no folder can be made, such as in
 * /proc.
 */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const above = dirname(path);
  if (!existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another server that is starting at the same time may have made the folder.
    if (!(existsSync(path) && statSync(path).isDirectory())) throw error;
  }
}

function readMarker(root: string): Marker | undefined {
  const path = join(root, MARKER);
  if (!existsSync(path)) return undefined;
  let marker: Partial<Marker>;
  try {
    marker = JSON.parse(readFileSync(path, 'utf8')) as Partial<Marker>;
  } catch (error) {
    throw new StartError(
      `The file ${path} cannot be read (${reasonOf(error)}): restore it from a backup, or set DATA_DIR to an empty folder.`,
    );
  }
  if (marker.format !== FORMAT || typeof marker.home !== 'string' || typeof marker.password !== 'string') {
    throw new StartError(
      `The data folder ${root} was made by another version of the scheduler: use that version, or set DATA_DIR to an empty folder.`,
    );
  }
  return marker as Marker;
}

function writeMarker(root: string, fresh: boolean, outside: string): Marker {
  const foreign = readdirSync(root).filter((name) => !name.startsWith('.') && name !== 'lost+found');
  if (foreign.length > 0) {
    // Another process may be claiming the same folder right now; its marker is the first file that it writes.
    const theirs = readMarker(root);
    if (theirs) return theirs;
    throw new StartError(
      `The data folder ${root} holds files that are not the scheduler's (${foreign[0]}): set DATA_DIR to an empty folder.`,
    );
  }
  const runAs = chooseRunAs();
  // The database's user must be able to pass through the folder, whatever the umask is.
  if (fresh && runAs) chmodSync(root, 0o711);
  let home = '.';
  if (!canReach(root, runAs)) {
    home = join(outside, randomBytes(8).toString('hex'));
    mkdirSync(home, { recursive: true, mode: 0o711 });
    chmodSync(outside, 0o711);
    chmodSync(home, 0o711);
  }
  const marker: Marker = { format: FORMAT, home, password: randomBytes(24).toString('base64url') };
  const making = join(root, `.${MARKER}.${process.pid}`);
  writeFileSync(making, `${JSON.stringify(marker, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  const already = readMarker(root);
  if (already) {
    rmSync(making, { force: true });
    return already;
  }
  renameSync(making, join(root, MARKER));
  return marker;
}
