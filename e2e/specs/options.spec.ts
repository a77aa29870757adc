// This file is over 250 lines because it tests every part of the options modal. Each test opens the options of one
// morning.
import type { Page } from '@playwright/test';
import { TEXTS, type OptionFigures, type ProposalReply } from '@clinic/contract';
import { addDays, longDate, mapValues, shortDate } from '@clinic/domain';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal, openClash, openOptions, optionNumber } from '../pages/options.ts';

// Tests share a server with the demo clinic's next two weeks, so each test that writes uses its own day.
const place = {
  layout: { at: 'orlando', after: 1 },
  keys: { at: 'orlando', after: 2 },
  // Tests that show made-up options need a day with few absences, which is solved in a moment.
  split: { at: 'orlando', after: 3 },
  wide: { at: 'orlando', after: 4 },
  narrow: { at: 'orlando', after: 5 },
  filter: { at: 'orlando', after: 6 },
  clash: { at: 'tampa', after: 1 },
  dates: { at: 'palm beach', after: 13 },
} as const;

/** Changes the reply of `POST /proposals` before the page sees it. */
const changeProposal = (page: Page, change: (reply: ProposalReply) => ProposalReply) =>
  page.route('**/api/proposals', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as ProposalReply) });
  });

/** The same reply on any machine: a busy one proves fewer options in time, and *best found so far* takes a line. */
const withAllProven = (reply: ProposalReply): ProposalReply => {
  const { metadata } = reply;
  const proven = (figures: OptionFigures): OptionFigures => ({ ...figures, proven: true });
  const options = mapValues(metadata.options, (ofDate) => mapValues(ofDate, proven));
  return { ...reply, metadata: { ...metadata, options } };
};

