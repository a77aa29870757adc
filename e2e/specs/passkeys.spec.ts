// This file is over 250 lines because it tests everything that people do with passkeys.
import type { CDPSession, Page } from '@playwright/test';
import type { OwnPasskeys } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signIn, test as base } from '../fixtures/test.ts';

// Browsers offer passkeys only at addresses with a host name.
const test = base.extend({
  baseURL: async ({ server }, use) => use(server.url.replace('127.0.0.1', 'localhost')),
});
test.use({ serverFor: 'passkeys', viewport: { width: 390, height: 844 } });

/** A virtual device in the browser, which makes real passkeys and recognizes its owner. */
interface Device {
  readonly session: CDPSession;
  readonly id: string;
}

async function addDevice(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  return deviceOf(session);
}

async function deviceOf(session: CDPSession): Promise<Device> {
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id };
}

const passkeysOn = async ({ session, id }: Device) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials;
const recognizes = ({ session, id }: Device, isUserVerified: boolean) =>
  session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });

const fits = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

/** Presses Tab until an element has the focus, as someone without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('button', { name }).first()).toBeVisible();
  for (let i = 0; i < 40; i++) {
    const focused = page.locator(':focus');
    if ((await focused.count()) > 0 && (await focused.first().innerText()).trim().startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached with Tab`);
}

/** A link that lets a therapist of the demo clinic create their account. */
async function invite(api: Api, email: string): Promise<string> {
  const therapists = await api.get<{ id: string }[]>('/therapists');
  for (const { id: therapist } of therapists) {
    const { status, body } = await api.send<{ secret: string }>('POST', '/invitations', { therapist, email });
    if (status === 201) return `/welcome#${body.secret}`;
  }
  throw new Error('no therapist can be invited');
}

test('an invited therapist chooses a passkey, sees their day, logs out, and logs in with the passkey, using only the keyboard', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request, DEMO.admin);
  const device = await addDevice(page);
  await page.goto(await invite(api, 'pat@clinic.example'));
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'welcome with a choice');
  await fits(page);
  await tabTo(page, 'Use a passkey');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/me');
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible();
  expect(await passkeysOn(device)).toHaveLength(1);

  await tabTo(page, 'Log out');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await fits(page);
  await expectAccessibleInBothThemes(page, 'login with a passkey');
  await tabTo(page, 'Use a passkey');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/me');
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible();
});

