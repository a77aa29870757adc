import { spawnSync, type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import * as z from 'zod/mini';
import { startEmbedded, type ConnectionTarget } from '../apps/server/src/db/embedded/index.ts';
import { DEMO } from '../e2e/fixtures/test.ts';

export const UPGRADE = 'upgrade';

const slots = z.object({
  appointments: z.array(z.object({ Id: z.string(), StartDateTime: z.string(), EndDateTime: z.string() })),
  people: z.array(z.object({ name: z.string(), type: z.string() })),
});

/** One version of the server, in its own folder. */
interface Version {
  readonly name: string;
  readonly folder: string;
}

/**
 * Upgrades the version that was tagged last to this one, as docs/upgrading.md says: backs up with the old version, brings
 * the database up to date while the old server serves, starts the new server beside it, writes on each and reads it on the
 * other, and restores the old backup with the new version into an empty database.
 * @returns whether all of it went well
 */
export async function runUpgrade(root: string, results: string): Promise<boolean> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-upgrade-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user
  const databases = [
    await startEmbedded({ dataDir: join(folder, 'data') }),
    await startEmbedded({ dataDir: join(folder, 'empty') }),
  ];
  const doors = await Promise.all(databases.map(({ target }) => openDoor(target)));
  const running: Running[] = [];
  let figures: Record<string, string | number> = {};
  let fine = false;
  try {
    const old = await lastVersion(root, folder);
    const now = { name: 'this version', folder: root };
    const [first = '', second = ''] = databases.map(({ target }, i) => urlOf(doors[i], target));
    figures = await upgrade({ old, now, first, second, backup: join(folder, 'before') }, running);
    fine = true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    figures['failed'] = error instanceof Error ? error.message.slice(0, 200) : String(error);
  } finally {
    for (const each of running) await each.stop();
    for (const door of doors) door.close();
    for (const database of databases) await database.release();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = { name: UPGRADE, count: 1, seconds, at: new Date(), figures };
  writeFileSync(join(results, `${UPGRADE}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return fine;
}

interface Plan {
  readonly old: Version;
  readonly now: Version;
  readonly first: string;
  readonly second: string;
  readonly backup: string;
}

async function upgrade({ old, now, first, second, backup }: Plan, running: Running[]): Promise<Record<string, string>> {
  const oldServer = await start(old, first, running);
  const before = await read(oldServer);
  await command(old, 'backup', [backup], first);
  const began = performance.now();
  let failed = 0;
  let asked = 0;
  const watch = setInterval(() => {
    asked++;
    read(oldServer).catch(() => failed++);
  }, 200);
  await command(now, 'migrate', [], first);
  clearInterval(watch);
  const migrated = ((performance.now() - began) / 1000).toFixed(1);
  const newServer = await start(now, first, running);
  same('the day on both servers', await read(newServer), await read(oldServer));
  for (const [writer, reader, hour] of [
    [oldServer, newServer, 7],
    [newServer, oldServer, 8],
  ] as const) {
    const id = await book(writer, hour);
    const { appointments } = await read(reader);
    if (!appointments.some(({ Id }) => Id === id))
      throw new Error('a session booked on one server is not on the other');
  }
  await command(now, 'migrate', [], second);
  await command(now, 'restore', [backup], second);
  const restored = await start(now, second, running);
  const ids = ({ appointments }: z.infer<typeof slots>): string[] => appointments.map(({ Id }) => Id).sort();
  same('the restored day', ids(await read(restored)), ids(before));
  if (failed > 0) throw new Error(`${failed} of ${asked} reads failed while the database was brought up to date`);
  return {
    from: old.name,
    'brought up to date in': `${migrated} s`,
    restored: `${before.appointments.length} sessions of the day`,
  };
}

function same(what: string, one: unknown, other: unknown): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`${what} differ`);
}

/** The last tagged version before this commit; without tags, the one whose part CHANGELOG.md began last. */
async function lastVersion(root: string, folder: string): Promise<Version> {
  const git = (...args: string[]): string => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const tag = git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^');
  const began = (): string =>
    git('log', '--format=%h', '-S## 0.1.0', '--reverse', '--', 'CHANGELOG.md').split('\n')[0] ?? '';
  const name = tag || began();
  if (name === '') throw new Error('the history holds no older version: fetch it whole, with its tags');
  const at = join(folder, 'old');
  mkdirSync(at);
  const packed = spawnSync('git', ['archive', name], { cwd: root, maxBuffer: 2 ** 30 });
  spawnSync('tar', ['-x', '-C', at], { input: packed.stdout });
  const args = ['ci', '--omit=dev', '--workspace=@clinic/server', '--no-progress', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', args, { cwd: at, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci of ${name}: ${stderr}`);
  // Pages are not tried here.
  for (const dist of ['apps/web/dist', 'apps/embed/dist'])
    if (existsSync(join(root, dist))) cpSync(join(root, dist), join(at, dist), { recursive: true });
  return Promise.resolve({ name, folder: at });
}

/** Waits without blocking: the way to the database leads through this process. */
async function command({ folder, name }: Version, what: string, args: readonly string[], url: string): Promise<void> {
  const script = join(folder, 'apps/server/src/commands', `${what}.ts`);
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  const code = await new Promise<unknown>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${what} of ${name}: ${said}`);
}

interface Running {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

async function start({ folder, name }: Version, url: string, running: Running[]): Promise<Running> {
  const settings = {
    PORT: '0',
    DATABASE_URL: url,
    DEMO: 'on',
    SOLVER_WORKERS: '1',
    SOLVER_WARM_UP: 'off',
    LOG_LEVEL: 'error',
  };
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'apps/server/src/main.ts')], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<unknown>((resolve) => child.once('close', resolve));
  const said: string[] = [];
  const at = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          said.push(line);
          const ready = /^Scheduler is ready at (http:\S+)$/.exec(line)?.[1];
          if (ready !== undefined) resolve(ready);
        });
    void ended.then(() => reject(new Error(`the server of ${name} ended: ${said.join('\n')}`)));
  });
  const body = new URLSearchParams({ username: DEMO.staff.email, password: DEMO.staff.password });
  const reply = await fetch(`${at}/api/token`, { method: 'POST', body });
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await reply.json());
  const server = {
    url: at,
    token,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
  running.push(server);
  return server;
}

/** Tomorrow, where nothing has passed yet. */
const day = (): string => new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);

async function call({ url, token }: Running, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${url}/api${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} got ${reply.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const read = async (server: Running): Promise<z.infer<typeof slots>> =>
  slots.parse(await call(server, `/slots?date=${day()}&location=altamonte`));

/** Books administrative time for somebody, anyway; returns its Id. */
async function book(server: Running, hour: number): Promise<string> {
  const { people } = await read(server);
  const therapists = people.filter(({ type }) => type === 'therapist');
  const times = { date: day(), start: `0${hour}:00`, end: `0${hour}:30` };
  const session = {
    location: 'altamonte',
    client: 'Admin',
    therapist: therapists[hour]?.name,
    subject: 'Paperwork',
    anyway: true,
  };
  const [made] = z
    .array(z.looseObject({ Id: z.string() }))
    .parse(await call(server, '/appointments', { ...times, ...session }));
  if (!made) throw new Error('nothing was booked');
  return made.Id;
}

/** A port of this machine that leads to PostgreSQL's socket, so that one `DATABASE_URL` fits every version. */
async function openDoor({ host, port }: ConnectionTarget): Promise<Server> {
  const door = createServer((inside) => {
    const outside = connect(join(host, `.s.PGSQL.${port}`));
    pipeline(inside, outside, inside, () => {});
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return door;
}

function urlOf(door: Server | undefined, { user, password, database }: ConnectionTarget): string {
  const address = door?.address();
  return `postgres://${user}:${password}@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${database}`;
}
