import type { Page } from '@playwright/test';
import { session, withDay } from '../fixtures/made-day.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import type { Calendar } from '../pages/calendar.ts';

/** Far more rows than are in view. `withDay` adds Ana Ruiz; she is not booked and comes last. */
const ROWS = 300;
const PEOPLE = Array.from({ length: ROWS - 1 }, (_, i) => `Person ${String(i).padStart(3, '0')}`);
const sessionsOf = (person: string, client = `Child of ${person}`) => [
  session(`A ${person}`, client, '8:00 AM', '11:00 AM', { Preferred_Provider_Name: person }),
  session(`B ${person}`, client, '1:00 PM', '3:00 PM', { Preferred_Provider_Name: person }),
];

/** What `holdFrames` leaves in the page. */
interface Held {
  realFrame: typeof requestAnimationFrame;
  release: () => void;
}

/**
 * Holds back everything in the page that waits for a frame, so that the rows out of view stay undrawn until
 * `release`.
 */
async function holdFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const realFrame = requestAnimationFrame.bind(window);
    const held: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (work) => held.push(work);
    const release = (): void => {
      window.requestAnimationFrame = realFrame;
      for (const work of held.splice(0)) realFrame(work);
    };
    Object.assign(window, { realFrame, release } satisfies Held);
  });
}
const release = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as Held).release());

const open = (page: Page, people = PEOPLE): Promise<Calendar> =>
  withDay(
    page,
    people.flatMap((person) => sessionsOf(person)),
    people.map((name) => ({ id: name, name, type: 'therapist' })),
  );

/** Opens a day of which only the rows in view are drawn. */
async function openHeld(page: Page, people = PEOPLE): Promise<Calendar> {
  await holdFrames(page);
  const calendar = await open(page, people);
  expect(await drawn(calendar)).toBeLessThan(Math.min(60, people.length));
  return calendar;
}

const drawn = (calendar: Calendar): Promise<number> => calendar.grid.locator('[data-row]').count();
const listHeight = (page: Page): Promise<number> => page.locator('[data-calendar]').evaluate((box) => box.scrollHeight);

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('given a day of 300 rows, the first frame has the rows in view and the whole height; then all rows are drawn, and the browser’s search finds the last', async ({
  page,
}) => {
  const calendar = await openHeld(page);
  await expect(calendar.grid).toHaveAttribute('aria-rowcount', String(ROWS + 1));
  await expect(calendar.name('Person 025')).toBeInViewport();
  const height = await listHeight(page);
  expect(height).toBeGreaterThan(ROWS * 20);
  const finds = (text: string): Promise<boolean> =>
    page.evaluate((wanted) => (window as unknown as { find: (text: string) => boolean }).find(wanted), text);
  expect(await finds('Person 298')).toBe(false);
  await release(page);
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(ROWS);
  expect(await listHeight(page)).toBe(height);
  expect(await finds('Person 298')).toBe(true);
});

test('given rows that are not drawn yet, when the list is scrolled to its end, then the frame that shows the end shows its rows @detail', async ({
  page,
}) => {
  const calendar = await openHeld(page);
  const rows = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const box = document.querySelector('[data-calendar]');
        if (!box) throw new Error('There is no calendar.');
        box.scrollTop = box.scrollHeight;
        // The browser reports the scrolling and then calls this, before it paints the frame.
        (window as unknown as Held).realFrame(() => {
          resolve([...document.querySelectorAll('[data-name] > span:first-child')].map((name) => name.textContent));
        });
      }),
  );
  const inView = [...PEOPLE.slice(-26), 'Ana Ruiz'];
  expect(rows.slice(-inView.length)).toEqual(inView);
  expect(rows.length).toBeLessThan(120);
  await expect(calendar.name('Ana Ruiz')).toBeInViewport();
});

test('given rows that are not drawn yet, then the keyboard reaches the last row, and Tab the grid @detail', async ({
  page,
}) => {
  const calendar = await openHeld(page);
  await calendar.name('Person 000').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  await expect(calendar.name('Person 289')).toBeFocused();
  await expect(calendar.name('Person 289')).toBeInViewport();
  expect(await drawn(calendar)).toBeLessThan(120);
  await release(page);
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(ROWS);
  await expect(calendar.name('Person 289')).toBeFocused();
  await expect(calendar.grid.locator('[tabindex="0"]')).toHaveCount(1);
});

test('given rows that are not drawn yet, when the page is printed, then the paper shows all rows', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 320 });
  // A few rows, since Chromium takes a fifth of a second to print each.
  const people = PEOPLE.slice(0, 30);
  const calendar = await openHeld(page, people);
  const early = await page.pdf();
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(people.length + 1);
  // A background in tiles would take three times as much, and six times as long.
  expect(early.length).toBeLessThan(people.length * 13_000);
  expect(early.length).toBe((await page.pdf()).length);
});

test('given rows that are not drawn yet, then a click shows at once, and rows drawn after a live update show the new day', async ({
  page,
}) => {
  // Each time the stream of events opens, everything loaded before is loaded again; this stream ends at once, and
  // opens again a second or two later.
  await page.route('**/api/events**', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: ': hello\n\n' }),
  );
  const calendar = await openHeld(page);
  await calendar.name('Person 003').click();
  await expect(calendar.name('Person 003')).toHaveAttribute('aria-pressed', 'true');
  // The new day has no Ana Ruiz, who now has the focus and is out of view.
  await page.keyboard.press('Control+End');
  await expect(calendar.name('Ana Ruiz')).toBeFocused();
  await page.locator('[data-calendar]').evaluate((box) => box.scrollTo(0, 0));
  await page.route('**/api/slots**', async (route) =>
    route.fulfill({
      json: {
        appointments: PEOPLE.flatMap((person) => sessionsOf(person, `Later child of ${person}`)),
        availabilities: [],
        absences: [],
        people: PEOPLE.map((name) => ({ id: name, name, type: 'therapist' })),
        version: 2,
        now: '2026-11-20T08:11:00',
      },
    }),
  );
  await expect(calendar.row('Person 004').locator('[data-bar]').first()).toContainText('Later child', {
    timeout: 20_000,
  });
  expect(await drawn(calendar)).toBeLessThan(120);
  await release(page);
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(ROWS - 1);
  await expect(calendar.grid.locator('[tabindex="0"]')).toHaveCount(1);
  for (const person of ['Person 150', 'Person 290'])
    await expect(calendar.row(person).locator('[data-bar]')).toHaveText([/Later child/, /Later child/]);
  await expect(calendar.name('Person 003')).toHaveAttribute('aria-pressed', 'true');
});

test('the rows out of view are drawn in several turns, so that a click between them does not wait for all @detail', async ({
  page,
}) => {
  await holdFrames(page);
  const calendar = await open(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const turns = await page.evaluate(
    (all) =>
      new Promise<number[]>((resolve) => {
        const turns: number[] = [];
        const rows = (): number => document.querySelectorAll('[data-row]').length;
        // Called once for all that one turn draws.
        new MutationObserver(() => {
          turns.push(rows());
          if (rows() === all) resolve(turns);
        }).observe(document.querySelector('[role="grid"]') ?? document, { childList: true, subtree: true });
        (window as unknown as Held).release();
      }),
    ROWS,
  );
  expect(turns.length).toBeGreaterThan(3);
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(ROWS);
});
