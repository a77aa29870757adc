import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { lastLines, run, say, withNode } from './process.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PLACES = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];

/** The path of a Chromium: the one that `CHROMIUM` names, or an installed one, or one that Playwright downloaded. */
function findBrowser(env = process.env) {
  const named = env.CHROMIUM;
  if (named) return isProgram(named) ? named : undefined;
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...PLACES];
  for (const name of NAMES) {
    const found = folders.map((folder) => join(folder, name)).find(isProgram);
    if (found) return found;
  }
  return playwrightsOwn(env);
}

/**
 * Gets a browser for the tests: one on this machine, Debian's package if we may install it, or Playwright's download.
 * @returns {Promise<string | undefined>} the browser's path; undefined if there is none (a printed line says so)
 */
export async function getBrowser(node) {
  const found = findBrowser();
  if (found) return found;
  if (process.env.CHROMIUM) {
    say(`CHROMIUM names ${process.env.CHROMIUM}, which is not a program.`);
    return undefined;
  }
  const tries = [];
  if (process.getuid?.() === 0 && isProgram('/usr/bin/apt-get')) {
    say("Installing a browser for the tests (Debian's chromium; first run only).");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-q'], { env });
    tries.push(await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env }));
    const installed = findBrowser();
    if (installed) return installed;
  }
  say("Fetching a browser for the tests (Playwright's; first run only).");
  const playwright = join(ROOT, 'node_modules', 'playwright', 'cli.js');
  tries.push(await run(node, [playwright, 'install', 'chromium'], { env: withNode(node) }));
  const fetched = findBrowser();
  if (!fetched) {
    const why = tries.map(({ output }) => lastLines(output, 2)).join('\n');
    say(`No browser for the browser tests: install Chromium, or set CHROMIUM to the path of one.\n${why}`);
  }
  return fetched;
}

function playwrightsOwn(env) {
  const base = env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(base)) return undefined;
  return readdirSync(base)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
    .flatMap((name) => ['chrome-linux64', 'chrome-linux'].map((folder) => join(base, name, folder, 'chrome')))
    .find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
