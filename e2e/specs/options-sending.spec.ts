// This file is over 250 lines because it tests every outcome of Submit and Refresh.
import { TEXTS } from '@clinic/contract';
import { dayOfWeek, weekdayName } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { openClash, openOptions, optionNumber } from '../pages/options.ts';

// Tests share a server with the demo clinic's next two weeks, so each test that writes uses its own day.
const place = {
  clash: { at: 'tampa', after: 1 },
  stale: { at: 'deerfield', after: 1 },
  unknown: { at: 'deerfield', after: 2 },
  counted: { at: 'palm beach', after: 3 },
  json: { at: 'deerfield', after: 3 },
  failures: { at: 'palm beach', after: 1 },
  double: { at: 'palm beach', after: 7 },
  ended: { at: 'palm beach', after: 10 },
  refused: { at: 'palm beach', after: 6 },
} as const;

test('[SOL-11] clashing pins are listed on the page with date, time and therapist, and nothing else happens', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/410/);
  const { date, view, found } = await openClash(page, request, place.clash);
  await view.mode.click();
  await view.pick(found.other, 1).click();
  await view.pick(found.client, optionNumber(found.option)).click();
  const answered = page.waitForResponse('**/api/refresher');
  await view.refresh.click();
  expect((await answered).status()).toBe(410);

  await expect(view.alert).toHaveAccessibleName(TEXTS.conflicts);
  // The date is in the server's format, as in the specification's example, followed by the day of the week.
  await expect(view.alert.getByText(`Date: ${date} ${weekdayName(dayOfWeek(date))}`).first()).toBeVisible();
  await expect(view.alert.getByText(/^Time: \d/).first()).toBeVisible();
  await expect(view.alert.getByText(`Therapist: ${found.clash.therapist}`).first()).toBeVisible();
  await view.alert.getByRole('button', { name: 'OK' }).click();
  await expect(view.alert).toBeHidden();
  await expect(view.mode).toBeChecked();
  await expect(view.pick(found.client, optionNumber(found.option))).toHaveAttribute('aria-pressed', 'true');
});

test('[SOL-10] [SOL-17] when the day has changed, a commit is refused, clashing cells are marked, and a refresh keeps the rest', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const { api, at, date, view, proposal } = await openOptions(page, request, place.stale, 2);
  const covers = Object.entries(proposal.data[date] ?? {}).flatMap(([client, options]) =>
    Object.values(options['Option 1'] ?? {}).flatMap((c) =>
      c.status === 'Cover' ? [{ client, therapist: c.therapist }] : [],
    ),
  );
  const [cover] = covers;
  if (!cover) throw new Error('nobody is covered');
  // Someone else records that the covering therapist is now away too.
  await api.away(date, at, [cover.therapist]);
  await expect(view.modal.getByText('The day has changed since these options were made.')).toBeVisible();

  await view.submit.click();
  await expect(view.alert).toHaveAccessibleName(TEXTS.actionsFailed);
  await expect(view.alert).toContainText(TEXTS.conflicts);
  await expect(view.alert).toContainText(`Therapist: ${cover.therapist}`);
  await view.alert.getByRole('button', { name: 'OK' }).click();
  await expect(view.modal).toBeVisible();
  await expect(view.rows(cover.client).locator('[data-clash][data-picked]').first()).toBeVisible();
  await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
  await expect(view.submit).toHaveAccessibleDescription(/no longer fits? the calendar/);

  const sent = page.waitForRequest('**/api/refresher');
  await view.modal.getByRole('button', { name: 'Refresh, keep my other choices' }).click();
  const pins = (await sent).postDataJSON() as { refreshSelections: { client: string }[] };
  expect(pins.refreshSelections.map((p) => p.client)).not.toContain(cover.client);
  await expect(view.modal.locator('[data-clash]')).toHaveCount(0);
  await expect(view.mode).not.toBeChecked();
  await expect(view.modal.getByText('The day has changed since these options were made.')).toBeHidden();
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await expect(view.modal).toBeHidden();
});

