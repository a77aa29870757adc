// npm run pictures: takes the pictures of the README and the guide, from a real server with the demo clinic.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { SlotsReply } from '@clinic/contract';
import { browserOptions } from './fixtures/browser.ts';
import { startServer } from './fixtures/server.ts';
import { DEMO, signIn } from './fixtures/test.ts';

const [unknown] = process.argv.slice(2);
if (unknown !== undefined) {
  process.stderr.write(
    `This command takes no arguments (found '${unknown}'). It takes the pictures of the README and the guide again.\n`,
  );
  process.exit(1);
}

// The pictures always show 7:05 AM at the clinic.
const MORNING = '2026-11-20T12:05:00Z';
const FOLDER = join(import.meta.dirname, '../docs/pictures');

/** The therapists with the most sessions; their absence makes the picture show a busy morning. */
function busiest(day: SlotsReply): string[] {
  const count = new Map<string, number>();
  for (const a of day.appointments) {
    if (a.service !== 'direct' || a.group || a.Preferred_Provider_Name === 'Unassigned') continue;
    count.set(a.Preferred_Provider_Name, (count.get(a.Preferred_Provider_Name) ?? 0) + 1);
  }
  return [...count].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([name]) => name);
}

async function take(page: Page): Promise<void> {
  const loaded = page.waitForResponse((r) => r.url().includes('/api/slots'));
  await signIn(page, DEMO.staff);
  const day = (await (await loaded).json()) as SlotsReply;
  for (const name of busiest(day).slice(0, 2)) {
    await page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  }
  await page.mouse.move(720, 20);
  await page.screenshot({ path: join(FOLDER, 'calendar.png') });
  await page.getByRole('button', { name: /^Absences/ }).click();
  await page.getByRole('button', { name: 'Save Absences' }).click();
  await page.getByRole('heading', { name: /^Schedule Solutions/ }).waitFor();
  await page.getByRole('button', { name: 'Submit', exact: true }).waitFor();
  await page.getByText('Finding more options…').first().waitFor({ state: 'detached' });
  await page.mouse.move(720, 20);
  await page.screenshot({ path: join(FOLDER, 'options.png'), animations: 'disabled' });
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await reloaded;
  await page.goto('/calls');
  await page.getByRole('list', { name: 'Calls to make' }).getByRole('listitem').first().waitFor();
  await page.mouse.move(720, 20);
  await page.screenshot({ path: join(FOLDER, 'calls.png'), animations: 'disabled' });
}

mkdirSync(FOLDER, { recursive: true });
const server = await startServer({ CLOCK: MORNING });
const browser = await chromium.launch(browserOptions());
try {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
  });
  await take(await context.newPage());
} finally {
  await browser.close();
  await server.stop();
}
