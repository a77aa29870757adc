import {
  adminEndpoints,
  calendarEndpoints,
  callsEndpoints,
  causesEndpoints,
  ledgersEndpoints,
  ownDayEndpoints,
  profilesEndpoints,
  reportsEndpoints,
  TEXTS,
  todayEndpoints,
} from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../testing/pages.tsx';

// What a proxy, a captive portal or a broken connection may send instead of the server's reply. The unit tests of the
// request layer try every endpoint, `load-failure.component.test.tsx` every reply; these tests try what whole pages say.

const REPLIES: Readonly<Record<string, unknown>> = {
  '{}': {},
  'a gateway’s page': new Response('<!doctype html><form></form>', {
    status: 502,
    headers: { 'Content-Type': 'text/html' },
  }),
};
/** What no user should ever read. */
const SCRIPT =
  /Unexpected|Failed to fetch|TypeError|undefined|\[object|not valid JSON|Cannot read|is not a function|<form/;

const PAGES = [
  ['/profiles', profilesEndpoints.listTherapists, TEXTS.loadFailed('therapists'), TEXTS.noProfiles],
  ['/', todayEndpoints.today, 'Failed to load the day. Please try again.', null],
  ['/calls', callsEndpoints.list, 'Failed to load the call list. Please try again.', null],
  ['/ledgers', ledgersEndpoints.hours, 'Failed to load the figures. Please try again.', null],
  ['/reports', reportsEndpoints.readReport, 'Failed to load the report. Please try again.', null],
  ['/accounts', adminEndpoints.listAccounts, 'Failed to load the accounts. Please try again.', null],
  ['/causes', causesEndpoints.listCauses, 'Failed to load the reasons. Please try again.', null],
  ['/audit', adminEndpoints.audit, 'Failed to load the audit trail. Please try again.', null],
  ['/calendar', calendarEndpoints.slots, 'Failed to load schedule data. Please try again.', null],
  ['/me', ownDayEndpoints.ownWeek, 'Failed to load your days. Please try again.', 'Nothing has changed'],
] as const;

for (const [path, endpoint, says, never] of PAGES)
  test(`given anything but the server’s reply, ${path} says that it could not load, and never that there is nothing`, async () => {
    let reply: unknown;
    let asked = 0;
    const given = (): unknown => {
      asked++;
      return reply;
    };
    [reply] = Object.values(REPLIES);
    const role = path === '/me' ? 'therapist' : 'admin';
    const account = { id: 'someone', email: 'a@clinic.example', name: 'Dana Reyes', role, locations: null } as const;
    await openPage(path, { replies: [[endpoint, given]], session: { account } });
    const failure = page.getByRole('alert').filter({ hasText: says });
    for (const [name, next] of Object.entries(REPLIES)) {
      if (next !== reply) {
        reply = next;
        const before = asked;
        await failure.getByRole('button', { name: 'Try again' }).click();
        await expect.poll(() => asked, { message: name }).toBeGreaterThan(before);
      }
      await expect.element(failure, { message: name }).toBeVisible();
      expect(document.body.innerText, name).not.toMatch(SCRIPT);
      expect(failure.element().textContent, name).not.toMatch(/saved|Server error/);
      if (never !== null) expect(document.body.innerText, name).not.toContain(never);
    }
  });
