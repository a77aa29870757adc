// npm test: every check and every test, from a fresh clone; see USAGE. Runs all groups even when some fail, then prints
// `N passed, N failed` and exits with 1 if anything failed. A skipped test counts as failed, since it proves nothing. Up
// to three failed files of a group run once more, and each test that then passes is named (docs/decisions/0100). This
// file is over 250 lines because each kind of group is started in its own way.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getBrowser } from './lib/browser.mjs';
import { makeMemoryFolder } from './lib/memory-folder.mjs';
import { ROOT, RUNTIME } from './lib/paths.mjs';
import { getPython } from './lib/python.mjs';
import { lastLines, run, say, ToolError, withNode } from './lib/process.mjs';
import { filesToRepeat, playwrightFiles, settle, vitestFiles } from './lib/reports.mjs';
import { settingNames } from './lib/settings.mjs';
import { setUp } from './lib/setup.mjs';

const GROUPS = ['static', 'unit', 'components', 'engine', 'integration', 'reliability', 'browser'];
const USAGE = `npm test                        runs every check and every test, in seven groups
npm test -- --only unit,engine  runs some of the groups

  static       types, lint, format, unused code, boundaries, documents
  unit         domain, contract, pages' models, tools
  components   the pages' parts, each alone in Chromium
  engine       the cover engine
  integration  the server on real PostgreSQL
  reliability  what must hold whatever happens
  browser      the product in Chromium: journeys, safety, accessibility

A failed file runs once more; a test that then passes is named as flaky.
`;
const REPORTS = join(RUNTIME, 'test-reports');
/** How many seconds each group took the last time. */
const TIMES = join(RUNTIME, 'test-times.json');
const WITH_DATABASES = ['integration', 'reliability', 'browser'];

// An export that only tests use is dead code. Benchmarks, browser tests and the test kit do not count as users.
const ONLY_TESTS_USE = [
  '--production',
  '-c',
  'knip.production.json',
  '--include',
  'exports,types,files',
  '--no-progress',
];

const results = [];
const flaky = []; // the tests that failed at first and passed when they ran again
const times = readReport(TIMES) ?? {};
let stopped = false; // Set when a signal stops the run. Groups that have not run then count as failed.

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) process.stdout.write(USAGE);
else await runAll();

async function runAll() {
  try {
    await runGroups(parseOnly(args));
    summarise();
  } catch (error) {
    say(error instanceof ToolError ? error.message : error.stack);
    process.stdout.write('0 passed, 1 failed\n');
    process.exitCode = 1;
  }
}

async function runGroups(only) {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const withDatabases = only.some((group) => WITH_DATABASES.includes(group));
  const node = await setUp({ pages: withDatabases });
  const memory = withDatabases ? makeMemoryFolder() : undefined;
  const env = environment(node);
  for (const [place, group] of only.entries()) {
    const inMemory = memory && WITH_DATABASES.includes(group) ? { TMPDIR: memory.folder } : {};
    if (stopped) continue;
    announce(only, place);
    const started = Date.now();
    await runGroup(group, node, { ...env, ...inMemory });
    if (!stopped) times[group] = (Date.now() - started) / 1000;
    writeFileSync(TIMES, JSON.stringify(times));
  }
  memory?.remove();
}

/** Says which group begins, and how long this and the following ones took the last time. */
function announce(only, place) {
  const left = only.slice(place).map((group) => times[group]);
  const seconds = left.reduce((sum, each) => sum + each, 0);
  const about = Number.isNaN(seconds) ? '' : `, about ${Math.max(1, Math.round(seconds / 60))} min left in all`;
  process.stdout.write(`\n${only[place]}: group ${place + 1} of ${only.length}${about}\n`);
}

function parseOnly(args) {
  if (args.length === 0) return GROUPS;
  const [flag, list, ...more] = args[0]?.startsWith('--only=') ? ['--only', args[0].slice(7), ...args.slice(1)] : args;
  const groups = (list ?? '').split(',');
  const unknown = groups.find((group) => !GROUPS.includes(group));
  if (flag !== '--only' || more.length > 0 || unknown !== undefined) {
    throw new ToolError(unknown ? `'${unknown}' is not a group.\n${USAGE}` : USAGE);
  }
  return GROUPS.filter((group) => groups.includes(group));
}

function environment(node) {
  const env = withNode(node);
  // Tests must not depend on settings of the shell.
  for (const name of settingNames()) delete env[name];
  return env;
}

async function runGroup(group, node, env) {
  if (group === 'static') return runStatic(node, env);
  const runner = group === 'browser' ? await playwright(node, env) : await vitest(group, node, env);
  if (!runner) return record(group, Date.now(), 0, 1);
  return runTests(group, runner);
}

