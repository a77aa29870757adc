import type { Page } from '@playwright/test';
import { TEXTS, type Client } from '@clinic/contract';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { modal, openProfiles } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

test('when saving a new profile gets no reply, the page says to check the list before trying again', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  const api = await Api.signIn(request);
  await signedIn(page);
  await openProfiles(page, 'Clients');
  await page.getByRole('button', { name: 'Add Client' }).click();
  const form = modal(page, 'New client');
  await form.getByLabel('First name').fill('Tam');
  await form.getByLabel('Last name').fill('Unheard');
  await form.getByLabel('Gender').selectOption('Female');
  await form.getByLabel('Location').selectOption('Tampa');
  // The server saves the profile, but its reply is lost.
  await page.route(
    '**/api/clients',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form.getByRole('alert')).toContainText(
    `${TEXTS.saveFailed} The server did not reply. It may have been saved. Check the list before trying again.`,
  );
  const there = (await api.get<Client[]>('/clients?location=tampa')).filter((c) => c.last_name === 'Unheard');
  expect(there).toHaveLength(1);
});

test('when adding an account gets no reply, the page says that the account may have been saved', async ({
  page,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  await signedIn(page, DEMO.admin);
  await page.goto('/accounts');
  await page.getByRole('button', { name: 'Add Account' }).click();
  const form = page.getByRole('dialog', { name: 'New account' });
  await form.getByLabel('Name').fill('Una Heard');
  await form.getByLabel('Email').fill('una.heard@example.com');
  await form.getByLabel('Password').fill('a-long-enough-word');
  await page.route('**/api/accounts', (route) => route.abort('connectionreset'), { times: 1 });
  await form.getByRole('button', { name: 'Save Changes' }).click();
  const alert = form.getByRole('alert');
  await expect(alert).toContainText('It may have been saved. Check the list before trying again.');
  await expect(alert).not.toContainText('Nothing was changed');
});

test('while a cause is saved or a link is created, Escape does not close the dialog, and the dialog shows the outcome', async ({
  page,
  watch,
}) => {
  watch.allow(/500/);
  await signedIn(page, DEMO.admin);
  const answers: (() => void)[] = [];
  await page.route(/\/api\/(causes|invitations)$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.fulfill({ status: 500, json: { detail: 'broken' } });
  });
  await page.goto('/causes');
  await page.getByRole('button', { name: 'Add Reason' }).click();
  const cause = page.getByRole('dialog', { name: 'New reason' });
  await cause.getByLabel('Reason', { exact: true }).fill('Power cut');
  await page.keyboard.press('Enter');
  await expect.poll(() => answers.length).toBe(1);
  await page.keyboard.press('Escape');
  answers[0]?.();
  await expect(cause.getByRole('alert')).toBeVisible();

  await page.goto('/accounts');
  await page.getByRole('button', { name: 'Invite a Therapist' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a therapist' });
  await invite.getByLabel('Therapist').selectOption({ index: 1 });
  await invite.getByLabel('Email', { exact: true }).fill('power@clinic.example');
  await invite.getByRole('button', { name: 'Create the Link' }).click();
  await expect.poll(() => answers.length).toBe(2);
  await page.keyboard.press('Escape');
  answers[1]?.();
  await expect(invite.getByRole('alert')).toBeVisible();
});

/**
 * Holds back the reply to an API call. The returned function releases it: the reply then says that the server failed.
 */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(path, async (route) => {
    await asked;
    await route.fulfill({ status: 500, json: { detail: 'broken' } });
  });
  return answer;
}

test('while a therapist’s report is sent, Back does not close the form, and the form shows that sending failed', async ({
  page,
  watch,
}) => {
  watch.allow(/500/);
  await signedIn(page, DEMO.therapist, '/me');
  const answer = await holdBack(page, '**/api/me/absences');
  await page.getByRole('button', { name: 'I can’t come' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  const back = page.getByRole('button', { name: 'Back', exact: true });
  await expect(back).toHaveAttribute('aria-disabled', 'true');
  await back.dispatchEvent('click');
  answer();
  await expect(page.getByRole('alert')).toBeVisible();
  await back.click();
  await expect(page.getByRole('button', { name: 'I can’t come' })).toBeVisible();
});
