import { addDays, longDate } from '@clinic/domain';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';

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

test('[CAL-01] given the focus on a name, when the view is switched by key, the focus stays in the grid', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  await calendar.grid.locator('[data-name]').nth(3).focus();
  await page.keyboard.press('v');
  await expect(calendar.grid).toHaveAccessibleName(/^Clients, /);
  await expect(calendar.grid).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(calendar.grid.locator(':focus')).toHaveCount(1);
});

test('[CAL-02] the Absences button shows how many people are selected', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  await expect(calendar.absencesButton).toHaveText('Absences');
  const [one, two] = await calendar.booked();
  await calendar.name(one ?? '').click();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await calendar.name(two ?? '').click();
  await expect(calendar.absencesButton).toHaveText('Absences2');
  await calendar.name(one ?? '').click();
  await expect(calendar.absencesButton).toHaveText('Absences1');
});

test('[CAL-03] the page opens on the server’s current date, with the date in full, and another date can be chosen by keyboard', async ({
  page,
  request,
}) => {
  const today = await (await Api.signIn(request)).today();
  const calendar = new Calendar(page);
  await calendar.ready();
  const button = page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1);
  await expect(button).toHaveText(longDate(today));
  await button.click();
  const month = page.getByRole('dialog', { name: 'Choose a date' });
  await expect(month.getByRole('grid')).toBeVisible();
  await expect(month.getByRole('button', { name: longDate(today) })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(button).toHaveText(longDate(addDays(today, 1)));
  await expect(month).toBeHidden();
});

test('[CAL-04] there are five locations, Altamonte by default; a location in the address wins over the stored one', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const select = page.getByRole('combobox', { name: 'Location' });
  await expect(select).toHaveValue('altamonte');
  const options = await select
    .locator('option')
    .evaluateAll((list) => list.map((o) => [(o as HTMLOptionElement).value, o.textContent]));
  expect(options).toEqual([
    ['altamonte', 'Altamonte'],
    ['deerfield', 'Deerfield'],
    ['orlando', 'Orlando'],
    ['palm beach', 'Palm Beach'],
    ['tampa', 'Tampa'],
  ]);
  await select.selectOption('orlando');
  expect(await page.evaluate(() => localStorage.getItem('selectedLocation'))).toBe('orlando');
  await calendar.open();
  await expect(select).toHaveValue('orlando');
  await calendar.open('?location=tampa');
  await expect(select).toHaveValue('tampa');
  await calendar.open('?location=atlantis');
  await expect(select).toHaveValue('tampa');
});

test('[CAL-05] each person has a row of 48 columns from 7:00 AM to 6:45 PM', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const names = await calendar.names();
  expect(new Set(names).size).toBe(names.length);
  const heads = await calendar.grid.getByRole('columnheader').allTextContents();
  expect(heads).toHaveLength(49);
  expect(heads[1]).toBe('7:00 AM');
  expect(heads[2]).toBe('7:15 AM');
  expect(heads[48]).toBe('6:45 PM');
});

test('[CAL-06] a click on a name marks the person absent and a second click undoes this, as the helper text says', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  await expect(page.getByText('Click a name to mark absent')).toBeVisible();
  const [person] = await calendar.booked();
  const name = calendar.name(person ?? '');
  await name.click();
  await expect(name).toHaveAttribute('aria-pressed', 'true');
  await expect(name).toContainText('all day');
  await expect(
    calendar
      .row(person ?? '')
      .locator('[data-kind="open"]')
      .first(),
  ).toBeVisible();
  await name.click();
  await expect(name).toHaveAttribute('aria-pressed', 'false');
});

test('[CAL-07] availability is green, sessions of the administrative client are purple, all other sessions are blue', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const ground = (selector: string) =>
    calendar.grid
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(element);
        return `${backgroundColor} ${backgroundImage}`;
      });
  expect(await ground('[data-available]')).toContain('rgb(215, 240, 222)');
  expect(await ground('[data-kind="admin"]')).toContain('rgb(74, 29, 110)');
  expect(await ground('[data-kind="booked"]')).toContain('rgb(42, 118, 204)');
});

test('[CAL-09] when a day cannot be loaded, a message says so, the previous day stays, and loading can be retried', async ({
  page,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  const calendar = new Calendar(page);
  const asked = page.waitForRequest('**/api/slots**');
  await page.reload();
  const address = new URL((await asked).url());
  expect(address.searchParams.get('date')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(address.searchParams.get('location')).toBe('altamonte');
  await calendar.ready();
  await page.route('**/api/slots**', (route) => route.fulfill({ status: 500, json: { detail: 'no' } }));
  await page.getByRole('button', { name: 'Next day' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Failed to load schedule data. Please try again.');
  await page.unroute('**/api/slots**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await calendar.ready();
  await expect(alert).toHaveCount(0);
});

test('rows are filtered while typing; when none match, a button shows all rows again', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const all = await calendar.names();
  await page.keyboard.press('/');
  const box = page.getByRole('searchbox', { name: 'Find a name' });
  await expect(box).toBeFocused();
  await box.fill((all[3] ?? '').toLowerCase());
  await expect(calendar.grid.locator('[data-name]')).toHaveCount(1);
  await box.fill('nobody is called this');
  await expect(page.getByText('No one matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  expect(await calendar.names()).toEqual(all);
});

test('rows can be made roomier, and a whole day fits on one printed page', async ({ page }) => {
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

test('the layout does not shift while the calendar loads', async ({ page }) => {
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
