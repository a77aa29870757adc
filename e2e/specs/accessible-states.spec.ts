import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

const AT = 'tampa';
const DAY = `date=2026-11-18&location=${AT}`;

/** Pages and states that no other test gives to axe: where they are, for whom, and what opens them there. */
const STATES: readonly [path: string, what: string, open?: (page: Page) => Promise<unknown>][] = [
  [`/calendar?${DAY}`, 'the menu', (page) => page.getByRole('button', { name: /account of/ }).click()],
  [`/calendar?${DAY}`, 'the shortcuts', (page) => page.keyboard.press('?')],
  [`/calendar?${DAY}`, 'the card of a session', (page) => page.locator('[data-bar]').nth(2).focus()],
  [`/calendar?${DAY}`, 'a new session', (page) => page.keyboard.press('s')],
  [
    `/calendar?${DAY}`,
    'a second factor',
    async (page) => {
      await page.getByRole('button', { name: /account of/ }).click();
      await page.getByRole('menuitem', { name: 'Password, passkeys and sessions' }).click();
      await page.getByLabel('Current password').fill(DEMO.admin.password);
      await page.getByRole('button', { name: 'Set Up an App' }).click();
      await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    },
  ],
  [`/calendar?${DAY}&span=week`, 'the week of a location'],
  ['/people/clients/C-0001', 'the page of a client'],
  ['/people/therapists/T-0001', 'the page of a therapist'],
  ['/people/therapists/T-0001', 'a new absence', (page) => page.getByRole('button', { name: 'Add absence' }).click()],
  [`/reports?location=${AT}`, 'the reports'],
  ['/import', 'the import'],
  ['/export', 'the export'],
  ['/differences', 'the differences'],
  ['/meeting?location=tampa', 'a meeting'],
  ['/accounts', 'an invitation', (page) => page.getByRole('button', { name: 'Invite a Colleague' }).click()],
  ['/locations', 'a location', (page) => page.getByRole('button', { name: /^Edit/ }).first().click()],
  ['/programs', 'a program', (page) => page.getByRole('button', { name: 'Add Program' }).click()],
  ['/no/such/page', 'an address without a page'],
];

test('axe finds no violations in states of the pages that no other test opens, in both themes', async ({ page }) => {
  test.slow();
  await signedIn(page, DEMO.admin);
  for (const [path, what, open] of STATES) {
    await page.goto(path);
    await expect(page.locator('h1')).toBeAttached();
    await expect(page.locator('[role="status"][aria-label^="Loading"]')).toHaveCount(0);
    await open?.(page);
    await expectAccessibleInBothThemes(page, what);
  }
});
