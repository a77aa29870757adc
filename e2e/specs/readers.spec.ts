import type { Locator, Page } from '@playwright/test';
import type { Client, Therapist } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

// These tests need a day with cover, calls and absences, so they have a server of their own.
test.use({ serverFor: 'readers' });

const PASSWORD = 'seven green lamps on a shelf';
const DAY = 'date=2026-11-18&location=tampa';
const LATER = 'date=2026-11-19&location=tampa';
/** Keys that change something, or lead to where something is changed. */
const KEYS = ['s', 'o', 'e', 'r', 'y', 'n', '1', '2', '3', '4', 'Control+Enter', 'Control+z'];

/** Makes a day with told and untold people, one with sessions that need cover, and two accounts that only read. */
async function prepare(api: Api, admin: Api): Promise<void> {
  await api.commit(await api.callOut('2026-11-18', 'tampa', 3));
  await api.callOut('2026-11-19', 'tampa', 3);
  const accounts = [
    { name: 'Vera Viewer', email: 'viewer@clinic.example', role: 'viewer', locations: ['tampa'] },
    { name: 'Dora Director', email: 'director@clinic.example', role: 'director', locations: ['tampa'] },
  ] as const;
  for (const account of accounts) await admin.addAccount({ ...account, password: PASSWORD });
}

/** What names a kind of control: its words without names and numbers. */
const kindOf = async (control: Locator): Promise<string> =>
  (
    await control.evaluate((each) => `${each.className} ${each.getAttribute('aria-label') ?? each.textContent}`)
  ).replace(/\p{Lu}[\p{L}’'-]+|[\d:,.]+/gu, '');

/** Uses one control of each kind on the page, and each of those that it opens. */
async function useControls(page: Page, path: string, used: Set<string>): Promise<void> {
  const controls = (within: string) =>
    page.locator(`:is(${within}) :is(button, select):visible:not([aria-disabled], [disabled])`);
  const use = async (within: string, open: boolean): Promise<void> => {
    const count = Math.min(await controls(within).count(), 60);
    for (let i = 0; i < count; i++) {
      const control = controls(within).nth(i);
      if ((await control.count()) === 0) break;
      const kind = await kindOf(control);
      if (used.has(kind)) continue;
      used.add(kind);
      if (await control.evaluate((each) => each instanceof HTMLSelectElement)) {
        await control.evaluate((each: HTMLSelectElement) => {
          each.selectedIndex = each.options.length - 1;
          each.dispatchEvent(new Event('change', { bubbles: true }));
        });
      } else await control.evaluate((each: HTMLElement) => each.click());
      await page.waitForTimeout(100);
      if (open) await use('dialog:modal, [popover]:popover-open, [role="dialog"]', false);
      if (!open) continue;
      for (let press = 0; press < 2; press++) await page.keyboard.press('Escape');
      const { pathname, search } = new URL(page.url());
      if (`${pathname}${search}` !== path) await openPage(page, path);
    }
  };
  await use('main', true);
}

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1')).toBeAttached();
  await expect(page.locator('[role="status"][aria-label^="Loading"]')).toHaveCount(0);
}

test('given accounts that only read, no control, key or command on any page leads to a refusal', async ({
  page,
  request,
  watch,
}) => {
  test.slow();
  watch.allow(/403/); // a refusal is reported below, with its page
  const api = await Api.signIn(request);
  await prepare(api, await Api.signIn(request, DEMO.admin));
  const [therapist] = await api.get<Therapist[]>('/therapists?location=tampa');
  const [client] = await api.get<Client[]>('/clients?location=tampa');
  const pages = [
    ...[`/?${DAY}`, `/?${LATER}`, `/calendar?${DAY}`, `/calendar?${LATER}`, `/calendar?${LATER}&view=client`],
    ...[`/calendar?${DAY}&span=week`, `/calls?${DAY}`, `/day-sheet?${DAY}`, '/profiles', '/profiles?kind=clients'],
    ...[`/people/therapists/${therapist?.id}`, `/people/clients/${client?.id}`],
    ...['hours', 'care', 'supervision', 'authorizations'].map((ledger) => `/ledgers/${ledger}?${DAY}`),
    ...['/reports?location=tampa', '/find-a-time?location=tampa', '/closures', '/standing', '/scheduler', '/audit'],
  ];
  const refused: string[] = [];
  let at = '';
  page.on('response', (reply) => {
    if (reply.status() === 403) refused.push(`${at}: ${reply.request().method()} ${new URL(reply.url()).pathname}`);
  });
  for (const email of ['viewer@clinic.example', 'director@clinic.example']) {
    await signedIn(page, { email, password: PASSWORD });
    const used = new Set<string>();
    for (const path of email.startsWith('viewer') ? pages : ['/audit', `/?${LATER}`]) {
      at = `${email} ${path}`;
      await openPage(page, path);
      await useControls(page, path, used);
      for (const key of KEYS) await page.keyboard.press(key);
      await expect(page.locator('[data-writes]:visible')).toHaveCount(0);
      await page.keyboard.press('Escape');
    }
    expect(used.size).toBeGreaterThan(4);
  }
  expect([...new Set(refused)]).toEqual([]);

  at = 'the palette';
  await openPage(page, `/calendar?${LATER}`);
  await page.keyboard.press('Control+k');
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .fill(therapist?.display_name ?? '');
  await expect(page.getByRole('option', { name: /^Show / })).toBeVisible();
  await expect(page.getByRole('option', { name: /^Mark |time/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  // A link that asks for options opens the day, and nothing else.
  await page.goto(`/calendar?${LATER}&options=open`);
  await expect(page).not.toHaveURL(/options/);
  expect(refused).toEqual([]);

  // A scheduler has these controls: this test did not look for something that nobody has.
  await signedIn(page);
  await openPage(page, `/calendar?${LATER}`);
  await expect(page.getByRole('button', { name: 'Add a session' })).toBeVisible();
  await openPage(page, `/calls?${DAY}`);
  await expect(page.locator('[data-writes]:visible').first()).toBeVisible();
});
