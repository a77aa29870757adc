import type { Page } from '@playwright/test';
import type { SessionReply } from '@clinic/contract';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

const warningOf = (page: Page) => page.getByRole('alertdialog', { name: /^You will be logged out in \d minutes?\.$/ });
const nextDay = (page: Page) => page.getByRole('button', { name: 'Next day' });

test('[AUTH-05] activity in one tab counts for all tabs, so an idle tab does not warn while another tab is in use', async ({
  page: resting,
  context,
}) => {
  // Both tabs share one clock. The login session ends after seven minutes without activity, with a warning after five.
  await context.clock.install();
  await context.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as SessionReply;
    await route.fulfill({ response, json: { ...reply, idle_minutes: 7 } });
  });
  await signIn(resting);
  await new Calendar(resting).ready();
  const working = await context.newPage();
  await new Calendar(working).open();
  // From here on, time passes only when the test says so. The pause is well ahead, since it must not be in the past
  // when it reaches the pages of a busy machine.
  await context.clock.pauseAt(Date.now() + 20_000);

  await context.clock.runFor('02:30');
  const asked = working.waitForResponse('**/api/slots**');
  await nextDay(working).click();
  await asked;

  // There is no warning: the idle tab's last request was more than five minutes ago, but the other tab's last request
  // was only three minutes ago.
  await context.clock.runFor('03:00');
  // Moving the pointer counts as activity too, and is reported to the server before time goes on: by a renewal of the
  // token or, if the page reloads its day just then, by that request.
  let told = false;
  resting.on('response', (reply) => {
    const { 'x-background': background } = reply.request().headers();
    told ||= reply.url().includes('/api/') && background === undefined;
  });
  await nextDay(resting).hover();
  await expect(warningOf(resting)).toHaveCount(0);
  await context.clock.runFor('00:10');
  // If the page was busy at that moment, it looks again a little later.
  await expect(async () => {
    await context.clock.runFor('00:01');
    expect(told).toBe(true);
  }).toPass({ intervals: [1000, 2000, 5000], timeout: 60_000 });

  // When no one uses either tab, both warn. Staying logged in from one tab keeps both logged in.
  await context.clock.runFor('05:30');
  await expect(warningOf(resting)).toBeVisible();
  await expect(warningOf(working)).toBeVisible();
  await working.getByRole('button', { name: 'Stay logged in' }).click();
  await expect(warningOf(working)).toHaveCount(0);
  await expect(warningOf(resting)).toHaveCount(0);
});
