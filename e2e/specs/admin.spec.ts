import type { Page } from '@playwright/test';
import { DEMO, expect, signedIn, signIn, test } from '../fixtures/test.ts';

async function to(page: Page, name: 'Accounts' | 'Who did what'): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
}

test('[ROUTE-06] an administrator adds an account and disables it, and both actions are in the audit trail', async ({
  page,
  browser,
  baseURL,
  watch,
}) => {
  watch.allow(/401/);
  await signedIn(page, DEMO.admin, '/calendar');
  await to(page, 'Accounts');
  await page.getByRole('button', { name: 'Add Account' }).click();
  const added = page.getByRole('dialog', { name: 'New account' });
  await added.getByRole('button', { name: 'Save Changes' }).click();
  await expect(added.getByText('Name is required')).toBeVisible();
  await expect(added.getByText('A new account needs a password')).toBeVisible();
  await added.getByLabel('Name').fill('Luis Ortega');
  await added.getByLabel('Email').fill('luis@clinic.example');
  await added.getByLabel('Password').fill('a long enough one');
  await added.getByLabel('All locations').uncheck();
  await added.getByLabel('Tampa').check();
  await added.getByRole('button', { name: 'Save Changes' }).click();
  const row = page.getByRole('row').filter({ hasText: 'luis@clinic.example' });
  await expect(row).toContainText('Scheduler');
  await expect(row).toContainText('Tampa');
  await expect(row).toContainText('Active');

  const his = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const page2 = await his.newPage();
  await signIn(page2, { email: 'luis@clinic.example', password: 'a long enough one' });

  await row.getByRole('button', { name: 'Edit Luis Ortega' }).click();
  const edit = page.getByRole('dialog', { name: 'Luis Ortega' });
  await edit.getByLabel(/^Disabled/).check();
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(row).toContainText('Disabled');
  // The disabled account is logged out at once, on every page.
  await page2.goto('/profiles');
  await expect(page2.getByText(/Authentication failed|Login to Scheduler/).first()).toBeVisible();
  await his.close();

  await to(page, 'Who did what');
  const table = page.getByRole('table', { name: /^Audit trail/ });
  await expect(table.getByRole('row').filter({ hasText: 'Added an account' }).first()).toContainText(DEMO.admin.email);
  await expect(table.getByRole('row').filter({ hasText: 'Changed an account' }).first()).toBeVisible();
  await page.getByLabel('Who').selectOption({ label: 'Luis Ortega' });
  await expect(table.getByRole('row').filter({ hasText: DEMO.admin.email })).toHaveCount(0);
  await expect(table.getByRole('row').filter({ hasText: 'luis@clinic.example' }).first()).toBeVisible();
  // The filters are in the address.
  await page.getByPlaceholder('Id, such as C-0001').fill('C-0001');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await expect(page.getByLabel('Who').locator('option:checked')).toHaveText('Luis Ortega');
  await page.getByPlaceholder('Id, such as C-0001').fill('');
  await expect(table.getByRole('row').filter({ hasText: 'luis@clinic.example' }).first()).toBeVisible();
});

test('setting a new password for an account requires the administrator’s own password', async ({ page, watch }) => {
  watch.allow(/422/);
  await signedIn(page, DEMO.admin, '/calendar');
  await to(page, 'Accounts');
  await page.getByRole('button', { name: 'Add Account' }).click();
  const added = page.getByRole('dialog', { name: 'New account' });
  await added.getByLabel('Name').fill('Nora Field');
  await added.getByLabel('Email').fill('nora@clinic.example');
  await added.getByLabel('Password').fill('wide rivers carry slow boats');
  await expect(added.getByLabel('Your own password')).toHaveCount(0);
  await added.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('button', { name: 'Edit Nora Field' }).click();
  const edit = page.getByRole('dialog', { name: 'Nora Field' });
  await expect(edit.getByLabel('Your own password')).toHaveCount(0);
  await edit.getByLabel('New password').fill('seven green lamps on a shelf');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit.getByText('Your own password is required')).toBeVisible();
  await edit.getByLabel('Your own password').fill('not my password');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit.getByRole('alert')).toContainText('this is not your password');
  await edit.getByLabel('Your own password').fill(DEMO.admin.password);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit).toBeHidden();
  const said = page.getByText('Account updated');
  await expect(said).toBeVisible();
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  const login = page.getByLabel('Password', { exact: true });
  await expect(login).toBeVisible();
  await page.getByLabel('Email').fill('nora@clinic.example');
  await login.fill('seven green lamps on a shelf');
  await page.getByRole('button', { name: 'Log in' }).click();
  // The message to the first person is gone when the next person logs in.
  await expect(page.getByRole('button', { name: /account of Nora Field/ })).toBeVisible();
  expect(await said.count()).toBe(0);
});

test.describe('on a machine far from the clinic', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('the audit trail shows the clinic’s local time, and names the time zone once @detail', async ({ page }) => {
    await page.route('**/api/audit*', async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as { at: string }[];
      await route.fulfill({ response, json: rows.map((row) => ({ ...row, at: '2026-11-20T14:44:07.000Z' })) });
    });
    await signedIn(page, DEMO.admin, '/calendar');
    await to(page, 'Who did what');
    const table = page.getByRole('table', { name: /^Audit trail/ });
    await expect(table.getByRole('columnheader', { name: 'When (Eastern Time)' })).toBeVisible();
    await expect(table.getByRole('cell', { name: /^Nov 20, 2026, 9:44:07\sAM$/ }).first()).toBeVisible();
  });
});

test('an id or a date in the audit trail stays on one line on a narrow screen @detail', async ({ page }) => {
  const subject = { subject_kind: 'day', subject_ids: ['altamonte/2026-11-20'], location: 'altamonte' };
  const detail = { date: '2026-11-20', reason: 'so many words that no column of this table is as wide as it could be' };
  await page.route('**/api/audit*', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as object[];
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, ...subject, detail })) });
  });
  await signedIn(page, DEMO.admin, '/calendar');
  await to(page, 'Who did what');
  await page.setViewportSize({ width: 1024, height: 768 });
  const cells = page.getByRole('table', { name: /^Audit trail/ }).getByRole('cell', { name: /2026-11-20/ });
  await expect(cells.first()).toBeVisible();
  const broken = await cells.evaluateAll((all) =>
    all.flatMap((cell) => {
      const texts = document.createNodeIterator(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const word of (node.textContent ?? '').matchAll(/\S*\d\S*/g)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          if (range.getClientRects().length > 1) found.push(word[0]);
        }
      return found;
    }),
  );
  expect(broken).toEqual([]);
});
