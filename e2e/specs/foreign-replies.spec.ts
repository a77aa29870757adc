import type { Route } from '@playwright/test';
import { TEXTS } from '@clinic/contract';
import { expect, test } from '../fixtures/test.ts';
import { openOptions } from '../pages/options.ts';

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
