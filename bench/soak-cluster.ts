import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '@clinic/testkit';
import { openDatabase, type OpenDatabase } from '../apps/server/src/db/connection.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import {
  faultsInTrail,
  lostOf,
  takeAllBack,
  write,
  type Acknowledged,
} from '../apps/server/src/reliability/testing/acknowledged.ts';
import { LASTING_SETTINGS } from '../apps/server/src/reliability/testing/doses.ts';
import { buildMornings, type Morning } from '../apps/server/src/reliability/testing/morning.ts';
import { makeAccount, remoteSession, remoteToken } from '../apps/server/src/reliability/testing/remote.ts';
import { halfWritten, overlappingPairs } from '../apps/server/src/reliability/testing/state-checks.ts';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../apps/server/src/testing/server-process.ts';
import type { SignedIn } from '../apps/server/src/testing/test-app.ts';
import { startCluster, type Cluster } from './cluster.ts';

export const CLUSTER = 'cluster';
export const CLUSTER_COUNT = 5;

const PACKAGES = ['patroni', 'etcd-server', 'postgresql'];
const WRITERS = 4;
/** How much later than the cluster the product may be ready. */
const MOST_LATER_MS = 5000;
const READY_WITHIN_MS = 60_000;

/** What the rounds have found. */
interface Found {
  acknowledged: number;
  readonly lost: string[];
  readonly half: string[];
  doubled: number;
  /** In milliseconds since the kill, for each round. */
  readonly led: number[];
  readonly later: number[];
}

/**
 * Kills the leader of a database cluster, again and again, while four writers submit and undo; the product's server names
 * both nodes in `DATABASE_URL`. Installs Patroni, etcd and PostgreSQL with `apt-get` if they are missing.
 * @returns whether nothing acknowledged was lost or doubled, and the server was ready soon after the cluster
 */
export async function runCluster(results: string, count: number): Promise<boolean> {
  const began = performance.now();
  installMissing();
  const cluster = await startCluster();
  const found: Found = { acknowledged: 0, lost: [], half: [], doubled: 0, led: [], later: [] };
  let server: ServerProcess | undefined;
  const beside = openDatabase({ connectionString: cluster.url }, { connections: 4 });
  try {
    await beside.chooseHost();
    await migrate(beside.pool);
    const account = await makeAccount(beside.db);
    const settings = { DATABASE_URL: cluster.url, DEMO: 'off', LOG_LEVEL: 'error', SOLVER_SECONDS: '20' };
    server = await startServerProcess({ ...LASTING_SETTINGS, ...ONE_SOLVER, ...settings });
    const { url } = server;
    const staff = remoteSession(() => url, account, await remoteToken(url, account.email));
    const mornings = await buildMornings(beside.db, staff, { days: 4, proposals: 2, seed: 3 });
    for (let n = 0; n < count; n++) {
      await killOnce({ cluster, beside, staff, mornings, url }, found, n);
      process.stderr.write(
        `kill ${n + 1} of ${count}: another leader after ${found.led.at(-1)} ms, ready ${found.later.at(-1)} ms later\n`,
      );
    }
    const faults = await faultsInTrail(beside.db);
    found.half.push(...faults);
  } finally {
    server?.child.kill('SIGTERM');
    await server?.ended;
    await beside.close();
    await cluster.close();
  }
  keep(results, count, began, found);
  for (const line of [...found.lost, ...found.half]) process.stderr.write(`${line}\n`);
  const soon = found.later.every((ms) => ms <= MOST_LATER_MS);
  return found.lost.length + found.half.length + found.doubled === 0 && soon && found.acknowledged >= count;
}

interface Scene {
  readonly cluster: Cluster;
  readonly beside: OpenDatabase;
  readonly staff: SignedIn;
  readonly mornings: readonly Morning[];
  readonly url: string;
}

async function killOnce({ cluster, beside, staff, mornings, url }: Scene, found: Found, n: number): Promise<void> {
  const random = randomFrom(n);
  const acknowledged: Acknowledged = new Map();
  let going = true;
  const writers = Array.from({ length: WRITERS }, (_, i) =>
    write(staff, mornings, acknowledged, randomFrom(n * WRITERS + i), () => going),
  );
  while (acknowledged.size === 0) await delay(5);
  await delay(random.int(0, 500));
  const killed = performance.now();
  const name = await cluster.killLeader();
  // The writers go on: what they send while no node leads is refused or has no reply.
  const [led, ready] = await Promise.all([cluster.untilLed(name).then(() => performance.now()), isReady(url, killed)]);
  going = false;
  await Promise.all(writers);
  found.led.push(Math.round(led - killed));
  found.later.push(Math.max(0, Math.round(ready - led)));
  found.acknowledged += acknowledged.size;
  await beside.chooseHost();
  found.lost.push(...(await lostOf(beside.db, acknowledged)));
  found.half.push(...(await halfWritten(beside.db)));
  found.doubled += await overlappingPairs(beside.db);
  await takeAllBack(beside.db, staff);
  await cluster.rejoin(name);
}

/** When the server said that it was ready again, after it had said that it was not. */
async function isReady(url: string, since: number): Promise<number> {
  let was = true;
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200 && !was) return performance.now();
    if (status !== 200) was = false;
    if (performance.now() - since > READY_WITHIN_MS)
      throw new Error(`the server is not ready a minute after the kill: ${status}`);
    await delay(20);
  }
}

function keep(results: string, count: number, began: number, found: Found): void {
  const most = (list: readonly number[]): string => `${(Math.max(0, ...list) / 1000).toFixed(1)} s`;
  const figures = {
    acknowledged: found.acknowledged,
    'acknowledged and lost': found.lost.length,
    doubled: found.doubled,
    'half-written': found.half.length,
    'another leader after at most': most(found.led),
    'ready after that, at most': most(found.later),
  };
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = { name: CLUSTER, count, seconds, at: new Date(), figures };
  writeFileSync(join(results, `${CLUSTER}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function installMissing(): void {
  const missing = PACKAGES.filter((name) => spawnSync('dpkg', ['-s', name]).status !== 0);
  if (missing.length === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')}: ${stderr}`);
  }
}