const color = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test('[SOL-01] [SOL-02] [SOL-03] [SOL-04] [SOL-05] [SOL-07] the table has two modes, each with its own choices', async ({
  page,
  request,
}) => {
  const { date, view, proposal } = await openOptions(page, request, place.layout, 4);
  const clients = Object.keys(proposal.data[date] ?? {});
  const [one = '', two = ''] = clients;

  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(date)}`);
  const body = view.modal.getByRole('tabpanel');
  expect(await body.evaluate((e) => getComputedStyle(e).maxHeight)).toBe(`${900 * 0.7}px`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await view.modal.evaluate((e) => getComputedStyle(e).transitionDuration)).toContain('0.3s');
  expect(await view.modal.evaluate((e) => getComputedStyle(e, '::backdrop').transitionDuration)).toContain('0.15s');

  // There are at least three option columns beside the clients' column, and a row for each client and session.
  const heads = view.table.getByRole('columnheader');
  expect(await heads.count()).toBeGreaterThanOrEqual(4);
  for (const n of [1, 2, 3]) {
    await expect(heads.nth(n)).toContainText(`Option ${n}`);
    // Each option's column header shows how many people must be told if that option is chosen.
    const calls = proposal.metadata.options[date]?.[`Option ${n}`]?.calls ?? 0;
    expect(calls).toBeGreaterThan(0);
    const head = heads.nth(n).getByRole('term').filter({ hasText: 'extra call' });
    await expect(head.locator('xpath=following-sibling::*[1]')).toHaveText(new RegExp(`^${calls}\\b`));
  }
  for (const [client, options] of Object.entries(proposal.data[date] ?? {})) {
    const cells = Object.values(options).flatMap((slots) => Object.values(slots));
    const sessions = new Set(cells.map((cell) => cell.session));
    await expect(view.rows(client)).toHaveCount(sessions.size);
    // Every option's cell for a session shows each piece of the session, with therapist and status.
    const rows = await view
      .rows(client)
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
    for (const [name, slots] of Object.entries(options)) {
      const texts = rows.map((row) => row[optionNumber(name) - 1]);
      for (const cell of Object.values(slots)) {
        expect(texts.join('\n')).toContain(cell.therapist);
        if (cell.status !== 'Unassigned') expect(texts.join('\n')).toContain(cell.status);
      }
    }
  }

  // A cell without a therapist has a dashed border and says so in words, never only by color.
  const nobody = view.table.getByRole('gridcell').filter({ hasText: 'Unassigned' }).first();
  await expect(nobody).toContainText(/\d+ (h|min)/);
  expect(
    await nobody
      .locator('[data-kind="unassigned"]')
      .first()
      .evaluate((e) => getComputedStyle(e).borderLeftStyle),
  ).toBe('dashed');

  // Submit Mode: Option 1 is chosen for everyone, in sky blue; a click moves the choice.
  await expect(view.mode).not.toBeChecked();
  await expect(view.submit).toBeVisible();
  for (const client of clients) await expect(view.pick(client, 1)).toHaveAttribute('aria-pressed', 'true');
  expect(await color(page, '[data-picked]:not([data-kind=cancel])')).toBe('rgb(165, 219, 245)');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect(view.pick(one, 1)).toHaveAttribute('aria-pressed', 'false');
  await expect(view.pick(two, 1)).toHaveAttribute('aria-pressed', 'true');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');

  // Refresh Mode: nothing is selected at first. A click selects (light green) or moves the choice; a second click
  // deselects.
  await view.mode.click();
  await expect(view.refresh).toBeVisible();
  await expect(view.table.locator('[aria-pressed="true"]')).toHaveCount(0);
  await view.pick(one, 1).click();
  expect(await color(page, '[data-picked]:not([data-kind=cancel])')).toBe('rgb(178, 235, 178)');
  await view.pick(one, 2).click();
  await expect(view.pick(one, 1)).toHaveAttribute('aria-pressed', 'false');
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
  await view.pick(one, 2).click();
  await expect(view.table.locator('[aria-pressed="true"]')).toHaveCount(0);
  await view.mode.click();
  await expect(view.pick(one, 2)).toHaveAttribute('aria-pressed', 'true');
});

const piece = (therapist: string, session: string, status = 'Cover') => ({
  therapist,
  status,
  session,
  branch_state: 'p_1.1.1',
  ...(status === 'Cover' ? { familiarity: 'team' as const } : {}),
});

test('[SOL-03] when options split a session differently, each option shows its pieces in one cell for the session @detail', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/404/); // the made-up cell has no reasons on the server, so asking for them gives 404
  const [whole, early, late] = ['8:00 AM - 11:00 AM', '8:00 AM - 9:30 AM', '9:30 AM - 11:00 AM'] as const;
  await changeProposal(page, (reply) => ({
    ...reply,
    data: Object.fromEntries(
      Object.keys(reply.data).map((date) => [
        date,
        {
          'Bo Lee': {
            'Option 1': { [early]: piece('Kai Wood', 's1'), [late]: piece('Unassigned', 's1', 'Unassigned') },
            'Option 2': { [whole]: piece('Unassigned', 's1', 'Unassigned') },
            'Option 3': { '1:00 PM - 2:00 PM': piece('Ana Ruiz', 's2') },
          },
        },
      ]),
    ),
  }));
  const { view } = await openOptions(page, request, place.split, 1);
  await expect(view.table.getByRole('rowheader')).toHaveText([whole, '1:00 PM - 2:00 PM'].map((s) => `Bo Lee ${s}`));
  const shown = async (row: number) =>
    (await view.rows('Bo Lee').nth(row).getByRole('gridcell').locator('button[aria-pressed]').all()).map(
      async (button) => (await button.getAttribute('aria-label')) ?? (await button.locator('.sr').textContent()),
    );
  const nothing = 'Nothing in this option';
  const table = await Promise.all([0, 1].map(async (row) => Promise.all(await shown(row))));
  expect(table).toEqual([
    ['8–9:30 Kai Wood Cover, team · 9:30–11 Unassigned 1 h 30 min', 'Unassigned 3 h', nothing],
    [nothing, nothing, 'Ana Ruiz Cover, team'],
  ]);
  await expect(view.pick('Bo Lee', 1)).toBeFocused();
  // *Why?* on a split cell starts with the piece without a therapist; a button shows the other piece.
  await view.cell('Bo Lee', 1).getByRole('button', { name: /^Why/ }).click();
  const parts = page.getByRole('group', { name: 'Part of the session' });
  await expect(parts.getByRole('button', { pressed: true })).toHaveText('9:30–11 Unassigned');
  await parts.getByRole('button', { name: '8–9:30 Kai Wood' }).click();
  await expect(page.getByRole('dialog', { name: 'Why Kai Wood for Bo Lee' })).toBeVisible();
  await page.keyboard.press('Escape');
  // A cell with only a dash works like any other: arrow keys reach it, and its option can be picked there.
  await view.pick('Bo Lee', 1).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(view.cell('Bo Lee', 2, 1).locator('button[aria-pressed]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(view.pick('Bo Lee', 2)).toHaveAttribute('aria-pressed', 'true');
});

for (const { width, height, least, day } of [
  { width: 1440, height: 900, least: 10, day: place.wide },
  { width: 1024, height: 768, least: 8, day: place.narrow },
]) {
  test(`given five options that split half of the sessions, ${least} clients are in view at ${width} × ${height} @detail`, async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width, height });
    const names = ['Gabriela Walker', 'Leila Rodríguez', 'Tamika St. James', 'Farah Kowalski', 'Jonathan Baptiste'];
    const clients = Array.from({ length: 20 }, (_, i) => `${String.fromCharCode(65 + i)}ngela Montgomery`);
    await changeProposal(page, (reply) => ({
      ...withAllProven(reply),
      data: Object.fromEntries(
        Object.keys(reply.data).map((date) => [
          date,
          Object.fromEntries(
            clients.map((client, c) => [
              client,
              Object.fromEntries(
                names.map((name, o) => [
                  `Option ${o + 1}`,
                  (c + o) % 2 === 0
                    ? {
                        '8:00 AM - 10:00 AM': piece(name, client),
                        '10:00 AM - 11:00 AM': piece(names[(o + 1) % names.length] ?? '', client),
                      }
                    : { '8:00 AM - 11:00 AM': piece(name, client) },
                ]),
              ),
            ]),
          ),
        ]),
      ),
    }));
    const { view } = await openOptions(page, request, day, 1);
    const body = await view.modal.getByRole('tabpanel').boundingBox();
    const heads = await view.table.locator('thead').boundingBox();
    const top = (heads?.y ?? 0) + (heads?.height ?? 0);
    const bottom = (body?.y ?? 0) + (body?.height ?? 0);
    const rows = await view.table.locator('tbody').evaluateAll((all) =>
      all.map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { top, bottom };
      }),
    );
    const heights = rows.map((row) => Math.round(row.bottom - row.top)).join(' ');
    expect(
      rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length,
      `${Math.round(bottom - top)} px for rows of ${heights}`,
    ).toBeGreaterThanOrEqual(least);
  });
}

test('a clashing mix is marked in both cells and explained, cannot be submitted, and is fixed with one click', async ({
  page,
  request,
}) => {
  const { view, found } = await openClash(page, request, place.clash);
  await expect(view.submit).not.toHaveAttribute('aria-disabled');
  const places = async () => [await view.modal.boundingBox(), await view.submit.boundingBox()];
  await expect(view.modal).toHaveCSS('transform', 'none');
  const before = await places();
  await view.pick(found.client, optionNumber(found.option)).click();

  const warning = view.modal.getByRole('alert');
  await expect(warning).toContainText(`${found.clash.therapist} would be in two places`);
  expect(await places()).toEqual(before);
  await expect(warning).toContainText(`${found.client} (${found.option})`);
  await expect(warning).toContainText(`${found.other} (Option 1)`);
  for (const client of [found.client, found.other]) {
    await expect(view.rows(client).getByText('In two places').first()).toBeVisible();
  }
  await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
  await expect(view.submit).toHaveAccessibleDescription(/clash(es)? .*to fix first/);
  await view.submit.click({ force: true });
  await expect(view.modal).toBeVisible();

  await view.modal.getByRole('button', { name: 'Change these too' }).click();
  await expect(view.modal.getByText('In two places')).toHaveCount(0);
  await expect(view.pick(found.client, optionNumber(found.option))).toHaveAttribute('aria-pressed', 'true');
  await expect(view.submit).not.toHaveAttribute('aria-disabled');
});

test('[SOL-08] several dates have sorted tabs with counts, and arrow keys move between them', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.dates;
  const first = addDays(await api.today(), place.dates.after);
  const second = addDays(first, 1);
  const replies = [await api.callOut(second, at, 1), await api.callOut(first, at, 1)];
  const both = await api.send<ProposalReply>('POST', '/proposals', { location: at, dates: [second, first] });
  expect(replies).toHaveLength(2);
  await signedIn(page);
  await changeProposal(page, () => both.body);
  const view = new OptionsModal(page);
  await view.open(first, at);
  const tabs = view.modal.getByRole('tab');
  await expect(tabs).toHaveCount(2);
  const { clients } = both.body.metadata;
  await expect(tabs.nth(0)).toContainText(`${clients?.[first]} client`);
  await expect(tabs.nth(1)).toContainText(`${clients?.[second]} client`);
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(first)}`);
  // The figures below the table are only for the date shown, but Submit sends every date.
  const foot = view.modal.locator('footer').last();
  await expect(foot).toContainText(`Your mix on ${shortDate(first)} keeps`);
  await expect(foot).toContainText('Submit puts all 2 dates on the calendar.');
  await tabs.nth(0).press('ArrowRight');
  await expect(tabs.nth(1)).toBeFocused();
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(second)}`);

  // After a refresh the first date is shown again.
  await view.mode.click();
  await view.refresh.click();
  await expect(view.refresh).toBeHidden();
  await expect(view.modal).toHaveAccessibleName(`Schedule Solutions for ${longDate(first)}`);

  // [SOL-18] When the modal is closed after a refresh, the page does not reload.
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await view.modal.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(view.modal).toBeHidden();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('[SOL-06] the page shows one message for data without clients, and another for data without a date', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { at } = place.dates;
  const date = addDays(await api.today(), place.dates.after);
  await signedIn(page);
  const open = async (data: ProposalReply['data'], text: string): Promise<void> => {
    await changeProposal(page, (reply) => ({ ...reply, data }));
    await page.goto(`/calendar?date=${date}&location=${encodeURIComponent(at)}&options=open`);
    const view = new OptionsModal(page);
    await expect(view.modal.getByText(text)).toBeVisible();
    await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
    await page.unroute('**/api/proposals');
  };
  await open({ [date]: {} }, TEXTS.noDataForDate);
  await open({ undated: {} }, TEXTS.noDate);
});

test('by keyboard, arrow keys move between cells, Enter opens the reason, and Escape closes only the reason @detail', async ({
  page,
  request,
}) => {
  const { date, view, proposal } = await openOptions(page, request, place.keys, 3);
  const [client = ''] = Object.keys(proposal.data[date] ?? {}).sort((a, b) => a.localeCompare(b, 'en'));
  await expect(view.pick(client, 1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(view.pick(client, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('ArrowLeft');
  // Only one cell is a tab stop.
  await expect(view.table.locator('button[aria-pressed][tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  const last = view.table.getByRole('row').last().getByRole('gridcell').last().locator('button[aria-pressed]');
  await expect(last).toBeFocused();
  await page.keyboard.press('Control+Home');

  const nobody = view.table.getByRole('button', { name: /^Why\? / }).first();
  await nobody.focus();
  await page.keyboard.press('Enter');
  const reason = page.getByRole('dialog', { name: new RegExp(client) }).and(page.locator('[popover="auto"]'));
  await expect(reason.getByText(/^For$|^Against$|Of \d+ therapists/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reason).toBeHidden();
  await expect(view.modal).toBeVisible();
});

test('the filter shows only clients who need a decision @detail', async ({ page, request }) => {
  const { date, view, proposal } = await openOptions(page, request, place.filter, 3);
  const open = Object.entries(proposal.data[date] ?? {})
    .filter(([, options]) => Object.values(options['Option 1'] ?? {}).some((c) => c.status === 'Unassigned'))
    .map(([client]) => client);
  const filter = view.modal.getByRole('button', { name: /^Needs a decision/ });
  await expect(filter).toContainText(String(open.length));
  await filter.click();
  const shown = await view.table.getByRole('rowgroup').count();
  // The header counts as a row group. If no client needs a decision, there is no table at all.
  expect(shown).toBe(open.length === 0 ? 0 : open.length + 1);
});
