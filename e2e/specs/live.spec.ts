import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../pages/solutions.ts';

const AT = 'tampa';

test('what someone else saves appears without a reload, and the selection stays', async ({ page, request }) => {
  await signedIn(page);
  const other = await Api.signIn(request);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  const [mine = '', theirs = ''] = await calendar.booked();
  await calendar.name(mine).click();
  await other.away(await other.today(), AT, [theirs]);
  await expect(calendar.name(theirs)).toContainText('away');
  await expect(calendar.name(mine)).toHaveAttribute('aria-pressed', 'true');
});

test("loads by the page itself do not count as work, so the idle session ends; a person's actions count", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await signedIn(page);
  const other = await Api.signIn(request);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  const theirs = (await calendar.booked()).at(-1) ?? '';
  const headerOf = async (act: () => Promise<unknown>): Promise<string | null> => {
    const asked = page.waitForRequest('**/api/slots**');
    await act();
    return (await asked).headerValue('x-background');
  };
  await page.clock.runFor(31_000);
  expect(await headerOf(async () => other.away(await other.today(), AT, [theirs]))).toBe('1');
  await expect(calendar.name(theirs)).toContainText('away');
  expect(await headerOf(() => page.getByRole('button', { name: 'Next day' }).click())).toBeNull();
  const stream = page.waitForRequest('**/api/events**');
  await page.reload();
  expect(await (await stream).headerValue('x-background')).toBe('1');
});
