// This file is over 250 lines because it tries the modal on every kind of host page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

const WEEK = {
  slots: ['2026-11-18T08:30:00', '2026-11-18T12:30:00'],
  ends: ['2026-11-18T11:30:00', '2026-11-18T15:00:00'],
};

/** Opens the modal on the demonstration page, a host page with hostile styles; `reply` is the server's reply. */
async function openModal(page: Page, reply: { status?: number; contentType?: string; body: string }): Promise<Locator> {
  await page.unrouteAll();
  await page.route('**/api/timeslots?*', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', ...reply }),
  );
  await page.goto('/embed/demo.html');
  await page.getByLabel('Client').fill('Bo Lee');
  await page.getByLabel('Any day of the week').fill('2026-11-20');
  await page.getByRole('button', { name: 'Open the modal' }).click();
  return page.getByRole('dialog', { name: 'Select Timeframes to Cancel' });
}

const week = JSON.stringify({
  data: ['16', '17', '18', '19', '20', '21', '22'].map((d) => ({
    date: `2026-11-${d}`,
    ...(d === '18' ? WEEK : { slots: [], ends: [] }),
  })),
});

test.beforeEach(({ page }) => signedIn(page));

test('[SLOT-01] [SLOT-03] each day has a column with Select All and slots, and confirmed slots reach the host page', async ({
  page,
}) => {
  const modal = await openModal(page, { body: week });
  await expect(modal.getByRole('heading', { name: 'Select Timeframes to Cancel' })).toBeVisible();
  await expect(modal.getByRole('group').filter({ has: page.getByRole('checkbox') })).toHaveCount(5);
  await expect(modal.getByRole('button', { name: 'Close' })).toBeVisible();
  await expect(modal.getByRole('checkbox', { name: 'Select All' }).first()).toBeDisabled();
  const wednesday = modal.getByRole('group', { name: /^Wed/ });
  await wednesday.getByRole('checkbox', { name: 'Select All' }).check();
  await expect(wednesday.getByRole('checkbox', { name: '8:30 AM - 11:30 AM' })).toBeChecked();
  await wednesday.getByRole('checkbox', { name: '8:30 AM - 11:30 AM' }).uncheck();
  await expect(modal.getByText('1 session selected, 2 h 30 min on 1 day')).toBeVisible();
  await modal.getByRole('button', { name: 'Confirm Selection' }).click();
  await expect(modal).toBeHidden();
  expect(JSON.parse(await page.locator('#received').innerText())).toEqual({
    slots: ['2026-11-18T12:30:00'],
    sessions: [{ start: '2026-11-18T12:30:00', end: '2026-11-18T15:00:00' }],
  });
});

test('[SLOT-01] a week with a session on Sunday shows seven days, and a day without sessions says so', async ({
  page,
}) => {
  const day = (date: string) => ({ date, slots: [`${date}T08:30:00`], ends: [`${date}T11:30:00`] });
  const modal = await openModal(page, { body: JSON.stringify({ data: [day('2026-11-21'), day('2026-11-22')] }) });
  await expect(modal.getByRole('group', { name: /^Mon/ })).toContainText('Nothing to cancel');
  await expect(modal.getByRole('group', { name: /^Mon/ }).getByText('Select All')).toHaveCSS('cursor', 'not-allowed');
  await expect(modal.getByRole('group', { name: /^Sun/ }).getByText('Select All')).toHaveCSS('cursor', 'pointer');
  const body = modal.getByRole('region', { name: 'Sessions of the week' });
  for (const width of [1440, 1024, 700]) {
    await page.setViewportSize({ width, height: 900 });
    await modal.getByRole('group', { name: /^Sun/ }).scrollIntoViewIfNeeded();
    await expect(modal.getByRole('group', { name: /^Sun/ }).getByText('8:30 AM - 11:30 AM')).toBeInViewport({
      ratio: 1,
    });
    expect(await body.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
  }
});

test('[SLOT-02] the modal requests the week that contains its start date', async ({ page }) => {
  const asked = page.waitForRequest('**/api/timeslots?*');
  await openModal(page, { body: week });
  const url = new URL((await asked).url());
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_name: 'Bo Lee',
    location: 'altamonte',
    start_date: '2026-11-16',
  });
  expect((await asked).headers()['authorization']).toMatch(/^Bearer \S+$/);
});