test('[SOL-12] [SOL-17] refusals and missing replies are shown with the specification’s messages', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/500|ERR_FAILED/);
  const { view } = await openOptions(page, request, place.failures, 1);
  const say = async (button: 'submit' | 'refresh', text: string): Promise<void> => {
    await view[button].click();
    await expect(view.alert).toHaveAccessibleName(text);
    await view.alert.getByRole('button', { name: 'OK' }).click();
    await expect(view.alert).toBeHidden();
    await expect(view.modal).toBeVisible();
  };
  await page.route('**/api/actions', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }), {
    times: 1,
  });
  await say('submit', TEXTS.actionsFailed);
  await page.route('**/api/actions', (route) => route.abort(), { times: 1 });
  await say('submit', TEXTS.actionsNoReply);
  await view.mode.click();
  await page.route('**/api/refresher', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }), {
    times: 1,
  });
  await say('refresh', TEXTS.refreshFailed);
  await page.route('**/api/refresher', (route) => route.abort(), { times: 1 });
  await say('refresh', TEXTS.refreshNoReply);

  // [SOL-06] When a refresh leaves no options, the page says so instead of showing a table.
  await page.route(
    '**/api/refresher',
    async (route) => {
      const { metadata } = route.request().postDataJSON() as { metadata: unknown };
      const empty = { output: { possible_solutions: {} }, metadata, backed_up_therapists: {}, message: '' };
      await route.fulfill({ json: empty });
    },
    { times: 1 },
  );
  await say('refresh', TEXTS.refreshEmpty);
  await expect(view.modal.getByText(TEXTS.noOptions)).toBeVisible();
});

test('a double click on Refresh does not submit the day', async ({ page, request }) => {
  const { view } = await openOptions(page, request, place.double, 1);
  let submits = 0;
  page.on('request', (sent) => {
    if (sent.url().endsWith('/api/actions')) submits++;
  });
  await view.mode.click();
  await view.refresh.evaluate((button: HTMLElement) => {
    new MutationObserver((_, observer) => {
      if (button.textContent !== 'Submit') return;
      observer.disconnect();
      button.click();
      button.dataset['pressedTwice'] = '';
    }).observe(button, { childList: true, characterData: true, subtree: true });
  });
  await view.refresh.click();
  await expect(view.submit).toHaveAttribute('data-pressed-twice', '');
  await expect(view.submit).toBeEnabled();
  expect(submits).toBe(0);
  await expect(view.modal).toBeVisible();
});

test('[SOL-05] [SOL-12] [SOL-17] when the session has ended, the login page opens', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/401/);
  let asked = 0;
  page.on('request', (sent) => (asked += sent.url().endsWith('/api/proposals') ? 1 : 0));
  const { at, date, view } = await openOptions(page, request, place.ended, 1);
  for (const call of ['actions', 'refresher'] as const) {
    if (call === 'refresher') {
      // The options that were open when the session ended open again, and no others are asked for over them.
      await signedIn(page);
      await page.goto(`/calendar?date=${date}&location=${encodeURIComponent(at)}&options=open`);
      await view.table.waitFor();
      expect(asked, 'requests for options').toBe(1);
    }
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(
      `**/api/${call}`,
      async (route) => {
        await held;
        await route.fulfill({ status: 401, json: { detail: 'ended' } });
      },
      { times: 1 },
    );
    if (call === 'refresher') await view.mode.click();
    await (call === 'refresher' ? view.refresh : view.submit).click();
    await expect(view.modal.getByRole('button', { name: 'Processing...' })).toBeVisible();
    answer();
    await page.waitForURL('**/login**');
    await expect(page.getByRole('heading', { name: 'Login to Scheduler' })).toBeVisible();
  }
});

test('when the reply to a commit is lost, the page says so, and submitting again does not commit twice', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/ERR_FAILED/);
  const { api, at, date, view } = await openOptions(page, request, place.unknown, 1);
  const keys: (string | null)[] = [];
  page.on('request', (sent) => {
    if (sent.url().endsWith('/api/actions')) keys.push(sent.headers()['idempotency-key'] ?? null);
  });
  await page.route(
    '**/api/actions',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await view.submit.click();
  await expect(view.alert).toHaveAccessibleName(TEXTS.actionsNoReply);
  await expect(view.alert).toContainText('may have been submitted');
  await view.alert.getByRole('button', { name: 'OK' }).click();
  const download = page.waitForEvent('download');
  await view.submit.click();
  expect((await download).suggestedFilename()).toBe('schedule_actions.xlsx');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  const commits = await api.get<{ id: string }[]>(`/commits?location=${encodeURIComponent(at)}&date=${date}`);
  expect(commits).toHaveLength(1);
});

