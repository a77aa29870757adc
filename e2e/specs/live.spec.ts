import { shortDate } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';

const AT = 'tampa';

test('an absence that someone else saves appears without a reload, and the selection stays', async ({
  page,
  request,
}) => {
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

test('an absence that someone else saves changes only that person’s row on the page, and a focused bar in it keeps the focus', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const other = await Api.signIn(request);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  const theirs = (await calendar.booked()).at(-2) ?? '';
  const row = calendar.row(theirs);
  const bar = row.locator('[data-kind="booked"]').first();
  const id = (await bar.getAttribute('data-bar')) ?? '';
  await bar.focus();
  await page.evaluate(() => {
    const rows = new Set<string>();
    Object.assign(window, { rows });
    // The tab stop and the card follow the focus.
    const ofFocus = ['tabindex', 'aria-describedby', 'data-on'];
    new MutationObserver((all) => {
      for (const { target, attributeName } of all) {
        if (ofFocus.includes(attributeName ?? '')) continue;
        const element = target instanceof Element ? target : target.parentElement;
        rows.add(element?.closest('[data-row]')?.getAttribute('data-row') ?? 'not a row');
      }
    }).observe(document.querySelector('[role="grid"]') ?? document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  const rows = (): Promise<string[]> => page.evaluate(() => [...(window as unknown as { rows: Set<string> }).rows]);
  await other.away(await other.today(), AT, [theirs]);
  await expect(calendar.name(theirs)).toContainText('away');
  const same = calendar.grid.locator(`[data-bar="${id}"]`);
  await expect(same).toHaveAttribute('data-kind', 'open');
  await expect(same).toHaveAccessibleName(/[Nn]eeds (cover|a therapist), /);
  await expect(same.locator('svg')).toHaveCount(1);
  await expect(same).toBeFocused();
  await expect(calendar.grid.locator('[tabindex="0"]')).toHaveCount(1);
  expect(await rows()).toEqual([await row.getAttribute('data-row')]);
});

test('only requests that the page sends by itself are marked as background, so that they do not count as the user’s activity', async ({
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

test('Today shows who is working on which calls or options at a location, until they stop @detail', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const api = await Api.signIn(request);
  const day = { location: AT, date: await api.today() };
  await signedIn(page);
  await page.goto(`/?location=${AT}`);
  const line = page.getByRole('region', { name: 'This week', exact: true });
  await expect(line).toBeVisible();
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const other = await context.newPage();
  await signedIn(other, DEMO.admin);
  const { account } = await (await Api.signIn(request, DEMO.admin)).get<{ account: { name: string } }>('/session');
  const named = shortDate(day.date);
  await other.goto(`/calls?location=${AT}&date=${day.date}`);
  await expect(line.getByText(`${account.name} is working on the call list for ${named} at Tampa`)).toBeVisible();
  await expectAccessible(page, 'Today with someone at work');
  await other.goto('/profiles');
  await expect(line.getByText(account.name)).toBeHidden();
  await api.callOut(day.date, AT, 1);
  await other.goto(`/calendar?location=${AT}&date=${day.date}&options=open`);
  await expect(line.getByText(`${account.name} is looking at options for ${named} at Tampa`)).toBeVisible();
  await context.close();
  await expect(line.getByText(account.name)).toBeHidden();
});
