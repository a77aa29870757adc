import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../apps/server/src/lock-file.mjs';
import { ROOT, RUNTIME } from './paths.mjs';
import { lastLines, run, say } from './process.mjs';

const REQUIREMENTS = join(ROOT, 'tools', 'openapi-client', 'requirements.txt');
/** A program that succeeds if Python is 3.11 or newer, as these packages require, and can make environments. */
const CAN = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

/**
 * Gets the Python of tests: a virtual environment under `.runtime`, rebuilt when its requirements change. Every package must have the hash that is recorded in the repository.
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
    say('Setting up Python for tests (first run only).');
    rmSync(folder, { recursive: true, force: true });
    const made = await make(base, `${folder}.new`);
    if (made.code !== 0) {
      say(`No Python for tests:\n${lastLines(made.output, 5)}`);
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
  // The list is whole: with a package that is needed both with and without an extra, pip would not find its hash.
  const checked = ['--require-hashes', '--no-deps', '--only-binary', ':all:'];
  const install = ['-m', 'pip', 'install', '--quiet', ...checked, '-r', REQUIREMENTS];
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
  say('Some tests need Python 3.11 or newer with venv: install python3 and python3-venv.');
  return undefined;
}

const isUsable = async () => (await run('python3', ['-c', CAN])).code === 0;
