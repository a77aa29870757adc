/**
 * Measures how long a person waits for options, from *Save Absences* and from *Refresh* to the frame that shows them,
 * in a real browser on a real server with an imported clinic. Prints Markdown. `npm run bench -- save [--quick]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from '@playwright/test';
import { addDays, daysBetween, isoDate, mondayOf, type IsoDate } from '@clinic/domain';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { startServer } from '../e2e/fixtures/server.ts';
import { DEMO, signIn } from '../e2e/fixtures/test.ts';
import { Calendar } from '../e2e/pages/calendar.ts';
import { Api } from '../e2e/fixtures/api.ts';
import { VIEWPORT } from './calendar-page.ts';
import { AS_DELIVERED, machine, spread, spreadText, table } from './figures.ts';

const BARS = { save: { median: 150, p95: 400 }, refresh: { median: 250 } };
const EXPORT = join(import.meta.dirname, '../apps/server/src/import/fixtures/clinic-a');
/** A Monday in the exported data, with seven weeks of sessions before it and three after. */
const EXPORTED = isoDate('2026-11-02');
const LOCATION = 'altamonte';
/** How long a person looks before the next click. */
const THINK_MS = 900;

/** One file of the clinic's export, with its dates moved by whole weeks so that EXPORTED becomes `monday`. */
function exported(kind: string, monday: IsoDate): { name: string; mimeType: string; buffer: Buffer } {
  const text = gunzipSync(readFileSync(join(EXPORT, `${kind}.csv.gz`))).toString();
  const days = daysBetween(EXPORTED, monday);
  const moved = text.replace(/\b(\d{1,2})\/(\d{1,2})\/(20\d\d)(?=, )/g, (_, m: string, d: string, y: string) => {
    const [year, month, day] = addDays(isoDate(`${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`), days).split('-');
    return `${Number(month)}/${Number(day)}/${year}`;
  });
  return { name: `${kind}.csv`, mimeType: 'text/csv', buffer: Buffer.from(moved) };
}

async function importClinic(page: Page, monday: IsoDate): Promise<void> {
  const form = { username: DEMO.admin.email, password: DEMO.admin.password };
  const token = (await (await page.request.post('/api/token', { form })).json()) as { access_token: string };
  const files = Object.fromEntries(
    ['therapists', 'clients', 'appointments'].map((kind) => [kind, exported(kind, monday)]),
  );
  const headers = { Authorization: `Bearer ${token.access_token}` };
  const reply = await page.request.post('/api/imports', { headers, multipart: files, timeout: 300_000 });
  if (!reply.ok()) throw new Error(`The import failed: ${reply.status()} ${await reply.text()}`);
}

/** Clicks, and returns the milliseconds from the click to the frame in which an element matches the selector. */
async function timeClick(page: Page, button: ReturnType<Page['locator']>, selector: string): Promise<number> {
  const done = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        let from = Number.NaN;
        addEventListener('click', () => void (from = performance.now()), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (Number.isNaN(from) || !document.querySelector(wanted)) return;
          observer.disconnect();
          // The browser delivers this message right after it hands over the frame for painting.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - from);
          requestAnimationFrame(() => port2.postMessage(null));
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      }),
    selector,
  );
  await button.click();
  return done;
}

/**
 * How many milliseconds passed from the save to the first option, from the save to all options, and from the refresh to
 * its options.
 */
interface DayTimes {
  readonly save: number;
  readonly all: number;
  readonly refresh: number;
}

/** Marks two therapists absent at a human pace, saves, pins two options and refreshes. */
async function timeDay(page: Page, date: IsoDate, run: number): Promise<DayTimes> {
  const calendar = new Calendar(page);
  await calendar.open(`?location=${LOCATION}&date=${date}`);
  const names = await calendar.booked(2);
  for (const at of [2 * run, 2 * run + 1]) {
    await calendar.name(names[at % names.length] ?? '').click();
    await page.waitForTimeout(THINK_MS);
  }
  if (!(await calendar.panel.isVisible())) await calendar.absencesButton.click();
  await page.waitForTimeout(THINK_MS);
  const saving = performance.now();
  const save = await timeClick(page, calendar.panel.getByRole('button', { name: 'Save Absences' }), '[data-do="pick"]');
  await calendar.modal.getByText('Finding more options…').first().waitFor({ state: 'detached' });
  const all = Math.max(save, performance.now() - saving);
  await page.waitForTimeout(THINK_MS);
  await calendar.modal.getByRole('switch', { name: 'Refresh Mode' }).click();
  const clients = await calendar.modal.locator('[data-do="pick"][data-at$=":0"]').count();
  for (let row = 0; row < Math.min(2, clients); row++)
    await calendar.modal.locator(`[data-do="pick"][data-at="${row}:0"]`).click();
  await page.waitForTimeout(THINK_MS);
  const button = calendar.modal.getByRole('button', { name: 'Refresh', exact: true });
  // After a refresh the modal is in Submit Mode again.
  const refresh = await timeClick(page, button, '[role="switch"][data-mode="submit"]');
  return { save, all, refresh };
}

async function timeDays(browser: Browser, url: string, runs: number): Promise<DayTimes[]> {
  const context = await browser.newContext({ ...VIEWPORT, baseURL: url });
  const page = await context.newPage();
  await signIn(page);
  const today = await (await Api.signIn(page.request)).today();
  const monday = addDays(mondayOf(today), 7);
  await importClinic(page, monday);
  const times: DayTimes[] = [];
  // The first run prepares the browser and the server, and does not count.
  for (let run = 0; run <= runs; run++) {
    const date = addDays(monday, 7 * Math.floor((run % 15) / 5) + (run % 5));
    const took = await timeDay(page, date, Math.floor(run / 15));
    if (run > 0) times.push(took);
  }
  await context.close();
  return times;
}

/** Measures everything and prints it; true when every target is met. `--quick`: four days. */
export async function benchSave(flags: readonly string[]): Promise<boolean> {
  const runs = flags.includes('--quick') ? 4 : 29;
  const server = await startServer(AS_DELIVERED);
  const browser = await chromium.launch(browserOptions());
  try {
    const times = await timeDays(browser, server.url, runs);
    const spreadOf = (part: keyof DayTimes) => spread(times.map((each) => each[part]));
    const [saved, all, refreshed] = [spreadOf('save'), spreadOf('all'), spreadOf('refresh')];
    const saveHeld = saved.median <= BARS.save.median && saved.p95 <= BARS.save.p95;
    const refreshHeld = refreshed.median <= BARS.refresh.median;
    const yes = (held: boolean): string => (held ? 'yes' : 'no');
    console.log(`## From a click to options\n\n${machine()}, Chromium ${browser.version()}. ${runs} days.\n`);
    console.log(
      table(
        ['Imported clinic, two therapists away', 'ms: median / 95 % / worst', 'At most', 'Met'],
        [
          [
            'From *Save Absences* to painted options',
            spreadText(saved),
            `${BARS.save.median} / ${BARS.save.p95}`,
            yes(saveHeld),
          ],
          ['From *Save Absences* to all options', spreadText(all), '–', '–'],
          [
            'From *Refresh* with two pins to painted options',
            spreadText(refreshed),
            `${BARS.refresh.median}`,
            yes(refreshHeld),
          ],
        ],
      ),
    );
    return saveHeld && refreshHeld;
  } finally {
    await browser.close();
    await server.stop();
  }
}
