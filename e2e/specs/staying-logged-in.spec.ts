import type { Page } from '@playwright/test';
import type { SessionReply } from '@clinic/contract';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

const IDLE_MINUTES = 7;

/** A tab whose clock the test turns, told that a session without work ends after seven minutes, warned of after five. */
async function watchedTab(
  page: Page,
): Promise<{ page: Page; calendar: Calendar; warning: ReturnType<Page['getByRole']> }> {
  await page.clock.install();
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as SessionReply;
    await route.fulfill({ response, json: { ...reply, idle_minutes: IDLE_MINUTES } });
  });
  const warning = page.getByRole('alertdialog', { name: /^You will be logged out in \d minutes?\.$/ });
  return { page, calendar: new Calendar(page), warning };
}

test('[AUTH-05] work in one tab is work for all: the tab that rests does not warn of an end that is not coming', async ({
  page,
  context,
}) => {
  const resting = await watchedTab(page);
  await signIn(page);
  await resting.calendar.ready();
  const working = await watchedTab(await context.newPage());
  await working.calendar.open();

  // From here on time passes only as the test says.
  for (const tab of [resting, working]) await tab.page.clock.pauseAt(Date.now() + 5000);

  // Later one goes on working, in the other tab.
  for (const tab of [resting, working]) await tab.page.clock.runFor('02:30');
  const asked = working.page.waitForResponse('**/api/slots**');
  await working.page.getByRole('button', { name: 'Next day' }).click();
  await asked;

  // More than five minutes after its own last call, but three after the other's: nothing lies over the page.
  await resting.page.clock.runFor('03:00');
  await resting.page.getByRole('button', { name: 'Next day' }).click({ trial: true });
  await expect(resting.warning).toHaveCount(0);

  // Nobody works anywhere: both warn, and staying in one is staying in both.
  await resting.page.clock.runFor('03:00');
  await working.page.clock.runFor('06:00');
  await expect(resting.warning).toBeVisible();
  await expect(working.warning).toBeVisible();
  await working.page.getByRole('button', { name: 'Stay logged in' }).click();
  await expect(working.warning).toHaveCount(0);
  await expect(resting.warning).toHaveCount(0);
});
