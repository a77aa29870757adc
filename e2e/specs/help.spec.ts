import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import type { Page } from '@playwright/test';

/** Whether all pictures that the guide names have been loaded. */
async function expectPictures(page: Page): Promise<void> {
  const pictures = page.getByRole('img');
  expect(await pictures.count()).toBeGreaterThan(1);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty('complete', true);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
}

test('the guide is there without a login, with its pictures, in the product’s look, and without a script @detail', async ({
  page,
  request,
}) => {
  const reply = await request.get('/help');
  expect(reply.status()).toBe(200);
  expect(reply.headers()).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  expect(await reply.text()).not.toContain('<script');
  await page.goto('/help');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guide for the coordinator');
  await expect(page.getByRole('contentinfo')).toHaveText(/^Clinic Scheduler \d+\.\d+\.\d+$/);
  await expectPictures(page);
  expect(await page.evaluate(() => document.fonts.check('15px "Instrument Sans Variable"'))).toBe(true);
  await expectAccessibleInBothThemes(page, 'the guide');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('link', { name: 'First account' }).click();
  await expect(page.getByRole('heading', { name: 'First account' })).toBeInViewport();
});

test('Help in the account menu and the palette opens the guide beside the page @detail', async ({ page, context }) => {
  await signedIn(page);
  await page.goto('/calendar');
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await expect(await opened).toHaveURL(/\/help$/);
  const again = context.waitForEvent('page');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Help');
  await expect(page.getByRole('option', { name: 'Help', selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(await again).toHaveURL(/\/help$/);
  await expect(page).toHaveURL(/\/calendar/);
});

test('the built guide opens as a file, without any server @detail', async ({ browser }) => {
  const page = await browser.newPage({ offline: true });
  await page.goto(pathToFileURL(join(import.meta.dirname, '../../apps/web/dist/help.html')).href);
  await expect(page.getByRole('heading', { name: 'Calls' })).toBeVisible();
  await expectPictures(page);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
  await page.close();
});
