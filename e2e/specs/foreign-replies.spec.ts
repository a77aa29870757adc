import type { Page, Route } from '@playwright/test';
import { TEXTS, type Therapist } from '@clinic/contract';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { openOptions } from '../pages/options.ts';
import { Calendar } from '../pages/calendar.ts';
import { modal, openProfiles } from '../pages/profiles.ts';

// What a proxy, a captive portal or a broken connection may send instead of the server's reply. The unit tests of the
// request layer try every endpoint, the component tests every reply; these tests try what whole pages then say.

const LOGIN_PAGE = { contentType: 'text/html', body: '<!doctype html><title>Log in</title><form></form>' };
const REPLIES: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a login page': (route) => route.fulfill({ status: 200, ...LOGIN_PAGE }),
  null: (route) => route.fulfill({ json: null }),
  '{}': (route) => route.fulfill({ json: {} }),
  'broken JSON': (route) => route.fulfill({ contentType: 'application/json', body: '{"data":[{"id' }),
  'a gateway’s page': (route) => route.fulfill({ status: 502, ...LOGIN_PAGE }),
  'a portal’s page': (route) => route.fulfill({ status: 511, ...LOGIN_PAGE }),
  'no reply': (route) => route.abort('connectionreset'),
};
/** What no user should ever read. */
const SCRIPT =
  /Unexpected|Failed to fetch|TypeError|undefined|\[object|not valid JSON|Cannot read|is not a function|<form/;

test.beforeEach(({ watch }) => watch.allow(/Failed to load resource|ERR_CONNECTION_RESET/));

const PAGES = [
  { path: '/profiles', calls: '**/api/therapists', says: TEXTS.loadFailed('therapists'), not: TEXTS.noProfiles },
  { path: '/', calls: '**/api/today?*', says: 'Failed to load the day. Please try again.' },
  { path: '/calls', calls: '**/api/calls?*', says: 'Failed to load the call list. Please try again.' },
  { path: '/ledgers', calls: '**/api/ledgers/hours?*', says: 'Failed to load the figures. Please try again.' },
  { path: '/reports', calls: '**/api/reports?*', says: 'Failed to load the report. Please try again.' },
  { path: '/accounts', calls: '**/api/accounts', says: 'Failed to load the accounts. Please try again.' },
  { path: '/causes', calls: '**/api/causes', says: 'Failed to load the reasons. Please try again.' },
  { path: '/audit', calls: '**/api/audit*', says: 'Failed to load the audit trail. Please try again.' },
  { path: '/calendar', calls: '**/api/slots?*', says: 'Failed to load schedule data. Please try again.' },
] as const;

for (const { path, calls, says, ...more } of PAGES) {
  test(`given anything but the server’s reply, ${path} says that it could not load, and never that there is nothing`, async ({
    page,
  }) => {
    await signedIn(page, DEMO.admin);
    await everyReply(page, path, calls, says, 'not' in more ? more.not : null);
  });
}

test('given anything but the server’s reply, a therapist’s own page says that it could not load', async ({ page }) => {
  await signedIn(page, DEMO.therapist);
  await everyReply(page, '/me', '**/api/me', 'Failed to load your days. Please try again.', 'Nothing has changed');
});

const FOR_PAGES = Object.entries(REPLIES).filter(([name]) => ['{}', 'a gateway’s page'].includes(name));

/** Opens a page whose data never arrives whole, in two of the ways. */
async function everyReply(page: Page, path: string, calls: string, says: string, not: string | null): Promise<void> {
  let reply = FOR_PAGES[0]?.[1];
  let asked = 0;
  await page.route(calls, async (route) => {
    asked++;
    await reply?.(route);
  });
  await page.goto(path);
  const failure = page.getByRole('alert').filter({ hasText: says });
  for (const [name, next] of FOR_PAGES) {
    if (next !== reply) {
      reply = next;
      const before = asked;
      await failure.getByRole('button', { name: 'Try again' }).click();
      // A request without the server's reply is sent once more.
      await expect.poll(() => asked, name).toBeGreaterThan(before + 1);
    }
    await expect(failure, name).toBeVisible();
    await expect(page.locator('body'), name).not.toContainText(SCRIPT, { timeout: 1000 });
    await expect(failure, name).not.toContainText(/saved|Server error/);
    if (not !== null) await expect(page.getByText(not), name).toHaveCount(0);
  }
  await page.unroute(calls);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toHaveCount(0);
}

test('[SOL-14] [SOL-17] given anything but a workbook or a JSON reply to Submit, nothing is taken for submitted, and submitting again commits once', async ({
  page,
  request,
}) => {
  const { api, at, date, view } = await openOptions(page, request, { at: 'deerfield', after: 11 }, 1);
  let saved = 0;
  page.on('download', () => saved++);
  const [first, ...others] = [
    ...Object.values(REPLIES),
    (route: Route) => route.fulfill({ status: 204 }),
    (route: Route) => route.fulfill({ json: [] }),
    (route: Route) => route.fulfill({ contentType: 'text/html', json: { commit: 'x' } }),
    (route: Route) => route.fulfill({ contentType: 'application/vnd.ms-excel', body: 'PK\u0003\u0004 and no more' }),
  ];
  let reply = first;
  await page.route('**/api/actions', async (route) => {
    await route.fetch(); // the server carries it out; the reply is another one
    await reply?.(route);
  });
  for (const next of [first, ...others]) {
    reply = next;
    await view.submit.click();
    const title = next === REPLIES['no reply'] ? TEXTS.actionsNoReply : TEXTS.actionsFailed;
    await expect(view.alert).toHaveAccessibleName(title);
    await expect(view.alert).toContainText('may have been submitted. Submit again: nothing is submitted twice.');
    await expect(view.alert).not.toContainText(SCRIPT);
    await view.alert.getByRole('button', { name: 'OK' }).click();
    await expect(view.modal).toBeVisible();
  }
  expect(saved).toBe(0);
  await page.unroute('**/api/actions');
  const download = page.waitForEvent('download');
  await view.submit.click();
  expect((await download).suggestedFilename()).toBe('schedule_actions.xlsx');
  const commits = await api.get<unknown[]>(`/commits?location=${encodeURIComponent(at)}&date=${date}`);
  expect(commits).toHaveLength(1);
});

test('[ABS-06] [ABS-07] given anything but options, the absences may have been saved; without a connection, they are not', async ({
  page,
  context,
}) => {
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open('?location=orlando');
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const save = calendar.panel.getByRole('button', { name: 'Save Absences' });
  const alert = calendar.panel.getByRole('alert');
  let [reply] = Object.values(REPLIES);
  await page.route('**/scheduler/process', (route) => reply?.(route));
  for (const [name, next] of Object.entries({ ...REPLIES, '204': (r: Route) => r.fulfill({ status: 204 }) })) {
    reply = next;
    await save.click();
    await expect(alert, name).toContainText('The absences may have been saved. Save again: nothing is saved twice.');
    await expect(alert, name).toContainText(/^Failed to save absences: /);
    await expect(alert, name).not.toContainText(SCRIPT);
    await expect(page.getByRole('alertdialog'), name).toHaveCount(0);
    await expect(calendar.entry(person)).toBeVisible();
  }
  await page.unroute('**/scheduler/process');
  await context.setOffline(true);
  await save.click();
  await expect(alert).toHaveText('Failed to save absences: Not saved: there is no connection. They are kept here.');
  await context.setOffline(false);
  await expect(calendar.entry(person)).toBeVisible();
});

test('[PROF-11] [PROF-12] given null for a saved or deleted profile, no page says that it worked', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  await signedIn(page);
  await openProfiles(page, 'Therapists');
  const [first] = await api.get<Therapist[]>('/therapists');
  const name = first?.display_name ?? '';
  await page.getByRole('button', { name }).first().click();
  const form = modal(page, name);
  await form.getByRole('button', { name: 'Edit' }).click();
  await form.getByLabel('First name').fill(`${first?.first_name ?? ''}x`);
  await page.route(/\/api\/therapists\/[\w-]+(\?.*)?$/, async (route) => {
    const writes = ['PUT', 'DELETE'].includes(route.request().method());
    await (writes ? route.fulfill({ json: null }) : route.continue());
  });
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form.getByRole('alert')).toContainText(
    `${TEXTS.saveFailed} The server’s reply could not be read. It may have been saved. Check the profile before trying again.`,
  );
  await expect(page.getByText(TEXTS.updated)).toHaveCount(0);
  await form.getByRole('button', { name: 'Delete' }).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(TEXTS.deleteFailed)).toBeVisible();
  await expect(page.getByText(`${name} may have been deleted. Check the list before trying again.`)).toBeVisible();
  await expect(page.getByText(TEXTS.deleted)).toHaveCount(0);
});
