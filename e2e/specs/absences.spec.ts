import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

let calendar: Calendar;

test.beforeEach(async ({ page }) => {
  await signedIn(page);
  calendar = new Calendar(page);
});

/** The name of someone with at least two booked sessions and no stored absence. */
async function somebody(index = 0): Promise<string> {
  return (await calendar.booked(2))[index] ?? '';
}

test('[SOL-18] closing the modal clears the selection and reloads the page, and saved absences can be changed and withdrawn', async ({
  page,
}) => {
  await calendar.open('?location=orlando&view=therapist');
  const person = await somebody(1);
  await calendar.name(person).click();
  await calendar.saveAbsences();
  await calendar.closeOptions();
  await expect(page).toHaveURL(/location=orlando/);
  await expect(calendar.absencesButton).toHaveText('Absences');
  const name = calendar.name(person);
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await expect(name).toContainText('away');
  await expect(calendar.row(person).locator('[data-kind="open"]').first()).toBeVisible();
  await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  await expect(stored).toContainText(person);
  // Change the absence: make it shorter and save it again.
  await stored.getByRole('button', { name: `Change ${person}` }).click();
  await calendar.entry(person).getByLabel('From', { exact: true }).fill('16:00');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(
    page.getByRole('dialog', { name: /^Schedule Solutions/ }).or(page.getByRole('alertdialog')),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await calendar.ready();
  await expect(name).toContainText('from 4 PM');
  // Withdraw the absence, and undo the withdrawal.
  await calendar.absencesButton.click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(calendar.panel.getByRole('alert')).toHaveText('No absences to save');
  await stored.getByRole('button', { name: `Back at work ${person}` }).click();
  await expect(calendar.panel.getByRole('alert')).toHaveCount(0);
  await expect(name).not.toContainText('away');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(name).toContainText('from 4 PM');
});

test('[ABS-05] [ABS-08] [SOL-19] a selection survives a reload until it is saved; its options open, and *See options* opens them again', async ({
  page,
}) => {
  await calendar.open('?location=deerfield');
  await calendar.name(await somebody(2)).click();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await page.reload();
  await calendar.ready();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  const sent = page.waitForRequest('**/scheduler/process');
  await calendar.saveAbsences();
  const request = await sent;
  expect(new URL(request.url()).pathname).toBe('/api/api/scheduler/process');
  const { date } = request.postDataJSON() as { date: string };
  await expect(calendar.modal).toBeVisible();
  expect(
    await page.evaluate(() => JSON.parse(localStorage.getItem('backed_up_therapists') ?? 'null') as object),
  ).toHaveProperty(date);
  await page.reload();
  await calendar.ready();
  await expect(calendar.absencesButton).toHaveText('Absences');
  await page.getByRole('button', { name: 'See options' }).click();
  await expect(calendar.modal).toBeVisible();
});

test('axe finds no violations in the absences panel, in both themes', async ({ page }) => {
  await calendar.open();
  const check = (what: string): Promise<void> => expectAccessibleInBothThemes(page, what);
  await calendar.absencesButton.click();
  await expect(calendar.panel).toBeVisible();
  await check('empty');
  await calendar.name(await somebody()).click();
  await calendar.panel.getByLabel('To', { exact: true }).fill('00:00');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await check('a wrong window');
});
