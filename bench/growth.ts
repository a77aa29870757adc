/**
 * Compares how long requests take with a short and with a long history, in one run. `--scale 0.1`: a tenth of a large
 * organization's sessions (1 is 2,400 sessions a day). `--years 8`: the length of the long history; the short history
 * is one year. `--entries 1`: audit entries for each session. `--requests 'ledger|calls'`: only these requests. With
 * the long history, a request may take up to 50% longer; differences of a few milliseconds come from the machine, not
 * the history.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from './figures.ts';

const ROOT = join(import.meta.dirname, '..');
const WORKDAYS = 260;
/**
 * How many therapists each of the five locations has at scale 1, which makes 2,400 sessions a day and 5 million in
 * eight years.
 */
const THERAPISTS = 60;
const MOST = 1.5;
/** Medians that differ by less than this many milliseconds count as equal. */
const NOISE = 4;

interface Row {
  readonly name: string;
  readonly short: number;
  readonly long: number;
}

/** Measures and prints; true if no request became slower than allowed. */
export async function benchGrowth(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...flags],
    allowPositionals: true,
    options: {
      scale: { type: 'string', default: '0.1' },
      years: { type: 'string', default: '8' },
      runs: { type: 'string', default: '9' },
      entries: { type: 'string', default: '1' },
      requests: { type: 'string', default: '' },
      quick: { type: 'boolean' },
      cpu: { type: 'boolean' },
    },
  });
  const scale = values.quick ? 0.04 : Number(values.scale);
  const days = Math.round(Number(values.years) * WORKDAYS);
  const therapists = Math.max(2, Math.round(THERAPISTS * scale));
  const folder = join(ROOT, '.runtime', 'bench');
  mkdirSync(folder, { recursive: true });
  const result = join(folder, 'growth.json');
  const entries = Number(values.entries);
  const { requests } = values;
  const given = { therapists, days, short: WORKDAYS, entries, runs: Number(values.runs), requests, result };
  const began = Date.now();
  if (!(await runTest(given))) return false;
  const rows = JSON.parse(readFileSync(result, 'utf8')) as Row[];
  const sessions = days * therapists * 8 * 5;
  const number = (n: number): string => n.toLocaleString('en-US');
  process.stdout.write(
    `\n## A long history\n\n${machine()}. ${values.years} years (${number(sessions)} sessions, ${number(sessions * entries)} entries in the trail) beside 1 year; medians of ${values.runs}, ${Math.round((Date.now() - began) / 1000)} s\n\n`,
  );
  process.stdout.write('| Request | 1 year, ms | Long, ms | Ratio |\n|---|---:|---:|---:|\n');
  const over = rows.filter((row) => row.long > MOST * row.short && row.long - row.short > NOISE);
  for (const row of rows) {
    const ratio = (row.long / row.short).toFixed(2);
    process.stdout.write(
      `| ${row.name} | ${row.short.toFixed(1)} | ${row.long.toFixed(1)} | ${ratio}${over.includes(row) ? ' ✗' : ''} |\n`,
    );
  }
  return over.length === 0;
}

/** Runs the measurement as a test, since the test setup provides a database server and the application. */
function runTest(given: object): Promise<boolean> {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const file = 'apps/server/src/reliability/history.reliability.test.ts';
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'reliability', file], {
    cwd: ROOT,
    env: { ...process.env, GROWTH: JSON.stringify(given) },
    stdio: ['ignore', 2, 2],
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}
