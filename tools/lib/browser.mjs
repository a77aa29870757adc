import { accessSync, constants, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT, RUNTIME } from './paths.mjs';
import { lastLines, run, say, withNode } from './process.mjs';

/**
 * Chromium's headless shell, without windows, tabs or an address bar: the same engine, but each test takes less
 * processor time (docs/decisions/0100).
 */
const SHELLS = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  playwrights: /^chromium_headless_shell-\d+$/,
  programs: ['chrome-headless-shell-linux64/chrome-headless-shell', 'chrome-linux/headless_shell'],
};
const WHOLE = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
  playwrights: /^chromium-\d+$/,
  programs: ['chrome-linux64/chrome', 'chrome-linux/chrome'],
};
const PLACES = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const SHELL_PACKAGE = 'chromium-headless-shell';
/** This file exists once this checkout has failed to add the headless shell to an installed Chromium. */
const NO_SHELL = join(RUNTIME, 'no-headless-shell');

/**
 * The path of a Chromium: the one that `CHROMIUM` names, otherwise a headless shell, otherwise any other.
 *
 * @returns {string | undefined}
 */
export function findBrowser(env = process.env, places = PLACES) {
  const named = env.CHROMIUM;
  if (named) return isProgram(named) ? named : undefined;
  return find(SHELLS, env, places) ?? find(WHOLE, env, places);
}

/** A browser of this kind that is installed, or that Playwright downloaded. */
function find({ names, playwrights, programs }, env, places) {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...places];
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(isProgram);
    if (found) return found;
  }
  const base = env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(base)) return undefined;
  const version = (name) => Number(name.split('-')[1]);
  return readdirSync(base)
    .filter((name) => playwrights.test(name))
    .sort((a, b) => version(b) - version(a))
    .flatMap((name) => programs.map((program) => join(base, name, program)))
    .find(isProgram);
}

/**
 * Gets a browser for the tests: one on this machine, Debian's package if we may install it, or Playwright's download.
 * @returns {Promise<string | undefined>} the browser's path; undefined if there is none (a printed line says so)
 */
export async function getBrowser(node) {
  if (process.env.CHROMIUM) {
    const named = findBrowser();
    if (!named) say(`CHROMIUM names ${process.env.CHROMIUM}, which is not a program.`);
    return named;
  }
  const shell = find(SHELLS, process.env, PLACES);
  if (shell) return shell;
  const mayInstall = process.getuid?.() === 0 && isProgram('/usr/bin/apt-get');
  const whole = find(WHOLE, process.env, PLACES);
  if (whole) return (mayInstall && (await addShell())) || whole;
  const tries = [];
  if (mayInstall) {
    say("Installing a browser for the tests (Debian's chromium; first run only).");
    await apt('update');
    for (const name of [SHELL_PACKAGE, 'chromium']) {
      tries.push(await apt('install', name));
      const installed = findBrowser();
      if (installed) return installed;
    }
  }
  say("Fetching a browser for the tests (Playwright's; first run only).");
  const playwright = join(ROOT, 'node_modules', 'playwright', 'cli.js');
  tries.push(await run(node, [playwright, 'install', '--only-shell', 'chromium'], { env: withNode(node) }));
  const fetched = findBrowser();
  if (!fetched) {
    const why = tries.map(({ output }) => lastLines(output, 2)).join('\n');
    say(`No browser for the browser tests: install Chromium, or set CHROMIUM to the path of one.\n${why}`);
  }
  return fetched;
}

/**
 * Adds Debian's headless shell to Debian's Chromium. Both must have the same version, since another version would
 * replace files of the installed one. After a failure, this checkout does not try again.
 */
async function addShell() {
  if (existsSync(NO_SHELL)) return undefined;
  const { code, output: version } = await run('dpkg-query', ['--show', '--showformat=${Version}', 'chromium']);
  if (code === 0) {
    say("Installing a faster browser for the tests (Debian's chromium without windows; first run only).");
    const install = () => apt('install', `${SHELL_PACKAGE}=${version}`);
    if ((await install()).code !== 0 && (await apt('update')).code === 0) await install();
  }
  const shell = find(SHELLS, process.env, PLACES);
  if (!shell) writeFileSync(NO_SHELL, '');
  return shell;
}

function apt(command, ...names) {
  const quick = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = command === 'install' ? ['-y', '--no-install-recommends'] : [];
  return run('apt-get', [command, '-q', ...quick, ...install, ...names], { env });
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