test('[SLOT-04] a global object opens and closes the modal; the page’s styles and the modal’s do not affect each other', async ({
  page,
}) => {
  await page.goto('/embed/demo.html');
  const pageBefore = await page.locator('main > h1').evaluate((e) => getComputedStyle(e).cssText);
  const modal = await openModal(page, { body: week });
  const look = await modal.getByRole('button', { name: 'Close' }).evaluate((e) => {
    const s = getComputedStyle(e);
    return { family: s.fontFamily, spacing: s.letterSpacing, transform: s.textTransform, border: s.borderTopStyle };
  });
  expect(look.family).not.toContain('Comic Sans');
  expect(look).toMatchObject({ spacing: 'normal', transform: 'none', border: 'solid' });
  expect(await page.locator('main > h1').evaluate((e) => getComputedStyle(e).cssText)).toBe(pageBefore);
  await page.evaluate(() => (window as unknown as { TimeslotCancel: { close(): void } }).TimeslotCancel.close());
  await expect(modal).toBeHidden();
  await expect(page.locator('timeslot-cancel')).toHaveCount(0);
});

type Host = Window & { TimeslotCancel: { open(options: object): void; close(): void } };

test('[SLOT-04] a modal closed and reopened at once stays open; the host page’s zoom and direction do not affect the modal', async ({
  page,
}) => {
  const modal = await openModal(page, { body: week });
  const options = { clientName: 'Bo Lee', location: 'altamonte', startDate: '2026-11-20' };
  await page.evaluate(async (wanted) => {
    const { TimeslotCancel } = window as unknown as Host;
    const first = document.querySelector('timeslot-cancel')?.shadowRoot?.querySelector('dialog');
    // The browser reports that the first dialog closed only after the second one has opened.
    const reported = new Promise((done) => first?.addEventListener('close', done));
    TimeslotCancel.close();
    TimeslotCancel.open({ ...wanted, onConfirm: () => undefined });
    await reported;
  }, options);
  await expect(modal).toBeVisible();
  await expect(page.locator('timeslot-cancel')).toHaveCount(1);

  const measures = () =>
    modal.evaluate((dialog) => {
      const box = dialog.getBoundingClientRect();
      const close = [...dialog.querySelectorAll('footer button')].map((each) => each.getBoundingClientRect().left);
      return { width: Math.round(box.width), left: Math.round(box.left), buttons: close.map(Math.round) };
    });
  const usual = await measures();
  await page.evaluate((wanted) => {
    document.documentElement.style.direction = 'rtl';
    document.body.style.zoom = '1.5';
    (window as unknown as Host).TimeslotCancel.open({ ...wanted, onConfirm: () => undefined });
  }, options);
  await expect(modal.getByText('8:30 AM - 11:30 AM')).toBeVisible();
  expect(await modal.evaluate((dialog) => getComputedStyle(dialog).direction)).toBe('ltr');
  expect(await measures()).toEqual(usual);
});

test('[SLOT-04] the one script that a host page loads is at most 10 kB compressed', () => {
  const script = readFileSync(join(import.meta.dirname, '../../apps/embed/dist/embed/timeslot-cancel.js'));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(10_000);
});

test('[SLOT-05] the modal shows the right message for an empty week, for a refusal and for a reply that is not JSON', async ({
  page,
  watch,
}) => {
  watch.allow(/status of (404|502)/);
  const empty = JSON.stringify({ data: [{ date: '2026-11-16', slots: [], ends: [] }] });
  let modal = await openModal(page, { body: empty });
  await expect(modal.getByText('No available timeslots for this client.')).toBeVisible();
  modal = await openModal(page, {
    status: 404,
    body: JSON.stringify({ detail: "No client named 'Bo Lee' at Altamonte." }),
  });
  await expect(modal.getByText('Error fetching timeslots. Please try again.')).toBeVisible();
  await expect(modal.getByText("No client named 'Bo Lee' at Altamonte.")).toBeVisible();
  modal = await openModal(page, { contentType: 'text/html', body: '<p>hello' });
  await expect(modal.getByText('The reply was not JSON, so it could not be read.')).toBeVisible();
});

test('by keyboard, focus stays inside the modal until Escape closes it and returns the focus, and axe finds no violations', async ({
  page,
}) => {
  const modal = await openModal(page, { body: week });
  await expect(modal.getByText('8:30 AM - 11:30 AM')).toBeVisible();
  for (let i = 0; i < 20; i++) await page.keyboard.press('Tab');
  const inside = await page.evaluate(
    () => document.activeElement?.tagName === 'TIMESLOT-CANCEL' || document.activeElement === document.body,
  );
  expect(inside).toBe(true);
  await expectAccessibleInBothThemes(page, 'the modal', 'timeslot-cancel');
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open the modal' })).toBeFocused();
});

