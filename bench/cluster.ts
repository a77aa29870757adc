import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { POSTGRES_BIN, userOf } from './soak-postgres.ts';

const NODES = ['one', 'two'] as const;
type Name = (typeof NODES)[number];
const PASSWORD = 'otter-lake-piano';
const STARTING_MS = 180_000;

const clusterState = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});

/** A database cluster of two nodes on this machine: Patroni with etcd, synchronous, from the distribution's packages. */
export interface Cluster {
  /** A `DATABASE_URL` with both nodes. */
  readonly url: string;
  /** Kills the leader's whole node with SIGKILL, PostgreSQL and Patroni, as if its machine had stopped. */
  killLeader(): Promise<Name>;
  /** Waits until the other node is the leader and takes writes. */
  untilLed(killed: Name): Promise<void>;
  /** Starts a killed node again, and waits until it is the synchronous standby. */
  rejoin(killed: Name): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly name: Name;
  readonly port: number;
  readonly rest: number;
  process: ChildProcess;
}

/** Starts the cluster, with a role and a database for the product. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-cluster-'));
  const as = userOf(folder);
  const [etcd, peer, ...ports] = await freePorts(6);
  const run = (program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${args.at(-1)?.split('/').at(-1) ?? program}.log`), 'a');
    return spawn(program, args, { ...as, cwd: folder, stdio: ['ignore', log, log], detached: true });
  };
  mkdirSync(join(folder, 'etcd'));
  own(join(folder, 'etcd'), as);
  const at = (port = 0): string => `http://127.0.0.1:${port}`;
  const store = run('etcd', [
    ...['--name', 'one', '--listen-client-urls', at(etcd), '--advertise-client-urls', at(etcd)],
    ...[
      '--listen-peer-urls',
      at(peer),
      '--initial-advertise-peer-urls',
      at(peer),
      '--initial-cluster',
      `one=${at(peer)}`,
    ],
    ...['--data-dir', join(folder, 'etcd')],
  ]);
  const nodes: Node[] = [];
  const start = (name: Name): ChildProcess => run('patroni', [join(folder, `${name}.yml`)]);
  const close = async (): Promise<void> => {
    for (const each of [...nodes.map(({ process }) => process), store]) killGroup(each, 'SIGTERM');
    await delay(3000);
    for (const { name } of nodes) killPostgres(folder, name);
    for (const each of [...nodes.map(({ process }) => process), store]) killGroup(each, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [i, name] of NODES.entries()) {
      const [port = 0, rest = 0] = ports.slice(2 * i);
      const file = join(folder, `${name}.yml`);
      writeFileSync(file, settingsOf({ name, port, rest, etcd: etcd ?? 0, folder }));
      own(file, as);
      nodes.push({ name, port, rest, process: start(name) });
      // The first makes the cluster, and the second copies it.
      await until(() => isLed(nodes), 'a leader');
    }
    await until(() => isWhole(nodes), 'a synchronous standby');
    addDatabase(await leaderOf(nodes), folder);
  } catch (error) {
    process.stderr.write(
      nodes.map(({ name }) => readFileSync(join(folder, `${name}.yml.log`), 'utf8').slice(-2000)).join('\n'),
    );
    await close();
    throw error;
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const nodeOf = (name: Name): Node => nodes.find((each) => each.name === name) ?? fail(`no node ${name}`);
  return {
    url: `postgres://clinic:${PASSWORD}@${hosts}/clinic`,
    async killLeader() {
      const { name, process } = await leaderOf(nodes);
      killPostgres(folder, name);
      killGroup(process, 'SIGKILL');
      return name;
    },
    async untilLed(killed) {
      const others = nodes.filter(({ name }) => name !== killed);
      await until(() => isLed(others), 'another leader', 20);
    },
    async rejoin(killed) {
      nodeOf(killed).process = start(killed);
      await until(() => isWhole(nodes), 'the killed node as a standby');
    },
    close,
  };
}

/** Patroni's shortest times, with which it is still sure that an old leader has stopped. */
function settingsOf({
  name,
  port,
  rest,
  etcd,
  folder,
}: Omit<Node, 'process'> & { etcd: number; folder: string }): string {
  const user = (who: string): object => ({ username: who, password: PASSWORD });
  return JSON.stringify({
    scope: 'clinic',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        maximum_lag_on_failover: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '128MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: POSTGRES_BIN,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: user('postgres'), replication: user('copies'), rewind: user('rewinds') },
      parameters: { unix_socket_directories: folder },
    },
  });
}

async function stateOf({ rest }: Node): Promise<z.infer<typeof clusterState>['members']> {
  try {
    const reply = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(2000) });
    return clusterState.parse(await reply.json()).members;
  } catch {
    return [];
  }
}

/** Whether one of the nodes is the leader, and its PostgreSQL takes writes. */
async function isLed(nodes: readonly Node[]): Promise<boolean> {
  for (const { rest } of nodes) {
    const reply = await fetch(`http://127.0.0.1:${rest}/primary`, { signal: AbortSignal.timeout(2000) }).catch(
      () => null,
    );
    if (reply?.status === 200) return true;
  }
  return false;
}

async function isWhole(nodes: readonly Node[]): Promise<boolean> {
  for (const node of nodes) {
    const members = await stateOf(node);
    const roles = members.filter(({ state }) => /^(?:running|streaming)$/.test(state)).map(({ role }) => role);
    if (roles.includes('leader') && roles.includes('sync_standby')) return true;
  }
  return false;
}

async function leaderOf(nodes: readonly Node[]): Promise<Node> {
  for (const node of nodes) if (await isLed([node])) return node;
  return fail('no node leads');
}

function addDatabase({ port }: Node, folder: string): void {
  const psql = (...words: string[]): void => {
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'];
    const env = { ...process.env, PGPASSWORD: PASSWORD };
    const { status, stderr } = spawnSync(join(POSTGRES_BIN ?? '', 'psql'), [...args, ...words], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  psql('-c', `create role clinic login password '${PASSWORD}'`, '-c', 'create database clinic owner clinic');
}

/** Kills a node's PostgreSQL: the process that started all others, which then end by themselves. */
function killPostgres(folder: string, name: Name): void {
  try {
    process.kill(Number(readFileSync(join(folder, name, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

async function until(holds: () => Promise<boolean>, what: string, everyMs = 250): Promise<void> {
  const limit = performance.now() + STARTING_MS;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`after three minutes there is not ${what}`);
    await delay(everyMs);
  }
}

function fail(words: string): never {
  throw new Error(words);
}

function own(path: string, { uid, gid }: { uid?: number; gid?: number }): void {
  chmodSync(path, 0o700);
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid ?? uid}`, path]);
}

/** Ports that are free now; all are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    probes.map(
      (probe) =>
        new Promise<number>((resolve, reject) => {
          probe.once('error', reject);
          probe.listen(0, '127.0.0.1', () => {
            const address = probe.address();
            resolve(typeof address === 'object' && address ? address.port : 0);
          });
        }),
    ),
  );
  for (const probe of probes) probe.close();
  return ports;
}
