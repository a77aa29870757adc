/**
 * Replaces servers one after another behind this machine's nginx, HAProxy and PgBouncer, which must be installed. Each
 * proxy has its default configuration plus the lines in docs/operations.md; clients keep their connections open. Prints
 * the requests that failed. `npm run bench -- front-ends`
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request as ask } from 'node:https';
import { createConnection, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openDatabase } from '../apps/server/src/db/connection.ts';
import { startEmbedded, type ConnectionTarget } from '../apps/server/src/db/embedded/index.ts';
import { machine } from './figures.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { documented, makeCertificate, placed, type Places } from '../apps/server/src/testing/proxy-blocks.ts';
import { exchange, tryThroughProxy } from './through-proxy.ts';
import { startServerProcess, type ServerProcess } from '../apps/server/src/testing/server-process.ts';

const EMAIL = 'rolling@clinic.example';
const PASSWORD = 'wide rivers carry slow boats';
const WORKERS = 8;
const PAUSE_MS = 20;

interface FrontEnd {
  readonly name: string;
  readonly program: 'nginx' | 'haproxy';
  readonly args: (file: string) => string[];
  readonly config: (places: Places) => string;
  /**
   * Whether every request must succeed. Configurations where requests may fail show why the documented lines are
   * needed.
   */
  readonly holds: boolean;
}

const nginx = (name: string, change: (config: string) => string = (config) => config): FrontEnd => ({
  name,
  program: 'nginx',
  holds: true,
  args: (file) => ['-c', file],
  config: (places) => `
daemon off;
pid ${places.folder}/nginx.pid;
error_log ${places.folder}/nginx.log;
events {}
http {
  access_log off;
  ${change(placed(documented('nginx'), places))}
}
`,
});

const haproxy = (name: string, holds: boolean, change: (config: string) => string): FrontEnd => ({
  name,
  program: 'haproxy',
  holds,
  args: (file) => ['-db', '-f', file],
  config: (places) => change(placed(documented('HAProxy'), places)),
});

const withoutHttpCheck = (config: string): string => config.replace(/ *option httpchk .*\n/, '');

/** The documented configurations, and what they would be without some of their lines. */
const FRONT_ENDS: readonly FrontEnd[] = [
  nginx('nginx'),
  nginx('nginx that keeps no connections to the servers', (config) =>
    config.replace(/ *keepalive.*\n/g, '').replace(/ *proxy_(?:http_version|set_header Connection) .*\n/g, ''),
  ),
  haproxy('HAProxy with `option httpchk GET /readyz`', true, (config) => config),
  haproxy('HAProxy that checks only the port', false, withoutHttpCheck),
  haproxy('HAProxy, no checks', false, (config) => withoutHttpCheck(config).replaceAll(' check\n', '\n')),
];