async function runStatic(node, env) {
  const bin = (...parts) => join(ROOT, 'node_modules', ...parts);
  const checks = [
    // The longest come first: the last to start would leave one of two processor cores idle.
    ['format', [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
    ['lint of React', [bin('eslint', 'bin', 'eslint.js'), '--max-warnings', '0', 'apps/web']],
    ['lint', [bin('oxlint', 'bin', 'oxlint')]],
    // The native compiler takes a quarter of the time; other tools need the other one: docs/decisions/0001.
    ...projects().map((project) => [
      `types of ${relative(ROOT, project)}`,
      [bin('typescript-native', 'bin', 'tsc'), '--singleThreaded', '-p', project],
    ]),
    ['unused code', [bin('knip', 'bin', 'knip.js'), '--no-progress']],
    ['code that only tests use', [bin('knip', 'bin', 'knip.js'), ...ONLY_TESTS_USE]],
    ['boundaries', [join(ROOT, 'tools', 'boundaries.mjs')]],
    ['documents', [join(ROOT, 'tools', 'docs.mjs')]],
    ['ceilings', [join(ROOT, 'tools', 'ceilings.mjs')]],
  ];
  const lane = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await check(next[0], node, next[1], env);
  };
  await Promise.all([lane(), lane()]); // two checks run at a time, one for each processor core
}

function projects() {
  const folders = ['packages', 'apps'].flatMap((base) =>
    readdirSync(join(ROOT, base)).map((name) => join(ROOT, base, name)),
  );
  return [...folders, join(ROOT, 'e2e'), join(ROOT, 'bench'), join(ROOT, 'tools')].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^tsconfig(\.\w+)?\.json$/.test(name))
          .map((name) => join(folder, name))
      : [],
  );
}

async function check(name, node, args, env) {
  const started = Date.now();
  const { code, output } = await run(node, args, { cwd: ROOT, env });
  record(name, started, code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  if (code !== 0) process.stdout.write(`${lastLines(output, 200)}\n`);
}

/** Runs a group's tests, and its failed files once more if they are few. */
async function runTests(group, runner) {
  const started = Date.now();
  const first = await runner('first', []);
  if (!first || first.size === 0) return record(group, started, 0, 1);
  const repeated = stopped ? [] : filesToRepeat(first);
  if (repeated.length > 0) process.stdout.write(`\nRunning again what failed: ${repeated.join(', ')}\n`);
  const second = repeated.length > 0 ? await runner('again', repeated) : undefined;
  const found = settle(first, second ?? new Map());
  flaky.push(...found.unsteady);
  record(group, started, found.passed, found.failed);
}

/**
 * @returns a function that runs the group's tests, or only those in the given files, and returns results by file;
 * undefined if the group needs a browser and there is none
 */
async function vitest(group, node, env) {
  const python = group === 'integration' ? await getPython() : undefined;
  const browser = group === 'components' ? await getBrowser(node) : undefined;
  if (group === 'components' && !browser) return undefined;
  const settings = { ...(python ? { API_CLIENT_PYTHON: python } : {}), ...(browser ? { CHROMIUM: browser } : {}) };
  return async (name, files) => {
    const report = join(REPORTS, `${group}-${name}.json`);
    await show(
      node,
      [
        join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        ...files,
        '--project',
        group,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { ...env, ...settings },
    );
    const found = readReport(report);
    return found && vitestFiles(found);
  };
}

/**
 * @returns a function that runs the browser tests, or only those in the given files, and returns the results by file;
 * undefined if there is no browser
 */
async function playwright(node, env) {
  const browser = await getBrowser(node);
  if (!browser) return undefined;
  return async (name, files) => {
    const report = join(REPORTS, `browser-${name}.json`);
    await show(
      node,
      [
        join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'),
        'test',
        // Playwright reads this as a pattern. The slash excludes longer file names that end in the same way.
        ...files.map((file) => `/${file}`),
        '--config',
        join(ROOT, 'e2e', 'playwright.config.ts'),
        '--reporter=list,json',
        '--grep-invert=@detail', // `npm run soak -- pages` runs these too: docs/decisions/0100
        // Playwright writes the traces into `test-results`.
        ...(name === 'again' ? ['--trace', 'retain-on-failure'] : []),
      ],
      // Node reads TypeScript itself (docs/decisions/0001); Playwright would first compile each file with Babel.
      { ...env, CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PW_DISABLE_TS_ESM: '1' },
    );
    const found = readReport(report);
    return found && playwrightFiles(found);
  };
}

/** Runs a program and shows its output. */
function show(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, stop);
    child.on('error', resolve);
    child.on('close', (code) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(signal, stop);
      resolve(code);
    });
  });
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function record(name, started, passed, failed) {
  const seconds = (Date.now() - started) / 1000;
  results.push({ name, passed, failed, seconds });
  process.stdout.write(
    `${failed > 0 ? 'FAILED' : 'ok    '} ${name} (${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s)\n`,
  );
}

function summarise() {
  if (stopped) results.push({ name: 'stopped', passed: 0, failed: 1, seconds: 0 });
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  process.stdout.write('\n');
  for (const { name, passed, failed, seconds } of results) {
    process.stdout.write(
      `${name.padEnd(46)} ${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed ${seconds.toFixed(1).padStart(7)} s\n`,
    );
  }
  process.stdout.write(`${'all'.padEnd(46)} ${total('seconds').toFixed(1).padStart(34)} s\n`);
  if (flaky.length > 0) {
    process.stdout.write(`\nFlaky: these tests failed at first and passed when run again; each has an error to fix:\n`);
    for (const test of flaky) process.stdout.write(`  ${test.replace(`${ROOT}/`, '')}\n`);
  }
  process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`);
  process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
}
