import type { Client } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('a new child gets two sessions a week in one step: ranked ways with reasons, what it would take, booked as series @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const person = { first_name: 'Nia', last_name: 'Thyme', location: 'tampa', gender: 'Female', restrictions: [] };
  const { body: client } = await api.send<Client>('POST', '/clients', person);
  await page.goto(`/find-a-time?location=tampa&client=${encodeURIComponent(client.display_name)}`);
  await expect(page.getByRole('heading', { name: `Find a time for ${client.display_name}` })).toBeVisible();
  await page.getByRole('button', { name: 'Less: Sessions a week' }).click();
  const rows = page.getByRole('region', { name: 'Best combinations' }).getByRole('row');
  await expect(rows.nth(1)).toContainText(/One face|Two faces/);
  await expect(rows.nth(1)).toContainText(/dates\./);
  await expect(page.getByRole('heading', { name: 'What it would take' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading what it would take' })).toHaveCount(0);
  await expectAccessibleInBothThemes(page, 'ways to give a new child times');
  await page.getByRole('button', { name: 'Show option 2' }).click();
  await expect(page.getByRole('button', { name: 'Book Option 2 as Series' })).toBeVisible();
  await page.getByRole('button', { name: 'Book Option 2 as Series' }).click();
  await expect(page.getByText(/\d+ sessions are booked\./)).toBeVisible();
  await expect(page).toHaveURL(/calendar/);
});

test('who could use a therapist’s free time: each child opens the search for that time @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { body: therapist } = await api.send<{ display_name: string }>('POST', '/therapists', {
    first_name: 'Mara',
    last_name: 'Thyme',
    location: 'tampa',
    specialization: 'RBT',
    gender: 'Female',
    start_date: '2024-01-01',
    availability: [{ day_of_week: 2, start_time: '09:00', end_time: '12:00' }],
  });
  await page.goto(`/find-a-time?location=tampa&therapist=${encodeURIComponent(therapist.display_name)}`);
  await expect(page.getByText(/Free on most Tuesdays of the next 12 weeks: 9:00 AM – 12:00 PM/)).toBeVisible();
  await expectAccessibleInBothThemes(page, 'who could use a free time');
  await page
    .getByRole('button', { name: /^Find a time for/ })
    .first()
    .click();
  await expect(page.getByText(`Only ${therapist.display_name}`)).toBeVisible();
});

test('lost time is made up for chosen children together, and sessions that repeat are made series @detail', async ({
  page,
}) => {
  await page.goto('/make-up?location=altamonte');
  const owed = page.getByRole('table', { name: 'Lost in four weeks, by child' });
  await expect(owed.getByRole('row').nth(1)).toBeVisible();
  await expectAccessibleInBothThemes(page, 'what children are owed');
  const first = owed.getByRole('checkbox').nth(1);
  await first.check();
  await page.getByLabel('When the children can come').selectOption('any');
  await expect(page.getByRole('heading', { name: /\d+ sessions?, / })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'sessions to make up lost time');
  await page.getByRole('button', { name: /^Book \d+ session/ }).click();
  await expect(page.getByText(/booked: .* are made up\./)).toBeVisible();
  await page.goto('/series?location=altamonte');
  await expect(page.getByRole('heading', { name: 'Weekly series' })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'sessions that repeat');
});
