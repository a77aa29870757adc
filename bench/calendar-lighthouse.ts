/** Lighthouse's desktop preset on the login page and the calendar; fetched when asked for. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { signIn } from '../e2e/fixtures/test.ts';
import { fetched } from './calendar-others.ts';
import { VIEWPORT } from './calendar-page.ts';
import { spread } from './figures.ts';

const VERSION = '13.5.0';
const CATEGORIES = ['performance', 'accessibility'] as const;
// Signed in, the session stays; the calendar listens for changes, so its network never falls silent.
const FLAGS = { onlyCategories: CATEGORIES, logLevel: 'error', disableStorageReset: true, maxWaitForLoad: 15_000 };
/** The part of Lighthouse that is used; it is no part of what is installed, nor are its types. */
type Lighthouse = (
  url: string,
  flags: Record<string, unknown>,
  config: unknown,
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } } | undefined>;

/** Medians of several runs, of 100. */
export interface PageScores {
  path: string;
  performance: number;
  accessibility: number;
}

/** The login page's and the signed-in calendar's scores, by a browser of its own. */
export async function measureLighthouse(url: string, runs: number): Promise<PageScores[]> {
  const core = join(await fetched('lighthouse', { lighthouse: VERSION }), 'lighthouse/core');
  const { default: lighthouse } = (await import(pathToFileURL(join(core, 'index.js')).href)) as { default: Lighthouse };
  const { default: desktop } = (await import(pathToFileURL(join(core, 'config/desktop-config.js')).href)) as {
    default: unknown;
  };
  const folder = mkdtempSync(join(tmpdir(), 'clinic-bench-'));
  const { args, ...options } = browserOptions();
  const browser = await chromium.launchPersistentContext(folder, {
    ...VIEWPORT,
    ...options,
    baseURL: url,
    args: [...args, '--remote-debugging-port=0'],
  });
  try {
    const port = Number(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
    const measure = async (path: string): Promise<PageScores> => {
      const scores = { performance: [] as number[], accessibility: [] as number[] };
      for (let run = 0; run < runs; run++) {
        const result = await lighthouse(url + path, { ...FLAGS, port }, desktop);
        for (const name of CATEGORIES) scores[name].push(100 * (result?.lhr.categories[name]?.score ?? Number.NaN));
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
