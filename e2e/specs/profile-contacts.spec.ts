import type { Client, Therapist } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { card, editProfile, modal, newTherapist, openProfiles } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

test('contacts are added, put in order by keyboard, saved, and shown as links for calling and emailing @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const wren = await newTherapist(api, 'Castell');
  const view = await editProfile(page, 'Therapists', wren.display_name);
  await expect(view.getByText('No contacts yet.')).toBeVisible();
  await view.getByRole('button', { name: 'Add a contact' }).click();
  const first = view.getByRole('group', { name: 'contact 1' });
  await expect(first.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Wren Castell');
  await view.getByRole('group', { name: 'Wren Castell' }).getByLabel('Telephone').fill('(407) 555-0142');
  await view.getByRole('button', { name: 'Add a contact' }).click();
  await page.keyboard.type('Ola Castell');
  const ola = view.getByRole('group', { name: 'Ola Castell' });
  await ola.getByLabel('Relation').fill('Emergency contact');
  await ola.getByLabel('Email').fill('ola@example.org');
  await ola.getByLabel('Language').fill('Polish');
  await ola.getByLabel('Preferred contact method').selectOption('Email');

  await ola.getByRole('button', { name: 'Move Ola Castell up' }).focus();
  await page.keyboard.press('Enter');
  await expect(view.getByText('Ola Castell is now 1 of 2')).toBeAttached();
  await expect(view.getByRole('group', { name: /Castell/ }).first()).toHaveAccessibleName('Ola Castell');
  await expect(view.getByRole('button', { name: 'Move Ola Castell down' })).toBeFocused();
  await expectAccessible(page, 'contacts being edited');
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(view).toBeHidden();

  expect((await api.get<Therapist>(`/therapists/${wren.id}`)).contacts?.map(({ name, dial }) => [name, dial])).toEqual([
    ['Ola Castell', null],
    ['Wren Castell', '+14075550142'],
  ]);
  await card(page, wren.display_name).click();
  const shown = modal(page, wren.display_name);
  await expect(shown.getByRole('link', { name: 'Call (407) 555-0142' })).toHaveAttribute('href', 'tel:+14075550142');
  await expect(shown.getByRole('link', { name: 'ola@example.org' })).toHaveAttribute('href', 'mailto:ola@example.org');
  await expect(shown.getByText('Prefers email · Polish')).toBeVisible();
  await expectAccessible(page, 'contacts of a profile');
});

test('an invalid contact is reported beside its field, an empty row is not sent, and a removed contact is gone @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { body: client } = await api.send<Client>('POST', '/clients', {
    first_name: 'Cody',
    last_name: 'Castell',
    location: 'palm beach',
    gender: 'Male',
    contacts: ['Maria', 'Luis'].map((name) => ({ name: `${name} Castell`, phone: '407 555 0143' })),
  });
  await signedIn(page);
  await openProfiles(page, 'Clients');
  await page.getByPlaceholder('Search clients...').fill(client.display_name);
  await card(page, client.display_name).click();
  const view = modal(page, client.display_name);
  const kept = (await api.get<Client>(`/clients/${client.id}`)).contacts ?? [];
  expect(kept).toHaveLength(2);
  await expect(view.getByRole('list', { name: 'Contacts' }).getByRole('listitem')).toHaveCount(kept.length);
  await view.getByRole('button', { name: 'Edit' }).click();
  await view.getByRole('button', { name: 'Add a contact' }).click();
  const row = view.getByRole('group', { name: `contact ${kept.length + 1}` });
  await row.getByLabel('Telephone').fill('ask at school');
  await row.getByLabel('Preferred contact method').selectOption('Email');
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(row.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await expect(row.getByLabel('Telephone')).toHaveAccessibleDescription(/^Not a telephone number/);
  await expect(row.getByLabel('Preferred contact method')).toHaveAccessibleDescription('Needs an email address');
  await row.getByLabel('Telephone').fill('');
  await row.getByLabel('Preferred contact method').selectOption('No preference');
  await view.getByRole('button', { name: `Remove ${kept[0]?.name}` }).click();
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(view).toBeHidden();
  const after = (await api.get<Client>(`/clients/${client.id}`)).contacts ?? [];
  expect(after.map(({ name }) => name)).toEqual(kept.slice(1).map(({ name }) => name));
});
