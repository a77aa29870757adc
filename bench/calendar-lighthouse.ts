/**
 * Runs Lighthouse's desktop preset on the login page and the calendar. Lighthouse is downloaded only when needed, and
 * run as a separate command.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { signIn } from '../e2e/fixtures/test.ts';
import { fetched } from './calendar-others.ts';
import { VIEWPORT } from './calendar-page.ts';
import { spread } from './figures.ts';

const VERSION = '13.5.0';
const CATEGORIES = ['performance', 'accessibility'] as const;
const FLAGS = [
  '--preset=desktop',
  `--only-categories=${CATEGORIES.join(',')}`,
  '--output=json',
  '--quiet',
  // The first flag keeps the browser's login for the run. The second limits how long Lighthouse waits for an idle
  // network, because the calendar never stops listening for changes.
  '--disable-storage-reset',
  '--max-wait-for-load=15000',
];

/** The median scores of several runs, out of 100; NaN if Lighthouse gave no score. */
export interface PageScores {
  path: string;
  performance: number;
  accessibility: number;
}

/**
 * Returns the scores of the login page and of the calendar after a login, in a separate browser. Throws without a
 * network.
 */
export async function measureLighthouse(url: string, runs: number): Promise<PageScores[]> {
  const command = join(await fetched('lighthouse', { lighthouse: VERSION }), 'lighthouse/cli/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'clinic-bench-'));
  const { args, ...options } = browserOptions();
  const browser = await chromium.launchPersistentContext(folder, {
    ...VIEWPORT,
    ...options,
    baseURL: url,
    args: [...args, '--remote-debugging-port=0'],
  });
  try {
    const port = readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0] ?? '';
    const measure = async (path: string): Promise<PageScores> => {
      const scores = { performance: [] as number[], accessibility: [] as number[] };
      for (let run = 0; run < runs; run++) {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [command, url + path, `--port=${port}`, ...FLAGS],
          { maxBuffer: 2 ** 26, timeout: 120_000 },
        );
        const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number | null }> };
        for (const name of CATEGORIES) scores[name].push(100 * (categories[name]?.score ?? Number.NaN));
      }
      const median = (list: readonly number[]): number => Math.round(spread(list).median);
      return { path, performance: median(scores.performance), accessibility: median(scores.accessibility) };
    };
    const login = await measure('/login');
    const page = await browser.newPage();
    await signIn(page);
    await page.close();
    return [login, await measure('/calendar')];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
