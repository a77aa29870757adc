import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME } from './paths.mjs';
import { lastLines, run, runNpm, say, ToolError } from './process.mjs';

const WANTED = 24;
export const VERSION = '24.21.0';
const OWN = join(RUNTIME, 'node24', 'bin', 'node');

/**
 * The path of the Node that runs everything: the one running now if it is new enough, otherwise a Node that was
 * downloaded earlier; undefined if there is neither.
 */
export function findNode24() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath;
  return existsSync(OWN) ? OWN : undefined;
}

/**
 * The hash that Node's package must have, by operating system and processor.
 *
 * @type {Record<string, string>}
 */
const PINS = {
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/** The pinned version, whatever the machine has: what is shipped must not depend on it. */
export const fetchPinnedNode = async () => (existsSync(OWN) ? OWN : fetchNode24());

/**
 * Downloads Node 24 as an npm package. Writes a lock file with the package's hash first, so that npm refuses any other
 * package, whatever the registry sends.
 */
export async function fetchNode24(runtime = RUNTIME, pins = PINS) {
  const machine = `${process.platform}-${process.arch}`;
  const name = `node-${machine}`;
  if (!pins[machine]) throw new ToolError(`Node ${WANTED} is needed on ${machine}: install Node ${WANTED} or newer.`);
  say(`This machine has Node ${process.versions.node}; fetching Node ${VERSION} (first run only).`);
  const making = join(runtime, `.node24-${process.pid}`);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    writeLock(making, name, pins[machine]);
    const installed = await runNpm(process.execPath, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: making,
    });
    const folder = join(making, 'node_modules', name);
    if (/EINTEGRITY/.test(installed.output)) {
      throw new ToolError(
        `The package ${name}@${VERSION} that the registry sent is not the one that was pinned, so it was not used. Install Node ${WANTED} or newer, and find out who changed it.`,
      );
    }
    if (installed.code !== 0 || !existsSync(join(folder, 'bin', 'node'))) {
      throw new ToolError(
        `Node ${VERSION} could not be fetched for ${machine}: install Node ${WANTED} or newer.\n${lastLines(installed.output)}`,
      );
    }
    const tried = await run(join(folder, 'bin', 'node'), ['--version']);
    if (tried.code !== 0)
      throw new ToolError(
        `Node ${VERSION} does not run on this machine (${lastLines(tried.output, 1)}): install Node ${WANTED} or newer.`,
      );
    rmSync(join(runtime, 'node24'), { recursive: true, force: true });
    renameSync(folder, join(runtime, 'node24'));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  for (const left of readdirSync(runtime))
    if (left.startsWith('.node24-')) rmSync(join(runtime, left), { recursive: true, force: true });
  return join(runtime, 'node24', 'bin', 'node');
}

function writeLock(folder, name, integrity) {
  const dependencies = { [name]: VERSION };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: VERSION, integrity } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
}