/** The URL of a database behind a socket; the socket's folder is in the query. */
function urlOf({ user, password, database, host, port }: ConnectionTarget): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Runs all measurements and prints them; true if no request failed behind a documented configuration. */
export async function benchFrontEnds(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-front-'));
  // When root runs this, PostgreSQL and PgBouncer run as other users, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  makeCertificate(folder);
  const database = await startEmbedded({ dataDir: join(folder, 'data') });
  try {
    const opened = openDatabase(database.target);
    await migrate(opened.pool);
    await opened.close();
    await addAccount(urlOf(database.target));
    process.stdout.write(`## Behind other servers\n\n${machine()}.\n\n`);
    process.stdout.write('| Behind | Requests | Writes among them | Failed |\n|---|---:|---:|---:|\n');
    let held = true;
    for (const frontEnd of FRONT_ENDS) {
      const { requests, writes, failed } = await measure(frontEnd, database.target, folder);
      const told = [...failed].map(([what, count]) => `${count} × ${what}`).join(', ');
      process.stdout.write(`| ${frontEnd.name} | ${requests} | ${writes} | ${told || '0'} |\n`);
      held &&= !frontEnd.holds || failed.size === 0;
    }
    return (await tryPoolers(database.target, folder)) && held;
  } finally {
    await database.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addAccount(url: string): Promise<void> {
  const script = join(import.meta.dirname, '../apps/server/src/commands/account.ts');
  const child = spawn(process.execPath, [script, 'add', EMAIL, '--role', 'admin'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${PASSWORD}\n`);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error('the account was not added');
}

interface Measured {
  requests: number;
  writes: number;
  readonly failed: Map<string, number>;
}

async function measure(frontEnd: FrontEnd, database: ConnectionTarget, folder: string): Promise<Measured> {
  const ports: Places = {
    proxy: await freePort(),
    plain: await freePort(),
    servers: [await freePort(), await freePort()],
    folder,
  };
  const url = `https://127.0.0.1:${ports.proxy}`;
  const start = (port: number): Promise<ServerProcess> =>
    startServerProcess({
      DATABASE_URL: urlOf(database),
      PORT: String(port),
      DEMO: 'off',
      LOG_LEVEL: 'fatal',
      TRUST_PROXY: '127.0.0.1',
      PUBLIC_URL: url,
    });
  const servers = await Promise.all(ports.servers.map(start));
  const proxy = await startProgram(frontEnd.program, frontEnd.args, frontEnd.config(ports), folder, ports.proxy);
  const measured: Measured = { requests: 0, writes: 0, failed: new Map() };
  const ending = new AbortController();
  try {
    const headers = { authorization: `Bearer ${await signIn(url)}` };
    if (frontEnd.holds) await tryThroughProxy(url, `http://127.0.0.1:${ports.plain}`, headers);
    const people = Array.from({ length: WORKERS }, (_, n) => work(url, headers, n, measured, ending.signal));
    await delay(2000);
    for (const [n, port] of ports.servers.entries()) {
      servers[n]?.child.kill('SIGTERM');
      await servers[n]?.ended;
      servers[n] = await start(port);
      await delay(5000); // by now, the proxy's health checks have found the server again
    }
    ending.abort();
    await Promise.all(people);
  } finally {
    ending.abort();
    for (const { child } of servers) child.kill('SIGINT');
    await Promise.all(servers.map(({ ended }) => ended));
    await stop(proxy);
  }
  return measured;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a program with a configuration file, and waits until its port is open. */
async function startProgram(
  program: string,
  args: (file: string) => string[],
  config: string,
  folder: string,
  port: number,
  uid?: number,
): Promise<ChildProcess> {
  const file = join(folder, `${program}.conf`);
  writeFileSync(file, config);
  const child = spawn(program, args(file), {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(uid === undefined ? {} : { uid }),
  });
  const missing = new Promise<never>((_, reject) => child.once('error', reject));
  while (!(await Promise.race([missing, isOpen(port)]))) await delay(50);
  return child;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const end = (open: boolean) => (): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: EMAIL, password: PASSWORD }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await exchange(`${url}/api/token`, { method: 'POST', headers, body });
  if (reply.status !== 200) throw new Error(`login: ${reply.status} ${reply.body.toString()}`);
  return z.object({ access_token: z.string() }).parse(JSON.parse(reply.body.toString())).access_token;
}

/**
 * Sends requests as one person with one open connection would, in rounds of four reads and one write, until the signal
 * aborts.
 */
async function work(
  url: string,
  headers: Readonly<Record<string, string>>,
  person: number,
  measured: Measured,
  ending: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  const paths = ['/api/session', '/api/therapists?location=tampa', '/api/slots?date=2030-03-06&location=tampa'];
  for (let n = 0; !ending.aborted; n++) {
    const client = { first_name: `R${Date.now()} ${person} ${n}`, last_name: 'Roll', location: 'tampa' };
    const body = JSON.stringify({ ...client, gender: 'Female', restrictions: [] });
    const isWrite = n % 5 === 4;
    const result = await new Promise<string>((resolve) => {
      const options = { agent, headers: isWrite ? { ...headers, 'content-type': 'application/json' } : headers };
      const path = isWrite ? '/api/clients' : paths[n % paths.length];
      const sent = ask(`${url}${path}`, { ...options, method: isWrite ? 'POST' : 'GET' }, (reply) => {
        reply.resume().once('close', () => resolve(reply.complete ? String(reply.statusCode) : 'a reply cut short'));
      });
      sent.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
      sent.end(isWrite ? body : undefined);
    });
    measured.requests++;
    if (isWrite) measured.writes++;
    if (result !== (isWrite ? '201' : '200')) measured.failed.set(result, (measured.failed.get(result) ?? 0) + 1);
    await delay(PAUSE_MS);
  }
  agent.destroy();
}

/**
 * Starts a server behind PgBouncer in each of its modes, and prints whether the server became ready or why it did not
 * start. Returns true if the server runs in session mode and stops with a one-line reason in the other modes.
 */
async function tryPoolers(database: ConnectionTarget, folder: string): Promise<boolean> {
  let right = true;
  for (const mode of ['session', 'transaction', 'statement']) {
    const port = await freePort();
    const users = join(folder, 'users.txt');
    writeFileSync(users, `"${database.user}" "${database.password}"\n`);
    const config = `
[databases]
${database.database} = host=${database.host} port=${database.port} user=${database.user} password=${database.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = 60
`;
    // PgBouncer refuses to run as root, so it runs as the owner of PostgreSQL's socket.
    const { uid } = statSync(database.host);
    const pooler = await startProgram('pgbouncer', (file) => ['-q', file], config, folder, port, uid);
    const url = `postgres://${database.user}:${database.password}@127.0.0.1:${port}/${database.database}`;
    try {
      const found = await startServerProcess({ DATABASE_URL: url, DEMO: 'off', LOG_LEVEL: 'fatal' }).then(
        async (server) => {
          const ready = (await fetch(`${server.url}/readyz`)).status === 200;
          server.child.kill('SIGINT');
          await server.ended;
          return ready ? 'ready' : 'not ready';
        },
        (error: unknown) => (error as Error).message,
      );
      process.stdout.write(`PgBouncer, pool_mode=${mode}: ${found}\n`);
      right &&= mode === 'session' ? found === 'ready' : found.startsWith('1: ') && !found.includes('\n');
    } finally {
      await stop(pooler);
    }
  }
  return right;
}
