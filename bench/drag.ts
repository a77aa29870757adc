/**
 * Measures how smoothly a session is dragged over a full day: 300 rows of 5 bars, the processor slowed down four times.
 * Prints Markdown. `npm run bench -- drag`
 */
import { chromium } from '@playwright/test';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { startServer } from '../e2e/fixtures/server.ts';
import { signIn } from '../e2e/fixtures/test.ts';
import { BARS_A_ROW, slotsDay } from './calendar-day.ts';
import { VIEWPORT, painted, watchedContext } from './calendar-page.ts';
import { machine, table } from './figures.ts';

const ROWS = 300;
const SLOWDOWN = 4;
const FRAMES = 300;
const FRAME_MS = 16;
const MOST_LATE = 0.05;

/** Runs in the page: drags the first bar over the grid, a step a frame, and returns how long each frame's work took. */
async function dragAbout(frames: number): Promise<number[]> {
  const bar = document.querySelector('[data-row] [data-bar]');
  const box = document.querySelector('[data-calendar]');
  if (!bar || !box) throw new Error('no bar to drag');
  const { left, top, width, height } = bar.getBoundingClientRect();
  const from = { x: left + width / 2, y: top + height / 2 };
  const area = box.getBoundingClientRect();
  const send = (type: string, clientX: number, clientY: number): void =>
    void bar.dispatchEvent(
      new PointerEvent(type, { bubbles: true, clientX, clientY, pointerType: 'mouse', button: 0 }),
    );
  const times: number[] = [];
  const frame = (work: () => void): Promise<void> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const began = performance.now();
        work();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          times.push(performance.now() - began);
          resolve();
        };
        port2.postMessage(null);
      }),
    );
  send('pointerdown', from.x, from.y);
  for (let i = 1; i <= frames; i++)
    await frame(() => {
      // Every tenth of the way, the grid is scrolled too.
      if (i % 30 === 0) box.scrollTop += 300;
      const x = from.x + (area.width / 2) * Math.abs(Math.sin(i / 20));
      send('pointermove', x, area.top + 60 + ((area.height - 120) * (i % 60)) / 60);
    });
  if (!document.querySelector('[data-dragging]')) throw new Error('nothing was dragged');
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return times;
}

/** Measures the drag; true when it is as smooth as it has to be. */
export async function benchDrag(): Promise<boolean> {
  const server = await startServer();
  const browser = await chromium.launch(browserOptions());
  try {
    const first = await browser.newContext({ ...VIEWPORT, baseURL: server.url });
    await signIn(await first.newPage());
    const session = { baseURL: server.url, storageState: await first.storageState() };
    const wanted = { selector: '[data-row] [data-bar]', count: ROWS * BARS_A_ROW };
    const context = await watchedContext(browser, session, wanted, (date) => slotsDay(ROWS, date));
    const page = await context.newPage();
    await page.goto('/calendar');
    await painted(page);
    await page.locator('[data-hands]').waitFor();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const times = (await page.evaluate(dragAbout, FRAMES)).sort((a, b) => a - b);
    const late = times.filter((ms) => ms > FRAME_MS).length / times.length;
    const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
    console.log(
      `## Dragging\n\n${machine()}, Chromium ${browser.version()}. ${ROWS} rows of ${BARS_A_ROW} bars, processor slowed down ${SLOWDOWN} times.\n`,
    );
    console.log(
      table(
        ['Frames of a drag', `Over ${FRAME_MS} ms`, 'At most', 'Median / 95 % / worst, ms', 'Met'],
        [
          [
            String(times.length),
            `${(100 * late).toFixed(1)} %`,
            `${100 * MOST_LATE} %`,
            `${at(0.5)} / ${at(0.95)} / ${at(1)}`,
            late <= MOST_LATE ? 'yes' : 'no',
          ],
        ],
      ),
    );
    return late <= MOST_LATE;
  } finally {
    await browser.close();
    await server.stop();
  }
}
