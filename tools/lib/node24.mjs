import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME } from './paths.mjs';
import { lastLines, run, runNpm, say, ToolError } from './process.mjs';

const WANTED = 24;
const VERSION = '24.21.0';
const OWN = join(RUNTIME, 'node24', 'bin', 'node');

/** The Node to run everything with, if it is here already: this one when it is new enough, else the one fetched before. */
export function findNode24() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath;
  return existsSync(OWN) ? OWN : undefined;
}

/** Fetches Node 24 from the npm registry (the `node` package is only an install script; these hold the program). */
export async function fetchNode24() {
  const name = `node-${process.platform}-${process.arch}`;
  say(`This machine has Node ${process.versions.node}; fetching Node ${VERSION} (once).`);
  const making = join(RUNTIME, `.node24-${process.pid}`);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    const args = [
      'install',
      '--prefix',
      making,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ];
    const installed = await runNpm(process.execPath, [...args, `${name}@${VERSION}`], { cwd: making });
    const folder = join(making, 'node_modules', name);
    if (installed.code !== 0 || !existsSync(join(folder, 'bin', 'node'))) {
      throw new ToolError(
        `Node ${VERSION} could not be fetched for ${process.platform}-${process.arch}: install Node ${WANTED} or newer yourself.\n${lastLines(installed.output)}`,
      );
    }
    const tried = await run(join(folder, 'bin', 'node'), ['--version']);
    if (tried.code !== 0)
      throw new ToolError(
        `Node ${VERSION} does not run on this machine (${lastLines(tried.output, 1)}): install Node ${WANTED} or newer yourself.`,
      );
    rmSync(join(RUNTIME, 'node24'), { recursive: true, force: true });
    renameSync(folder, join(RUNTIME, 'node24'));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  for (const left of readdirSync(RUNTIME))
    if (left.startsWith('.node24-')) rmSync(join(RUNTIME, left), { recursive: true, force: true });
  return OWN;
}
