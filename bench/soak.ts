/**
 * Runs the scenarios of `apps/server/src/reliability` with many repeats. `npm run soak` runs the scenarios that have no
 * result yet, `npm run soak -- NAME …` runs the named ones again, and `--count N` sets the number of repeats. Results
 * are saved as they come, so a run that was stopped continues where it left off. At the end, all results are printed as
 * a Markdown table.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DOSES, type ScenarioName } from '../apps/server/src/reliability/testing/doses.ts';
import { BROWSERS, runBrowsers } from './soak-browsers.ts';
import { CLUSTER, CLUSTER_COUNT, runCluster } from './soak-cluster.ts';
import { FHIR, runFhir } from './soak-fhir.ts';
import { LOAD, runLoad } from './soak-load.ts';
import { PAGES, runPages } from './soak-pages.ts';
import { POSTGRES, runOnPostgres } from './soak-postgres.ts';
import { runSignOn, SIGN_ON } from './soak-sign-on.ts';
import { runUpgrade, UPGRADE } from './soak-upgrade.ts';
import { runShipping, SHIPPING } from './soak-shipping.ts';
import { runTexts, TEXTS, TEXTS_COUNT } from './soak-texts.ts';

const ROOT = join(import.meta.dirname, '..');
const RESULTS = join(ROOT, '.runtime', 'soak');

interface Result {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
  readonly at: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

/** The test files of scenarios without a `NAME.reliability.test.ts`. */
const FILES: Partial<Record<string, { project?: string; file: string; test?: string }>> = {
  'kills-server': { file: 'reliability/kills.reliability.test.ts', test: 'a server killed while it writes' },
  'kills-database': { file: 'reliability/kills.reliability.test.ts', test: 'a database killed while it writes' },
  offers: { project: 'integration', file: 'weeks/times/times.test.ts' },
  makeups: { project: 'integration', file: 'weeks/makeup/makeup.test.ts', test: 'given random losses' },
  leaves: { project: 'integration', file: 'weeks/leave/leave-acts.test.ts' },
  weeks: { project: 'integration', file: 'weeks/standing/weeks-acts.test.ts' },
  'call-lines': { project: 'integration', file: 'tell/lines/lines.test.ts' },
  mixes: { project: 'integration', file: 'plan/commits/mixes.test.ts' },
  'week-mixes': { project: 'integration', file: 'plan/commits/week-mixes.test.ts', test: 'given random mixes' },
  recount: { project: 'integration', file: 'ledgers/pages/recount.test.ts' },
};

const names = [
  ...(Object.keys(DOSES) as ScenarioName[]),
  TEXTS,
  LOAD,
  PAGES,
  POSTGRES,
  BROWSERS,
  SHIPPING,
  CLUSTER,
  UPGRADE,
  FHIR,
  SIGN_ON,
];
const USAGE = `npm run soak                   runs the scenarios that have no result yet, and prints all results
npm run soak -- NAME ...       runs these scenarios again: ${names.join(', ')}

  --count N    how many repeats; for ${LOAD}, how many seconds
  --seed N     other random choices
  --table      only prints the results
  --help       prints this
`;
const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const unknown = positionals.find((name) => !names.some((each) => each === name));
if (unknown !== undefined) {
  process.stderr.write(`There is no scenario '${unknown}'. The scenarios are: ${names.join(', ')}\n`);
  process.exit(1);
}
mkdirSync(RESULTS, { recursive: true });
const kept = resultsKept().map((result) => result.name);
const wanted = positionals.length > 0 ? positionals : names.filter((name) => !kept.includes(name));
let failed = 0;
for (const name of values.table ? [] : wanted) {
  process.stderr.write(`${name} …\n`);
  const fine = await run(name);
  process.stderr.write(`${name}: ${fine ? 'passed' : 'FAILED'}\n`);
  if (!fine) failed++;
}
process.stdout.write(table());
process.exitCode = failed > 0 ? 1 : 0;

