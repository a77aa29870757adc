import { DEMO, expect, test } from '../fixtures/test.ts';
import { startFreshServer, type RunningServer } from '../fixtures/server.ts';

let demo: RunningServer;
let empty: RunningServer;
test.beforeAll(async () => {
  [demo, empty] = await Promise.all([startFreshServer(), startFreshServer({ DEMO: 'off' })]);
});
test.afterAll(() => Promise.all([demo.stop(), empty.stop()]));

test('a clinic without any account says so beside the form, and a refused login reads as ever', async ({
  page,
  watch,
}) => {
  watch.allow(/401/);
  await page.goto(`${empty.url}/login`);
  await expect(page.getByText('No account exists yet. See “First account” in the guide.')).toBeVisible();
  const guide = page.getByRole('link', { name: '“First account” in the guide' });
  await expect(guide).toHaveAttribute('href', '/help#first-account');
  await page.getByLabel('Email').fill('dana@clinic.example');
  await page.getByLabel('Password', { exact: true }).fill('seven violet otters');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Invalid credentials')).toBeVisible();
  expect(empty.log.join('\n')).toContain('No account exists yet.');
});

test('the demo shows its logins and a bar; an invited colleague begins with a link, and the demo accounts end', async ({
  page,
  browser,
  watch,
}) => {
  watch.allow(/401/);
  await page.goto(`${demo.url}/login`);
  const form = page.getByRole('button', { name: 'Log in' });
  const before = await form.boundingBox();
  for (const { email, password } of Object.values(DEMO)) {
    await expect(page.getByText(email, { exact: true })).toBeVisible();
    await expect(page.getByText(password, { exact: true })).toBeVisible();
  }
  expect(await form.boundingBox()).toEqual(before); // the notes move nothing
  await page.getByLabel('Email').fill(DEMO.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO.admin.password);
  await form.click();
  const bar = page.getByRole('note').filter({ hasText: 'Its accounts end with your first import or account.' });
  await expect(bar).toBeVisible();

  await page.goto(`${demo.url}/accounts`);
  await page.getByRole('button', { name: 'Invite a Colleague' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a colleague' });
  await invite.getByLabel('Name').fill('Robin Vance');
  await invite.getByRole('textbox', { name: 'Email' }).fill('robin');
  await invite.getByRole('button', { name: 'Create the Link' }).click();
  await expect(invite.getByText('An email address, such as dana@clinic.example')).toBeVisible();
  await invite.getByRole('textbox', { name: 'Email' }).fill('robin@clinic.example');
  await invite.getByLabel('Role').selectOption('Administrator');
  await invite.getByRole('button', { name: 'Create the Link' }).click();
  const link = await invite.getByRole('textbox', { name: 'Link' }).inputValue();
  await invite.getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('row').filter({ hasText: 'Robin Vance' });
  await expect(row).toContainText('Administrator');

  const hers = await (await browser.newContext()).newPage();
  await hers.goto(link);
  await hers.getByRole('button', { name: 'Set a password' }).or(hers.getByLabel('New password')).first().click();
  await hers.getByLabel('New password').fill('seven violet otters sing');
  await hers.getByLabel('Repeat password').fill('seven violet otters sing');
  await hers.getByRole('button', { name: 'Save Password' }).click();
  await expect(hers.getByText('Log in as robin@clinic.example.')).toBeVisible();
  await hers.context().close();

  await page.goto(`${demo.url}/login`);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible(); // the demo's session has ended
  await expect(page.getByText(DEMO.staff.email)).toHaveCount(0);
  await page.getByLabel('Email').fill('robin@clinic.example');
  await page.getByLabel('Password', { exact: true }).fill('seven violet otters sing');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/calendar**');
  await expect(bar).toHaveCount(0);
});
