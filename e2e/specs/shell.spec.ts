// This file is over 250 lines because it tests every part of the frame around the pages.
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page, DEMO.staff, '/calendar');
});

test('[ROUTE-04] the sidebar has a logo and exactly two icon links, and marks the link to the current page', async ({
  page,
}) => {
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const links = sidebar.getByRole('navigation').getByRole('link');
  await expect(links).toHaveCount(2);
  const calendar = links.nth(0);
  const profiles = links.nth(1);
  await expect(calendar).toHaveAttribute('title', 'Calendar');
  await expect(profiles).toHaveAttribute('title', 'Profiles');
  for (const link of [calendar, profiles]) await expect(link.locator('svg')).toBeVisible();
  await expect(calendar).toHaveAttribute('aria-current', 'page');
  await expect(profiles).not.toHaveAttribute('aria-current');
  await profiles.click();
  await expect(page).toHaveURL(/\/profiles$/);
  await expect(profiles).toHaveAttribute('aria-current', 'page');
  await expect(calendar).not.toHaveAttribute('aria-current');
  await page.goto('/scheduler');
  await expect(sidebar).toBeVisible();
  await expect(sidebar.locator('[aria-current]')).toHaveCount(0);
  // Even on a short page, the frame is as high as the window.
  await page.goto('/import');
  await expect(sidebar).toBeVisible();
  expect((await sidebar.boundingBox())?.height).toBe(900);
});

test('[ROUTE-05] the logo opens Today, and an unknown path shows a page with a link back @detail', async ({ page }) => {
  await page.getByRole('complementary').getByRole('link', { name: 'Today' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the calendar' }).click();
  await expect(page).toHaveURL(/\/calendar/);
});

test('the theme is chosen in the account menu and remembered @detail', async ({ page }) => {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark theme' }).click();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await ground()).toBe('rgb(13, 18, 17)');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await ground()).toBe('rgb(13, 18, 17)');
});

test('text typed while the palette loads ends up in its field, and changes nothing on the page behind @detail', async ({
  page,
}) => {
  await new Calendar(page).ready();
  const address = page.url();
  let fetched = (): void => undefined;
  const mayGo = new Promise<void>((resolve) => void (fetched = resolve));
  await page.route('**/assets/palette-*.js', async (route) => {
    await mayGo;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('anax');
  await page.keyboard.press('Backspace');
  fetched();
  await expect(page.getByRole('combobox', { name: /^A person/ })).toHaveValue('ana');
  await page.keyboard.press('Escape');
  expect(page.url()).toBe(address);
  // Shortcuts work again: n shows the next day.
  await page.keyboard.press('n');
  await expect(page).not.toHaveURL(address);
});

test('the command palette finds people, dates, locations and actions @detail', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.ready();
  const [person] = await calendar.booked();
  const run = async (typed: string, wanted: RegExp, down = 0): Promise<void> => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^A person/ });
    await expect(field).toBeFocused();
    await field.fill(typed);
    const first = page.getByRole('listbox', { name: 'Results' }).getByRole('option').first();
    await expect(first).toHaveAttribute('aria-selected', 'true');
    for (let i = 0; i < down; i++) await page.keyboard.press('ArrowDown');
    const results = page.getByRole('listbox', { name: 'Results' });
    await expect(results.getByRole('option', { selected: true })).toHaveText(wanted);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Find' })).toHaveCount(0);
  };
  // A person can be shown, marked absent, or opened, and their free time offered, in this order.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A person/ }).fill(person ?? '');
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option')).toHaveText([
    new RegExp(`^Show ${person}`),
    new RegExp(`^Mark ${person} absent`),
    new RegExp(`^Profile of ${person}`),
    new RegExp(`^Week of ${person}`),
    new RegExp(`^Who could use ${person}’s time`),
  ]);
  await page.keyboard.press('Escape');
  await run(person ?? '', new RegExp(`^Mark ${person} absent`), 1);
  await expect(calendar.name(person ?? '')).toHaveAttribute('aria-pressed', 'true');
  await run(`${person} 7-10`, new RegExp(`^Mark ${person} absent 7:00 AM - 10:00 AM`));
  await expect(calendar.name(person ?? '')).toContainText('7 - 10 AM');
  // For a selected person, the same steps undo the selection.
  await run(person ?? '', new RegExp(`^Remove ${person} from the selected absences`), 1);
  await expect(calendar.name(person ?? '')).toHaveAttribute('aria-pressed', 'false');
  await run('tampa', /^Tampa/);
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('tampa');
  await run('12/24/2026', /^Thursday, December 24, 2026/);
  await expect(page).toHaveURL(/date=2026-12-24/);
  await run('scheduler', /^Cancel a child’s week/);
  await expect(page).toHaveURL(/\/scheduler$/);
  // On another page, choosing a person opens their row in the calendar.
  await run(person ?? '', new RegExp(`^Show ${person}`));
  await calendar.ready();
  await expect(calendar.name(person ?? '')).toBeVisible();
});

