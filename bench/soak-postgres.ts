import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const POSTGRES = 'installed-postgres';

/** Where Debian, Ubuntu and Red Hat put PostgreSQL's programs. */
const PLACES = [
  ...(existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`),
  '/usr/bin',
];

/** The folder of the newest PostgreSQL's programs; undefined if none is installed. */
export const POSTGRES_BIN = PLACES.find((place) => existsSync(join(place, 'initdb')));

/**
 * Runs all integration and reliability tests on a PostgreSQL as the distribution installs it: it compiles queries,
 * starts parallel workers, sorts as English readers do, and is older than the embedded one. The tests' role owns its
 * databases and may do nothing else.
 * @param results the folder for the result
 * @returns whether PostgreSQL is installed and all tests passed
 */
export async function runOnPostgres(root: string, results: string): Promise<boolean> {
  const bin = POSTGRES_BIN;
  if (!bin) {
    process.stderr.write('No PostgreSQL is installed: on Debian and Ubuntu, apt-get install postgresql.\n');
    return false;
  }
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-postgres-'));
  const port = await freePort();
  const as = userOf(folder);
  const program = (name: string, args: readonly string[]): void => {
    const { status, stderr } = spawnSync(join(bin, name), args, { ...as, cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  };
  const data = join(folder, 'data');
  program('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    ...sorting(bin),
  ]);
  // Without fsync, a run does not wait for the disk; the tests of kills use the embedded PostgreSQL, with fsync.
  const options = `-p ${port} -c fsync=off -c max_connections=300 -c unix_socket_directories=${folder}`;
  program('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  try {
    const own = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'postgres'];
    program('psql', [...own, '-c', "create role clinic login createdb password 'clinic'"]);
    const url = `postgres://clinic:clinic@127.0.0.1:${port}/postgres`;
    const { passed, failed } = await runTests(root, folder, url);
    const figures = { passed, failed, PostgreSQL: versionOf(bin) };
    const seconds = Math.round((performance.now() - began) / 1000);
    const result = { name: POSTGRES, count: passed + failed, seconds, at: new Date(), figures };
    writeFileSync(join(results, `${POSTGRES}.json`), `${JSON.stringify(result, null, 2)}\n`);
    return failed === 0 && passed > 0;
  } finally {
    program('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Left out: one test reads the embedded PostgreSQL's log, some need the Python or the built pages that `npm test` sets
 * up. Some others look into the embedded one's files; they skip themselves.
 */
const LEFT_OUT = [
  '**/planted-secrets.reliability.test.ts',
  '**/api-client.test.ts',
  '**/ics-text.test.ts',
  '**/notices.test.ts',
  '**/scim-tester.test.ts',
];

async function runTests(root: string, folder: string, url: string): Promise<{ passed: number; failed: number }> {
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--project', 'integration', '--project', 'reliability', '--reporter=default', '--reporter=json'];
  const child = spawn(process.execPath, [vitest, ...args, `--outputFile.json=${report}`], {
    cwd: root,
    env: { ...process.env, TEST_DATABASE_URL: url, TESTS_LEFT_OUT: LEFT_OUT.join(' ') },
    stdio: ['ignore', 2, 2],
  });
  await new Promise((resolve) => child.once('close', resolve));
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
  };
  return { passed: numPassedTests, failed: numFailedTests };
}

/** Text sorted as English readers do, where this PostgreSQL has ICU; the embedded one sorts by code point. */
const sorting = (bin: string): string[] =>
  /icu/.test(spawnSync(join(bin, 'pg_config'), ['--configure'], { encoding: 'utf8' }).stdout ?? '')
    ? ['--locale-provider=icu', '--icu-locale=en-US']
    : [];

const versionOf = (bin: string): string =>
  spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim().split(' ').at(2) ?? 'unknown';

/** PostgreSQL refuses to run as root, so root runs it as `nobody`, who then owns the folder. */
export function userOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  const user = { uid: id('-u'), gid: id('-g') };
  chmodSync(folder, 0o755);
  spawnSync('chown', [`${user.uid}:${user.gid}`, folder]);
  return user;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
