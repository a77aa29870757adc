// This file is over 250 lines because it holds all tests of the Today page on a wide screen.
import type { CallCount, Client, Therapist, TodayReply } from '@clinic/contract';
import { defaultLocation, locationLabel, locationValues, longDate, shortDate } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

const at = 'orlando';

test('[ROUTE-05] `/` shows what needs doing, and every figure links to its source', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, at, 1);
  const reply = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  await signedIn(page);
  await page.goto(`/?location=${at}`);
  await expect(page.getByRole('heading', { name: 'Today', exact: true })).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue(at);
  await expect(page.getByRole('button', { name: longDate(today) })).toBeVisible();
  const sessions = new Set(reply.needs_cover.map((n) => n.session)).size;
  await expect(page.getByText(`${sessions} sessions need cover`)).toBeVisible();
  await expect(page.getByText(/^Good (morning|afternoon|evening), Dana\. It is \d+:\d\d [AP]M\.$/)).toBeVisible();

  const needs = page.getByRole('list', { name: 'Needs cover now' });
  await expect(needs.getByRole('listitem')).toHaveCount(reply.needs_cover.length);
  const reserve = page.getByRole('list', { name: 'Who is free' });
  await expect(reserve.getByRole('listitem')).toHaveCount(reply.reserve.length);
  const away = page.getByRole('region', { name: 'Day details' });
  for (const absence of reply.away) await expect(away.getByText(absence.name).first()).toBeVisible();

  // An absent person, a session that needs cover and a day of the week each link to the calendar.
  await away.getByRole('link', { name: new RegExp(`: ${reply.away[0]?.name}$`) }).click();
  await page.waitForURL(/\/calendar/);
  expect(new URL(page.url()).searchParams.get('find')).toBe(reply.away[0]?.name);
  await page.goBack();
  await needs
    .getByRole('link', { name: /needs cover$/ })
    .first()
    .click();
  await page.waitForURL(/\/calendar.*find=/);
  await page.goBack();
  await away
    .getByRole('link', { name: /h kept/ })
    .first()
    .click();
  await page.waitForURL(/\/calendar.*date=/);
  await page.goBack();

  // The options are one click away.
  await page.getByRole('link', { name: 'See options', exact: true }).click();
  const view = new OptionsModal(page);
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(today)}`);
});

test('Today shows for each day of the week, at every location, the same figures as that day’s own page and call list', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  await signedIn(page);
  await page.goto(`/?location=${at}`);
  const week = page.getByRole('region', { name: 'This week', exact: true });
  await expect(week.getByRole('row')).toHaveCount(locationValues().length + 1);
  for (const location of locationValues()) {
    const query = `location=${encodeURIComponent(location)}&date=${today}`;
    const reply = await api.get<TodayReply>(`/today?${query}`);
    const count = await api.get<CallCount>(`/calls/count?${query}`);
    const cell = week.getByRole('link', { name: `${locationLabel(location)}, ${shortDate(today)}: ` });
    const sessions = new Set(reply.needs_cover.map((n) => n.session)).size;
    const toCancel = reply.to_cancel ?? 0;
    const wrong = (reply.wrong?.length ?? 0) - toCancel;
    const open = [
      ...(sessions > 0 ? [sessions === 1 ? '1 needs cover' : `${sessions} need cover`] : []),
      ...(wrong > 0 ? [`${wrong} wrong`] : []),
      ...(toCancel > 0 ? [`${toCancel} to submit`] : []),
      ...(count.to_tell > 0 ? [`${count.to_tell} to tell`] : []),
    ];
    await expect(cell).toHaveAccessibleName(new RegExp(`: ${open.join(', ') || 'nothing is open'}$`));
  }
  await expect(week.locator('th [aria-current]')).toHaveText(locationLabel(at));
  await expectAccessible(page, 'the week at every location');
  await week.getByRole('button', { name: 'Next week' }).click();
  await expect(page.getByRole('region', { name: /^Week of Mon, / }).getByRole('row')).toHaveCount(
    locationValues().length + 1,
  );
  await page.getByRole('button', { name: 'Previous week' }).click();
  await week.getByRole('link', { name: locationLabel(defaultLocation()), exact: true }).click();
  await expect(page.getByLabel('Location')).toHaveValue(defaultLocation());
});

test('given a session against a rule, nothing says that all is well, and Find cover opens the options for it', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = await api.ownDay('against a rule');
  const child = { first_name: 'Nell', last_name: 'Against', location: at, gender: 'Female', restrictions: [] };
  const { body: nell } = await api.send<Client>('POST', '/clients', child);
  const person = { first_name: 'Rule', last_name: 'Breaker', location: at, gender: 'Female' };
  const starts = { specialization: 'RBT', start_date: '2024-03-04', availability: [] };
  const { body: rule } = await api.send<Therapist>('POST', '/therapists', { ...person, ...starts });
  const [client, therapist] = [nell.display_name, rule.display_name];
  const session = { location: at, client, date, start: '09:00', end: '10:00', subject: 'Direct Therapy' };
  expect((await api.send('POST', '/appointments', { ...session, therapist, anyway: true })).status).toBe(201);
  await signedIn(page);
  await page.goto(`/?location=${at}&date=${date}`);
  const main = page.getByRole('region', { name: 'Cover for this day' });
  await expect(main.getByText('Nothing is wrong')).toBeVisible();
  const restrictions = [{ type: 'therapist', restriction: rule.id }];
  expect((await api.send('PUT', `/clients/${nell.id}`, { ...nell, restrictions })).status).toBe(200);
  await expect(main.getByText('1 thing is wrong')).toBeVisible();
  await expect(main.getByText('Everyone is covered')).toHaveCount(0);
  const lane = main.getByRole('list', { name: 'Things that are wrong' }).getByRole('listitem');
  await expect(lane).toContainText(`${client} cannot be booked with ${therapist}`);
  await page.goto(`/calendar?location=${at}&date=${date}&view=client`);
  const bar = page.locator('[data-bar]').filter({ hasText: therapist });
  await expect(bar).toHaveAccessibleName(/, wrong$/);
  await bar.focus();
  await expect(page.getByRole('tooltip')).toContainText('Wrong');
  await expect(page.getByRole('tooltip')).not.toContainText('Confirmed');
  await page.getByRole('link', { name: '1 thing is wrong' }).click();
  // On a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(lane.getByRole('button', { name: /^Find cover/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await lane.getByRole('button', { name: /^Find cover/ }).click();
  await expect(new OptionsModal(page).modal).toBeVisible();
});

test('a commit can be undone on the Today page, after a confirmation', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  // Other tests may have committed at this location before; the newest commit comes first.
  const open = async (): Promise<TodayReply['commits']> => {
    const { commits } = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
    return commits.filter((c) => c.undone_at === null);
  };
  const earlier = await open();
  await api.commit(await api.callOut(today, at, 2));
  await signedIn(page);
  const before = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  expect(await open()).toHaveLength(earlier.length + 1);

  await page.goto(`/?location=${at}`);
  const side = page.getByRole('region', { name: 'Day details' });
  await expect(side.getByText(/by you$/).first()).toBeVisible();
  const again = page.waitForEvent('download');
  await side
    .getByRole('button', { name: /^Workbook from / })
    .first()
    .click();
  expect((await again).suggestedFilename()).toBe('schedule_actions.xlsx');
  await side.getByRole('button', { name: /^Undo/ }).first().click();
  const asked = page.getByRole('alertdialog', { name: /^Undo the .* changes\?$/ });
  await asked.getByRole('button', { name: 'Keep the changes' }).and(asked.getByRole('button').last()).click();
  await expect(asked).toBeHidden();
  await side.getByRole('button', { name: /^Undo/ }).first().click();
  await asked.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/changes are undone$/)).toBeVisible();
  await expect(side.getByText(/undone by you$/).first()).toBeVisible();
  const after = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  expect(await open()).toHaveLength(earlier.length);
  expect(after.needs_cover.length).toBeGreaterThan(before.needs_cover.length);
});

test('given a client’s absence whose cancellations are not submitted, Today says so and leads to them', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = await api.ownDay('to cancel');
  const [{ display_name: client = '' } = {}] = await api.get<Client[]>(`/clients?location=${at}`);
  const session = { location: at, client, therapist: null, date, start: '09:00', end: '10:00', subject: 'Assessment' };
  expect((await api.send('POST', '/appointments', session)).status).toBe(201);
  await api.clientAway(date, at, client);
  await signedIn(page);
  await page.goto(`/?location=${at}&date=${date}`);
  const main = page.getByRole('region', { name: 'Cover for this day' });
  await expect(main.getByText('1 thing is wrong')).toBeVisible();
  await expect(main.getByRole('link', { name: `Orlando, ${shortDate(date)}: 1 to submit` })).toBeVisible();
  const line = main.getByRole('list', { name: 'Things that are wrong' }).getByRole('listitem');
  await expect(line).toContainText(`${client} is away, not submitted`);
  await page.goto(`/calendar?location=${at}&date=${date}`);
  await expect(page.getByText('1 cancellation to submit')).toBeVisible();
  await expect(page.getByRole('button', { name: 'See options' })).toBeVisible();
  await page.goBack();
  await line.getByRole('link', { name: /^See options/ }).click();
  const view = new OptionsModal(page);
  // The code that keeps the focus arrives after the message with the focused button is gone.
  await page.route('**/assets/kept-focus-*.js', async (route) => {
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await route.continue();
  });
  await view.submit.click();
  await page.getByRole('button', { name: 'Calls to make' }).focus();
  await page.keyboard.press('Enter');
  // The message with the button is gone, so the focus is on the new page.
  await expect(page.getByRole('heading', { name: 'Calls', exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.goto(`/?location=${at}&date=${date}`);
  await expect(page.getByText('Nothing needs cover now')).toBeVisible();
});

test('in a clinic without people, Today says what to do first, and that nothing is done @detail', async ({ page }) => {
  await page.route('**/api/today?**', async (route) => {
    const reply = await route.fetch();
    const today = (await reply.json()) as TodayReply;
    const week = today.week.map(({ date }) => ({ date, booked: 0, kept: 0, lost: 0, open: 0 }));
    await route.fulfill({ json: { ...today, week, needs_cover: [], to_cancel: 0, away: [], reserve: [] } });
  });
  await signedIn(page, DEMO.admin);
  await page.goto(`/?location=${at}`);
  const main = page.getByRole('region', { name: 'Cover for this day' });
  await expect(main.getByText('Nothing is booked this week')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open the profiles' })).toHaveAttribute('href', '/profiles');
  await expect(main.getByText('Everyone is covered')).toHaveCount(0);
  await main.getByRole('link', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();
});

test('an absence saved by someone else appears on the Today page without a reload', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  const place = 'palm beach';
  await signedIn(page);
  await page.goto(`/?location=${encodeURIComponent(place)}`);
  const side = page.getByRole('region', { name: 'Day details' });
  await expect(side.getByRole('heading', { name: 'Who is away' })).toBeVisible();
  const somebody = (await api.slots(today, place)).people.find((p) => p.type === 'therapist');
  await api.away(today, place, [somebody?.name ?? '']);
  await expect(side.getByRole('link', { name: new RegExp(`^All day ?: ${somebody?.name}$`) })).toBeVisible();
});

test('[ROUTE-06] Scheduler, Ledgers and Reports, and for administrators Import, Accounts, Causes and Audit, are linked from Today @detail', async ({
  page,
}) => {
  await signedIn(page);
  await page.goto('/');
  const more = page.getByRole('region', { name: 'More' }).getByRole('link');
  const all = [
    'Hours & authorizations',
    'Reports',
    'Cancel a child’s week',
    'Find a time',
    'Close a location',
    'Plan a meeting',
    'Weekly series',
  ];
  await expect(more).toHaveText(all);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await signedIn(page, DEMO.admin);
  await page.goto('/');
  await expect(more).toHaveText([
    ...all,
    'Import',
    'Export',
    'Accounts',
    'Locations',
    'Reasons',
    'Other programs',
    'Who did what',
  ]);
  await more.getByText('Accounts').click();
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeVisible();
});

test('when a session’s bar is too short for text, its time is shown beside the name @detail', async ({ page }) => {
  await signedIn(page);
  const need = (client: string, start: string, end: string) => ({
    key: client,
    session: client,
    client,
    start,
    end,
    subject: 'Direct Therapy',
    why: 'A therapist with a rather long name is away all day and until the evening.',
  });
  await page.route('**/api/today?*', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as TodayReply;
    const needs_cover = [
      need('Bo Lee', '09:00', '10:00'),
      need('Mo Diaz', '10:00', '10:30'),
      need('Zoe Fox', '11:00', '12:30'),
      need('Ali Kent', '13:00', '15:30'),
      need('Uri Dale', '13:00', '16:00'),
    ];
    await route.fulfill({ response, json: { ...reply, needs_cover } });
  });
  await page.goto(`/?location=${at}`);
  const line = (client: string) =>
    page.getByRole('list', { name: 'Needs cover now' }).getByRole('listitem').filter({ hasText: client });
  await expect(line('Bo Lee').getByText('9:00 AM - 10:00 AM.')).toBeVisible();
  await expect(line('Mo Diaz').getByText('10:00 AM - 10:30 AM.')).toBeVisible();
  await expect(line('Zoe Fox').getByText('11:00 - 12:30')).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(line('Zoe Fox').getByText('11:00 AM - 12:30 PM.')).toBeVisible();
  for (const client of ['Bo Lee', 'Mo Diaz', 'Zoe Fox']) {
    const gap = await line(client)
      .getByText('A therapist with')
      .evaluate((words) => {
        const cell = words.closest('div')?.getBoundingClientRect();
        const text = words.getBoundingClientRect();
        return cell ? cell.bottom - text.bottom : -1;
      });
    expect(gap).toBeGreaterThanOrEqual(3);
  }

  // At every width, each session's time is somewhere: whole in the bar, or beside the name.
  for (const width of [1920, 1440, 1280, 1200, 1199, 1024, 980, 900, 800, 390]) {
    await page.setViewportSize({ width, height: 768 });
    const untimed = await page
      .getByRole('list', { name: 'Needs cover now' })
      .getByRole('listitem')
      .evaluateAll((lines) =>
        lines
          .filter((each) => {
            const bar = each.querySelector('[style*="--span"]');
            const words = bar?.querySelector('span');
            const isWhole =
              words?.checkVisibility() &&
              words.getBoundingClientRect().right < (bar?.getBoundingClientRect().right ?? 0);
            return !isWhole && !each.querySelector('[data-room]')?.checkVisibility();
          })
          .map((each) => each.textContent),
      );
    expect(untimed, `${width} px`).toEqual([]);
  }
});