test('[LEG-01] the Scheduler page inserts /legacy/index.html as text and then appends the module script', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/legacy/')) asked.push(pathname);
  });
  await page.goto('/scheduler');
  await expect(page.getByRole('heading', { name: 'Scheduler', exact: true, level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose sessions' })).toBeVisible();
  await expect(page.getByLabel('Client').locator('option').nth(1)).toBeAttached();
  expect(asked.filter((path) => /index\.html|app\.js/.test(path))).toEqual(['/legacy/index.html', '/legacy/app.js']);
  await expect(page.locator('script[type="module"][src*="/legacy/app.js"]')).toHaveCount(1);
  // A second visit to the Scheduler page works like the first.
  await page.getByRole('link', { name: 'Calendar' }).first().click();
  await new Calendar(page).ready();
  await page.goBack();
  await expect(page.getByLabel('Client').locator('option').nth(1)).toBeAttached();
});

test('[LEG-02] when the legacy page cannot be loaded, the failure is only logged @detail', async ({ page, watch }) => {
  watch.allow(/Failed to load resource|Error loading HTML or JS/);
  await page.route('**/legacy/index.html', (route) => route.fulfill({ status: 500, body: 'no' }));
  const logged = page.waitForEvent('console', (message) => message.text().startsWith('Error loading HTML or JS'));
  await page.goto('/scheduler');
  expect((await logged).type()).toBe('error');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('main')).toHaveText('Scheduler');
});

test('a warning comes before an idle session ends, and Enter keeps the session @detail', async ({ page }) => {
  // Sets a shorter idle limit than the server's own, to make the warning come early.
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), idle_minutes: 4 } });
  });
  // The page must have loaded first: if the clock is replaced during loading, it can start in 1970.
  await new Calendar(page).ready();
  await page.clock.install();
  await page.reload();
  await new Calendar(page).ready();
  await page.clock.runFor(140_000);
  const warning = page.getByRole('alertdialog');
  await expect(warning).toContainText('You will be logged out in 2 minutes.');
  const renewed = page.waitForResponse('**/api/token/renew');
  await page.keyboard.press('Enter');
  expect((await renewed).status()).toBe(200);
  await expect(warning).toHaveCount(0);
  await expect(page).toHaveURL(/\/calendar/);
});

test('without a connection, a notice says so, and the loaded day stays on the page @detail', async ({
  page,
  context,
  watch,
}) => {
  watch.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
  const calendar = new Calendar(page);
  await calendar.ready();
  // The count of calls has a file of its own, which must have loaded before.
  await expect(page.getByRole('link', { name: /^Calls.*tell/ })).toBeVisible();
  // Screen readers read a message only if its element was there before.
  await page.getByRole('status').evaluateAll((all) => all.map((each) => each.setAttribute('data-known', '')));
  await context.setOffline(true);
  await expect(page.locator('[data-known]').getByText('No connection.')).toBeVisible();
  const [person] = await calendar.booked();
  await calendar.name(person ?? '').click();
  await expect(calendar.name(person ?? '')).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(false);
  await expect(page.getByText('No connection.')).toHaveCount(0);
});

test('axe finds no violations in the frame, its menus and dialogs, in both themes @detail', async ({ page }) => {
  const check = (what: string): Promise<void> => expectAccessibleInBothThemes(page, what);
  await new Calendar(page).ready();
  await page.getByRole('button', { name: /account of/ }).click();
  await check('account menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('shortcuts');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A person/ }).fill('t');
  await check('palette');
  await page.goto('/no/such/page');
  await check('not found');
  await page.goto('/scheduler');
  await expect(page.getByRole('button', { name: 'Choose sessions' })).toBeVisible();
  await check('scheduler');
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  await check('login');
});

test('after a palette action, the focus is on what the action opened @detail', async ({ page }) => {
  // Most people have animations on. The palette is then still closing when its action runs.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const calendar = new Calendar(page);
  await calendar.ready();
  const palette = page.getByRole('dialog', { name: 'Find' });
  const choose = async (typed: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^A person/ }).fill(typed);
    await page.keyboard.press('Enter');
    await expect(palette).toHaveCount(0);
  };
  await page.getByLabel('Location').focus();
  await choose('find a name');
  await expect(page.getByPlaceholder('Find a name')).toBeFocused();
  // When the action opens another page, the focus moves to that page's main part.
  await choose('go to profiles');
  await expect(page.getByPlaceholder('Search therapists...')).toBeVisible();
  await expect(page.locator('#main')).toBeFocused();
  // A page that loads late may remove the focused element; the focus then returns to the main part.
  await page.waitForFunction(() => document.getElementById('main') !== null);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A person/ }).fill('go to calendar');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(page.locator('#main')).toBeFocused();
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  await expect(page.locator('#main')).toBeFocused();
});
