import { expectAccessible } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

for (const theme of ['light', 'dark'] as const)
  test(`the figures of each ledger lead to their sessions, and axe finds no faults: ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await signedIn(page, DEMO.admin);
    await page.goto('/ledgers?location=deerfield');
    const hours = page.getByRole('table', { name: 'Hours by therapist' });
    const figure = hours.getByRole('button', { name: /booked, .*: show the sessions/ }).first();
    await expect(figure).toBeVisible();
    await expect(page.getByText('have no credential dates: rule off for them.')).toBeVisible();
    await expect(page.getByLabel('Maximum hours a week')).toHaveValue('40');
    await expectAccessible(page, 'the hours');
    await figure.click();
    const sessions = page.getByRole('dialog').getByRole('list', { name: 'Sessions' }).getByRole('link');
    await expect(sessions.first()).toHaveAttribute('href', /^\/calendar\?date=.*location=deerfield/);
    await expectAccessible(page, 'the sessions behind a figure');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Ledger' }).getByText('Care').click();
    const care = page.getByRole('table', { name: 'Care by client' });
    await expect(care.getByRole('button', { name: /delivered, .*: show the sessions/ }).first()).toBeVisible();
    await expectAccessible(page, 'the care');
    const choice = page.getByRole('group', { name: 'Ledger' });
    await choice.getByText('Supervision').click();
    const supervision = page.getByRole('table', { name: 'Supervision by RBT' });
    await expect(
      supervision.getByRole('button', { name: /direct, this month, .*: show the sessions/ }).first(),
    ).toBeVisible();
    await expectAccessible(page, 'the supervision');
    await choice.getByText('Authorizations').click();
    const authorizations = page.getByRole('table', { name: 'Valid authorizations by client' });
    await expect(authorizations.getByRole('button', { name: /used, .*: show the sessions/ }).first()).toBeVisible();
    await expect(page.getByText('have no authorization: rule off.')).toBeVisible();
    await expectAccessible(page, 'the authorizations');
    await choice.getByText('Care').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^care-\d{4}-\d\d-\d\d\.csv$/);
  });

test('an administrator saves limits and a payer’s requirements with the keyboard, without losing the focus', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/ledgers?location=deerfield');
  const limits = page.getByRole('form', { name: 'The clinic’s limits' });
  const days = limits.getByLabel('Days a therapist counts as new');
  const daysBefore = await days.inputValue();
  await days.fill('45');
  await page.keyboard.press('Enter');
  await expect(limits.getByRole('status')).toHaveText('Saved.');
  await expect(days).toBeFocused();
  await days.fill(daysBefore);
  await limits.getByRole('button', { name: 'Save limits' }).press('Enter');
  await expect(limits.getByRole('button', { name: 'Save limits' })).toBeFocused();
  await expect(limits.getByRole('status')).toHaveText('Saved.');

  await page.getByRole('group', { name: 'Ledger' }).getByText('Authorizations').click();
  await page.getByText('Change what payers require').press('Enter');
  const payer = page.getByRole('form', { name: /^What .* requires$/ }).first();
  const name = ((await payer.getAttribute('aria-label')) ?? '').replace(/^What (.*) requires$/, '$1');
  const skill = payer.getByLabel(`${name}: skill or enrollment`);
  const before = await skill.inputValue();
  await skill.fill('Crisis training');
  await page.keyboard.press('Enter');
  await expect(payer.getByRole('status')).toHaveText('Saved.');
  await expect(page.getByText(new RegExp(`^${name} requires of every therapist: .*Crisis training\\.$`))).toBeVisible();
  await expect(skill).toBeFocused();
  await skill.fill(before);
  await page.keyboard.press('Enter');
  await expect(page.getByText(new RegExp(`^${name} requires of every therapist: .*Crisis training\\.$`))).toHaveCount(
    0,
  );
});