/** Opens a page of another site's making, which loads the modal's script; `policy` is its content security policy. */
async function hostPage(page: Page, html: string, policy = ''): Promise<void> {
  await page.route('**/api/timeslots?*', (route) => route.fulfill({ contentType: 'application/json', body: week }));
  await page.route('**/host.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: html,
      headers: policy ? { 'Content-Security-Policy': policy } : {},
    }),
  );
  await page.goto('/host.html');
}
const SCRIPT = '<script src="/embed/timeslot-cancel.js"></script>';
const openNow = (getToken = ''): string => `TimeslotCancel.open({
  clientName: 'Bo Lee', location: 'altamonte', startDate: '2026-11-20', onConfirm() {}, ${getToken} });`;
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Select Timeframes to Cancel' });

for (const [what, html] of [
  ['a hidden body', `<style>body { display: none }</style><body>${SCRIPT}`],
  [
    'a body that nothing can reach',
    `<body inert style="visibility: hidden; opacity: 0; content-visibility: hidden">${SCRIPT}`,
  ],
  [
    'rules against everything',
    `<style>* { all: unset !important } dialog, :not(html, body) { display: none !important }</style>${SCRIPT}`,
  ],
  ['no head and no doctype', `<html><body>${SCRIPT}<script>document.head.remove()</script>`],
] as const) {
  test(`[SLOT-04] on a page with ${what}, the modal is shown and can be used`, async ({ page }) => {
    await hostPage(page, html);
    await page.evaluate(openNow());
    const modal = dialogOf(page);
    await modal.getByRole('checkbox', { name: '8:30 AM - 11:30 AM' }).check();
    await expect(modal.getByText('1 session selected, 3 h on 1 day')).toBeVisible();
    const look = await modal.evaluate((e) => [getComputedStyle(e).display, getComputedStyle(e).borderRadius]);
    expect(look).toEqual(['flex', '12px']);
    await modal.getByRole('button', { name: 'Close' }).click();
    await expect(page.locator('timeslot-cancel')).toHaveCount(0);
  });
}

test('[SLOT-04] open works before the page has a body; close before open, and open twice, leave one modal', async ({
  page,
}) => {
  await hostPage(
    page,
    `<head>${SCRIPT}<script>TimeslotCancel.close();${openNow()}${openNow()}</script></head><body><h1>Late</h1></body>`,
  );
  await expect(dialogOf(page).getByText('8:30 AM - 11:30 AM')).toBeVisible();
  await expect(page.locator('timeslot-cancel')).toHaveCount(1);
  await expect(page.locator('body > h1')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator('timeslot-cancel')).toHaveCount(0);
});

test('[SLOT-04] a strict content security policy, with trusted types, does not break the modal', async ({ page }) => {
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
  await hostPage(page, `<body>${SCRIPT}`, policy);
  await page.evaluate(
    ({ TimeslotCancel }) => {
      TimeslotCancel.open({ clientName: 'Bo', location: 'tampa', startDate: '2026-11-20', onConfirm: () => undefined });
    },
    await page.evaluateHandle(() => window as unknown as Host),
  );
  await expect(dialogOf(page).getByText('8:30 AM - 11:30 AM')).toBeVisible();
  await expect(dialogOf(page)).toHaveCSS('border-radius', '12px');
});

test('[SLOT-04] the modal is dark when the system is, unless the page’s data-theme says otherwise', async ({
  page,
}) => {
  await hostPage(page, `<body>${SCRIPT}`);
  const lightness = async (): Promise<number> => {
    await page.evaluate(openNow());
    await expect(dialogOf(page).getByText('8:30 AM - 11:30 AM')).toBeVisible();
    return dialogOf(page).evaluate((dialog) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      if (!canvas) throw new Error('no canvas');
      canvas.fillStyle = getComputedStyle(dialog).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return (red + green + blue) / 3;
    });
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await lightness()).toBeLessThan(80);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await lightness()).toBeGreaterThan(220);
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
  expect(await lightness()).toBeLessThan(80);
});

test('[SLOT-05] a page that cannot say who is logged in gets the error, and may try again', async ({ page }) => {
  await page.clock.install();
  await hostPage(page, `<body>${SCRIPT}`);
  const modal = dialogOf(page);
  for (const getToken of [
    'getToken() { throw new Error("no store") }',
    'getToken: () => Promise.reject(new Error("refused"))',
    'getToken: () => new Promise(() => {})',
  ]) {
    await page.evaluate(openNow(getToken));
    await page.clock.runFor(30_000);
    await expect(modal.getByRole('alert')).toContainText('Error fetching timeslots. Please try again.');
    await expect(modal.getByRole('alert')).toContainText('This page did not say who is logged in.');
  }
  await page.evaluate(
    openNow('getToken: () => (window.asked = (window.asked ?? 0) + 1) < 2 ? Promise.reject() : "a.b.c"'),
  );
  await modal.getByRole('button', { name: 'Try again' }).click();
  await expect(modal.getByText('8:30 AM - 11:30 AM')).toBeVisible();
});
