import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

test.use({ serverFor: 'calls-unsure' });

test('at a width of 1024 pixels, a session that needs cover has room for its reason, and a commit’s changes take one line @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = await api.today();
  await api.commit(await api.callOut(date, 'orlando', 2));
  await api.callOut(date, 'orlando', 1);
  await signedIn(page);
  await page.setViewportSize({ width: 1024, height: 800 });
  await page.goto('/?location=orlando');
  const needs = page.getByRole('list', { name: 'Needs cover now' }).getByRole('listitem');
  await expect(needs.first()).toBeVisible();
  const reason = await needs.first().locator('div').first().boundingBox();
  expect(reason?.width).toBeGreaterThanOrEqual(14 * 16);
  const made = page.getByRole('region', { name: 'Submitted today' }).getByRole('listitem').first();
  const [time, changes] = [
    await made.locator('b').boundingBox(),
    await made
      .getByText(/change/)
      .first()
      .boundingBox(),
  ];
  if (!time || !changes) throw new Error('nothing was submitted');
  expect(changes.height).toBeLessThan(30);
  expect(Math.abs(changes.y - time.y)).toBeLessThan(4);

  // On paper, nothing reaches beyond the page, and there are no buttons.
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 960 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
  await expect(page.getByRole('link', { name: 'See options', exact: true })).toBeHidden();
  // Browsers print no backgrounds, except where a page asks for them.
  const adjust = page
    .locator('main [style*="--share"], main span[style*="--start"]')
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).printColorAdjust));
  expect(new Set(await adjust), 'paper shows the bars').toEqual(new Set(['exact']));
});