test('by keyboard, a therapist without a password adds, renames and removes passkeys (never the last), then sets a password', async ({
  page,
  request,
  watch,
}) => {
  test.slow();
  watch.allow(/422/);
  const api = await Api.signIn(request, DEMO.admin);
  const phone = await addDevice(page);
  await page.goto(await invite(api, 'sam@clinic.example'));
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/me');
  // While a page loads, Tab may move the focus elsewhere.
  await expect(page.getByRole('navigation', { name: 'Weeks' })).toBeVisible();
  await tabTo(page, 'Account');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Password, passkeys and sessions' });
  const passkeys = dialog.getByRole('region', { name: 'Passkeys' });
  const rows = passkeys.getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(dialog.getByLabel('Current password')).toHaveCount(0);
  await expect(dialog.getByLabel('New password')).toBeFocused();
  await fits(page);
  await expectAccessibleInBothThemes(page, 'own account');

  await tabTo(page, 'Remove');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Remove Passkey');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('This passkey is your only way to log in.');
  await tabTo(page, 'Cancel');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Passkeys', exact: true })).toBeFocused();

  await tabTo(page, 'Rename');
  await page.keyboard.press('Enter');
  await expect(passkeys.getByLabel('Name of the passkey')).toBeFocused();
  await page.keyboard.type('Blue phone');
  await expectAccessibleInBothThemes(page, 'renaming a passkey');
  await page.keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'Blue phone' })).toHaveCount(1);

  // Adds a passkey on another device. The phone confirms this, but cannot make a second passkey itself.
  await tabTo(page, 'Add a Passkey');
  await page.keyboard.press('Enter');
  await expect(passkeys.getByLabel('Name of the passkey')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('This device already has a passkey for this account.');
  await phone.session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone.id });
  const key = await deviceOf(phone.session);
  await passkeys.getByLabel('Name of the passkey').fill('Key');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(dialog.getByRole('heading', { name: 'Passkeys', exact: true })).toBeFocused();
  expect(await passkeysOn(key)).toHaveLength(1);

  // The lost phone's passkey is removed, and the other device confirms this.
  const blue = rows.filter({ hasText: 'Blue phone' });
  await blue.getByRole('button', { name: 'Remove Blue phone' }).click();
  await expectAccessibleInBothThemes(page, 'removing a passkey');
  await passkeys.getByRole('button', { name: 'Remove Passkey' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Key');

  await dialog.getByLabel('New password').fill('seven green lamps on a shelf');
  await dialog.getByRole('button', { name: 'Set Password' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Log out' }).click();
  await signIn(page, { email: 'sam@clinic.example', password: 'seven green lamps on a shelf' }, '/me');
  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  const own = await request.get('/api/passkeys', { headers: { authorization: `Bearer ${token}` } });
  expect(await own.json()).toMatchObject({ password: true, passkeys: [{ name: 'Key' }] } satisfies Partial<
    Record<keyof OwnPasskeys, unknown>
  >);
});

test.describe('on a desktop computer', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('a scheduler adds a passkey with their password and logs in with it; once removed, the passkey no longer works @detail', async ({
    page,
    watch,
  }) => {
    watch.allow(/401|422/);
    const device = await addDevice(page);
    await signIn(page, DEMO.staff);
    const openAccount = async () => {
      await page.getByRole('button', { name: /account of/ }).click();
      await page.getByRole('menuitem', { name: 'Password, passkeys and sessions' }).click();
    };
    await openAccount();
    const dialog = page.getByRole('dialog', { name: 'Password, passkeys and sessions' });
    await expect(dialog.getByLabel('Current password')).toBeFocused();
    await dialog.getByRole('button', { name: 'Add a Passkey' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Enter your password to add a passkey');
    await expect(dialog.getByLabel('Current password')).toBeFocused();
    await dialog.getByLabel('Current password').fill(DEMO.staff.password);
    await dialog.getByRole('button', { name: 'Add a Passkey' }).click();
    await dialog.getByLabel('Name of the passkey').fill('Desk');
    await dialog.getByRole('button', { name: 'Create Passkey' }).click();
    await expect(dialog.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toContainText('Desk');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    // A person whom the device does not recognize is not logged in.
    await recognizes(device, false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('alert')).toContainText('No passkey was used.');
    await recognizes(device, true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/calendar**');

    await openAccount();
    await dialog.getByRole('button', { name: 'Remove Desk' }).click();
    await dialog.getByRole('button', { name: 'Remove Passkey' }).click();
    await expect(dialog.getByRole('button', { name: 'Remove Desk' })).toHaveCount(0);
    await expect(dialog.getByText('Log in with your face, fingerprint or screen lock')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('alert')).toContainText('This passkey no longer works here.');
    await expect(page).toHaveURL(/\/login$/);
  });
});

for (const [where, prepare] of [
  [
    'in a browser without passkeys',
    (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential')),
  ],
  [
    'over an insecure connection',
    (page: Page) => page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false })),
  ],
] as const)
  test(`${where}, only passwords are offered`, async ({ page, request }) => {
    await prepare(page);
    const api = await Api.signIn(request, DEMO.admin);
    await page.goto(await invite(api, `${where.slice(-8).trim()}@clinic.example`));
    await expect(page.getByLabel('New password')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Save Password' })).toBeVisible();
    await expect(page.getByText(/passkey/i)).toHaveCount(0);
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await expect(page.getByText(/passkey/i)).toHaveCount(0);
  });

test('at an IP address without a host name, only passwords are offered', async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText(/passkey/i)).toHaveCount(0);
});

test('an invited therapist who is offered a passkey can set a password instead', async ({ page, request }) => {
  const api = await Api.signIn(request, DEMO.admin);
  await page.goto(await invite(api, 'lee@clinic.example'));
  await page.getByRole('button', { name: 'Set a password' }).click();
  await expect(page.getByLabel('New password')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toBeVisible();
  await page.getByLabel('New password').fill('seven green lamps on a shelf');
  await page.getByLabel('Repeat password').fill('seven green lamps on a shelf');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Log in as lee@clinic.example.')).toBeVisible();
});
