import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CallsReply } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { startServer } from '../fixtures/server.ts';
import { expect, signedIn, test as base } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

const AT = 'altamonte';
const RECEIVER = join(import.meta.dirname, '../../apps/server/src/testing/mail-receiver-main.ts');

/** A mail server in a process of its own, which keeps the id of each mail in a file. */
async function startReceiver(file: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [RECEIVER, file, '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('the mail server has no output');
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<string>((resolve) => lines.once('line', resolve));
  return { url: `smtp://127.0.0.1:${port}`, child };
}

const test = base.extend<object, { mails: string }>({
  mails: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'clinic-mails-'));
      await use(join(folder, 'mails'));
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mails }, use) => {
      const receiver = await startReceiver(mails);
      const server = await startServer({ SMTP_URL: receiver.url, MAIL_FROM: 'clinic@clinic.example' });
      await use(server);
      await server.stop();
      receiver.child.kill('SIGTERM');
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('Release sends nothing before it is pressed, then to each once, and every line shows what became of it', async ({
  page,
  request,
  mails,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, AT, 2);
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
  expect(readFileSync(mails, 'utf8')).toBe('');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `call list before a release, ${colorScheme}`);
  }
  await release.focus();
  await page.keyboard.press('Enter');
  await expect(list.getByText('sent, by email')).toHaveCount(sending.to_release);
  expect(readFileSync(mails, 'utf8').trim().split('\n')).toHaveLength(sending.to_release);
  await expect(page.getByRole('button', { name: 'Release', exact: true })).toHaveAttribute('aria-disabled', 'true');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `call list after a release, ${colorScheme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, 'call list at 390, dark');
});
