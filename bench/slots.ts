/**
 * Measures how much processor time the server and its PostgreSQL need for `GET /slots` with a day of the demo clinic.
 * It reads the counts in `/proc`, so it needs Linux. `npm run bench -- slots [--quick]`
 */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from '@playwright/test';
import { startServer } from '../e2e/fixtures/server.ts';
import { Api } from '../e2e/fixtures/api.ts';
import { machine, spread, spreadText, table } from './figures.ts';

/** The targets: how many milliseconds of processor time each request may take. */
const AIM = { server: 5, database: 5 };
const REQUESTS = 400;
/**
 * How many requests come before the measurement, so that the code is compiled and every connection has prepared its
 * statements.
 */
const WARM = 400;
/** The system counts processor time in hundredths of a second. */
const TICK_MS = 10;

interface ProcessTime {
  readonly pid: string;
  readonly parent: string;
  readonly command: string;
  readonly ms: number;
}

function processes(): ProcessTime[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
        return [{ pid, parent: fields[1] ?? '', command, ms }];
      } catch {
        return []; // the process has ended
      }
    });
}

/** The processor time so far, in milliseconds, of a server and of the sessions of its PostgreSQL. */
function processorTime(server: number | undefined, dataDir: string): { server: number; database: number } {
  const all = processes();
  const postgres = all.find(({ command }) => command.includes('postgres') && command.includes(dataDir));
  const sessions = all.filter(({ parent, command }) => parent === postgres?.pid && command.includes('[local]'));
  return {
    server: all.find(({ pid }) => pid === String(server))?.ms ?? 0,
    database: sessions.reduce((sum, { ms }) => sum + ms, 0),
  };
}

/** Runs everything and prints; true if the targets are met. */
export async function benchSlots(flags: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux') {
    console.log('## The processor time of a day: skipped, since it needs Linux');
    return true;
  }
  const runs = flags.includes('--quick') ? 3 : 9;
  const server = await startServer();
  const context = await request.newContext({ baseURL: server.url });
  try {
    const staff = await Api.signIn(context);
    const today = await staff.today();
    const read = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) await staff.slots(today, 'altamonte');
    };
    await read(WARM);
    const took: Record<keyof typeof AIM, number[]> = { server: [], database: [] };
    for (let run = 0; run < runs; run++) {
      const before = processorTime(server.process.pid, server.dataDir);
      await read(REQUESTS);
      const after = processorTime(server.process.pid, server.dataDir);
      // If the pool has closed a database session since `before`, that session's count is missing, so this run does not
      // count.
      if (after.database < before.database) continue;
      for (const part of ['server', 'database'] as const) took[part].push((after[part] - before[part]) / REQUESTS);
    }
    const found = { server: spread(took.server), database: spread(took.database) };
    console.log(`## The processor time of a day\n\n${machine()}. ${REQUESTS} requests a run, one after the other.\n`);
    console.log(
      table(
        ['GET /slots', 'ms a request: median / 95 % / worst run', 'At most'],
        [
          ['server', spreadText(found.server), String(AIM.server)],
          ['database', spreadText(found.database), String(AIM.database)],
        ],
      ),
    );
    return found.server.median <= AIM.server && found.database.median <= AIM.database;
  } finally {
    await context.dispose();
    await server.stop();
  }
}
