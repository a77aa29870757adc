import type { ManagedLocation } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

// Other specs count the locations.
test.use({ serverFor: 'locations' });

test('an administrator adds, renames, merges and closes locations, and pages follow at once @detail', async ({
  page,
  request,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/locations');
  await expect(page.getByRole('row')).toHaveCount(6);
  await expectAccessibleInBothThemes(page, 'locations');

  for (const name of ['Mesa', 'Tempe']) {
    await page.getByRole('button', { name: 'Add Location' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Group').fill('Arizona');
    await page.getByLabel('Time zone').selectOption('America/Phoenix');
    if (name === 'Mesa') await expectAccessibleInBothThemes(page, 'new location');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Edit Mesa' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Mesa East');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('row', { name: /Mesa East/ })).toBeVisible();

  await page.goto('/calendar?location=mesa');
  await expect(page.getByLabel('Location')).toHaveValue('mesa');
  await expect(page.getByLabel('Location').getByRole('option', { name: 'Mesa East' })).toBeAttached();

  await page.goto('/locations');
  await page.getByRole('button', { name: 'Merge Tempe' }).click();
  await page.getByLabel('Merge into').selectOption('Mesa East');
  await expect(page.getByText('Moves to Mesa East: Nothing.')).toBeVisible();
  await expectAccessibleInBothThemes(page, 'merge');
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByRole('row', { name: /Tempe/ })).toContainText('Merged into Mesa East');

  await page.getByRole('button', { name: 'Close Tampa' }).click();
  await expect(page.getByText(/Tampa still has [\d,]+ sessions/)).toBeVisible();
  await expectAccessibleInBothThemes(page, 'closing');
  await expect(page.getByRole('button', { name: 'Close Location' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close Mesa East' }).click();
  await page.getByRole('button', { name: 'Close Location' }).click();
  await expect(page.getByRole('row', { name: /^Mesa East/ })).toContainText('Closed');
  await page.goto('/calendar');
  await expect(page.getByLabel('Location').getByRole('option')).toHaveCount(5);

  const api = await Api.signIn(request, DEMO.admin);
  const list = await api.get<ManagedLocation[]>('/locations');
  expect(list.find(({ value }) => value === 'tempe')?.merged_into).toBe('mesa');
});