test('the toast after a commit shows how many changes the server counted @detail', async ({ page, request }) => {
  const { view } = await openOptions(page, request, place.counted, 1);
  let counted = '';
  await page.route('**/api/actions', async (route) => {
    const response = await route.fetch();
    counted = String(Number(response.headers()['x-changes']) + 1); // the page itself would count one less
    await route.fulfill({ response, headers: { ...response.headers(), 'x-changes': counted } });
  });
  await view.submit.click();
  await expect(page.getByRole('status').getByText(/changes? submitted/)).toContainText(`${counted} change`);
});

test('[SOL-13] [SOL-14] [SOL-15] [SOL-16] [SOL-18] [SOL-19] a commit is sent as specified; a JSON reply works too', async ({
  page,
  request,
}) => {
  const { at, date, view, proposal } = await openOptions(page, request, place.json, 1);
  const kept = await page.evaluate(() => localStorage.getItem('backed_up_therapists'));
  expect(JSON.parse(kept ?? 'null')).toEqual(proposal.backed_up_therapists);

  const [client = ''] = Object.keys(proposal.data[date] ?? {});
  let body: Record<string, unknown> = {};
  await page.route('**/api/actions', async (route) => {
    body = route.request().postDataJSON() as Record<string, unknown>;
    expect(route.request().headers()['accept']).not.toContain('json');
    await route.continue({ headers: { ...route.request().headers(), accept: 'application/json' } });
  });
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await expect(view.modal).toBeHidden();
  expect(body).toMatchObject({
    selectedOptions: { [date]: { [client]: 'Option 1' } },
    selectedOptionsFullData: {
      [date]: {
        [client]: {
          optionName: 'Option 1',
          clientName: client,
          timeSlots: proposal.data[date]?.[client]?.['Option 1'],
        },
      },
    },
    solutions: proposal.data,
    metadata: { location: at, day: date, proposal: proposal.metadata.proposal },
    backed_up_therapists: proposal.backed_up_therapists,
  });
  expect(await page.evaluate(() => localStorage.getItem('backed_up_therapists'))).toBeNull();
  // The location is still chosen after the reload, and the commit can be undone.
  expect(new URL(page.url()).searchParams.get('location')).toBe(at);
  const message = page.getByRole('status').filter({ hasText: /changes? submitted/ });
  // The message has the focus, and Tab leads to its Undo.
  await expect(message.getByText(/changes? submitted/).locator('..')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(message.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Undone. The calendar is as it was before.')).toBeVisible();
});

test('given a session that changed after a commit, the toast says that Undo would be refused, and leads to the calls of its location @detail', async ({
  page,
  request,
}) => {
  const { api, at, date, view } = await openOptions(page, request, place.refused, 1);
  // Another tab shows another location, which is now the saved one. The calls of this commit are still here.
  await page.evaluate(() => localStorage.setItem('selectedLocation', 'orlando'));
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await undo.focus(); // the message stays while its button has the focus
  await expect(undo).not.toHaveAttribute('aria-disabled');
  const { appointments } = await api.slots(date, at);
  const covered = appointments.find((a) => a.booked_with !== undefined);
  expect((await api.send('POST', `/appointments/${covered?.key}/cancel`, {})).status).toBe(200);
  await expect(undo).toHaveAttribute('aria-disabled', 'true');
  await expect(undo).toHaveAccessibleDescription(
    `Cannot be undone: ${covered?.['Client Name']}'s session has changed since these changes were submitted.`,
  );
  await expectAccessible(page, 'a toast whose Undo would be refused');
  await page.getByRole('status').getByRole('button', { name: 'Calls to make' }).click();
  await expect(page).toHaveURL(`/calls?date=${date}&location=${at.replace(' ', '+')}`);
});
