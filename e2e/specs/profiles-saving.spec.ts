import type { Locator, Page } from '@playwright/test';
import { TEXTS, type Client, type Therapist } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';
import { bookedPair, cards, editProfile, foot, newTherapist } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

/** Excludes the therapist of a booked pair in the client's profile, and saves. */
async function exclude(page: Page, therapist: string, child: string): Promise<Locator> {
  const view = await editProfile(page, 'Clients', child);
  await view.getByLabel('Restriction').selectOption('Therapist');
  await view.getByLabel('Value').selectOption({ label: `Never ${therapist}` });
  await view.getByRole('button', { name: 'Add', exact: true }).click();
  await view.getByRole('button', { name: 'Save Changes' }).click();
  return view;
}

test('leaving a profile with unsaved changes asks first, and the changes survive a reload', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const wren = await newTherapist(api, 'Ashby');
  const view = await editProfile(page, 'Therapists', wren.display_name);
  await view.getByLabel('First name').fill('Renamed');
  await page.keyboard.press('Escape');
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await expect(view.getByLabel('First name')).toHaveValue('Renamed');

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(view.getByLabel('First name')).toHaveValue('Renamed');
  await view.getByRole('button', { name: 'Close', exact: true }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  await expect(view).toBeHidden();
  await page.reload();
  await cards(page).first().waitFor();
  await expect(view).toBeHidden();
  expect((await api.get<Therapist>(`/therapists/${wren.id}`)).first_name).toBe('Wren');
});

test('a restriction that is chosen but not added is an unsaved change', async ({ page, request }) => {
  const [client] = await (await Api.signIn(request)).get<Client[]>('/clients?location=tampa');
  const view = await editProfile(page, 'Clients', client?.display_name ?? '?');
  await view.getByLabel('Restriction').selectOption('Gender');
  await view.getByLabel('Value').selectOption('Only male');
  await expect(foot(view, /./)).toHaveText(['Close', 'Cancel', 'Save Changes']);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByText('Discard changes').click();
  await expect(view).toHaveCount(0);
});

test('when the server refuses a field, the message names the field and appears beside it', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/422/);
  const wren = await newTherapist(await Api.signIn(request), 'Dell');
  const view = await editProfile(page, 'Therapists', wren.display_name);
  const first = view.getByLabel('First name');
  await first.fill('a'.repeat(81));
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await expect(view.getByRole('alert')).toContainText(`${TEXTS.saveFailed} First name: is longer than 80 characters`);
  await expect(first).toHaveAccessibleDescription('Is longer than 80 characters');
  await expect(first).toBeFocused();
  await first.fill('Wren');
  await expect(first).not.toHaveAttribute('aria-invalid');
  await view.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(view).toHaveCount(0);
});

test('when someone else saved first, nothing is overwritten, the edits stay, and both versions are offered', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const wren = await newTherapist(api, 'Birch');
  const view = await editProfile(page, 'Therapists', wren.display_name);
  await view.getByLabel('Gender').selectOption('Male');
  await api.send('PUT', `/therapists/${wren.id}`, { ...wren, specialization: 'BT' });

  await view.getByRole('button', { name: 'Save Changes' }).click();
  const stale = page.getByRole('alertdialog', { name: `Someone else saved ${wren.display_name} in the meantime.` });
  await expect(stale).toContainText('What they changedSpecialization');
  await expect(stale).toContainText('What you changedGender');
  await stale.getByRole('button', { name: 'Keep editing' }).click();
  await expect(view.getByLabel('Gender')).toHaveValue('Male');
  expect((await api.get<Therapist>(`/therapists/${wren.id}`)).gender).toBe('Female');

  await view.getByRole('button', { name: 'Save Changes' }).click();
  await stale.getByRole('button', { name: 'Save mine' }).click();
  await expect(page.getByText(TEXTS.updated)).toBeVisible();
  expect(await api.get<Therapist>(`/therapists/${wren.id}`)).toMatchObject({ gender: 'Male', specialization: 'BT' });
});

