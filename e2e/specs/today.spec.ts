import type { TodayReply } from '@clinic/contract';
import { locationLabel, longDate } from '@clinic/domain';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Api, Solutions } from '../pages/solutions.ts';

const at = 'orlando';

test('[ROUTE-05] `/` says what needs doing, and every figure leads to the thing itself', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, at, 1);
  const reply = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  await signIn(page);
  await page.goto(`/?location=${at}`);
  await expect(page.getByRole('heading', { name: 'Today', exact: true })).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue(at);
  await expect(page.getByRole('button', { name: longDate(today) })).toBeVisible();
  await expect(page.getByText(`${reply.needs_cover.length} sessions need cover`)).toBeVisible();
  await expect(page.getByText(/^Good (morning|afternoon|evening), Dana\. It is \d+:\d\d [AP]M\.$/)).toBeVisible();

  const needs = page.getByRole('list', { name: 'Needs cover now' });
  await expect(needs.getByRole('listitem')).toHaveCount(reply.needs_cover.length);
  const reserve = page.getByRole('list', { name: 'Who is free' });
  await expect(reserve.getByRole('listitem')).toHaveCount(reply.reserve.length);
  const away = page.getByRole('region', { name: 'Away, submitted, week' });
  for (const absence of reply.away) await expect(away.getByText(absence.name).first()).toBeVisible();

  // The person away, a gap, somebody free, a day of the week: each is a way into the calendar.
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

  // And the options are one press away.
  await page.getByRole('link', { name: 'See all options' }).click();
  const view = new Solutions(page);
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(today)}`);
});

test('what was submitted can be taken back here, after a question', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, at, 2);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(today, at);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  const before = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  expect(before.commits.filter((c) => c.undone_at === null)).toHaveLength(1);

  await page.goto(`/?location=${at}`);
  const side = page.getByRole('region', { name: 'Away, submitted, week' });
  await expect(side.getByText(/by you$/)).toBeVisible();
  const again = page.waitForEvent('download');
  await side.getByRole('button', { name: /^Workbook of / }).click();
  expect((await again).suggestedFilename()).toBe('schedule_actions.xlsx');
  await side.getByRole('button', { name: /^Undo/ }).click();
  const asked = page.getByRole('alertdialog', { name: /^Take back what was submitted at / });
  await asked.getByRole('button', { name: 'Keep it' }).and(asked.getByRole('button').last()).click();
  await expect(asked).toBeHidden();
  await side.getByRole('button', { name: /^Undo/ }).click();
  await asked.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/is taken back$/)).toBeVisible();
  await expect(side.getByText(/taken back by you$/)).toBeVisible();
  const after = await api.get<TodayReply>(`/today?location=${at}&date=${today}`);
  expect(after.commits.filter((c) => c.undone_at === null)).toHaveLength(0);
  expect(after.needs_cover.length).toBeGreaterThan(before.needs_cover.length);
});

test('what others do appears without a reload', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  const place = 'palm beach';
  await signIn(page);
  await page.goto(`/?location=${encodeURIComponent(place)}`);
  const side = page.getByRole('region', { name: 'Away, submitted, week' });
  await expect(side.getByRole('heading', { name: 'Who is away' })).toBeVisible();
  const somebody = (await api.slots(today, place)).people.find((p) => p.type === 'therapist');
  await api.away(today, place, [somebody?.name ?? '']);
  await expect(side.getByRole('link', { name: new RegExp(`^All day ?: ${somebody?.name}$`) })).toBeVisible();
});

test('a day that cannot be loaded says so, and loads again', async ({ page, watch }) => {
  watch.allow(/500/);
  await signIn(page);
  await page.route('**/api/today?*', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }), {
    times: 1,
  });
  await page.goto(`/?location=${at}`);
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('Failed to load the day. Please try again.');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/needs? cover|Everyone is covered/).first()).toBeVisible();
  await page.getByLabel('Location').selectOption(locationLabel('tampa'));
  await expect(page).toHaveURL(/location=tampa/);
});
