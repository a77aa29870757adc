import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { openClash, optionNumber } from '../pages/options.ts';

// Checks the screens and states of options, profiles, Today and administration with axe, in both themes.
const check = expectAccessibleInBothThemes;
const at = 'tampa';

test('given a page at 200 percent, when Tab leaves the absences panel for what it covers, the panel closes @detail', async ({
  page,
}) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await signedIn(page, DEMO.staff, '/calendar');
  const calendar = new Calendar(page);
  await calendar.ready();
  await page.keyboard.press('a');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).focus();
  await expect(calendar.panel).toBeVisible();
  for (let step = 0; step < 40 && (await calendar.panel.count()) > 0; step++) {
    await page.keyboard.press('Tab');
    // Each element with the focus is in view: at its middle is the element itself, or a part of it.
    const isCovered = (): Promise<boolean> =>
      page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return false;
        const box = focused.getBoundingClientRect();
        const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        return top !== null && !focused.contains(top) && !top.contains(focused);
      });
    await expect.poll(isCovered).toBe(false);
  }
  await expect(calendar.panel).toHaveCount(0);
});

test('axe finds no violations in the options, in both themes', async ({ page, request, watch }) => {
  watch.allow(/500/);
  test.slow();
  const { view, found } = await openClash(page, request, { at, after: 1 });
  await check(page, 'submit mode');
  await view.pick(found.client, optionNumber(found.option)).click();
  await expect(view.modal.getByRole('alert')).toBeVisible();
  await check(page, 'clash');
  await view.table
    .getByRole('button', { name: /^Why\? / })
    .first()
    .click();
  await expect(
    page
      .locator('[popover="auto"]:popover-open')
      .getByText(/therapists, in this option:|^For$|^Against$/)
      .first(),
  ).toBeVisible();
  await check(page, 'why', '[popover="auto"]:popover-open');
  await page.keyboard.press('Escape');
  await view.mode.click();
  await view.pick(found.client, 1).click();
  await check(page, 'refresh mode');
  await page.route('**/api/refresher', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }), {
    times: 1,
  });
  await view.refresh.click();
  await expect(view.alert).toBeVisible();
  await check(page, 'alert');
});

test('axe finds no violations in profiles, Today and administration, in both themes', async ({ page }) => {
  test.slow();
  await signedIn(page, DEMO.admin);
  await page.goto('/profiles');
  const cards = (kind: string) => page.getByRole('list', { name: kind }).getByRole('listitem');
  await cards('Therapists').first().waitFor();
  await check(page, 'therapists');
  await cards('Therapists').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('First name').fill('');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('First name is required')).toBeVisible();
  await check(page, 'therapist, edited, with an error');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await check(page, 'unsaved changes');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await cards('Clients').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await check(page, 'client, edited');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByPlaceholder('Search clients...').fill('nobody is called this');
  await check(page, 'no profiles');
  await page.goto(`/?location=${at}`);
  await expect(page.getByRole('heading', { name: 'Hours this week' })).toBeVisible();
  await check(page, 'today');
  await page.goto('/accounts');
  await page.getByRole('button', { name: /^Edit/ }).first().click();
  await check(page, 'account');
  await page.goto('/causes');
  await page.getByRole('table').waitFor();
  await check(page, 'causes');
  await page.goto('/audit');
  await page.getByRole('table').waitFor();
  await check(page, 'audit');
});

test('when typing in *Find a name* stops, and when the field is cleared, screen readers hear how many names were found @detail', async ({
  page,
}) => {
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open('?location=tampa');
  const [first = ''] = await calendar.names();
  const rows = await calendar.grid.locator('[data-row]').count();
  const field = page.getByRole('searchbox', { name: 'Find a name' });
  const heard = page.getByRole('status');
  await field.fill(first);
  await expect(heard.getByText('1 name found.')).toBeAttached();
  await field.fill('qqqq');
  await expect(heard.getByText('No name found.')).toBeAttached();
  await field.fill('');
  await expect(heard.getByText(`All ${rows} names are shown.`)).toBeAttached();
});
