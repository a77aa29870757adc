import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('given a day that is still loading, a printed page says so, and once it is loaded it prints the day', async ({
  page,
}) => {
  await signedIn(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/slots?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/calendar');
  const loading = page.getByRole('status', { name: 'Loading the day' });
  await expect(loading).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const said = () => loading.evaluate((element) => getComputedStyle(element, '::before').content);
  await expect.poll(said).toContain('Print this page again once it is there.');
  await expect(loading.locator('> *').first()).toBeHidden();
  release();
  const calendar = new Calendar(page);
  await calendar.ready();
  await expect(loading).toHaveCount(0);
  expect((await calendar.names()).length).toBeGreaterThan(5);
});
