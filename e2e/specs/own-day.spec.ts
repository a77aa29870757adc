// This file is over 250 lines because it follows a therapist’s page and what coordinators see of it.
import type { Page } from '@playwright/test';
import type { CallsReply, OwnWeek } from '@clinic/contract';
import { addDays, compareNames, listWords, longDate, shortDate } from '@clinic/domain';
import { expectAccessible, expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, signIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

test.use({ serverFor: 'own-day', viewport: { width: 360, height: 740 } });

const PASSWORD = 'seven green lamps on a shelf';

/** Expects that nothing is wider than the phone's screen. */
const fits = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

test('a therapist logs in and sees only their own day, on a phone, in both themes', async ({ page }) => {
  await signIn(page, DEMO.therapist, '/me');
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: /^Today, / })
      .getByRole('listitem')
      .first(),
  ).toBeVisible();
  await fits(page);
  await expectAccessibleInBothThemes(page, 'my day');
  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(page.getByRole('region', { name: /^Today, / })).toHaveCount(0);
  // Every other address redirects to this page.
  for (const path of ['/calendar', '/', '/calls', '/profiles', '/accounts']) {
    await page.goto(path);
    await page.waitForURL('**/me');
  }
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
});

test('a therapist sees a group as one session, with its clients @detail', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { name } = await (await Api.signIn(request, DEMO.therapist)).get<OwnWeek>('/me');
  const date = await api.today();
  const { appointments } = await api.slots(date, 'altamonte');
  const direct = appointments.filter((each) => each.service === 'direct');
  const clients = [...new Set(direct.map((each) => each['Client Name']))].slice(0, 3);
  for (const client of clients) {
    const at = {
      location: 'altamonte',
      date,
      start: '19:30',
      end: '20:00',
      subject: 'Social Skills Group',
      anyway: true,
    };
    const { status, body } = await api.send('POST', '/appointments', { ...at, client, therapist: name, anyway: true });
    expect(status, JSON.stringify(body)).toBe(201);
  }
  await signedIn(page, DEMO.therapist);
  await page.goto('/me');
  const group = page
    .getByRole('region', { name: /^Today, / })
    .getByRole('listitem')
    .filter({ hasText: '7:30 PM to 8:00 PM' });
  await expect(group).toHaveCount(1);
  await expect(group).toContainText(listWords(clients.toSorted(compareNames)));
  await fits(page);
  await expectAccessible(page, 'my day with a group');
});

test('when a therapist reports that they cannot come, a coordinator previews the options and confirms the absence with one key', async ({
  page,
  browser,
}) => {
  test.slow();
  await signedIn(page, DEMO.therapist, '/me');
  await page.getByRole('button', { name: 'I can’t come' }).click();
  await expectAccessible(page, 'I can’t come');
  await fits(page);
  await page.getByLabel('Start time').fill('09:15');
  await page.getByLabel('End time').fill('16:45');
  await page.getByLabel('Why').selectOption('Weather');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The clinic has not confirmed this yet.')).toBeVisible();

  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signedIn(desk);
  await desk.goto('/?location=altamonte');
  const reported = desk.getByRole('region', { name: '1 reported absence to confirm' });
  await expect(reported).toContainText(/Weather.*, 9:15 AM to .*, 4:45 PM/);
  await expectAccessible(desk, 'today with a report', '[aria-labelledby="reported"]');
  await reported.getByRole('button', { name: /^Preview options/ }).click();
  const preview = desk.getByRole('dialog', { name: /^Options without / });
  await expect(preview.getByRole('columnheader', { name: 'Option 1' })).toBeVisible();
  await expectAccessible(desk, 'preview');
  await preview.getByRole('button', { name: 'Close' }).click();
  await expect(preview).toHaveCount(0);

  // The absences panel shows the report too, and one key confirms it there.
  await desk.goto('/calendar?location=altamonte');
  await desk.getByRole('button', { name: 'Absences' }).click();
  const panel = desk.getByRole('dialog', { name: /^Absences for / });
  await expect(panel.getByRole('region', { name: '1 reported absence to confirm' })).toBeVisible();
  await expectAccessible(desk, 'absences with a report', '[aria-labelledby="reported"]');
  await panel.getByRole('heading', { level: 2 }).first().click();
  await desk.keyboard.press('y');
  await expect(panel.getByRole('region', { name: '1 reported absence to confirm' })).toHaveCount(0);
  await expect(panel.getByRole('region', { name: 'Recorded for this day' })).toBeVisible();
  await desk.goto('/?location=altamonte');
  await expect(reported).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Confirmed by the clinic.')).toBeVisible();
  await desk.close();
});

