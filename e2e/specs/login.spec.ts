// This file is over 250 lines because it tests logging in and out, case by case.
import type { Route } from '@playwright/test';
import type { Client } from '@clinic/contract';
import { DEMO, expect, signedIn, signIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';

const jwt = (claims: unknown): string =>
  ['{"alg":"none"}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

test('[ROUTE-01] [ROUTE-05] [AUTH-01] [AUTH-02] [AUTH-06] a login with the form titled Login to Scheduler opens the calendar, whose requests carry the token', async ({
  page,
}) => {
  await page.goto('/login.html');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password');
  await expect(email).toHaveAttribute('type', 'email');
  for (const field of [email, password]) await expect(field).toHaveAttribute('required', '');
  const sent = page.waitForRequest('**/api/token');
  await email.fill(DEMO.staff.email);
  await password.fill(DEMO.staff.password);
  const asked = page.waitForRequest('**/api/slots**');
  await page.getByRole('button', { name: 'Log in' }).click();
  const request = await sent;
  expect(request.headers()['content-type']).toContain('application/x-www-form-urlencoded');
  expect(new URLSearchParams(request.postData() ?? '').get('username')).toBe(DEMO.staff.email);
  await page.waitForURL('**/calendar**');
  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  expect(token?.split('.')).toHaveLength(3);
  expect((await asked).headers()['authorization']).toBe(`Bearer ${token}`);
});

test('[ROUTE-02] every path requires a login, even an unknown path; after login, a deep link opens', async ({
  page,
}) => {
  for (const path of ['/', '/calendar', '/profiles', '/scheduler', '/accounts', '/audit', '/no/such/page']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('navigation')).toHaveCount(0);
  }
  await page.goto('/profiles');
  await page.getByLabel('Email').fill(DEMO.staff.email);
  await page.getByLabel('Password').fill(DEMO.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/profiles$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/calendar/);
});

test('[AUTH-04] a stored token that is malformed, expired or without an end is removed, and the login page is shown', async ({
  page,
}) => {
  await page.goto('/login');
  for (const token of ['not-a-token', jwt({ sub: 'x', exp: 1_000_000 }), jwt({ sub: 'x' })]) {
    await page.evaluate((value) => localStorage.setItem('access_token', value), token);
    await page.goto('/calendar');
    await expect(page, token).toHaveURL(/\/login/);
    expect(await page.evaluate(() => localStorage.getItem('access_token')), token).toBeNull();
  }
});

test('[ROUTE-03] the page shows nothing until it knows whether someone is logged in', async ({ page }) => {
  // Collects all text that ever appears on the page, from the start.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const text = document.body?.innerText ?? '';
      if (text !== '') seen.push(text);
    }).observe(document, { childList: true, subtree: true });
  });
  const everSeen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.join('\n'));
  await page.goto('/calendar');
  await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  expect(await everSeen()).not.toContain('Absences');
  await signIn(page);
  await page.goto('/profiles');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(await everSeen()).not.toContain('Login to Scheduler');
});

