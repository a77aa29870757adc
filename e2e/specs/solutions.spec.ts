import type { Page } from '@playwright/test';
import { TEXTS, type ProposalReply } from '@clinic/contract';
import { addDays, longDate, type IsoDate } from '@clinic/domain';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Api, Solutions, clashingChoice, optionNumber, proposalWith } from '../pages/solutions.ts';

// Tests share a server with the demo clinic's two weeks to come, so each that writes works on a day of its own.
const place = {
  layout: { at: 'orlando', after: 1 },
  keys: { at: 'orlando', after: 2 },
  clash: { at: 'tampa', after: 1 },
  stale: { at: 'deerfield', after: 1 },
  unknown: { at: 'deerfield', after: 2 },
  json: { at: 'deerfield', after: 3 },
  failures: { at: 'palm beach', after: 1 },
  dates: { at: 'palm beach', after: 2 },
} as const;

/** What the page reads from `POST /proposals`, changed before the page sees it. */
const changeProposal = (page: Page, change: (reply: ProposalReply) => ProposalReply) =>
  page.route('**/api/proposals', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as ProposalReply) });
  });

const colour = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test('[SOL-01] [SOL-02] [SOL-03] [SOL-04] [SOL-05] [SOL-07] the table, both modes and their choices', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.layout;
  const date = addDays(await api.today(), place.layout.after);
  const proposal = await api.callOut(date, at, 4);
  const clients = Object.keys(proposal.data[date] ?? {});
  const [one = '', two = ''] = clients;
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);

  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(date)}`);
  const body = view.modal.getByRole('tabpanel');
  expect(await body.evaluate((e) => getComputedStyle(e).maxHeight)).toBe(`${900 * 0.7}px`);
  expect(await view.modal.evaluate((e) => getComputedStyle(e).transitionDuration)).toContain('0.3s');
  expect(await view.modal.evaluate((e) => getComputedStyle(e, '::backdrop').transitionDuration)).toContain('0.15s');

  // At least three option columns beside the clients', and a row a client and time slot.
  const heads = view.table.getByRole('columnheader');
  expect(await heads.count()).toBeGreaterThanOrEqual(4);
  for (const n of [1, 2, 3]) await expect(heads.nth(n)).toContainText(`Option ${n}`);
  for (const client of clients) {
    for (const slot of Object.keys(proposal.data[date]?.[client]?.['Option 1'] ?? {})) {
      await expect(view.table.getByRole('rowheader', { name: `${client} ${slot}`, exact: true })).toBeVisible();
    }
  }
  const first = Object.entries(proposal.data[date]?.[one]?.['Option 1'] ?? {})[0];
  const cell = view.table
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: `${one} ${first?.[0]}`, exact: true }) })
    .getByRole('gridcell')
    .first();
  await expect(cell).toContainText(first?.[1].therapist ?? '?');
  await expect(cell).toContainText(first?.[1].status === 'Unassigned' ? 'Nobody' : (first?.[1].status ?? '?'));

  // Nobody is dashed and says so in words: never by colour alone.
  const nobody = view.table.getByRole('gridcell').filter({ hasText: 'Unassigned' }).first();
  await expect(nobody).toContainText(/Nobody, \d+ min/);
  expect(
    await nobody
      .getByRole('button')
      .first()
      .evaluate((e) => getComputedStyle(e).borderStyle),
  ).toBe('dashed');

  // Submit Mode: Option 1 for everyone, sky blue; a click moves the choice.
  await expect(view.mode).not.toBeChecked();
  await expect(view.submit).toBeVisible();
  for (const client of clients) await expect(view.pick(client, 1)).toHaveAttribute('aria-pressed', 'true');
  expect(await colour(page, '[data-picked]:not([data-kind=cancel])')).toBe('rgb(165, 219, 245)');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect(view.pick(one, 1)).toHaveAttribute('aria-pressed', 'false');
  await expect(view.pick(two, 1)).toHaveAttribute('aria-pressed', 'true');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');

  // Refresh Mode: nothing selected, light green; a click selects, another moves it, a second click deselects.
  await view.mode.click();
  await expect(view.refresh).toBeVisible();
  await expect(view.table.locator('[aria-pressed="true"]')).toHaveCount(0);
  await view.pick(one, 1).click();
  expect(await colour(page, '[data-picked]:not([data-kind=cancel])')).toBe('rgb(178, 235, 178)');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 1)).toHaveAttribute('aria-pressed', 'false');
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await view.pick(one, 2).click();
  await expect(view.table.locator('[aria-pressed="true"]')).toHaveCount(0);
  await view.mode.click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
});

test('a mix that clashes is told in both cells and in words, waits, and is settled by one press', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.clash;
  const from = addDays(await api.today(), place.clash.after);
  const { date, found } = await proposalWith(api, from, at, clashingChoice);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
  await expect(view.submit).not.toHaveAttribute('aria-disabled');
  await view.pick(found.client, optionNumber(found.option)).click();

  const warning = view.modal.getByRole('alert');
  await expect(warning).toContainText(`${found.clash.therapist} would be in two places`);
  await expect(warning).toContainText(`${found.client} (${found.option})`);
  await expect(warning).toContainText(`${found.other} (Option 1)`);
  for (const client of [found.client, found.other]) {
    await expect(view.rows(client).getByText('In two places').first()).toBeVisible();
  }
  await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
  await expect(view.submit).toHaveAccessibleDescription(/clash(es)? .*to settle first/);
  await view.submit.click({ force: true });
  await expect(view.modal).toBeVisible();

  await view.modal.getByRole('button', { name: 'Change these too' }).click();
  await expect(view.modal.getByText('In two places')).toHaveCount(0);
  await expect(view.pick(found.client, optionNumber(found.option))).toHaveAttribute('aria-pressed', 'true');
  await expect(view.submit).not.toHaveAttribute('aria-disabled');
});

test('[SOL-11] pins that clash are answered in the page with date, time and therapist, and nothing else happens', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/410/);
  const api = await Api.signIn(request);
  const { at } = place.clash;
  const from = addDays(await api.today(), place.clash.after);
  const { date, found } = await proposalWith(api, from, at, clashingChoice);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
  await view.mode.click();
  await view.pick(found.other, 1).click();
  await view.pick(found.client, optionNumber(found.option)).click();
  const answered = page.waitForResponse('**/api/refresher');
  await view.refresh.click();
  expect((await answered).status()).toBe(410);

  await expect(view.alert).toHaveAccessibleName(TEXTS.conflicts);
  await expect(view.alert.getByText(/^Date: \w/).first()).toBeVisible();
  await expect(view.alert.getByText(/^Time: \d/).first()).toBeVisible();
  await expect(view.alert.getByText(`Therapist: ${found.clash.therapist}`).first()).toBeVisible();
  await view.alert.getByRole('button', { name: 'OK' }).click();
  await expect(view.alert).toBeHidden();
  await expect(view.mode).toBeChecked();
  await expect(view.pick(found.client, optionNumber(found.option))).toHaveAttribute('aria-pressed', 'true');
});

test('[SOL-10] [SOL-17] a day that moved on refuses the submit, marks the cells, and refreshes with the others kept', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const { at } = place.stale;
  const date = addDays(await api.today(), place.stale.after);
  const proposal = await api.callOut(date, at, 2);
  const covers = Object.entries(proposal.data[date] ?? {}).flatMap(([client, options]) =>
    Object.values(options['Option 1'] ?? {}).flatMap((c) =>
      c.status === 'Cover' ? [{ client, therapist: c.therapist }] : [],
    ),
  );
  const [cover] = covers;
  if (!cover) throw new Error('nobody is covered');
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
  // Whoever takes a session calls out as well, elsewhere in the clinic.
  await api.away(date, at, [cover.therapist]);
  await expect(view.modal.getByText('The day changed since these options were made.')).toBeVisible();

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
  await view.modal.getByRole('button', { name: 'Refresh, keep the others' }).click();
  const pins = (await sent).postDataJSON() as { refreshSelections: { client: string }[] };
  expect(pins.refreshSelections.map((p) => p.client)).not.toContain(cover.client);
  await expect(view.modal.locator('[data-clash]')).toHaveCount(0);
  await expect(view.mode).not.toBeChecked();
  await expect(view.modal.getByText('The day changed since these options were made.')).toBeHidden();
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await expect(view.modal).toBeHidden();
});

test('[SOL-12] [SOL-17] refusals and missing answers are told in the words of the specification', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/500|ERR_FAILED/);
  const api = await Api.signIn(request);
  const { at } = place.failures;
  const date = addDays(await api.today(), place.failures.after);
  await api.callOut(date, at, 2);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
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

  // [SOL-06] Nothing left to change: said, and the table makes place for the words.
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
  await expect(view.modal.getByText(TEXTS.noSolutions)).toBeVisible();
});

test('[SOL-05] [SOL-12] [SOL-17] a login that ended leads to the login page', async ({ page, request, watch }) => {
  watch.allow(/401/);
  const api = await Api.signIn(request);
  const { at } = place.failures;
  const date = addDays(await api.today(), place.failures.after);
  const view = new Solutions(page);
  for (const call of ['actions', 'refresher'] as const) {
    await signIn(page);
    await view.open(date, at);
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

test('a submit whose answer is lost is told as unknown, and sending it again writes nothing twice', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/ERR_FAILED/);
  const api = await Api.signIn(request);
  const { at } = place.unknown;
  const date = addDays(await api.today(), place.unknown.after);
  await api.callOut(date, at, 2);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
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
  await expect(view.alert).toContainText('not known whether');
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

test('[SOL-08] several dates: sorted tabs with counts, moved among by arrows', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { at } = place.dates;
  const first = addDays(await api.today(), place.dates.after);
  const second = addDays(first, 1);
  const replies = [await api.callOut(second, at, 2), await api.callOut(first, at, 2)];
  const both = await api.send<ProposalReply>('POST', '/proposals', { location: at, dates: [second, first] });
  expect(replies).toHaveLength(2);
  await signIn(page);
  await changeProposal(page, () => both.body);
  const view = new Solutions(page);
  await view.open(first, at);
  const tabs = view.modal.getByRole('tab');
  await expect(tabs).toHaveCount(2);
  const clients = (date: IsoDate) => Object.keys(both.body.data[date] ?? {}).length;
  await expect(tabs.nth(0)).toContainText(`${clients(first)} client`);
  await expect(tabs.nth(1)).toContainText(`${clients(second)} client`);
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(first)}`);
  await tabs.nth(0).press('ArrowRight');
  await expect(tabs.nth(1)).toBeFocused();
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(second)}`);

  // After a refresh the first date is shown again.
  await view.mode.click();
  await view.refresh.click();
  await expect(view.refresh).toBeHidden();
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(first)}`);

  // [SOL-18] Closed after a refresh, the page is not loaded again.
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await view.modal.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(view.modal).toBeHidden();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('[SOL-06] a date without data, and data without a date, are said', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { at } = place.dates;
  const date = addDays(await api.today(), place.dates.after);
  await signIn(page);
  const open = async (data: ProposalReply['data'], text: string): Promise<void> => {
    await changeProposal(page, (reply) => ({ ...reply, data }));
    await page.goto(`/calendar?date=${date}&location=${encodeURIComponent(at)}&options=open`);
    const view = new Solutions(page);
    await expect(view.modal.getByText(text)).toBeVisible();
    await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
    await page.unroute('**/api/proposals');
  };
  await open({ [date]: {} }, TEXTS.noDataForDate);
  await open({ undated: {} }, TEXTS.noDate);
});

