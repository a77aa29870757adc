import type { BrowserContext, Page } from '@playwright/test';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { openOptions } from '../pages/options.ts';

/** Opens the calendar, then cuts the connection. */
async function thenOffline(page: Page, context: BrowserContext): Promise<Calendar> {
  await signedIn(page, DEMO.staff, '/calendar');
  const calendar = new Calendar(page);
  await calendar.ready();
  await context.setOffline(true);
  return calendar;
}

test.beforeEach(({ watch }) => watch.allow(/Failed to load resource|Failed to fetch|Unable to preload|ERR_INTERNET/));

test('when a dialog’s code cannot be loaded without a connection, the page says so, and the calendar stays in view @detail', async ({
  page,
  context,
}) => {
  const calendar = await thenOffline(page, context);
  for (const key of ['s', 'Control+k', '?']) {
    await page.keyboard.press(key);
    const alert = page.getByRole('alertdialog', { name: 'This could not be opened' });
    await expect(alert).toContainText('There is no connection.');
    await page.keyboard.press('Enter');
    await expect(alert).toHaveCount(0);
    await expect(calendar.grid).toBeVisible();
  }
  await context.setOffline(false);
  await expect(page.getByText('No connection.')).toHaveCount(0);
  await calendar.newSession().then((dialog) => expect(dialog).toBeVisible());
});

test('[CAL-09] given no connection, another day says that it could not load, and loads once the connection is back', async ({
  page,
  context,
}) => {
  const calendar = await thenOffline(page, context);
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page.getByText('Failed to load schedule data. Please try again.')).toBeVisible();
  await context.setOffline(false);
  await calendar.ready();
  await expect(page.getByText('Failed to load schedule data. Please try again.')).toHaveCount(0);
});

test('a page opened for the first time without a connection waits, and appears when the connection is back', async ({
  page,
  context,
}) => {
  await thenOffline(page, context);
  await page.getByRole('link', { name: 'Profiles' }).click();
  await expect(page.getByRole('heading', { name: 'Profiles', level: 1 })).toBeVisible();
  await expect(page.getByText('This page has not loaded yet')).toBeVisible();
  await expect(page.getByText(/no connection/i), 'it is said once').toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByPlaceholder('Search therapists...')).toBeVisible();
});

test('without a connection, *Why?* says so, and shows the reason when the connection is back @detail', async ({
  page,
  context,
  request,
}) => {
  const { view } = await openOptions(page, request, { at: 'deerfield', after: 9 }, 1);
  await context.setOffline(true);
  await view.modal
    .getByRole('button', { name: /^Why\?/ })
    .first()
    .click();
  const why = page.locator('[popover="auto"]:popover-open');
  await expect(why.getByRole('alert')).toContainText('There is no connection');
  await context.setOffline(false);
  // The reason appears without another click.
  await expect(why.getByText(/^For$|^Against$|therapists, in this option:$/).first()).toBeVisible();
});

test('when the code of the Undo button cannot be loaded, the message about the commit is shown without the button', async ({
  page,
}) => {
  await signedIn(page, DEMO.staff, '/calendar');
  const flash = { text: '3 sessions changed', undoCommit: 'some-commit' };
  const submitted = (): Promise<void> =>
    page.evaluate((kept) => sessionStorage.setItem('flash', JSON.stringify(kept)), flash);
  const undo = page.getByRole('button', { name: 'Undo' });
  await submitted();
  await page.reload();
  await expect(page.getByText(flash.text)).toBeVisible();
  await expect(undo).toBeVisible();
  await page.route('**/submitted-toast-*', (route) => route.abort());
  await submitted();
  await page.reload();
  await expect(page.getByText(flash.text)).toBeVisible();
  await expect(undo).toHaveCount(0);
});