/** Reads the arguments, or prints which one is unknown and exits. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        count: { type: 'string' },
        seed: { type: 'string' },
        table: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // The first sentence of the message names the flag. The rest only explains how to write a file name that begins
    // with a dash.
    const text = (error instanceof Error ? error.message : String(error)).replace(/\. .*$|\.?$/s, '.');
    process.stderr.write(`${text}\n\n${USAGE}`);
    process.exit(1);
  }
}

function run(name: string): Promise<boolean> {
  if (name === LOAD) return runLoad(RESULTS, Number(values.count ?? 600));
  if (name === TEXTS) return runTexts(ROOT, RESULTS, Number(values.count ?? TEXTS_COUNT));
  if (name === POSTGRES) return runOnPostgres(ROOT, RESULTS);
  if (name === PAGES) return runPages(ROOT, RESULTS);
  if (name === BROWSERS) return runBrowsers(RESULTS);
  if (name === CLUSTER) return runCluster(RESULTS, Number(values.count ?? CLUSTER_COUNT));
  if (name === UPGRADE) return runUpgrade(ROOT, RESULTS);
  if (name === SHIPPING) return runShipping(ROOT, RESULTS);
  if (name === SIGN_ON) return runSignOn(RESULTS);
  if (name === FHIR) return Promise.resolve(runFhir(ROOT, RESULTS));
  return runScenario(name);
}

/** Runs a scenario's tests with many repeats; returns whether they ran and passed. */
function runScenario(name: string): Promise<boolean> {
  const { project = 'reliability', file, test } = FILES[name] ?? { file: `reliability/${name}.reliability.test.ts` };
  const args = ['run', '--project', project, `apps/server/src/${file}`];
  if (test) args.push('--testNamePattern', test);
  const env = {
    ...process.env,
    DOSE: values.count ?? 'long',
    SOAK_RESULTS: RESULTS,
    ...(values.seed === undefined ? {} : { SEED: values.seed }),
  };
  const began = Date.now();
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...args], { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0 && hasResult(name, began))));
}

/**
 * Whether the scenario has saved a result at or after the time `since`. Also false when no test matches the scenario's
 * name.
 */
function hasResult(name: string, since: number): boolean {
  const has = resultsKept().some((result) => result.name === name && Date.parse(result.at) >= since);
  if (!has) process.stderr.write(`${name}: no test saved a result. Does FILES in bench/soak.ts name its test?\n`);
  return has;
}

function resultsKept(): Result[] {
  if (!existsSync(RESULTS)) return [];
  return readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')) as Result);
}

function table(): string {
  const others: Record<string, string> = {
    [PAGES]: 'every browser test, with those of details',
    [BROWSERS]: 'the main job in Firefox and in WebKit',
    [LOAD]: 'load: 50 users on one process, seconds',
    [POSTGRES]: 'integration and reliability tests on the distribution’s PostgreSQL',
    [CLUSTER]: 'SIGKILL of a database cluster’s leader in the middle of commits',
    [SHIPPING]: 'image, chart and lists, read by others’ programs',
    [UPGRADE]: 'the last tagged version upgraded, old and new side by side',
    [SIGN_ON]: 'people who sign on through a Keycloak',
    [TEXTS]: 'hostile texts in every stored field, on every screen',
  };
  const what = (name: string): string =>
    (DOSES as Record<string, { what: string }>)[name]?.what ?? others[name] ?? name;
  const rows = resultsKept().map(({ name, count, seconds, at, figures }) => {
    const found = Object.entries(figures).map(([key, value]) => `${key} ${value}`);
    return `| ${what(name)} | ${count.toLocaleString('en-US')} | ${found.join(', ')} | ${seconds} s | ${at.slice(0, 16)}Z |`;
  });
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  return [
    `Machine: ${machine}.`,
    '',
    '| Scenario | Count | Found | Took | Ended |',
    '|---|---:|---|---:|---|',
    ...rows,
    '',
  ].join('\n');
}
