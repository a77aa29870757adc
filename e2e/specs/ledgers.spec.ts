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
