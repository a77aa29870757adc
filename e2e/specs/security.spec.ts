// This file is over 250 lines because it writes hostile text into every form and opens every page.
import type { Locator, Page } from '@playwright/test';
import { AT, hostileClinic } from '../fixtures/hostile-clinic.ts';
import { PAYLOADS, ROUND } from '../fixtures/hostile.ts';
import { startServer, type RunningServer } from '../fixtures/server.ts';
import { DEMO, expect, signedIn, test as base } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { OptionsModal } from '../pages/options.ts';

// This file has its own server, so that other tests do not meet people with these names.
const test = base.extend<object, { server: RunningServer }>({
  server: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from this pattern which fixtures are needed
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Starts to count how many times stored text runs as a script. The count begins before the page's first script. */
async function watchForScript(page: Page): Promise<void> {
  page.on('dialog', (dialog) => void dialog.dismiss());
  await page.addInitScript(() => {
    const world = window as unknown as { ran: number; pwned: () => void };
    world.ran = 0;
    world.pwned = () => {
      world.ran++;
    };
  });
}

/** Returns how many times stored text ran as a script on the current page, and how many elements it became. */
const harm = (page: Page): Promise<{ ran: number; elements: number }> =>
  page.evaluate(() => {
    const everywhere = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? everywhere(e.shadowRoot) : [])]);
    const made = everywhere(document).filter(
      (e) =>
        e.classList.contains('pwned') ||
        [...e.attributes].some((a) => /^on/.test(a.name) || /^\s*javascript:/i.test(a.value)) ||
        (e.tagName === 'SCRIPT' && (e.textContent ?? '') !== ''),
    );
    return { ran: (window as unknown as { ran: number }).ran, elements: made.length };
  });

/**
 * Opens each bar's card by focusing the bar, and keeps a copy of the card on the page, so that `harm` can check every
 * card. Returns the texts of the cards.
 */
async function openCards(bars: Element[]): Promise<string[]> {
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
  const texts: string[] = [];
  for (const bar of bars) {
    bar.scrollIntoView({ block: 'center' });
    await frame(); // waits a frame after scrolling, because scrolling hides the card
    await frame();
    if (bar instanceof HTMLElement) bar.focus();
    const card = (): HTMLElement | null => document.getElementById(bar.getAttribute('aria-describedby') ?? '');
    while (!card()) await frame();
    texts.push(card()?.textContent ?? '');
    const copy = document.importNode(card() ?? bar, true);
    copy.removeAttribute('id');
    document.body.append(copy);
  }
  return texts;
}

async function harmless(page: Page, screen: string): Promise<void> {
  expect(await harm(page), screen).toEqual({ ran: 0, elements: 0 });
}

/** Opens each name's dialog and closes it again. */
async function each(names: readonly string[], open: (name: string) => Promise<Locator>): Promise<void> {
  for (const name of names) {
    const dialog = await open(name);
    await dialog.page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
}

test.describe.configure({ timeout: 300_000 });

test(`given ${PAYLOADS.length} hostile strings in every stored field, none runs in the calendar, absences or options`, async ({
  page,
  request,
}) => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(50);
  expect(PAYLOADS.filter((text) => text.length > 80)).toEqual([]);
  const { date, day, therapists, clients } = await hostileClinic(request);
  await watchForScript(page);
  await signedIn(page, DEMO.admin);
  const calendar = new Calendar(page);
  for (const view of ['therapist', 'client']) {
    await calendar.open(`?${day}&view=${view}`);
    const [first = '', last = ''] = [clients[0], clients.at(-1)];
    for (const name of view === 'client' ? [first, last] : [therapists[0] ?? '', therapists.at(-1) ?? ''])
      expect(await calendar.names()).toContain(name);
    const bars = calendar.grid.locator('[data-kind="booked"], [data-kind="open"]');
    expect(await bars.count()).toBeGreaterThanOrEqual(PAYLOADS.length);
    const names = (await bars.evaluateAll(openCards)).join();
    for (const name of view === 'client' ? clients : therapists) expect(names).toContain(name);
    await harmless(page, `calendar, ${view} view, with its cards`);
  }
  await calendar.grid.getByRole('rowheader').first().getByRole('button').click();
  await calendar.absencesButton.click();
  await calendar.panel.waitFor();
  await harmless(page, 'absences');

  const options = new OptionsModal(page);
  await options.open(date, AT);
  await harmless(page, 'options');
  await options.mode.click();
  await harmless(page, 'options, refresh mode');
});

test(`given ${PAYLOADS.length} hostile strings in every stored field, none runs in the profiles @detail`, async ({
  page,
  request,
}) => {
  const { therapists, clients } = await hostileClinic(request);
  await watchForScript(page);
  await signedIn(page, DEMO.admin);
  for (const [kind, names] of [
    ['Therapists', therapists],
    ['Clients', clients],
  ] as const) {
    await page.goto('/profiles');
    await page.getByRole('button', { name: kind, exact: true }).click();
    const card = (name: string): Locator =>
      page.getByRole('list', { name: kind }).getByRole('button').filter({ hasText: name }).first();
    await card(names[0] ?? '').waitFor();
    await harmless(page, `profiles, ${kind}`);
    await each(names, async (name) => {
      await card(name).click();
      const modal = page.getByRole('dialog');
      await modal.getByRole('button', { name: 'Close', exact: true }).waitFor();
      await harmless(page, `profiles, ${name}`);
      return modal;
    });
  }
});