test('[SOL-13] [SOL-14] [SOL-15] [SOL-16] [SOL-18] [SOL-19] what a submit sends; a JSON reply is accepted too', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.json;
  const date = addDays(await api.today(), place.json.after);
  await api.callOut(date, at, 2);
  await signIn(page);
  const view = new Solutions(page);
  const proposed = page.waitForResponse('**/api/proposals');
  await view.open(date, at);
  const proposal = (await (await proposed).json()) as ProposalReply;
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
  // Date and location have outlived the reload, and what was done can be taken back.
  expect(new URL(page.url()).searchParams.get('location')).toBe(at);
  await expect(page.getByRole('status').getByText(/changes? submitted/)).toBeVisible();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Taken back. The calendar is as it was before.')).toBeVisible();
});

test('by keyboard alone: cells by arrows, the reason by Tab, Escape closes only the reason', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.keys;
  const date = addDays(await api.today(), place.keys.after);
  const proposal = await api.callOut(date, at, 3);
  const [client = ''] = Object.keys(proposal.data[date] ?? {}).sort((a, b) => a.localeCompare(b, 'en'));
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
  await expect(view.pick(client, 1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(view.pick(client, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('ArrowLeft');
  // Only one cell is in the order of Tab, and its reason comes next.
  await expect(view.table.locator('button[aria-pressed][tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  const last = view.table.getByRole('row').last().getByRole('gridcell').last().locator('button[aria-pressed]');
  await expect(last).toBeFocused();
  await page.keyboard.press('Control+Home');

  const nobody = view.table.getByRole('button', { name: /^Why\? / }).first();
  await nobody.focus();
  await page.keyboard.press('Enter');
  const reason = page.getByRole('dialog', { name: new RegExp(client) }).and(page.locator('[popover]'));
  await expect(
    reason.getByText(/What speaks for it|What it costs|In this option, of \d+ therapists/).first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reason).toBeHidden();
  await expect(view.modal).toBeVisible();
});

test('the filter shows who needs a decision, and only them', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { at } = place.clash;
  const date = addDays(await api.today(), place.clash.after);
  const reply = await api.send<ProposalReply>('POST', '/proposals', { location: at, dates: [date] });
  const open = Object.entries(reply.body.data[date] ?? {})
    .filter(([, options]) => Object.values(options['Option 1'] ?? {}).some((c) => c.status === 'Unassigned'))
    .map(([client]) => client);
  await signIn(page);
  const view = new Solutions(page);
  await view.open(date, at);
  const filter = view.modal.getByRole('button', { name: /^Needs a decision/ });
  await expect(filter).toContainText(String(open.length));
  await filter.click();
  const shown = await view.table.getByRole('rowgroup').count();
  // The head is a row group too; nobody to decide on leaves no table at all.
  expect(shown).toBe(open.length === 0 ? 0 : open.length + 1);
});
