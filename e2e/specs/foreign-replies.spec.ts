import type { Route } from '@playwright/test';
import { TEXTS, type Therapist } from '@clinic/contract';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { openOptions } from '../pages/options.ts';
import { modal, openProfiles } from '../pages/profiles.ts';

// What a proxy, a captive portal or a broken connection may send instead of the server's reply. The unit tests of the
// request layer try every endpoint, the component tests every page and every reply; these try what is written.

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
