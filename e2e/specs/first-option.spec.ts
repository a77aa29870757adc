import type { APIRequestContext, Locator, Page } from '@playwright/test';
import type { ProposalReply } from '@clinic/contract';
import { addDays, mapValues, parseTimeOfDay, timeSlot, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { OptionsModal } from '../pages/options.ts';

const at = 'deerfield';

/**
 * Saves an absence, and returns the reply with Option 1 alone. On a busy machine the server may have found the other
 * options before it replies; they are then left out of the reply.
 */
async function saveForFirst(page: Page, calendar: Calendar): Promise<ProposalReply> {
  await page.route('**/scheduler/process', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: onlyFirst((await response.json()) as ProposalReply) });
  });
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const saved = page.waitForResponse('**/scheduler/process');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const first = (await (await saved).json()) as ProposalReply;
  expect(first.metadata.more).toBe(true);
  return first;
}

function onlyFirst({ data, metadata, ...rest }: ProposalReply): ProposalReply {
  const first = <T>(options: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name === 'Option 1'));
  return {
    ...rest,
    data: mapValues(data, (clients) => mapValues(clients, first)),
    metadata: { ...metadata, more: true, options: mapValues(metadata.options, first) },
  };
}

/** Marks the document once the page has read a reply with options and done what it does with it at once. */
const markWhenHandled = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const send = window.fetch.bind(window);
    window.fetch = async (...request) => {
      const reply = await send(...request);
      const read = reply.text.bind(reply);
      reply.text = async () => {
        const text = await read();
        if (reply.url.endsWith('/api/proposals')) setTimeout(() => (document.documentElement.dataset['handled'] = ''));
        return text;
      };
      return reply;
    };
  });

/**
 * Saves an absence on the date `after` days from today. The page shows Option 1, and waits for the other options until
 * `release` is called; `change` changes their reply.
 */
async function openFirst(
  page: Page,
  request: APIRequestContext,
  after: number,
  change: (reply: ProposalReply, date: IsoDate) => void = () => undefined,
) {
  const date = addDays(await (await Api.signIn(request)).today(), after);
  await signedIn(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/proposals', async (route) => {
    await held;
    const reply = (await (await route.fetch()).json()) as ProposalReply;
    change(reply, date);
    await route.fulfill({ json: reply });
  });
  const calendar = new Calendar(page);
  await calendar.open(`?location=${at}&date=${date}`);
  const first = await saveForFirst(page, calendar);
  const [client = ''] = Object.keys(first.data[date] ?? {});
  return { date, client, view: new OptionsModal(page), release };
}

/** Adds two clients who come first in the table. */
function addAbove(reply: ProposalReply, date: IsoDate): void {
  const clients = reply.data[date] ?? {};
  const [some] = Object.values(clients);
  for (const name of ['Aa One', 'Aa Two']) if (some) clients[name] = some;
}

test('after a save, Option 1 can be used while the page looks for the other options, and what is chosen stays chosen', async ({
  page,
  request,
}) => {
  const { date, client, view, release } = await openFirst(page, request, 8);
  const heads = view.table.getByRole('columnheader');
  await expect(heads.nth(1)).toContainText('Option 1');
  await expect(heads.nth(2)).toContainText('Finding more options…');
  await expect(view.submit).not.toHaveAttribute('aria-disabled', 'true');
  await view.mode.click();
  await view.pick(client, 1).click();
  await expect(view.pick(client, 1)).toHaveAttribute('aria-pressed', 'true');

  const rest = page.waitForResponse('**/api/proposals');
  release();
  const all = (await (await rest).json()) as ProposalReply;
  await expect(view.modal.getByText('Finding more options…')).toHaveCount(0);
  const found = Object.keys(all.data[date]?.[client] ?? {}).length;
  await expect(heads.getByText(/^Option \d/)).toHaveCount(Math.max(3, found));
  await expect(view.pick(client, 1)).toHaveAttribute('aria-pressed', 'true');
});

