import type { CallsReply } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { startMailServer, type MailServer } from '../fixtures/mail.ts';
import { startServer } from '../fixtures/server.ts';
import { expect, signedIn, test as base } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

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

test('nothing is sent before Release is pressed; then each person gets one message, and each line shows its state', async ({
  page,
  request,
  mail,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, AT, 4); // enough families that some prefer email
  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(today, AT);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await page.goto(`/calls?location=${AT}&date=${today}`);
  const list = page.getByRole('list', { name: 'Calls to make' });
  await expect(list).toBeVisible();
  const { sending } = await api.get<CallsReply>(`/calls?location=${AT}&date=${today}`);
  expect(sending.to_release).toBeGreaterThan(0);
  const release = page.getByRole('button', { name: `Release (${sending.to_release})` });
  await expect(release).toBeVisible();
  expect(mail.mails()).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `call list before a release, ${colorScheme}`);
  }
  await release.focus();
  await page.keyboard.press('Enter');
  await expect(list.getByText('sent, by email')).toHaveCount(sending.to_release);
  expect(mail.mails()).toHaveLength(sending.to_release);
  await expect(page.getByRole('button', { name: 'Release', exact: true })).toHaveAttribute('aria-disabled', 'true');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `call list after a release, ${colorScheme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, 'call list at 390, dark');
});