test('an invited therapist answers a change on their own page, and the coordinator’s list shows the answer at once', async ({
  page,
  request,
  browser,
}) => {
  const api = await Api.signIn(request);
  const date = await api.today();
  const { appointments } = await api.slots(date, 'altamonte');
  const admin = await Api.signIn(request, DEMO.admin);
  const accounts = await admin.get<{ name: string }[]>('/accounts');
  const invited = new Set(['Unassigned', ...accounts.map(({ name }) => name)]);
  const session = appointments.find((a) => a.service === 'direct' && !invited.has(a.Preferred_Provider_Name));
  const cancelled = await api.send('POST', `/appointments/${session?.key}/cancel`, {});
  expect(cancelled.status).toBeLessThan(300);
  const calls = await api.get<CallsReply>(`/calls?location=altamonte&date=${date}`);
  const line = calls.lines.find((each) => each.kind === 'therapist' && !invited.has(each.name));
  if (!line) throw new Error('no therapist to tell');

  // The administrator hands over a link that lets the therapist choose a password.
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signedIn(desk, DEMO.admin);
  await desk.goto('/accounts');
  await desk.getByRole('button', { name: 'Invite a Therapist' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Invite a therapist' });
  await dialog.getByLabel('Therapist').selectOption({ label: line.name });
  await expect(dialog.getByText('Email is not set up')).toBeVisible();
  await dialog.getByLabel('Email', { exact: true }).fill('own.day@clinic.example');
  await expectAccessible(desk, 'invite');
  await dialog.getByRole('button', { name: 'Create the Link' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(desk.getByRole('table', { name: 'Invited' })).toContainText('own.day@clinic.example');
  await desk.goto(`/calls?location=altamonte&date=${date}`);

  await page.goto(link);
  await expectAccessible(page, 'welcome');
  await fits(page);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Log in as own.day@clinic.example.')).toBeVisible();
  await signIn(page, { email: 'own.day@clinic.example', password: PASSWORD }, '/me');

  const card = page.getByRole('article').first();
  for (const sentence of line.say) await expect(card).toContainText(sentence);
  await expectAccessible(page, 'a change');
  await fits(page);
  await card.getByRole('button', { name: 'Seen' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing has changed' })).toBeVisible();
  await expect(desk.getByText('on their own page')).toBeVisible();

  // The therapist is asked to take a session outside their booked day. A *Yes* counts as told. Then the session gets
  // longer, and *I can’t* reaches the list at once.
  const late = (end: string) => ({
    location: 'altamonte',
    date,
    client: session?.['Client Name'],
    therapist: line.name,
    start: '18:30',
    end,
    subject: 'Direct Therapy',
    anyway: true,
  });
  const asked = await api.send<{ key: string }[]>('POST', '/appointments', late('19:00'));
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  await page.reload();
  const own = page
    .getByRole('region', { name: /^Today, / })
    .getByRole('listitem')
    .filter({ hasText: '6:30 PM to 7:00 PM' });
  await expect(own).toContainText(`${session?.['Client Name']}We ask you`);
  await expect(own).toContainText('Direct therapy, Altamonte');
  await card.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('The clinic knows that you said yes')).toBeVisible();
  await expect(own).not.toContainText('We ask you');
  const told = desk.getByRole('region', { name: 'Call details' }).getByRole('listitem');
  await expect(told.filter({ hasText: line.name })).toContainText('on their own page');
  const longer = await api.send('PUT', `/appointments/${asked.body[0]?.key}`, late('19:30'));
  expect(longer.status, JSON.stringify(longer.body)).toBe(200);
  const row = desk
    .getByRole('list', { name: 'Calls to make' })
    .locator('> li')
    .filter({ has: desk.getByRole('button', { name: line.name, exact: true }) });
  await expect(row).toContainText('Ask');
  await page.reload();
  await card.getByRole('button', { name: 'I can’t' }).click();
  await page.getByLabel('Why not?').fill('my own child is home');
  await page.getByRole('button', { name: 'Send' }).click();
  // The therapist keeps the part that they said yes to: only the added half hour needs someone else.
  await expect(row).toHaveCount(0);
  const refused = desk.getByRole('region', { name: 'Call details' }).getByRole('listitem');
  await expect(refused.filter({ hasText: 'said no' })).toContainText(
    new RegExp(
      `${line.name}${session?.['Client Name']} 7:00 PM to 7:30 PM, said no at .*, on their own page: my own child is home`,
    ),
  );
  const family = desk.getByRole('list', { name: 'Calls to make' }).locator('> li');
  await expect(family.filter({ hasText: `${line.name} is away: see the new options before you call` })).toHaveCount(1);
  await desk.close();
});

test('when staff open the therapists’ page, it says whose it is and leads to the calendar; a therapist has no link @detail', async ({
  page,
  watch,
}) => {
  watch.allow(/403/);
  await signedIn(page, DEMO.staff, '/me');
  const back = page.getByRole('link', { name: 'Calendar' });
  await expect(page.getByRole('alert')).toContainText('This page is for therapists');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await back.click();
  await expect(page).toHaveURL(/\/calendar/);
  await page.evaluate(() => localStorage.clear());
  await signedIn(page, DEMO.therapist, '/me');
  await expect(page.getByRole('heading', { name: 'Nothing has changed' }).or(page.locator('#changes'))).toBeVisible();
  await expect(back).toHaveCount(0);
});

test('given two reported absences, a double click on Confirm confirms only the first', async ({ browser, request }) => {
  const therapist = await Api.signIn(request, DEMO.therapist);
  const today = await therapist.today();
  for (const days of [5, 6]) {
    const date = addDays(today, days);
    const report = { from_date: date, from_time: '09:00', to_date: date, to_time: '12:00', cause: 'sick' };
    expect((await therapist.send('POST', '/me/absences', report)).status).toBe(204);
  }
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signedIn(desk);
  await desk.goto('/?location=altamonte');
  const confirm = desk.getByRole('button', { name: /Confirm / });
  await expect(confirm).toHaveCount(2);
  const at = await confirm.first().boundingBox();
  await desk.mouse.click((at?.x ?? 0) + 10, (at?.y ?? 0) + 10);
  await expect(confirm).toHaveCount(1);
  // The second report has moved up under the pointer.
  await expect.poll(async () => (await confirm.boundingBox())?.y).toBeCloseTo(at?.y ?? 0, -1);
  await expect(confirm).not.toHaveAttribute('aria-disabled');
  const sent = await desk.evaluateHandle(() => {
    const urls: string[] = [];
    const fetching = window.fetch.bind(window);
    window.fetch = (url, options) => {
      urls.push(new Request(url).url);
      return fetching(url, options);
    };
    return urls;
  });
  await desk.mouse.down({ clickCount: 2 });
  await desk.mouse.up({ clickCount: 2 });
  expect((await sent.jsonValue()).filter((url) => url.endsWith('/confirm'))).toEqual([]);
  await desk.mouse.down();
  await desk.mouse.up();
  await expect(confirm).toHaveCount(0);
  expect((await sent.jsonValue()).filter((url) => url.endsWith('/confirm'))).toHaveLength(1);
  await desk.close();
});

test('when a report of several days is confirmed, the message leads to the options of its first day, and Today to the others @detail', async ({
  browser,
  request,
}) => {
  const therapist = await Api.signIn(request, DEMO.therapist);
  const from = addDays(await therapist.today(), 7);
  const to = addDays(from, 2);
  const report = { from_date: from, from_time: '07:00', to_date: to, to_time: '19:00', cause: 'leave' };
  expect((await therapist.send('POST', '/me/absences', report)).status).toBe(204);
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signedIn(desk);
  await desk.goto(`/?location=altamonte&date=${to}`);
  await desk.getByRole('button', { name: /Confirm / }).click();
  const message = desk.getByRole('status').filter({ hasText: 'absence confirmed' });
  await expect(message).toContainText(`${shortDate(from)} to ${shortDate(to)}`);
  // Each day of the report is in the week on Today, where a click opens it.
  const week = desk.getByRole('region', { name: /week/i });
  for (const date of [from, addDays(from, 1), to])
    await expect(week.getByRole('link', { name: `Altamonte, ${shortDate(date)}: ` })).toHaveAccessibleName(/need/);
  await message.getByRole('button', { name: `Options for ${shortDate(from)}` }).click();
  await expect(desk).toHaveURL(new RegExp(`/calendar\\?.*date=${from}`));
  await expect(desk.getByRole('dialog', { name: `Schedule Solutions for ${longDate(from)}` })).toBeVisible();
  await desk.close();
});
