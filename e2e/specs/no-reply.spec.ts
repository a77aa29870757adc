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
