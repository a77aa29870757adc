import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page, DEMO.staff, '/calendar');
});

test('[CAL-01] Therapist View is shown first; view, date and location are in the address and survive a reload', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const therapistView = page.getByRole('button', { name: 'Therapist View' });
  const clientView = page.getByRole('button', { name: 'Client View' });
  await expect(therapistView).toHaveAttribute('aria-pressed', 'true');
  await clientView.click();
  await page.getByRole('button', { name: 'Next day' }).click();
  const shown = page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1);
  await expect(page.getByRole('status').getByText(await shown.innerText())).toBeAttached();
  await page.getByRole('combobox', { name: 'Location' }).selectOption('palm beach');
  await expect(page).toHaveURL(/view=client/);
  await expect(page).toHaveURL(/location=palm(\+|%20)beach/);
  await expect(page).toHaveURL(/date=\d{4}-\d\d-\d\d/);
  const heading = await page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1).textContent();
  await page.reload();
  await calendar.ready();
  await expect(clientView).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('palm beach');
  await expect(page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1)).toHaveText(heading ?? '');
  // With an invalid date, the calendar shows today and removes the date from the URL.
  await calendar.open('?date=2026-02-31');
  await expect(page).not.toHaveURL(/date=/);
});

test('rows can be made roomier, and a whole day fits on one printed page @detail', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const bar = calendar.grid.locator('[data-bar]').first();
  const before = (await bar.boundingBox())?.height ?? 0;
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('menuitemradio', { name: 'Spacious rows' }).click();
  expect((await bar.boundingBox())?.height).toBeGreaterThan(before);
  const pdf = await page.pdf({
    format: 'Letter',
    landscape: true,
    margin: { top: '8mm', bottom: '8mm', left: '8mm', right: '8mm' },
  });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('the layout does not shift while the calendar loads @detail', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const calendar = new Calendar(page);
  await calendar.open();
  await page.evaluate(() => document.fonts.ready);
  await expect(calendar.grid.locator('[data-bar]').first()).toBeVisible();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, each) => sum + each, 0)).toBe(0);
});

test('axe finds no violations on the calendar, in both themes', async ({ page }) => {
  const check = (what: string): Promise<void> => expectAccessibleInBothThemes(page, what);
  const calendar = new Calendar(page);
  await calendar.ready();
  await calendar.grid.locator('[data-bar]').nth(3).hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await check('therapists, with the card');
  const [person] = await calendar.booked();
  await calendar.name(person ?? '').click();
  await page.mouse.move(5, 5);
  await check('one selected');
  await page.getByRole('button', { name: 'Client View' }).click();
  await expect(page.getByRole('grid', { name: /^Clients/ })).toBeVisible();
  await check('clients');
  await page.setViewportSize({ width: 1024, height: 768 });
  await check('1024 wide');
  await page.setViewportSize({ width: 390, height: 844 });
  await check('390 wide');
});
