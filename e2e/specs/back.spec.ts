import { addDays } from '@clinic/domain';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { openOptions } from '../pages/options.ts';
import { cards } from '../pages/profiles.ts';

test('given a dialog, Back closes it and the page stays; Back again, or Back after Escape, leaves the page', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin, '/calendar');
  const calendar = new Calendar(page);
  await calendar.ready();
  await page.getByRole('link', { name: 'Profiles' }).click();
  const profile = page.getByRole('dialog');
  const open = cards(page).first().getByRole('button').first();
  await open.click();
  await expect(profile).toBeVisible();
  await page.goBack();
  await expect(profile).toHaveCount(0);
  await expect(page).toHaveURL(/\/profiles/);
  await open.click();
  await page.keyboard.press('Escape');
  await expect(profile).toHaveCount(0);
  await page.goBack();
  await calendar.ready();
  await expect(page).toHaveURL(/\/calendar/);
  await page.goForward();
  await expect(page).toHaveURL(/\/profiles/);

  // A command of the palette takes the place of the palette's own entry.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A person/ }).fill('reasons');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/causes/);
  await page.goBack();
  await expect(page).toHaveURL(/\/profiles/);
});

test('given edits in a dialog, Back asks; Back on the question keeps the edits, and the dialog stays', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin, '/calendar');
  const calendar = new Calendar(page);
  await calendar.ready();
  const form = await calendar.newSession();
  await form.getByLabel('To', { exact: true }).fill('10:45');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  for (const _ of [1, 2]) {
    await page.goBack();
    await expect(question).toBeVisible();
    await page.goBack();
    await expect(question).toHaveCount(0);
    await expect(form.getByLabel('To', { exact: true })).toHaveValue('10:45');
  }
  await page.goBack();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(/\/calendar/);
});

test('given the options, Back closes them as Escape does, and a second Back leaves the calendar @detail', async ({
  page,
  request,
}) => {
  const { view, date } = await openOptions(page, request, { at: 'orlando', after: 16 }, 2);
  const reloaded = page.waitForEvent('load');
  await page.goBack();
  await reloaded;
  const calendar = new Calendar(page);
  await calendar.ready();
  await expect(view.modal).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(date, 1)}`));
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
});

test('given an open month, Back shows the day before and closes the month @detail', async ({ page }) => {
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open('?location=orlando&date=2026-12-03');
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByRole('button', { name: /December 4/ }).click();
  const month = page.getByRole('dialog', { name: 'Choose a date' });
  await expect(month).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/date=2026-12-03/);
  await expect(month).toBeHidden();
});

test('given a menu opened while the page loads, the menu stays open when the page completes its address @detail', async ({
  page,
}) => {
  await signedIn(page);
  let load = (): void => {};
  const wanted = new Promise<void>((resolve) => (load = resolve));
  await page.route('**/assets/calendar-page-*.js', async (route) => {
    await wanted;
    await route.continue();
  });
  await page.goto('/calendar', { waitUntil: 'commit' });
  await page.getByRole('button', { name: /account of/ }).click();
  const menu = page.getByRole('menuitem', { name: 'Log out' });
  await expect(menu).toBeVisible();
  load();
  await expect(page).toHaveURL(/location=/);
  await new Calendar(page).ready();
  await expect(menu).toBeVisible();
});
