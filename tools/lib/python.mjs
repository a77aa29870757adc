import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../apps/server/src/lock-file.mjs';
import { ROOT, RUNTIME } from './paths.mjs';
import { lastLines, run, say } from './process.mjs';

const REQUIREMENTS = join(ROOT, 'tools', 'openapi-client', 'requirements.txt');
/** A program that succeeds if Python is 3.11 or newer, as the generator requires, and can make environments. */
const CAN = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

/**
 * Gets the Python that generates a client from the API's document: a virtual environment under `.runtime`, rebuilt when
 * its requirements change. Every package must have the hash that is recorded in the repository.
 * @returns {Promise<string | undefined>} the path of Python; undefined if there is none (a printed line says so)
 */
export async function getPython() {
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(RUNTIME, `python-${version}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  return withLock(join(RUNTIME, 'python.lock'), async () => {
    if (existsSync(python)) return python;
    const base = await findPython();
    if (!base) return undefined;
    say('Setting up Python for the test of a generated API client (first run only).');
    rmSync(folder, { recursive: true, force: true });
    const made = await make(base, `${folder}.new`);
    if (made.code !== 0) {
      say(`No Python for the test of a generated API client:\n${lastLines(made.output, 5)}`);
      return undefined;
    }
    renameSync(`${folder}.new`, folder);
    return python;
  });
}

async function make(base, folder) {
  rmSync(folder, { recursive: true, force: true });
  const made = await run(base, ['-m', 'venv', folder]);
  if (made.code !== 0) return made;
  const install = ['-m', 'pip', 'install', '--quiet', '--require-hashes', '--only-binary', ':all:', '-r', REQUIREMENTS];
  return run(join(folder, 'bin', 'python'), install);
}

/** Finds a Python that can make virtual environments, or installs one if that is allowed. */
async function findPython() {
  if (await isUsable()) return 'python3';
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say("Installing Python for a test (Debian's python3-venv; first run only).");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'python3', 'python3-venv'], { env });
    if (await isUsable()) return 'python3';
  }
  say('The test of a generated API client needs Python 3.11 or newer with venv: install python3 and python3-venv.');
  return undefined;
}

const isUsable = async () => (await run('python3', ['-c', CAN])).code === 0;