test('[AUTH-05] when the token expires, an open page logs out, and after the next login the selection is back', async ({
  page,
  watch,
}) => {
  watch.allow(/401/);
  await page.clock.install();
  await signIn(page);
  const calendar = new Calendar(page);
  await calendar.ready();
  const [person] = await calendar.booked();
  await calendar.name(person ?? '').click();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  // The server is down, so the token cannot be renewed and expires.
  await page.route('**/api/token/renew', (route) => route.abort());
  watch.allow(/Failed to load resource/);
  await page.clock.fastForward('16:00');
  await expect(page.getByText('You were logged out.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  await page.clock.setSystemTime(new Date());
  await page.getByLabel('Email').fill(DEMO.staff.email);
  await page.getByLabel('Password').fill(DEMO.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await calendar.ready();
  await expect(calendar.name(person ?? '')).toHaveAttribute('aria-pressed', 'true');
});

test('given a session that the server has ended, the next API call opens the login page', async ({
  page,
  watch,
  request,
}) => {
  watch.allow(/401/);
  await signIn(page);
  const calendar = new Calendar(page);
  await calendar.ready();
  // Ends the login session just before the request arrives. Any sooner, and the page might show the login before the
  // click.
  await page.route('**/api/slots**', async (route) => {
    const { authorization = '' } = await route.request().allHeaders();
    await request.post('/api/sign-out', { headers: { authorization } });
    await route.continue();
  });
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('You were logged out.')).toBeVisible();
});

test('logging out ends the session on the page and on the server', async ({ page, watch, request }) => {
  watch.allow(/401/);
  await signIn(page);
  await new Calendar(page).ready();
  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  const after = await request.get('/api/session', { headers: { Authorization: `Bearer ${token}` } });
  expect(after.status()).toBe(401);
});

test('a user can see where they are logged in, log out everywhere else, and change their password', async ({
  page,
  browser,
  request,
  baseURL,
  watch,
}) => {
  watch.allow(/422|401/);
  const account = { email: 'own@clinic.example', password: 'wide rivers carry slow boats' };
  const { access_token } = (await (
    await request.post('/api/token', { form: { username: DEMO.admin.email, password: DEMO.admin.password } })
  ).json()) as { access_token: string };
  const added = await request.post('/api/accounts', {
    headers: { authorization: `Bearer ${access_token}` },
    data: { ...account, name: 'Olive Own', role: 'scheduler', locations: null },
  });
  expect(added.status()).toBe(201);

  const elsewhere = await browser.newContext(baseURL ? { baseURL } : {});
  const other = await elsewhere.newPage();
  await signIn(other, account);
  await signIn(page, account);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Password, passkeys and sessions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Password, passkeys and sessions' });
  const [current, wanted] = [dialog.getByLabel('Current password'), dialog.getByLabel('New password')];
  await expect(current).toBeFocused();
  const places = dialog.getByRole('region', { name: 'Where you are logged in' }).getByRole('listitem');
  await expect(places).toHaveCount(2);

  await current.fill('not my password');
  await dialog.getByRole('button', { name: 'Log out everywhere else' }).click();
  await expect(dialog.getByRole('alert')).toContainText('This is not your password');
  await expect(places).toHaveCount(2);
  await current.fill(account.password);
  await dialog.getByRole('button', { name: 'Log out everywhere else' }).click();
  await expect(places).toHaveCount(1);
  await other.goto('/profiles');
  await expect(other.getByText(/Authentication failed|Login to Scheduler/).first()).toBeVisible();
  await elsewhere.close();

  await wanted.fill('leavemealone');
  // Escape while the password is being changed does not hide the outcome.
  const whileSaving = async (route: Route): Promise<void> => {
    await page.keyboard.press('Escape');
    await route.continue();
  };
  await page.route('**/api/password', whileSaving, { times: 1 });
  await dialog.getByRole('button', { name: 'Change Password' }).click();
  await expect(dialog.getByRole('alert')).toContainText('stolen passwords');
  await wanted.fill('seven green lamps on a shelf');
  await dialog.getByRole('button', { name: 'Change Password' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await signIn(page, { ...account, password: 'seven green lamps on a shelf' });
});

for (const [minutes, said] of [
  [20, '20 min fast'],
  [-20, '20 min slow'],
] as const)
  test(`[AUTH-04] on a computer whose clock is ${said}, a user can log in, work, and stay logged in after a reload @detail`, async ({
    page,
  }) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 });
    await signIn(page);
    const calendar = new Calendar(page);
    await calendar.ready();
    await expect(page.getByText(`This computer’s clock is ${said}.`)).toBeVisible();
    await page.reload();
    await calendar.ready();
    await expect(page).toHaveURL(/\/calendar/);
    // By this computer's clock, the 15-minute token has expired or is not yet valid. The page must keep the token.
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBeNull();
  });

test('an account with one location starts there, is offered no other, and sees a notice on a day at another location', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/403/);
  const account = { email: 'orlando@clinic.example', password: 'slow boats carry wide rivers' };
  const api = await Api.signIn(request, DEMO.admin);
  await api.addAccount({ ...account, name: 'Oona Orlando', role: 'scheduler', locations: ['orlando'] });
  const asked: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/api/slots')) asked.push(new URL(sent.url()).searchParams.get('location') ?? '');
  });
  await signIn(page, account);
  const calendar = new Calendar(page);
  await calendar.ready();
  await expect(page).toHaveURL(/location=orlando/);
  expect(new Set(asked)).toEqual(new Set(['orlando']));
  const location = page.getByLabel('Location');
  await expect(location.locator('option')).toHaveText(['Orlando']);
  await page.goto('/profiles');
  await expect(location.locator('option')).toHaveText(['All locations', 'Orlando']);

  for (const path of ['/calendar?location=tampa', '/?location=tampa']) {
    await page.goto(path);
    const notice = page.getByRole('alert');
    await expect(notice).toContainText('Your account does not include Tampa.');
    await expect(page.getByText(/Failed to load/)).toHaveCount(0);
    await notice.getByRole('button', { name: 'Go to Orlando' }).click();
    await expect(location).toHaveValue('orlando');
    await expect(notice).toHaveCount(0);
  }
});

test('given two tabs, a logout in one empties the other; a session that ended keeps its work there, but only for the same account', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/401|403/);
  const other = { email: 'two-tabs@clinic.example', password: 'slow boats carry wide rivers' };
  const api = await Api.signIn(request, DEMO.admin);
  await api.addAccount({ ...other, name: 'Theo Tabs', role: 'scheduler', locations: ['orlando'] });
  const [tampa] = await api.get<Client[]>('/clients?location=tampa');
  await signedIn(page);
  const second = await page.context().newPage();
  const calendar = new Calendar(second);
  const kept = () => second.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')));
  /** Opens a day in the second tab and selects someone there, as absent. */
  const select = async (): Promise<void> => {
    await second.goto('/calendar?location=tampa');
    await calendar.ready();
    await second.locator('[data-name]').first().click();
    await expect.poll(kept).toHaveLength(1);
  };
  const login = second.getByRole('heading', { name: 'Login to Scheduler' });

  // The first tab to notice that the server has ended the session removes the token.
  await select();
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await expect(login).toBeVisible();
  expect(await kept()).toHaveLength(1);
  await signIn(page, DEMO.staff);
  await calendar.ready();
  expect(await kept()).toHaveLength(1);
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await expect(login).toBeVisible();
  await signIn(page, other);
  await expect(second.getByRole('alert')).toContainText('Your account does not include Tampa.');
  expect(await kept()).toEqual([]);

  // A logout. The second tab has loaded the clients of all locations, and no reply replaces them.
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await expect(login).toBeVisible();
  await signIn(page, DEMO.staff);
  await select();
  await second.getByRole('link', { name: 'Profiles' }).click();
  await second.getByRole('button', { name: 'Clients' }).click();
  await expect(second.getByText(tampa?.display_name ?? '').first()).toBeVisible();
  await second.route('**/api/clients*', () => undefined);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(login).toBeVisible();
  expect(await kept()).toEqual([]);
  await signIn(page, other);
  await second.getByRole('link', { name: 'Profiles' }).click();
  await second.getByRole('button', { name: 'Clients' }).click();
  await expect(second.getByPlaceholder('Search clients...')).toBeVisible();
  await expect(second.getByText(tampa?.display_name ?? '')).toHaveCount(0);
  await second.close();
});
