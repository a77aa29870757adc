import { TEXTS, type Client, type Therapist } from '@clinic/contract';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { bookedPair, card, foot, modal, newTherapist, openProfiles } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

test('[PROF-03] [PROF-05] [PROF-06] [PROF-07] [PROF-12] a new therapist starts with defaults, needs required fields, and is saved', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  await signedIn(page);
  await openProfiles(page);
  await page.getByRole('button', { name: 'Add Therapist' }).click();
  const form = modal(page, 'New therapist');
  await expect(form.getByRole('heading', { name: 'General Information' })).toBeVisible();
  await expect(form.getByRole('heading', { name: /^Weekly Availability/ })).toBeVisible();
  await expect(form.getByLabel('First name')).toBeFocused();
  for (const [i, name] of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].entries()) {
    await expect(form.getByLabel(`Day, entry ${i + 1}`)).toHaveValue(String(i + 1));
    await expect(form.getByLabel(`Day, entry ${i + 1}`).getByRole('option', { name })).toHaveAttribute(
      'value',
      String(i + 1),
    );
    await expect(form.getByLabel(`From, entry ${i + 1}`)).toHaveValue('09:00');
    await expect(form.getByLabel(`To, entry ${i + 1}`)).toHaveValue('17:00');
  }
  await form.getByRole('button', { name: 'Save Changes' }).click();
  for (const field of ['First name', 'Last name', 'Location', 'Specialization', 'Gender', 'Start date']) {
    await expect(form.getByText(`${field} is required`)).toBeVisible();
  }
  await expect(form.getByLabel('Specialization').getByRole('option')).toHaveText(['Choose', 'BCBA', 'RBT', 'BT']);
  await expect(form.getByLabel('Gender').getByRole('option')).toHaveText(['Choose', 'Male', 'Female']);

  await form.getByLabel('First name').fill('Ines');
  await form.getByLabel('Last name').fill('Quill');
  await form.getByLabel('Location').selectOption('Palm Beach');
  await form.getByLabel('Specialization').selectOption('BCBA');
  await form.getByLabel('Gender').selectOption('Female');
  await form.getByLabel('Start date').fill('2026-01-05');
  await form.getByRole('button', { name: 'Add hours' }).click();
  await expect(form.getByLabel('Day, entry 6')).toHaveValue('1');
  await expect(form.getByLabel('From, entry 6')).toHaveValue('09:00');
  await expect(form.getByLabel('To, entry 6')).toHaveValue('17:00');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form.getByText('Overlaps 9:00 AM - 5:00 PM').first()).toBeVisible();
  await form.getByLabel('Day, entry 6').selectOption('Saturday');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText(TEXTS.created)).toBeVisible();
  await expect(form).toBeHidden();

  await page.getByPlaceholder('Search therapists...').fill('ines quill');
  await card(page, 'Ines Quill').click();
  const view = modal(page, 'Ines Quill');
  await expect(view.getByRole('button', { name: 'Delete' })).toBeVisible();
  await expect(view.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  await expect(view.getByRole('button', { name: 'Save Changes' })).toBeHidden();
  const saved = (await api.get<Therapist[]>('/therapists')).find((t) => t.last_name === 'Quill');
  expect(saved).toMatchObject({ location: 'palm beach', specialization: 'BCBA', start_date: '2026-01-05' });
  expect(saved?.availability.map((a) => a.day_of_week)).toEqual([1, 2, 3, 4, 5, 6]);

  await view.getByRole('button', { name: 'Edit' }).click();
  await view.getByLabel('Last name').fill('Quill-Ode');
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText(TEXTS.updated)).toBeVisible();
  await expect(card(page, 'Ines Quill-Ode')).toBeVisible();
  // Deletes the therapist, so that other tests do not find her.
  expect((await api.send('DELETE', `/therapists/${saved?.id}`)).status).toBe(204);
});

