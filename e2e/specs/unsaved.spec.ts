import type { Page } from '@playwright/test';
import { Calendar } from '../pages/calendar.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click();
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard changes' }).click();

async function openFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /: account of / }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Tries to close the tab, and returns whether the browser asked first. The tab stays open if so. */
async function asksBeforeClosing(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === 'beforeunload';
  });
  await page.close({ runBeforeUnload: true });
  return asked;
}

test('given edits in a form, every way out asks first: a link, another day, Back, a logout, closing the tab', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/?location=tampa');
  await openFromMenu(page, 'Hours & authorizations');
  await page.getByText('Change the limits').click();
  const most = page.getByLabel('Maximum hours a week');
  const before = await most.inputValue();
  await most.fill('39');
  await page.getByRole('link', { name: 'Calendar' }).first().click();
  await expect(question(page)).toContainText('Your changes to the limits are not saved yet.');
  await keep(page);
  await page.getByRole('button', { name: 'Next day' }).click();
  await keep(page);
  await page.goBack();
  await keep(page);
  await openFromMenu(page, 'Log out');
  await keep(page);
  await expect(page).toHaveURL(/\/ledgers\/hours$/);
  await expect(most).toHaveValue('39');
  expect(await asksBeforeClosing(page)).toBe(true);

  await page.getByRole('button', { name: 'Next day' }).click();
  await discard(page);
  await expect(page).toHaveURL(/date=/);
  await expect(most).toHaveValue(before);
  await page.getByRole('link', { name: 'Calendar' }).first().click();
  await expect(page).toHaveURL(/\/calendar/);
  await expect(question(page)).toHaveCount(0);
});

test('given edits in a dialog, Escape, Close and Back ask first; *Discard changes* then closes the dialog, and Back leaves the page', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/calls?location=tampa');
  await openFromMenu(page, 'Reasons');
  await page.getByRole('button', { name: 'Add Reason' }).click();
  const dialog = page.getByRole('dialog', { name: 'New reason' });
  await dialog.getByLabel('Reason', { exact: true }).fill('Storm');
  await page.keyboard.press('Escape');
  await keep(page);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await keep(page);
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue('Storm');
  await page.goBack();
  await discard(page);
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/causes/);
  await page.goBack();
  await expect(page).toHaveURL(/\/calls/);
});

test('given a session form with changes, the browser asks before the tab is closed, and the changes are there again after the login session has ended', async ({
  page,
  watch,
}) => {
  watch.allow(/401/);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open('?location=tampa');
  const form = await calendar.newSession();
  await form.getByLabel('To', { exact: true }).fill('10:45');
  expect(await asksBeforeClosing(page)).toBe(true);

  await page.route('**/api/**', (route) => route.fulfill({ status: 401, json: { detail: 'ended' } }), { times: 1 });
  await form.getByLabel('Client').selectOption({ index: 1 });
  await form.getByRole('button', { name: 'Add Session' }).click();
  await page.waitForURL('**/login**');
  await page.unrouteAll();
  await signedIn(page);
  await calendar.open('?location=tampa');
  await calendar.newSession();
  await expect(form.getByLabel('To', { exact: true })).toHaveValue('10:45');
  await page.keyboard.press('Escape');
  await discard(page);
  await expect(form).toHaveCount(0);
  await calendar.newSession();
  await expect(form.getByLabel('To', { exact: true })).not.toHaveValue('10:45');
});
