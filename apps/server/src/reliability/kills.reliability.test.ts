import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionsReply } from '@clinic/contract';
import { randomFrom, type Random } from '@clinic/testkit';
import { submit, undo } from '../testing/calls.ts';
import { openDatabase, type OpenDatabase } from '../db/connection.ts';
import { startEmbedded, type EmbeddedPostgres } from '../db/embedded/index.ts';
import { migrate } from '../db/migrate.ts';
import { startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { verifyAudit } from '../features/admin/verify.ts';
import { doseOf, keepFigures, LASTING_SETTINGS, seedOfRun, type ScenarioName } from './doses.ts';
import { buildMornings, randomChoice, type Morning } from './morning.ts';
import { makeAccount, remoteSession, remoteToken } from './remote.ts';
import { halfWritten, overlappingPairs } from './state-checks.ts';

const WRITERS = 4;

// As installed: one server with its own PostgreSQL, which writes to disk before it confirms. The tests read the
// database through a connection that does not keep it running.
let folder: string;
let dataDir: string;
let embedded: EmbeddedPostgres['target'];
let server: ServerProcess;
let staff: SignedIn;
let mornings: Morning[];
let beside: OpenDatabase;

const settings = (): Record<string, string> => ({
  ...LASTING_SETTINGS,
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  DEMO: 'off',
  LOG_LEVEL: 'error',
  SOLVER_SECONDS: '20',
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-kills-'));
  chmodSync(folder, 0o755); // for the user PostgreSQL runs as when we are root
  dataDir = join(folder, 'data');
  const own = await startEmbedded({ dataDir });
  embedded = own.target;
  beside = openDatabase(embedded, { connections: 4 });
  await migrate(beside.pool);
  const account = await makeAccount(beside.db);
  server = await startServerProcess(settings());
  await own.release();
  staff = remoteSession(() => server.url, account, await remoteToken(server.url, account.email));
  mornings = await buildMornings(beside.db, staff, { days: 4, proposals: 2, seed: 3 + (seedOfRun() % 400) });
}, 600_000);
afterAll(async () => {
  await beside.close();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}, 300_000);

/** What was acknowledged: for each commit, whether it was undone; undefined while an undo has no reply. */
type Acknowledged = Map<string, 'stands' | 'undone' | 'unknown'>;

/** Commits and undoes, several at a time, until stopped; a request without a reply guarantees nothing. */
async function write(acknowledged: Acknowledged, random: Random, going: () => boolean): Promise<void> {
  while (going()) {
    try {
      const morning = random.pick(mornings);
      const reply = await submit(staff, randomChoice(random, morning, random.pick(morning.proposals)));
      if (reply.statusCode === 200) {
        const { commit } = reply.json<ActionsReply>();
        if (!acknowledged.has(commit)) acknowledged.set(commit, 'stands');
      }
      const standing = [...acknowledged].filter(([, state]) => state === 'stands').map(([id]) => id);
      if (standing.length < 2) continue;
      const id = random.pick(standing);
      acknowledged.set(id, 'unknown');
      const undone = await undo(staff, id);
      if (undone.statusCode === 200) acknowledged.set(id, 'undone');
      else if (undone.statusCode < 500) acknowledged.set(id, 'stands');
    } catch {
      // The connection was lost, so nothing was acknowledged.
    }
  }
}

async function lostOf(acknowledged: Acknowledged): Promise<string[]> {
  const rows = await beside.db.selectFrom('schedule_commit').select(['id', 'undone_at']).execute();
  const stored = new Map(rows.map((row) => [row.id, row.undone_at === null ? 'stands' : 'undone']));
  return [...acknowledged]
    .filter(([id, state]) => (state === 'unknown' ? !stored.has(id) : stored.get(id) !== state))
    .map(([id, state]) => `${id} ${state}`);
}

/** Undoes the standing commits, so that the next round starts from the same days. */
async function takeAllBack(): Promise<void> {
  const rows = await beside.db.selectFrom('schedule_commit').select('id').where('undone_at', 'is', null).execute();
  for (const { id } of rows) {
    const reply = await undo(staff, id);
    expect(reply.statusCode, reply.body).toBe(200);
  }
}

const postmaster = (): number => {
  try {
    return Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0; // between two of its steps
  }
};

/** Whether a PostgreSQL other than `killed` is serving: the server says it is ready, and we can write too. */
async function isBack(killed: number): Promise<boolean> {
  if ([0, killed].includes(postmaster())) return false;
  try {
    const { status } = await fetch(`${server.url}/readyz`);
    if (status !== 200) return false;
    await beside.pool.query('select pg_current_xact_id()');
    return true;
  } catch {
    return false;
  }
}

/** Kills in the middle of writing, again and again, and checks what is left. */
async function killRepeatedly(name: ScenarioName, kill: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const count = doseOf(name);
  const random = randomFrom(seedOfRun());
  const lost: string[] = [];
  const half: string[] = [];
  let said = 0;
  let slowest = 0;
  for (let n = 0; n < count; n++) {
    const acknowledged: Acknowledged = new Map();
    let going = true;
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      write(acknowledged, randomFrom(n * WRITERS + i), () => going),
    );
    while (acknowledged.size === 0) await delay(5); // wait until it is writing
    await delay(random.int(0, 120));
    const killed = performance.now();
    going = false;
    await kill();
    slowest = Math.max(slowest, performance.now() - killed);
    await Promise.all(writers);
    said += acknowledged.size;
    lost.push(...(await lostOf(acknowledged)));
    half.push(...(await halfWritten(beside.db)));
    expect(await overlappingPairs(beside.db)).toBe(0);
    await takeAllBack();
  }
  const trail = await verifyAudit(beside.db);
  keepFigures(name, count, began, {
    'acknowledged and lost': lost.length,
    'half-written': half.length,
    acknowledged: said,
    'slowest to be ready again, ms': Math.round(slowest),
  });
  expect(lost).toEqual([]);
  expect(half).toEqual([]);
  expect(trail.faults).toEqual([]);
  expect(said).toBeGreaterThanOrEqual(count);
}

const limit = (name: ScenarioName): number => Math.max(600_000, doseOf(name) * 30_000);

test(
  'a server that is killed while it writes loses nothing it has acknowledged and leaves nothing half done',
  () =>
    killRepeatedly('kills-server', async () => {
      server.child.kill('SIGKILL');
      await server.ended;
      server = await startServerProcess(settings());
    }),
  limit('kills-server'),
);

test(
  'a database that is killed while it writes loses nothing acknowledged, and the server recovers by itself',
  () =>
    killRepeatedly('kills-database', async () => {
      const killed = postmaster();
      process.kill(killed, 'SIGKILL');
      while (!(await isBack(killed))) await delay(5);
      expect(server.child.exitCode).toBeNull();
    }),
  limit('kills-database'),
);
