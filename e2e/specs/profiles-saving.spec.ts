import type { Locator, Page } from '@playwright/test';
import { TEXTS, type Client, type Therapist } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';
import { bookedPair, cards, editProfile, newTherapist } from '../pages/profiles.ts';
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

test('before a restriction is saved, the upcoming sessions that violate it are listed; they may stay as they are @detail', async ({
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

test('*Save and find cover* opens the options of the first day on which a session lost its therapist @detail', async ({
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

test('before shorter availability is saved, the upcoming sessions outside it are listed @detail', async ({
  page,
  request,
}) => {
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
