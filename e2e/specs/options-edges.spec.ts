import { TEXTS, type ProposalReply, type RefreshReply } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { DEMO, expect, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { openOptions, type OptionsModal } from '../pages/options.ts';

// Tests rare events while options are open: a date without data, a message, the end of the login session, the dark
// theme.
/** Each test uses its own day: on a shared day, each test would make two more therapists absent. */
const on = (after: number) => ({ at: 'deerfield', after }) as const;

/** The clients with options who are in no group, sorted. */
const clientsAlone = (proposal: ProposalReply, date: string): string[] =>
  Object.keys(proposal.data[date] ?? {})
    .filter((client) => !client.includes(' and '))
    .sort((a, b) => a.localeCompare(b));

/** Opens the options from the calendar's foot, once the calendar has loaded without them. */
async function seeOptions(calendar: Calendar, view: OptionsModal): Promise<void> {
  await calendar.ready();
  await expect(view.modal).toHaveCount(0);
  await view.page.getByRole('button', { name: 'See options' }).click();
  await expect(view.table).toBeVisible();
}

test('[SOL-08] when one of several dates is empty, its tab says so, and the others can be opened and submitted @detail', async ({
  page,
  request,
}) => {
  const { at, date, view } = await openOptions(page, request, on(4), 1);
  const before = addDays(date, -1);
  await page.route('**/api/proposals', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as ProposalReply;
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, [before]: {} } } });
  });
  await page.goto(`/calendar?date=${date}&location=${at}&options=open`);
  await expect(view.modal).toContainText(TEXTS.noDataForDate);
  const tabs = view.modal.getByRole('tab');
  await expect(tabs).toHaveCount(2);
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.first()).toContainText('0 clients');
  await expect(view.submit).not.toHaveAttribute('aria-disabled', 'true');
  await tabs.last().click();
  await expect(view.table).toBeVisible();
});

test('given an option nearly the same as an earlier one, its column head says so @detail', async ({
  page,
  request,
}) => {
  await page.route('**/api/proposals', async (route) => {
    const response = await route.fetch();
    const { metadata, ...reply } = (await response.json()) as ProposalReply;
    const options = Object.entries(metadata.options).map(([date, of]) => {
      const near = Object.entries(of).map(([name, figures]): [string, typeof figures] => [
        name,
        name === 'Option 2' ? { ...figures, nearly_the_same_as: 'Option 1' } : figures,
      ]);
      return [date, Object.fromEntries(near)] as const;
    });
    await route.fulfill({
      response,
      json: { ...reply, metadata: { ...metadata, options: Object.fromEntries(options) } },
    });
  });
  const { view } = await openOptions(page, request, on(5), 2);
  const heads = view.table.getByRole('columnheader');
  await expect(heads.nth(2)).toContainText('nearly the same as Option 1');
  await expect(heads.nth(1)).not.toContainText('nearly the same');
});

test('[SOL-09] a message in the reply to a refresh is shown @detail', async ({ page, request }) => {
  const { view } = await openOptions(page, request, on(6), 1);
  await page.route('**/api/refresher', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...((await response.json()) as RefreshReply), message: 'One option fewer than before.' },
    });
  });
  await view.mode.click();
  await view.refresh.click();
  await expect(view.modal.getByRole('status').getByText('One option fewer than before.')).toBeVisible();
});

test('[AUTH-05] when the session ends while options are open, the options and choices are back after the login', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/401/);
  const { view, proposal, date } = await openOptions(page, request, on(7), 2);
  const [client = ''] = Object.keys(proposal.data[date] ?? {}).sort((a, b) => a.localeCompare(b));
  await view.pick(client, 2).click();
  await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');
  const therapists = () => page.evaluate(() => localStorage.getItem('backed_up_therapists'));
  expect(await therapists()).not.toBeNull();
  // Ends the login session just before the request arrives. Any sooner, and the page might show the login before the
  // click.
  await page.route('**/api/refresher', async (route) => {
    const { authorization = '' } = await route.request().allHeaders();
    await request.post('/api/sign-out', { headers: { authorization } });
    await route.continue();
  });
  await view.mode.click();
  await view.refresh.click();
  await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  expect(await therapists()).toBeNull();
  await page.getByLabel('Email').fill(DEMO.staff.email);
  await page.getByLabel('Password').fill(DEMO.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(view.modal).toBeVisible();
  await view.mode.click();
  await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');
  // After they are closed, the options do not come back.
  const reloaded = page.waitForEvent('load');
  await view.modal.getByRole('button', { name: 'Close', exact: true }).click();
  await reloaded;
  await new Calendar(page).ready();
  await expect(view.modal).toHaveCount(0);
});

