import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PAGES = 'pages';

interface Report {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
}

/**
 * Runs all browser tests, also those of details, which `npm test` leaves out: their names have the tag `@detail`.
 * @returns whether all passed
 */
export async function runPages(root: string, results: string): Promise<boolean> {
  const began = performance.now();
  const output = mkdtempSync(join(tmpdir(), 'clinic-pages-'));
  const report = join(output, 'report.json');
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const config = join(root, 'e2e', 'playwright.config.ts');
  const args = ['test', '-c', config, '--output', join(output, 'results'), '--reporter=list,json'];
  // Node reads TypeScript itself (docs/decisions/0001).
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PW_DISABLE_TS_ESM: '1' };
  const child = spawn(process.execPath, [cli, ...args], { cwd: root, env, stdio: ['ignore', 2, 2] });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const { stats } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(output, { recursive: true, force: true });
  const seconds = Math.round((performance.now() - began) / 1000);
  const figures = { 'failed tests': stats.unexpected };
  const count = stats.expected + stats.unexpected + stats.flaky;
  writeFileSync(
    join(results, `${PAGES}.json`),
    `${JSON.stringify({ name: PAGES, count, seconds, at: new Date(), figures }, null, 2)}\n`,
  );
  return code === 0;
}
