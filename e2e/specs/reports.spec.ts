import { addDays, isoDate, longDate, mondayOf } from '@clinic/domain';
import type { ReportReply } from '@clinic/contract';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

test('a report shows last week’s figures, each figure opens its sessions, and the report can be saved as a file @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const monday = addDays(mondayOf(isoDate(await api.today())), -7);
  const range = `from=${monday}&to=${addDays(monday, 6)}`;
  const report = await api.get<ReportReply>(`/reports?location=altamonte&${range}`);
  await signedIn(page);
  await page.goto('/reports');
  await page.getByLabel('Location').selectOption('altamonte');
  await page.getByLabel('Range').selectOption('Last week');
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  const table = page.getByRole('table', { name: 'By client' });
  await expect(table.getByRole('row')).toHaveCount(report.groups.client.length + 1);
  await expectAccessibleInBothThemes(page, 'report');
  await page.emulateMedia({ media: 'print' });
  const words = `Report, Altamonte, ${longDate(monday)} to ${longDate(addDays(monday, 6))}`;
  const title = page.getByRole('heading', { name: words });
  await expect(title, 'paper says what it shows').toBeVisible();
  // Browsers print no backgrounds, except where a page asks for them.
  const adjust = table.locator('i').evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).printColorAdjust));
  expect(new Set(await adjust), 'paper shows the bars').toEqual(new Set(['exact']));
  const left = (await title.boundingBox())?.x;
  expect((await table.boundingBox())?.x, 'the table begins where the title begins').toBe(left);
  await page.emulateMedia({ media: 'screen' });
  await table.getByRole('button', { name: /kept/ }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Kept: / });
  await expect(dialog.getByRole('link').first()).toBeVisible();
  await expectAccessibleInBothThemes(page, 'sessions of a report');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^report .* to .*\.csv$/);
  // The way to a session and back ends at the same report.
  await table.getByRole('button', { name: /kept/ }).first().click();
  let load = (): void => {};
  const wanted = new Promise<void>((resolve) => (load = resolve));
  await page.route('**/assets/calendar-page-*.js', async (route) => {
    await wanted;
    await route.continue();
  });
  await dialog.getByRole('link').first().click();
  await page.waitForURL('**/calendar**');
  await expect(page.getByRole('status', { name: 'Loading the page' })).toBeVisible();
  // Back works as usual while the calendar's files load.
  await page.goBack();
  await expect(page).toHaveURL(/\/reports/);
  await expect(dialog).toHaveCount(0);
  load();
  await table.getByRole('button', { name: /kept/ }).first().click();
  await dialog.getByRole('link').first().click();
  await page.waitForURL('**/calendar**');
  await expect(page).toHaveTitle(/^Calendar/);
  await page.goBack();
  await expect(table.getByRole('row')).toHaveCount(report.groups.client.length + 1);
  await expect(page.getByLabel('Range')).toHaveValue('Last week');
  // A year typed digit by digit passes years such as 0002.
  await page.getByLabel('From').focus();
  await page.keyboard.type(`${monday.slice(5, 7)}${monday.slice(8)}${Number(monday.slice(0, 4)) + 1}`);
  await expect(page.getByRole('alert')).toContainText('The end is before the start.');
  await expect(page.getByLabel('From')).toHaveValue(`${Number(monday.slice(0, 4)) + 1}${monday.slice(4)}`);
  await expect(table).toHaveCount(0);
});
