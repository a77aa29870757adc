import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from './db/connection.ts';
import { startEmbedded } from './db/embedded/index.ts';
import { startServerProcess, type ServerProcess } from './db/testing/server-process.ts';
import { verifyAudit } from './features/audit/verify.ts';

// The server, or PostgreSQL, is killed while writes run. What was acknowledged must be there afterwards, and every write
// whole: a client's row and its row in the audit trail, which one transaction wrote.
const KILLS = 30;
const WRITERS = 3;

let folder: string;
let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-kill-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  server = await start();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

const start = () => startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' });
const postmaster = () => Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

async function token(): Promise<string> {
  const body = new URLSearchParams({ username: 'admin@clinic.example', password: 'demo admin password' });
  const reply = await fetch(`${server.url}/api/token`, { method: 'POST', body });
  if (!reply.ok) throw new Error(`sign-in: ${reply.status}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}

let made = 0;
const acknowledged: string[] = [];
let failures = 0;
const fail = () => {
  failures++;
  return delay(20);
};

/** Adds clients one after another until told to stop; what fails meanwhile was not acknowledged. */
async function write(bearer: string, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const last_name = `Number ${String(++made).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
    try {
      const reply = await fetch(`${server.url}/api/clients`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: 'Kill', last_name, location: 'tampa', gender: 'Male', restrictions: [] }),
      });
      if (reply.ok) acknowledged.push(((await reply.json()) as { id: string }).id);
      else await fail();
    } catch {
      await fail();
    }
  }
}

/** A server that ended by itself is a failure, and not to be waited for. */
function requireAlive(): void {
  if (server.child.exitCode !== null) throw new Error(`the server ended:\n${server.stderr.slice(-10).join('\n')}`);
}

async function ready(): Promise<void> {
  for (;;) {
    requireAlive();
    const reply = await fetch(`${server.url}/readyz`).catch(() => undefined);
    if (reply?.ok) return;
    await delay(25);
  }
}

test(`[DURABILITY] ${KILLS} kills of server and database in mid-write: nothing acknowledged lost, nothing half written`, async () => {
  let slowest = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const bearer = await token();
    let stop = false;
    const writers = Array.from({ length: WRITERS }, () => write(bearer, () => stop));
    const before = acknowledged.length;
    // Not before writes go through, then at a moment that moves.
    while (acknowledged.length < before + 3) {
      requireAlive();
      await delay(5);
    }
    await delay((kill * 7) % 40);
    const killed = Date.now();
    if (kill % 2 === 0) {
      server.child.kill('SIGKILL');
      await server.ended;
      stop = true;
      await Promise.all(writers);
      server = await start();
    } else {
      process.kill(postmaster(), 'SIGKILL');
      await delay(100);
      stop = true;
      await Promise.all(writers);
      await ready();
    }
    slowest = Math.max(slowest, Date.now() - killed);
  }
  const found = await read();
  const lost = acknowledged.filter((id) => !found.clients.has(id));
  console.log(`${acknowledged.length} writes acknowledged, ${failures} not, slowest return ${slowest} ms`);
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * 3);
  expect(lost).toEqual([]);
  expect([...found.clients].filter((id) => !found.audited.has(id))).toEqual([]);
  expect([...found.audited].filter((id) => !found.clients.has(id))).toEqual([]);
  expect(found.faults).toEqual([]);
});

/** What the database holds, read beside the running server. */
async function read() {
  const postgres = await startEmbedded({ dataDir });
  const database = openDatabase({ ...postgres.target });
  try {
    const clients = await database.db.selectFrom('client').select('id').where('first_name', '=', 'Kill').execute();
    const rows = await database.db
      .selectFrom('audit')
      .select('subject_ids')
      .where('action', '=', 'client.created')
      .execute();
    const { faults } = await verifyAudit(database.db);
    return {
      clients: new Set(clients.map((row) => row.id)),
      audited: new Set(rows.flatMap((row) => row.subject_ids)),
      faults,
    };
  } finally {
    await database.close();
    await postgres.release();
  }
}
