import type { Locator } from '@playwright/test';
import { session, withDay } from '../fixtures/made-day.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('[CAL-08] given a bar out of view, when the keyboard moves to it, its card is shown beside it', async ({
  page,
}) => {
  const therapists = Array.from({ length: 60 }, (_, i) => `Bo Lee ${i + 10}`);
  const calendar = await withDay(
    page,
    ['Ana Ruiz', ...therapists].map((name) =>
      session(name, 'Mo Diaz', '8:30 AM', '11:30 AM', { Preferred_Provider_Name: name }),
    ),
    therapists.map((name) => ({ id: name, name, type: 'therapist', credential: 'RBT' })),
  );
  await calendar.name('Bo Lee 10').focus();
  await page.keyboard.press('Control+End');
  const bar = calendar.row('Bo Lee 69').locator('[data-bar]');
  await expect(bar).toBeFocused();
  await expect(bar).toBeInViewport();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('Bo Lee 69');
  // The card stays after the scroll events that bring the bar into view.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(card).toContainText('Bo Lee 69');
  const [above, below] = [await card.boundingBox(), await bar.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  // With the page at 200 percent, the card is as wide as the window, and still leaves its bar in view.
  await page.setViewportSize({ width: 720, height: 450 });
  for (const key of ['Control+Home', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Control+End']) {
    await page.keyboard.press(key);
    if (key === 'Control+Home') continue;
    await expect(card).toBeVisible();
    const focused = calendar.grid.locator('[data-bar]:focus');
    const isFree = async (): Promise<boolean> => {
      const [a, b] = [await card.boundingBox(), await focused.boundingBox()];
      return a !== null && b !== null && (a.y >= b.y + b.height || a.y + a.height <= b.y);
    };
    await expect.poll(isFree, { message: key }).toBe(true);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // The card of a bar under the pointer disappears when the rows move.
  await calendar.row('Bo Lee 60').locator('[data-bar]').hover();
  await expect(card).toContainText('Bo Lee 60');
  await page.mouse.wheel(0, -800);
  await expect(card).not.toContainText('Bo Lee 60');
});

test('given a modal that closes over a bar, no card covers the rows until the pointer or the keyboard moves @detail', async ({
  page,
  watch,
}) => {
  watch.allow(/422/); // the server has no session with this key
  const calendar = await withDay(page, [{ ...session('1', 'Bo Lee', '8:30 AM', '11:30 AM'), key: '1' }]);
  const bar = calendar.row('Ana Ruiz').locator('[data-bar]');
  const card = page.getByRole('tooltip');
  const dialog = page.getByRole('dialog');
  await bar.focus();
  await expect(card).toBeVisible(); // its code is loaded after the day
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  // The pointer is over the bar, which the modal hides.
  const { x = 0, y = 0 } = (await bar.boundingBox()) ?? {};
  await page.mouse.move(x + 40, y + 6);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(bar).toBeFocused();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(card).toHaveCount(0);
  await page.mouse.move(x + 300, y + 200);
  await page.mouse.move(x + 50, y + 8);
  await expect(card).toBeVisible();
});

test('sessions outside the hours of the day are counted, on paper too, and can be opened; pale bars have text of the size of the row’s', async ({
  page,
  watch,
}) => {
  watch.allow(/422/); // the server does not know the made-up session's key
  const covered = { Preferred_Provider_Name: 'Ana Ruiz', booked_with: 'Emily Thompson' };
  const calendar = await withDay(
    page,
    [
      session('1', 'Bo Lee', '8:30 AM', '11:30 AM', covered),
      { ...session('2', 'Mo Diaz', '8:00 PM', '9:00 PM'), key: '2' },
    ],
    ['Ana Ruiz', 'Emily Thompson'].map((name) => ({ id: name, name, type: 'therapist' })),
  );
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('1 session outside 7 AM - 7 PM')).toBeVisible();
  const size = (element: Locator): Promise<string> => element.evaluate((e) => getComputedStyle(e).fontSize);
  expect(await size(calendar.row('Emily Thompson').locator('[data-trace]'))).toBe(await size(calendar.grid));
  // On the screen, the count leads to each of these sessions, which have no bar.
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: '1 session outside 7 AM - 7 PM' }).click();
  await page.getByRole('menuitem', { name: '8:00 PM - 9:00 PM: Ana Ruiz, Mo Diaz' }).click();
  await expect(page.getByRole('dialog').getByLabel('Client')).toHaveValue('Mo Diaz');
});

test('given 1,000 people, each has a row in the page, and the keyboard reaches the last row @detail', async ({
  page,
}) => {
  const many = Array.from({ length: 1000 }, (_, i) => ({
    id: `p${i}`,
    name: `Person ${String(i).padStart(4, '0')}`,
    type: 'therapist',
  }));
  const calendar = await withDay(
    page,
    many.flatMap((p, i) => [
      session(`A${i}`, `Child ${i}`, '8:00 AM', '11:00 AM', { Preferred_Provider_Name: p.name }),
    ]),
    many,
  );
  await expect(calendar.name('Person 0001')).toBeVisible();
  await expect(calendar.grid.locator('[data-row]')).toHaveCount(1001);
  // After the mouse has scrolled the first rows out of view, Tab still reaches the grid.
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 12_000);
  await expect(calendar.name('Person 0001')).not.toBeInViewport();
  await expect(calendar.grid.locator('[tabindex="0"]')).toHaveCount(1);
  await page.mouse.wheel(0, -12_000);
  await calendar.name('Person 0001').focus();
  await page.keyboard.press('Control+End');
  // Ana Ruiz, who is not booked, comes last.
  await page.keyboard.press('ArrowUp');
  await expect(calendar.name('Person 0999')).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(calendar.name('Person 0999')).toHaveAttribute('aria-pressed', 'true');
  // Several keys within one frame: each key moves from where the previous key led.
  await page.keyboard.press('Control+Home');
  await expect(calendar.name('Person 0000')).toBeFocused();
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
    press('End', true);
    press('ArrowUp');
    press('PageUp');
  });
  await expect(calendar.name('Person 0989')).toBeFocused();
});
