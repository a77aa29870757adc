/**
 * Downloads the programs that the calendar is compared with, but only for a run that needs them. They are not
 * dependencies.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

/**
 * Installs packages at exact versions in their own folder, unless they are there already, and returns the folder's
 * `node_modules`. Throws without a network.
 */
export async function fetched(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(ROOT, '.runtime/bench', name);
  const modules = join(folder, 'node_modules');
  const stamp = join(modules, '.fetched.json');
  if (existsSync(stamp)) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  // The rules for dependencies apply here too: no install scripts, and nothing younger than a week.
  copyFileSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
  const npm = join(dirname(process.execPath), 'npm');
  await promisify(execFile)(existsSync(npm) ? npm : 'npm', ['install', '--no-progress', '--loglevel=error'], {
    cwd: folder,
  });
  writeFileSync(stamp, JSON.stringify(packages));
  return modules;
}
