import type { CallsReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Page, Route } from '@playwright/test';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { expectAccessible } from '../fixtures/axe.ts';

test.use({ serverFor: 'calls-unsure' });

const AT = 'tampa';
const lines = (page: Page) => page.getByRole('list', { name: 'Calls to make' }).locator('> li');
const callsOf = (api: Api, date: IsoDate, location: Location = AT): Promise<CallsReply> =>
  api.get<CallsReply>(`/calls?location=${location}&date=${date}`);

/** Opens the call list of a day with changes, and returns the day and the first line. */
async function opened(page: Page, api: Api) {
  const date = await api.today();
  if ((await callsOf(api, date)).lines.length === 0) await api.commit(await api.callOut(date, AT, 2));
  await signedIn(page);
  const { lines: open } = await callsOf(api, date);
  const [first] = open;
  if (!first) throw new Error('no one to tell');
  // Chromium may let the first request pass after requests begin to be intercepted, so this begins before the page loads.
  await page.route('**/api/calls/answer', (route) => route.fallback());
  await page.goto(`/calls?location=${AT}&date=${date}`);
  await expect(lines(page)).toHaveCount(open.length);
  return { date, first, open };
}
const once = (page: Page, answer: (route: Route) => Promise<void>): Promise<unknown> =>
  page.route('**/api/calls/answer', answer, { times: 1 });

test('when the reply to an answer is lost, the page says that it may have been saved, and then shows what was saved', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/ERR_FAILED|502|Failed to load/);
  const api = await Api.signIn(request);
  const { date, first, open } = await opened(page, api);
  const said = page.getByText('It may have been saved. Check the list before trying again.');

  // The answer did not reach the server: the person is still on the list.
  await once(page, (route) => route.abort());
  await page.keyboard.press('1');
  await expect(said).toBeVisible();
  await expect(page.getByText(/: told$/)).toHaveCount(0);
  await expect(lines(page)).toHaveCount(open.length);
  await page.reload();
  await expect(lines(page)).toHaveCount(open.length);

  // After a gateway's error, too, no one knows whether the server saved the answer.
  await once(page, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await page.keyboard.press('1');
  await expect(said).toBeVisible();
  await expect(lines(page)).toHaveCount(open.length);
  await page.reload();
  await expect(lines(page)).toHaveCount(open.length);

  // The answer was saved, but its reply was lost: the list shows that the person was told.
  await once(page, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('1');
  await expect(said).toBeVisible();
  await expect(page.getByText(/: told$/)).toHaveCount(0);
  await expect(lines(page)).toHaveCount(open.length - 1);
  expect((await callsOf(api, date)).told.map(({ id }) => id)).toContain(first.id);
});

test('given a “No answer” whose reply is lost, pressing it again is the same call; from a list that shows it, it is a second call', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/ERR_FAILED|Failed to load/);
  const api = await Api.signIn(request);
  const { date, first } = await opened(page, api);
  const attempts = async (): Promise<number> =>
    (await callsOf(api, date)).lines.find(({ id }) => id === first.id)?.answers.length ?? -1;
  const before = await attempts();
  // The list cannot be loaded again either, so the page does not show that the call was saved.
  await page.route('**/api/calls?*', (route) => route.abort());
  await once(page, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('3');
  await expect(page.getByText('It may have been saved. Check the list before trying again.')).toBeVisible();
  await page.unroute('**/api/calls?*');
  await page.keyboard.press('3');
  await expect(lines(page).first().getByText('no answer', { exact: true })).toBeVisible();
  expect(await attempts()).toBe(before + 1);
  await page.keyboard.press('3');
  await expect.poll(attempts).toBe(before + 2);
});

test('a note stays with its line while another line is current, and comes back if the answer cannot be saved', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/500/);
  const api = await Api.signIn(request);
  await opened(page, api);
  const current = page.locator('[data-line][data-current]');
  const note = current.getByPlaceholder('Note');
  await page.keyboard.press('n');
  await page.keyboard.type('call the school');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await expect(note).toHaveValue('');
  await page.keyboard.press('ArrowUp');
  await expect(note).toHaveValue('call the school');

  await once(page, (route) => route.fulfill({ status: 500, json: { detail: 'The server could not save this.' } }));
  await page.keyboard.press('3');
  await expect(page.getByText('The server could not save this.')).toBeVisible();
  await expect(note).toHaveValue('call the school');
  await page.keyboard.press('3');
  await expect(current).toContainText('call the school');
  await expect(note).toHaveValue('');
});

test('when the login ends while a note about a call is being typed, the note is there again after the next login', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/401/);
  const api = await Api.signIn(request);
  const { date, open } = await opened(page, api);
  const [, second] = open;
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('n');
  await page.keyboard.type('ask for the father');
  await once(page, (route) => route.fulfill({ status: 401, json: { detail: 'ended' } }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('3');
  await page.waitForURL('**/login**');
  await signedIn(page);
  await page.goto(`/calls?location=${AT}&date=${date}`);
  const current = page.locator('[data-line][data-current]');
  await expect(current).toHaveAttribute('data-line', `${second?.kind}:${second?.id}`);
  await expect(current.getByPlaceholder('Note')).toHaveValue('ask for the father');
  await page.keyboard.press('3');
  await expect(current).toContainText('ask for the father');
  await page.reload();
  await expect(lines(page)).toHaveCount(open.length);
  await expect(current.getByPlaceholder('Note')).toHaveValue('');
});

test('given a message about a plan that is then undone on Today, the line stays, says that the message no longer holds, and is told with one key', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const location = 'orlando'; // the other tests of this file use another location
  const date = await api.today();
  await api.commit(await api.callOut(date, location, 1));
  await signedIn(page);
  await page.goto(`/calls?location=${location}&date=${date}`);
  const [first] = (await callsOf(api, date, location)).lines;
  if (!first) throw new Error('no one to tell');
  await expect(lines(page).first()).toContainText(first.name);
  await page.keyboard.press('2');
  await expect(lines(page).first()).toContainText('left message');

  await page.goto(`/?location=${location}`);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText('were left a message, are on the call list again');
  await asked.getByRole('button', { name: 'Undo' }).click();
  await expect(asked).toHaveCount(0);

  await page.goto(`/calls?location=${location}&date=${date}`);
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page)).toContainText(first.name);
  await expect(lines(page)).toContainText('Our earlier message no longer holds.');
  await expect(lines(page)).toContainText(/Message left at \d+:\d\d AM by /);
  await expectAccessible(page, 'call list with a message that no longer holds');
  await page.keyboard.press('1');
  await expect(lines(page)).toHaveCount(0);
});
