import type { CallsReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { startMailServer, type MailServer } from '../fixtures/mail.ts';
import { startServer } from '../fixtures/server.ts';
import { expect, signedIn, test as base } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

const AT = 'altamonte';

const test = base.extend<object, { mail: MailServer }>({
  mail: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from this pattern which fixtures are needed
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      mail.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mail }, use) => {
      const server = await startServer(mail.settings);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/**
 * Commits cover for enough absent therapists that some of the affected families prefer email, and opens today's call
 * list.
 */
async function listWithMail(page: Page, api: Api, at: Location): Promise<{ today: IsoDate; list: Locator }> {
  const today = await api.today();
  await api.commit(await api.callOut(today, at, 4));
  await signedIn(page);
  await page.goto(`/calls?location=${at}&date=${today}`);
  const list = page.getByRole('list', { name: 'Calls to make' });
  await expect(list).toBeVisible();
  return { today, list };
}

test('nothing is sent before *Release* is pressed; then each person gets one message, and each line shows its message’s status', async ({
  page,
  request,
  mail,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const { today, list } = await listWithMail(page, api, AT);
  const { sending } = await api.get<CallsReply>(`/calls?location=${AT}&date=${today}`);
  expect(sending.to_release).toBeGreaterThan(0);
  const release = page.getByRole('button', { name: `Release (${sending.to_release})` });
  await expect(release).toBeVisible();
  expect(mail.mails()).toEqual([]);
  await expectAccessibleInBothThemes(page, 'call list before a release');
  await release.focus();
  await page.keyboard.press('Enter');
  await expect(list.getByText('sent, by email')).toHaveCount(sending.to_release);
  expect(mail.mails()).toHaveLength(sending.to_release);
  await expect(page.getByRole('button', { name: 'Release', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessibleInBothThemes(page, 'call list after a release');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessibleInBothThemes(page, 'call list at 390');
});

test('given a refused email address, the person’s line in the call list says why and what to do; after a day, it says that nothing was delivered', async ({
  page,
  request,
  mail,
}) => {
  test.slow();
  const at = 'tampa';
  const api = await Api.signIn(request);
  const { today, list } = await listWithMail(page, api, at);
  const sent = mail.mails().length;
  mail.refuse(true);
  const { sending } = await api.get<CallsReply>(`/calls?location=${at}&date=${today}`);
  expect(sending.to_release).toBeGreaterThan(0);
  await page.getByRole('button', { name: `Release (${sending.to_release})` }).click();
  const fault = 'The mail server refuses this address (550). Check it in the profile, or call.';
  const said = list.getByRole('listitem').filter({ hasText: fault });
  const shown = said.filter({ hasText: /^not sent yet, by email/ });
  await expect(shown).toHaveCount(sending.to_release);
  // Someone must act, so the text has the alarm color, and the person’s line stays on the call list.
  await expect(shown.first()).toHaveClass('alarm');
  await expectAccessible(page, 'call list with a refused email');
  expect(mail.mails()).toHaveLength(sent);
  // The server gives up only after a day, so this reply imitates what it would send then.
  await page.route('**/api/calls?*', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as CallsReply;
    const lines = reply.lines.map((line) =>
      line.message?.state === 'waiting' ? { ...line, message: { ...line.message, state: 'failed' as const } } : line,
    );
    await route.fulfill({ response, json: { ...reply, lines } });
  });
  await page.reload();
  const failed = said.filter({ hasText: /^not delivered, by email/ });
  await expect(failed).toHaveCount(sending.to_release);
  await expect(failed.first()).toHaveClass('alarm');
  await expectAccessible(page, 'call list with an email that was not delivered');
  mail.refuse(false);
});
