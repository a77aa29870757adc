import { addDays, longDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test('a Today page left open moves on to the new day at midnight, even after its location changed', async ({
  page,
  request,
}) => {
  const today = await (await Api.signIn(request)).today();
  await page.clock.install();
  await signedIn(page);
  // The browser of a test is in the clinic's time zone.
  const midnight = await page.evaluate((date) => new Date(`${date}T00:00:00`).getTime(), today);
  let sinceMidnight = -5 * 60_000;
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const now = new Date(midnight + sinceMidnight).toISOString();
    await route.fulfill({ response, json: { ...((await response.json()) as object), now } });
  });
  const date = page.getByRole('group', { name: 'Date' });
  await page.goto('/');
  await expect(date).toContainText(longDate(addDays(today, -1)));
  await page.getByLabel('Location').selectOption('tampa');
  const places = page.getByRole('region', { name: 'This week', exact: true });
  await places.getByRole('link', { name: 'Orlando', exact: true }).click();
  await expect(page).toHaveURL(/location=orlando/);
  await expect(date).toContainText(longDate(addDays(today, -1)));
  sinceMidnight = 60_000; // from here on, also for a page that asks again
  await page.clock.runFor(6 * 60_000);
  await expect(date).toContainText(longDate(today));
});
