import type { Locator } from '@playwright/test';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// Tests that overlays stay in place while their content or the window changes.

test.beforeEach(async ({ page }) => {
  await signedIn(page, DEMO.staff, '/calendar');
  await new Calendar(page).ready();
});

test('the palette’s field stays in place while the results grow and shrink, and actions are listed first @detail', async ({
  page,
}) => {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^A person/ });
  await expect(field).toBeFocused();
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  const labels = await found.locator('b').allTextContents();
  const locations = ['Deerfield', 'Orlando', 'Palm Beach', 'Tampa'];
  expect(labels.slice(-locations.length)).toEqual(locations);
  const before = await field.boundingBox();
  await field.fill('nobody is called this');
  await expect(found).toHaveCount(0);
  expect(await field.boundingBox()).toEqual(before);
});

test('menus and the date picker stay in view when the window is resized @detail', async ({ page }) => {
  const wholly = async (box: Locator): Promise<boolean> => {
    const at = await box.boundingBox();
    const size = page.viewportSize();
    return !!at && !!size && at.x >= 0 && at.y >= 0 && at.x + at.width <= size.width && at.y + at.height <= size.height;
  };
  const small = async (box: Locator): Promise<void> => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(box).toBeVisible();
    await page.setViewportSize({ width: 390, height: 700 });
    await expect.poll(() => wholly(box)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(box).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await page.getByRole('button', { name: 'Display' }).click();
  await small(page.getByRole('menu', { name: 'Display' }));
  await page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1).click();
  await small(page.getByRole('dialog', { name: 'Choose a date' }));
});

test('while the files of the next page load, its title and its outline are there, and keys of the page before do nothing @detail', async ({
  page,
}) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/rare-page*.js', async (route) => {
    await held;
    await route.continue();
  });
  const days: string[] = [];
  page.on('request', (request) => void (request.url().includes('/slots') && days.push(request.url())));
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Reports' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading the page' })).toBeVisible();
  await expect(page).toHaveTitle('Reports - Scheduler');
  await expect(page.getByRole('status').getByText('Reports - Scheduler')).toBeAttached(); // for screen readers
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/reports$/);
  expect(days).toEqual([]);
  release();
  await expect(page.getByRole('status', { name: 'Loading the page' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
});

test('given a page whose files cannot be loaded, asked for while another one’s load, the product says so @detail', async ({
  page,
  watch,
}) => {
  watch.allow(/ERR_FAILED|Failed to fetch/);
  await page.route('**/assets/rare-page*.js', () => undefined);
  await page.route('**/assets/calls-page*.js', (route) => route.abort());
  const asked = page.waitForRequest('**/assets/rare-page*.js');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Reports' }).press('Enter');
  await asked;
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
});

test('the bottom of the page header is at the same height on every page @detail', async ({ page }) => {
  const tops = new Map<string, number>();
  for (const path of ['/profiles', '/', '/scheduler', '/no/such/page']) {
    await page.goto(path);
    const heading = page.locator('main header').first();
    await expect(heading).toBeVisible();
    // The outline's header is replaced by the page's.
    const bottom = async () => {
      const box = await heading.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0));
    };
    let seen = 0;
    await expect.poll(async () => (seen = await bottom())).toBeGreaterThan(0);
    tops.set(path, seen);
  }
  expect(new Set(tops.values()), JSON.stringify([...tops])).toHaveProperty('size', 1);
});
