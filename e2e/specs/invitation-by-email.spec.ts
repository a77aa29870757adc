import type { Therapist } from '@clinic/contract';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { startMailServer, type MailServer } from '../fixtures/mail.ts';
import { startPublicServer } from '../fixtures/server.ts';
import { expect, signIn, test as base } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

const ADMIN = { email: 'lead@clinic.example', password: 'nine blue boats in a row' };
const PASSWORD = 'seven green lamps on a shelf';
const PUBLIC_URL = 'https://schedule.clinic.example';
const TO = 'tess@home.example';

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
      const server = await startPublicServer(ADMIN, { ...mail.settings, PUBLIC_URL });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('given a link sent by email and then a new link, only the newest link lets the therapist choose a password @detail', async ({
  page,
  request,
  mail,
  browser,
}) => {
  test.slow();
  const api = await Api.signIn(request, ADMIN);
  const person = { location: 'altamonte', gender: 'Female', specialization: 'RBT', start_date: '2025-02-03' };
  const contact = { name: 'Tess Moor', phone: '407 555 0100', email: TO };
  const add = (first_name: string, contacts: object[]) =>
    api.send<Therapist>('POST', '/therapists', {
      ...person,
      first_name,
      last_name: 'Moor',
      availability: [],
      contacts,
    });
  expect((await add('Abe', [])).status).toBe(201);
  expect((await add('Tess', [contact])).status).toBe(201);

  await signIn(page, ADMIN);
  await page.goto('/accounts');
  await page.getByRole('button', { name: 'Invite a Therapist' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Abe Moor’s profile has no email.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'I will give it to them' })).toBeChecked();
  await dialog.getByLabel('Therapist').selectOption({ label: 'Tess Moor' });
  await expect(dialog.getByRole('radio', { name: `By email to ${TO}` })).toBeChecked();
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(TO);
  await expectAccessibleInBothThemes(page, 'invite by email');
  await dialog.getByRole('button', { name: 'Send the Link' }).click();
  const row = page.getByRole('table', { name: 'Invited' }).getByRole('row', { name: 'Tess Moor' });
  await expect(row).toContainText('Sent by email');
  await expectAccessibleInBothThemes(page, 'invited by email');

  await row.getByRole('button', { name: 'New Link' }).click();
  await expect(dialog.getByText('Tess Moor’s current link will stop working.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send the Link' }).click();
  await expect.poll(() => mail.mails().map(({ to }) => to)).toEqual([TO, TO]);
  await expect(row).toContainText('Sent by email');

  const [old = '', newest = ''] = mail.mails().map(({ content }) => linkIn(content));
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const choosePassword = async (link: string): Promise<void> => {
    await phone.goto('about:blank');
    await phone.goto(link.replace(PUBLIC_URL, new URL(page.url()).origin));
    await phone.getByLabel('New password').fill(PASSWORD);
    await phone.getByLabel('Repeat password').fill(PASSWORD);
    await phone.getByRole('button', { name: 'Save Password' }).click();
  };
  await choosePassword(old);
  await expect(phone.getByText('This invitation cannot be used')).toBeVisible();
  await choosePassword(newest);
  await expect(phone.getByText(`Log in as ${TO}.`)).toBeVisible();
  await phone.close();
  await page.reload();
  await expect(page.getByText('2 accounts')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Invited' })).toHaveCount(0);
});

/** The invitation link in an email; undoes the wrapping and escaping of quoted-printable text. */
const linkIn = (content: string): string =>
  /https:\S+#[\w-]{43}/.exec(content.replace(/=\r\n/g, '').replace(/=3D/g, '='))?.[0] ?? '';