test(`given ${PAYLOADS.length} hostile strings in every stored field, none runs in Today, Accounts, Audit, the legacy page or its modal`, async ({
  page,
  request,
  context,
}) => {
  const { date, day, clients, away } = await hostileClinic(request);
  await watchForScript(page);
  await signedIn(page, DEMO.admin);
  await page.goto(`/?${day}`);
  await page
    .getByRole('region', { name: 'Day details' })
    .getByText(away[0] ?? '')
    .first()
    .waitFor();
  await harmless(page, 'today');

  for (const [name, shown] of [
    ['Accounts', 'p49@clinic.example'],
    ['Who did what', 'Added an account'],
  ] as const) {
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('row').filter({ hasText: shown }).first().waitFor();
    await harmless(page, name);
  }

  await page.goto('/scheduler');
  await page.getByRole('combobox', { name: /^Location/ }).selectOption(AT);
  const client = page.getByRole('combobox', { name: /^Client/ });
  await client
    .locator('option', { hasText: clients[0] ?? '' })
    .first()
    .waitFor({ state: 'attached' });
  await page.getByLabel('Week of').fill(date);
  await each(clients, async (name) => {
    await client.selectOption({ label: name });
    await page.getByRole('button', { name: 'Choose sessions' }).click();
    const modal = page.getByRole('dialog', { name: 'Select Timeframes to Cancel' });
    await modal.getByRole('checkbox').first().waitFor();
    await harmless(page, `timeslot modal, ${name}`);
    return modal;
  });
  await harmless(page, 'legacy page');
  expect(context.pages()).toHaveLength(1);
});

test('given a page without protection, the same strings do run, so these tests can fail', async ({ page, watch }) => {
  test.skip(ROUND > 0, 'checked in the first round only: some of the other spellings are plain text everywhere');
  watch.allow(/./);
  await watchForScript(page);
  await page.route('https://unguarded.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${PAYLOADS[1]}<div id="out"></div>` }),
  );
  await page.route('**/x', (route) => route.abort());
  await page.goto('https://unguarded.example/');
  await expect.poll(async () => (await harm(page)).ran).toBeGreaterThan(0);
  const live: string[] = [];
  for (const text of PAYLOADS) {
    await page.evaluate((html) => {
      (document.getElementById('out') as HTMLElement).innerHTML = html;
    }, text);
    if ((await harm(page)).elements > 1) live.push(text);
  }
  expect(live.length).toBeGreaterThan(25);
});

test('given a legacy page that was tampered with, no inline script runs and no inline style applies', async ({
  page,
  watch,
}) => {
  watch.allow(/Content Security Policy|Failed to load resource|TrustedScript|javascript:/i);
  await watchForScript(page);
  await signedIn(page);
  const inline = PAYLOADS.filter(
    (text) => text.startsWith('<') && !/http-equiv|<base|<body|<noscript|<math/.test(text),
  );
  const added = `<h2 id="there">There</h2><p id="styled" style="color: rgb(1, 2, 3)">x</p>
    <style>#there { color: rgb(1, 2, 3) }</style><form action="javascript:pwned()"><button id="b">Go</button></form>
    <a id="link" href="javascript:pwned()">Link</a>${inline.join('\n')}`;
  await page.route('**/legacy/index.html', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${added}</body>`) });
  });
  await page.goto('/scheduler');
  await page.locator('#there').waitFor();
  await page.locator('#link').click({ force: true });
  await page.locator('#b').click({ force: true });
  const colors = await page
    .locator('#there, #styled')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).color));
  expect(colors).toHaveLength(2);
  expect(colors).not.toContain('rgb(1, 2, 3)');
  expect(await page.evaluate(() => (window as unknown as { ran: number }).ran)).toBe(0);
});

test('only the legacy page’s policy can turn text into markup, a script or a script’s URL', async ({ page, watch }) => {
  watch.allow(/TrustedHTML|TrustedScript|Trusted Type|Content Security Policy/i);
  await page.goto('/login');
  const tries = await page.evaluate(() => {
    const refused = (work: () => unknown): boolean => {
      try {
        work();
        return false;
      } catch {
        return true;
      }
    };
    const types = (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } })
      .trustedTypes;
    return {
      html: refused(() => (document.createElement('div').innerHTML = '<b>x</b>')),
      script: refused(() => (document.createElement('script').src = '/assets/x.js')),
      text: refused(() => (document.createElement('script').text = 'pwned()')),
      policy: refused(() => types.createPolicy('another', {})),
      fallback: refused(() => types.createPolicy('default', {})),
    };
  });
  expect(tries).toEqual({ html: true, script: true, text: true, policy: true, fallback: true });
});
