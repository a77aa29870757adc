/** Measures pages from inside without changing them: a script is injected, and its results are read. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { SlotsReply } from '@clinic/contract';

/** The injected script's measurements. Times are in milliseconds by the page's clock. */
interface Marks {
  /** When each frame with a change was painted, and the wanted elements in it. */
  frames: { at: number; elements: readonly Element[] }[];
  /** Whether a painted frame had as many elements as wanted. */
  painted: boolean;
  shift: number;
  /** The time from the last click to the next frame, in milliseconds as the browser reports it (in steps of 8). */
  click: number;
}
declare global {
  var benchMarks: Marks;
}

/** Runs in the page: notes the elements in each painted frame until `count` elements match. */
function injected({ selector, count }: { selector: string; count: number }): void {
  globalThis.benchMarks = { frames: [], painted: false, shift: 0, click: 0 };
  const marks = globalThis.benchMarks;
  let noting = false;
  const observer = new MutationObserver(() => {
    if (noting) return;
    noting = true;
    // The browser delivers this message right after it hands over the frame for painting.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const at = performance.now();
      noting = false;
      marks.frames.push({ at, elements: [...document.querySelectorAll(selector)] });
      marks.painted = (marks.frames.at(-1)?.elements.length ?? 0) >= count;
      if (marks.painted) observer.disconnect();
    };
    requestAnimationFrame(() => port2.postMessage(null));
  });
  observer.observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) marks.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0) marks.click = Math.max(marks.click, entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

export const VIEWPORT: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-US',
  timezoneId: 'America/New_York',
  colorScheme: 'light',
};

/**
 * Makes a browser context in which `/api/slots` returns a made-up day, or the real day if `day` is null. Its pages
 * note the frames until `count` elements are painted.
 */
export async function watchedContext(
  browser: Browser,
  options: BrowserContextOptions,
  wanted: { selector: string; count: number },
  day: ((date: string) => SlotsReply) | null,
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...VIEWPORT, ...options });
  await context.addInitScript(injected, wanted);
  if (day) {
    await context.route('**/api/slots?*', (route) => {
      const date = new URL(route.request().url()).searchParams.get('date') ?? '2026-11-20';
      return route.fulfill({ json: day(date) });
    });
  }
  return context;
}

export async function painted(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.benchMarks.painted, null, { timeout: 120_000 });
}

/** How many milliseconds pass from the last byte of a day's data until its elements are painted. */
export interface DayTimes {
  /** Until a frame shows every element that lies in the window. */
  seen: number;
  /** Until a frame after which all elements are in the page. */
  whole: number;
}

/**
 * Opens `path` and measures how soon it shows its day.
 * @param then what to do with the page before it is closed
 */
export async function timeFrom(
  context: BrowserContext,
  path: string,
  then?: (page: Page) => Promise<unknown>,
): Promise<DayTimes> {
  const page = await context.newPage();
  await page.goto(path);
  await painted(page);
  const times = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const arrived = all.find((entry) => entry.name.includes('/api/slots?'))?.responseEnd ?? Number.NaN;
    const { frames } = globalThis.benchMarks;
    const last = frames.at(-1)?.elements ?? [];
    const inView = last.filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    const since = (wanted: readonly Element[]): number => {
      const frame = frames.find(({ elements }) => {
        const there = new Set(elements);
        return wanted.every((element) => there.has(element));
      });
      return (frame?.at ?? Number.NaN) - arrived;
    };
    return { seen: since(inView), whole: since(last) };
  });
  await then?.(page);
  await page.close();
  return times;
}

/**
 * Empties the calendar's grid, puts the same elements back with `innerHTML`, and returns the milliseconds until the
 * frame that shows them: all in one frame, of which the browser lays out only what lies in or near the window. The
 * context must bypass the content security policy, which forbids `innerHTML`.
 */
export function timeInnerHtml(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const box = document.querySelector('[data-calendar]');
    if (!box) throw new Error('There is no calendar.');
    const frame = (): Promise<void> =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        requestAnimationFrame(() => port2.postMessage(null));
      });
    await new Promise((resolve) => requestIdleCallback(resolve));
    const html = box.innerHTML;
    box.innerHTML = '';
    await frame();
    await new Promise((resolve) => requestIdleCallback(resolve));
    const start = performance.now();
    box.innerHTML = html;
    await frame();
    return performance.now() - start;
  });
}

const PRESS_MS = 100;

/** Clicks one name after another and returns how many milliseconds passed from each click to the next frame. */
export async function timeClicks(page: Page, count: number): Promise<number[]> {
  const names = page.locator('button[data-name]');
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    await page.evaluate(() => void (globalThis.benchMarks.click = 0));
    // Sends only mouse events, like a real mouse. `click()` would first make the page check what covers the name.
    const box = await names.nth(i).boundingBox();
    if (!box) throw new Error(`Name ${i} is not on the page.`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForTimeout(PRESS_MS);
    await page.mouse.down();
    await page.waitForTimeout(PRESS_MS);
    await page.mouse.up();
    // The browser reports a click a moment after its frame, and only if the click took at least 16 ms. This polls
    // rarely, because polling keeps the page busy.
    const told = { timeout: 3000, polling: 200 };
    await page.waitForFunction(() => globalThis.benchMarks.click > 0, null, told).catch(() => null);
    all.push(await page.evaluate(() => globalThis.benchMarks.click || 16));
  }
  return all;
}
