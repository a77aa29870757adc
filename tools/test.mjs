// npm test: every check and every test, from a fresh clone. Runs all groups even when some fail, then prints `N passed,
// N failed` and ends with 1 if anything failed. A skipped test counts as failed, since it proves nothing. `npm test --
// --only unit,engine` runs some of the groups: static, unit, engine, integration, reliability, browser.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getBrowser } from './lib/browser.mjs';
import { ROOT, RUNTIME } from './lib/paths.mjs';
import { getPython } from './lib/python.mjs';
import { lastLines, run, say, ToolError, withNode } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

const GROUPS = ['static', 'unit', 'engine', 'integration', 'reliability', 'browser'];
const REPORTS = join(RUNTIME, 'test-reports');
// Tests must not inherit settings from the shell that runs them.
const SETTINGS =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|DEMO|ADMIN_CLIENT_NAME|TOKEN_MINUTES|IDLE_MINUTES|SESSION_HOURS|SOLVER_SECONDS|SOLVER_WORKERS|LOG_LEVEL|TOKEN_KEY|EMBED_ORIGINS|TRUST_PROXY|PUBLIC_URL|DRAIN_SECONDS|DATABASE_CONNECTIONS|RATE_LIMIT|CLOCK)$/;

// An export that only tests use is dead code with a test. Bench, browser tests and the test kit are not production.
const ONLY_TESTS_USE = [
  '--production',
  '-c',
  'knip.production.json',
  '--include',
  'exports,types,files',
  '--no-progress',
];

const results = [];
let stopped = false; // ended by a signal: whatever did not run counts as failed

try {
  const only = parseOnly(process.argv.slice(2));
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const node = await setUp({
    pages: only.includes('integration') || only.includes('reliability') || only.includes('browser'),
  });
  const env = environment(node);
  for (const group of only) {
    if (!stopped) await runGroup(group, node, env);
  }
  summarise();
} catch (error) {
  say(error instanceof ToolError ? error.message : error.stack);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}

function parseOnly(args) {
  if (args.length === 0) return GROUPS;
  const [flag, list, ...more] = args[0]?.startsWith('--only=') ? ['--only', args[0].slice(7), ...args.slice(1)] : args;
  const groups = (list ?? '').split(',');
  const unknown = groups.find((group) => !GROUPS.includes(group));
  if (flag !== '--only' || more.length > 0 || unknown !== undefined) {
    throw new ToolError(
      `Usage: npm test [-- --only ${GROUPS.join(',')}]${unknown ? ` ('${unknown}' is not a group)` : ''}`,
    );
  }
  return GROUPS.filter((group) => groups.includes(group));
}

function environment(node) {
  const env = withNode(node);
  for (const name of Object.keys(env)) if (SETTINGS.test(name)) delete env[name];
  return env;
}

async function runGroup(group, node, env) {
  if (group === 'static') return runStatic(node, env);
  if (group === 'browser') return runBrowser(node, env);
  return runVitest(group, node, env);
}

async function runStatic(node, env) {
  const bin = (...parts) => join(ROOT, 'node_modules', ...parts);
  const checks = [
    ['lint', [bin('eslint', 'bin', 'eslint.js'), '--max-warnings', '0', '.']],
    ...projects().map((project) => [
      `types of ${relative(ROOT, project)}`,
      [bin('typescript', 'bin', 'tsc'), '-p', project],
    ]),
    ['format', [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
    ['unused code', [bin('knip', 'bin', 'knip.js'), '--no-progress']],
    ['code that only tests use', [bin('knip', 'bin', 'knip.js'), ...ONLY_TESTS_USE]],
    ['boundaries', [join(ROOT, 'tools', 'boundaries.mjs')]],
    ['documents', [join(ROOT, 'tools', 'docs.mjs')]],
    ['ceilings', [join(ROOT, 'tools', 'ceilings.mjs')]],
  ];
  const lane = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await check(next[0], node, next[1], env);
  };
  await Promise.all([lane(), lane()]); // one core for lint, which takes longest, one for the rest
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

async function runVitest(group, node, env) {
  const started = Date.now();
  const report = join(REPORTS, `${group}.json`);
  const browser = group === 'unit' ? await getBrowser(node) : undefined;
  const python = group === 'integration' ? await getPython() : undefined;
  await show(
    node,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      group,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { ...env, ...(browser ? { CHROMIUM: browser } : {}), ...(python ? { API_CLIENT_PYTHON: python } : {}) },
  );
  const found = readReport(report);
  if (!found) return record(group, started, 0, 1);
  // A file that could not be loaded has no failed tests, but proves nothing.
  const unloaded = found.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((each) => each.status !== 'failed'),
  ).length;
  const missing = found.numTotalTests === 0 ? 1 : 0;
  record(
    group,
    started,
    found.numPassedTests,
    found.numFailedTests + found.numPendingTests + found.numTodoTests + unloaded + missing,
  );
}

async function runBrowser(node, env) {
  const started = Date.now();
  const browser = await getBrowser(node);
  if (!browser) return record('browser', started, 0, 1);
  const report = join(REPORTS, 'browser.json');
  await show(
    node,
    [
      join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'),
      'test',
      '--config',
      join(ROOT, 'e2e', 'playwright.config.ts'),
      '--reporter=list,json',
    ],
    { ...env, CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const found = readReport(report);
  if (!found) return record('browser', started, 0, 1);
  const { expected, unexpected, flaky, skipped } = found.stats;
  const none = expected + unexpected + flaky + skipped === 0 ? 1 : 0;
  const failed = unexpected + flaky + skipped + none;
  record('browser', started, expected, Math.max(failed, found.errors.length > 0 ? 1 : 0));
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
  process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`);
  process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
}
