import { addDays, mondayOf } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test('from everyone’s week to one person’s, where an end is pulled by keys, saved, and taken back with Ctrl+Z', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const api = await Api.signIn(request);
  const monday = addDays(mondayOf(await api.today()), 7);
  const dates = [0, 1, 2, 3, 4].map((day) => addDays(monday, day));
  const days = await Promise.all(dates.map((date) => api.slots(date, 'orlando')));
  const held = days
    .flatMap(({ appointments }) => appointments)
    .find((each) => each.service === 'direct' && each.Preferred_Provider_Name !== 'Unassigned');
  const therapist = held?.Preferred_Provider_Name ?? '';
  await page.goto(`/calendar?span=week&location=orlando&date=${monday}`);
  await expect(page.getByRole('table', { name: 'Therapists, the week' })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the week');
  await page.getByRole('rowheader').getByRole('link', { name: therapist }).click();
  await expect(page.getByRole('heading', { name: therapist, exact: true })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the week');

  await page.locator('[data-hands]').waitFor();
  const bar = page.locator('[data-row] [data-kind="booked"]').first();
  const before = (await bar.getAttribute('aria-label')) ?? '';
  await bar.focus();
  // A shorter session is free to be so, however full the week is.
  await page.keyboard.press('Control+Alt+ArrowLeft');
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  const message = page.getByRole('status').getByText(new RegExp(`^${before.split(' ').slice(0, 2).join(' ')}: `));
  await expect(question.or(message)).toBeVisible();
  if (await question.isVisible()) await question.getByRole('button', { name: /^(This one|Move anyway)$/ }).click();
  expect((await saved).status()).toBe(200);
  await expect(message).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/ is back at /)).toBeVisible();
  await expect(page.getByRole('grid').getByRole('button', { name: before, exact: true }).first()).toBeVisible();
});
