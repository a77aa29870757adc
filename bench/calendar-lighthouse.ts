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
/** The part of Lighthouse that is used; it is no part of what is installed, nor are its types. */
type Lighthouse = (
  url: string,
  flags: { port: number; onlyCategories: readonly string[]; logLevel: string },
  config: unknown,
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } } | undefined>;

/** Rows of a table: page, performance, accessibility (medians of `runs`, of 100), by a browser of its own. */
export async function measureLighthouse(url: string, runs: number): Promise<string[][]> {
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
    const measure = async (path: string): Promise<string[]> => {
      const scores = CATEGORIES.map((): number[] => []);
      for (let run = 0; run < runs; run++) {
        const result = await lighthouse(url + path, { port, onlyCategories: CATEGORIES, logLevel: 'error' }, desktop);
        CATEGORIES.forEach((name, i) => scores[i]?.push(100 * (result?.lhr.categories[name]?.score ?? Number.NaN)));
      }
      return [path, ...scores.map((list) => spread(list).median.toFixed(0))];
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