test('given an open *Why?*, when the other options bring rows above and split its session, it stays open beside its cell @detail', async ({
  page,
  request,
}) => {
  const { client, view, release } = await openFirst(page, request, 15, (reply, date) => {
    for (const options of Object.values(reply.data[date] ?? {}))
      options['Option 2'] = splitAtOnce(options['Option 1'] ?? {});
    addAbove(reply, date);
  });
  const cell = view.cell(client, 1);
  await cell.hover();
  const button = cell.getByRole('button', { name: /^Why\?/ });
  await button.click();
  const why = page.getByRole('dialog').filter({ visible: true }).last();
  await expect(why).toHaveAccessibleName(new RegExp(client));
  release();
  await expect(view.rows('Aa One').first()).toBeAttached();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('[data-do="why"][aria-expanded="true"]')).toHaveCount(1);
  const edges = async (of: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await of.boundingBox()) ?? {};
    return { left: x, right: x + width, top: y, bottom: y + height };
  };
  await expect
    .poll(async () => {
      const [own, pop] = [await edges(cell), await edges(why)];
      return {
        aside: pop.left >= own.right || pop.right <= own.left,
        level: pop.top <= own.bottom && pop.bottom >= own.top,
      };
    })
    .toEqual({ aside: true, level: true });
  await page.keyboard.press('Escape');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(button).toBeFocused();
});

/** The same cells, each as two pieces of which the first takes 15 minutes. */
function splitAtOnce(cells: ProposalReply['data'][string][string][string]): typeof cells {
  const pieces = Object.entries(cells).flatMap(([slot, cell]) => {
    const [start = 0, end = 0] = slot.split(' - ').map((time) => parseTimeOfDay(time) ?? 0);
    return [timeSlot(start, start + 15), timeSlot(start + 15, end)].map((piece) => [piece, cell] as const);
  });
  return Object.fromEntries(pieces);
}

test('if the other options cannot be found, the page says how to look for them again @detail', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/503/);
  const date = addDays(await (await Api.signIn(request)).today(), 9);
  await signedIn(page);
  await page.route('**/api/proposals', (route) => route.fulfill({ status: 503, json: { detail: 'busy' } }));
  const calendar = new Calendar(page);
  await calendar.open(`?location=${at}&date=${date}`);
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.saveAbsences();
  const view = new OptionsModal(page);
  await expect(view.table.getByRole('columnheader').nth(2)).toContainText('Refresh to find more options');
  await expect(view.submit).not.toHaveAttribute('aria-disabled', 'true');
});

for (const how of ['pointer', 'focus'] as const)
  test(`when the other options bring rows above, the row ${how === 'pointer' ? 'under the pointer' : 'with the focus'} stays in its place, and a click that has begun meets it`, async ({
    page,
    request,
  }) => {
    await markWhenHandled(page);
    const { client, view, release } = await openFirst(page, request, how === 'pointer' ? 13 : 14, (reply, date) => {
      addAbove(reply, date);
      // A head that becomes higher reaches over the first rows.
      const heads = how === 'focus' ? Object.values(reply.metadata.options[date] ?? {}) : [];
      for (const each of heads) each.label = 'A long name '.repeat(20);
    });
    await view.mode.click();
    const cell = view.pick(client, 1);
    const box = async () => {
      const { x = 0, y = 0, width = 0 } = (await cell.boundingBox()) ?? {};
      return { x, y, right: x + width };
    };
    if (how === 'pointer') {
      await cell.hover();
      await page.mouse.down();
    } else {
      await page.mouse.move(2, 2);
      await cell.focus();
    }
    const before = await box();
    const added = view.rows('Aa One');
    release();
    await page.locator('html[data-handled]').waitFor();
    if (how === 'pointer') {
      expect(await added.count()).toBe(0);
      await page.mouse.up();
    }
    await expect(added.first()).toBeAttached();
    const after = await box();
    if (how === 'pointer') expect(Math.abs(after.y - before.y)).toBeLessThan(3);
    else {
      const head = await view.table.getByRole('columnheader').first().boundingBox();
      const covered = (head?.y ?? 0) + (head?.height ?? 0);
      expect(covered).toBeGreaterThan(before.y + 3);
      expect(after.y - covered).toBeGreaterThanOrEqual(0);
      expect(after.y - covered).toBeLessThan(30);
    }
    expect(after.x).toBe(before.x);
    expect(after.right).toBeGreaterThanOrEqual(before.right);
    if (how === 'focus') await expect(cell).toBeFocused();
    await expect(cell).toHaveAttribute('aria-pressed', how === 'pointer' ? 'true' : 'false');
  });