test('[PROF-04] [PROF-05] [PROF-08] a client’s restrictions are shown in words, and need a type and a value', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const [never] = await api.get<Therapist[]>('/therapists?location=tampa');
  await signedIn(page);
  await openProfiles(page, 'Clients');
  await page.getByRole('button', { name: 'Add Client' }).click();
  const form = modal(page, 'New client');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  for (const field of ['First name', 'Last name', 'Gender', 'Location']) {
    await expect(form.getByText(`${field} is required`)).toBeVisible();
  }
  await form.getByLabel('First name').fill('Pip');
  await form.getByLabel('Last name').fill('Sorrel');
  await form.getByLabel('Gender').selectOption('Male');
  await form.getByLabel('Location').selectOption('Tampa');
  const add = form.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await form.getByLabel('Restriction').selectOption('Gender');
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await form.getByLabel('Value').selectOption('Only female');
  await add.click();
  await expect(form.getByText('Only female therapists').first()).toBeVisible();
  await expect(form.getByText(/leaves \d+ of \d+ therapists at Tampa/)).toBeVisible();
  await form.getByLabel('Restriction').selectOption('Therapist');
  await form.getByLabel('Value').selectOption({ label: `Never ${never?.display_name}` });
  // A restriction that is chosen but not added is an unsaved change, and is saved too.
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText(TEXTS.created)).toBeVisible();

  const saved = (await api.get<Client[]>('/clients?location=tampa')).find((c) => c.last_name === 'Sorrel');
  expect(saved?.restrictions).toEqual([
    { type: 'gender', restriction: 'female' },
    { type: 'therapist', restriction: never?.id },
  ]);
  await page.getByPlaceholder('Search clients...').fill('sorrel');
  await expect(card(page, 'Pip Sorrel')).toContainText(`Only female therapists, Never ${never?.display_name}`);
  const view = modal(page, 'Pip Sorrel');
  await card(page, 'Pip Sorrel').click();
  await expect(view.getByRole('heading', { name: 'Client Information' })).toBeVisible();
  await expect(view.getByRole('heading', { name: 'Client Restrictions' })).toBeVisible();
  await expect(view.getByText(`Never ${never?.display_name}`).first()).toBeVisible();
  await expect(view.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await view.getByRole('button', { name: 'Edit' }).click();
  await view.getByRole('button', { name: 'Remove Only female therapists' }).click();
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText(TEXTS.updated)).toBeVisible();
  await expect(card(page, 'Pip Sorrel')).not.toContainText('Only female');
});

test('[PROF-12] deleting a profile asks first, and lists the upcoming sessions', async ({ page, request, watch }) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const wren = await newTherapist(api, 'Cole');
  const date = await api.ownDay('delete');
  const { therapist, key } = await bookedPair(api, 'Sedge', { location: 'tampa', date });
  await signedIn(page);
  await openProfiles(page);
  const search = page.getByPlaceholder('Search therapists...');
  await search.fill('wren cole');
  await card(page, wren.display_name).click();
  await foot(modal(page, wren.display_name), 'Delete').click();
  const ask = page.getByRole('alertdialog', { name: TEXTS.deleteConfirm });
  await ask.getByRole('button', { name: 'Keep' }).and(ask.getByRole('button').last()).click();
  await expect(ask).toHaveCount(0);
  await foot(modal(page, wren.display_name), 'Delete').click();
  await ask.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(TEXTS.deleted)).toBeVisible();
  await expect(page.getByText(TEXTS.noProfiles)).toBeVisible();

  // For a therapist with future sessions, each session is listed, and the sessions can be left without a therapist.
  const name = therapist.display_name;
  await search.fill(name);
  await card(page, name).click();
  await foot(modal(page, name), 'Delete').click();
  await ask.getByRole('button', { name: 'Delete' }).click();
  const still = page.getByRole('alertdialog', {
    name: new RegExp(`^Failed to delete therapist: ${name} still has \\d+ appointments? on the calendar`),
  });
  await expect(still.getByRole('listitem').first()).toBeVisible();
  await still.getByRole('button', { name: /without a therapist$/ }).click();
  await expect(page.getByText(TEXTS.noProfiles)).toBeVisible();
  await expect(page.getByText(TEXTS.deleted).last()).toBeVisible();
  const left = (await api.get<Therapist[]>('/therapists?location=tampa')).map((t) => t.display_name);
  expect(left).not.toContain(name);
  expect((await api.slots(date, 'tampa')).appointments.find((a) => a.key === key)).toMatchObject({
    Preferred_Provider_Name: 'Unassigned',
  });
});