test('before a restriction is saved, the upcoming sessions that violate it are listed; they may stay as they are', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = await api.ownDay('restriction');
  const pair = await bookedPair(api, 'Fenn', { location: 'orlando', date });
  const [child, therapist] = [pair.client.display_name, pair.therapist.display_name];
  const view = await exclude(page, therapist, child);
  const broken = page.getByRole('alertdialog', {
    name: /^\d+ upcoming sessions? no longer fits?\. Save, and find cover for (it|them)\?$/,
  });
  const list = broken.getByRole('list', { name: 'Sessions that no longer fit' });
  await expect(
    list.getByText(`${child} cannot be booked with ${therapist} (client restriction).`).first(),
  ).toBeVisible();
  await expect(list.getByRole('link').first()).toHaveAttribute('href', /^\/calendar\?date=.*location=orlando/);
  await expectAccessibleInBothThemes(page, 'sessions that a save breaks');
  await broken.getByRole('button', { name: 'Keep editing' }).click();
  await expect(broken).toHaveCount(0);
  await expect(view.getByText(`Never ${therapist}`).first()).toBeVisible();
  const saved = async () =>
    (await api.get<Client[]>('/clients?location=orlando')).find((c) => c.display_name === child);
  const before = (await saved())?.restrictions.length ?? 0;
  await view.getByRole('button', { name: 'Save Changes' }).click();
  await broken.getByRole('button', { name: 'Save without changing sessions' }).click();
  await expect(page.getByText(TEXTS.updated)).toBeVisible();
  expect((await saved())?.restrictions).toHaveLength(before + 1);
  // Saving left the session unchanged.
  expect((await api.slots(date, 'orlando')).appointments.find((a) => a.key === pair.key)).toMatchObject({
    Preferred_Provider_Name: therapist,
  });
});

test('*Save and find cover* opens the options of the first day on which a session lost its therapist', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = await api.ownDay('find cover');
  const weekly_until = addDays(date, 7);
  const { client, therapist, key } = await bookedPair(api, 'Gorse', { location: 'palm beach', date }, { weekly_until });
  await exclude(page, therapist.display_name, client.display_name);
  await page.getByRole('button', { name: 'Save and find cover' }).click();
  await expect(page.getByText(TEXTS.updated)).toBeVisible();
  await expect(page.getByText(/^2 sessions need cover\. These are the options for /)).toBeVisible();
  await expect(page).toHaveURL(/\/calendar\?.*location=palm(\+|%20)beach/);
  await expect(page).toHaveURL(new RegExp(`[?&]date=${date}`));
  await expect(
    page
      .getByRole('dialog', { name: /Solutions/ })
      .getByText(client.display_name)
      .first(),
  ).toBeVisible();
  expect((await api.slots(date, 'palm beach')).appointments.find((a) => a.key === key)).toMatchObject({
    Preferred_Provider_Name: 'Unassigned',
  });
});

test('before shorter availability is saved, the upcoming sessions outside it are listed', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const day = await api.slots(addDays(await api.today(), 1), 'deerfield');
  const name =
    day.appointments.find((a) => a.service === 'direct' && a.Preferred_Provider_Name !== 'Unassigned')
      ?.Preferred_Provider_Name ?? '?';
  const view = await editProfile(page, 'Therapists', name);
  const remove = view.getByRole('button', { name: /^Remove entry/ });
  await expect(remove.first()).toBeVisible();
  for (let left = await remove.count(); left > 0; left--) {
    await remove.first().click();
    await expect(remove).toHaveCount(left - 1);
  }
  await view.getByRole('button', { name: 'Save Changes' }).click();
  const broken = page.getByRole('alertdialog', { name: / no longer fits?\. / });
  await expect(broken.getByRole('list')).toContainText('availability.');
  await broken.getByRole('button', { name: 'Keep editing' }).click();
  await view.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(view).toHaveCount(0);
});

test('while a profile is being saved, Escape asks nothing, and the dialog closes when the reply comes', async ({
  page,
  request,
}) => {
  const therapist = await newTherapist(await Api.signIn(request), 'Slowly');
  const dialog = await editProfile(page, 'Therapists', therapist.display_name);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/therapists/*/check', async (route) => {
    await answered;
    await route.continue();
  });
  await dialog.getByLabel('First name').fill('Wrenna');
  await foot(dialog, 'Save Changes').click();
  await expect(foot(dialog, 'Close')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  answer();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