test('given a choice in the options, a reload, the Today page and the browser’s Back keep it, and a logout removes it', async ({
  page,
  request,
  watch,
}) => {
  // A tab that has just opened loads its day twice; the server refuses a request that arrives after the logout.
  watch.allow(/401/);
  const { at, date, view, proposal } = await openOptions(page, request, on(9), 2);
  const calendar = new Calendar(page);
  const [one = '', two = ''] = clientsAlone(proposal, date);
  await view.pick(one, 2).click();
  await page.reload();
  await seeOptions(calendar, view);
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');

  await page.goto(`/?date=${date}&location=${at}`);
  await page.getByRole('link', { name: 'See options', exact: true }).click();
  await expect(view.table).toBeVisible();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await view.pick(two, 2).click();
  const reloaded = page.waitForEvent('load');
  await page.goBack();
  await reloaded;
  await calendar.ready();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'See options', exact: true })).toBeVisible();
  await page.goForward();
  await seeOptions(calendar, view);
  for (const client of [one, two]) await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');

  // Another tab logs out. This tab has kept nothing, and the logout must not make it keep anything.
  await page.evaluate(() => sessionStorage.clear());
  const left = await page.context().newPage();
  await left.goto(`/calendar?date=${date}&location=${at}`);
  await left.getByRole('button', { name: /account of/ }).click();
  await left.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))).toEqual([]);
});

test('given choices in options that were closed, if the day changes or they are submitted elsewhere, opening them says so and loses no choice', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const { api, at, date, view, proposal } = await openOptions(page, request, on(10), 2);
  const calendar = new Calendar(page);
  const [one = ''] = clientsAlone(proposal, date);
  await view.pick(one, 2).click();
  await page.reload();
  const { people } = await api.slots(date, at);
  const [client, therapist] = (['client', 'therapist'] as const).map(
    (type) => people.findLast((person) => person.type === type)?.name,
  );
  const session = { client, therapist, subject: 'Parent Training', start: '18:30', end: '18:45', anyway: true };
  const booked = await api.send('POST', '/appointments', { ...session, location: at, date });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  await seeOptions(calendar, view);
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect(view.modal).toContainText('The day has changed since these options were made.');
  await expect(view.modal).toContainText('Refresh keeps your 1 selection.');

  // The same options, submitted elsewhere, cannot be used again. They do not come back a second time.
  await api.commit(proposal);
  await view.modal.getByRole('button', { name: 'Refresh', exact: true }).first().click();
  await expect(view.alert).toContainText('already been submitted');
  await view.alert.getByRole('button').first().click();
  const reloaded = page.waitForEvent('load');
  await view.modal.getByRole('button', { name: 'Close', exact: true }).click();
  await reloaded;
  await calendar.ready();
  expect(await page.evaluate(() => sessionStorage.getItem('draft:mix'))).toBeNull();
});

test('given choices in options that were closed, saving further absences shows new options; closed without a choice, they leave the earlier choices @detail', async ({
  page,
  request,
}) => {
  const { date, view, proposal } = await openOptions(page, request, on(11), 1);
  const calendar = new Calendar(page);
  const [one = ''] = clientsAlone(proposal, date);
  await view.pick(one, 2).click();
  await calendar.closeOptions();
  const [therapist = ''] = await calendar.booked();
  await calendar.name(therapist).click();
  await calendar.saveAbsences();
  await expect(view.modal).not.toContainText('The day has changed since these options were made.');
  // The new options begin with Option 1 for everyone.
  await expect(view.pick(one, 1)).toHaveAttribute('aria-pressed', 'true');
  await calendar.closeOptions();
  await page.getByRole('button', { name: 'See options' }).click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect(view.modal).toContainText('Refresh keeps your 1 selection.');
});

test('in the dark theme, a chosen option has a dark background and light text @detail', async ({ page, request }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const { view } = await openOptions(page, request, on(8), 1);
  /** The relative luminance, from 0 to 1, of a color as the browser reports it. */
  const brightness = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = (colour.match(/\d+/g) ?? []).map((part) => (Number(part) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const mode of ['submit', 'refresh'] as const) {
    if (mode === 'refresh') {
      await view.mode.click();
      await view.table.locator('button[aria-pressed]').first().click();
    }
    const picked = view.table.locator('[data-picked]:not([data-kind=cancel])').first();
    const ground = await picked.evaluate((cell) => getComputedStyle(cell).backgroundColor);
    const words = await picked
      .locator('button')
      .first()
      .evaluate((cell) => getComputedStyle(cell).color);
    expect(brightness(ground)).toBeLessThan(0.2);
    expect(brightness(words)).toBeGreaterThan(0.7);
  }
});
