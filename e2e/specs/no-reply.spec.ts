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
