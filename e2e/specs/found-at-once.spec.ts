import type { Locator, Page } from '@playwright/test';
import { parseWireDateTime } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// These tests need a day on which much happens, so they have a server of their own.
test.use({ serverFor: 'found at once' });

const AT = 'tampa';
const DAY = `date=2026-11-18&location=${AT}`;

/** Makes a morning with calls to make, sessions that need cover, and somebody with two sessions at once. */
async function makeMorning(api: Api): Promise<{ twice: string }> {
  const date = await api.today();
  await api.commit(await api.callOut(date, AT, 3));
  await api.callOut(date, AT, 3);
  const { appointments } = await api.slots(date, AT);
  const booked = appointments.filter(
    (each) => each.service === 'direct' && !each.group && each.Preferred_Provider_Name !== 'Unassigned',
  );
  const [first] = booked;
  const other = booked.find((each) => each['Client Name'] !== first?.['Client Name']);
  const twice = first?.Preferred_Provider_Name ?? '';
  const [start, end] = [first?.StartDateTime, first?.EndDateTime].map((each) => clockOf(each ?? ''));
  const body = { location: AT, date, start, end, subject: 'Direct Therapy', client: other?.['Client Name'] };
  const { status, body: reply } = await api.send('POST', '/appointments', { ...body, therapist: twice, anyway: true });
  expect(status, JSON.stringify(reply)).toBe(201);
  return { twice };
}

/** The time of `11/18/2026, 8:30 AM`, as the API takes it. */
const clockOf = (text: string): string => formatTime(parseWireDateTime(text)?.minutes ?? 0);

const hasOpenHours = /\b\d+ (h|min)( \d+ min)? open\b/;

/** What a newcomer looks for on the calendar: the control that leads there, and what is there. */
const SEARCHES: readonly [what: string, way: (page: Page) => Locator, found: (page: Page, name: string) => Locator][] =
  [
    [
      'the calls',
      (page) => page.getByRole('link', { name: /^Calls: \d+ to tell/ }),
      (page) => page.getByRole('list', { name: 'Calls to make' }).getByRole('listitem').first(),
    ],
    [
      'what is wrong',
      (page) => page.getByRole('link', { name: /things? (is|are) wrong/ }),
      (page) => page.getByRole('heading', { name: 'Things that are wrong' }),
    ],
    [
      'the open hours of an option',
      (page) => page.getByRole('button', { name: 'See options' }),
      (page) =>
        page
          .getByRole('dialog', { name: /^Schedule Solutions/ })
          .getByText(hasOpenHours)
          .first(),
    ],
    [
      'the hours of a therapist',
      (page) => page.getByRole('link', { name: 'Hours', exact: true }),
      (page) => page.getByRole('table').getByRole('row').nth(1).getByRole('cell').first(),
    ],
  ];

test('given a bad morning, each thing that is looked for is one named control away, in view without scrolling, and in the palette', async ({
  page,
  request,
}) => {
  test.slow();
  const { twice } = await makeMorning(await Api.signIn(request));
  await signedIn(page);
  const calendar = new Calendar(page);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [what, way, found] of SEARCHES) {
      await calendar.open(`?${DAY}`);
      const control = way(page).first();
      await expect(control, `${what} at ${width}`).toBeInViewport({ ratio: 1 });
      await control.click();
      await expect(found(page, twice), `${what} at ${width}`).toBeInViewport();
    }
  }
  for (const [typed, command] of [
    ['calls', /^Calls to make/],
    ['wrong', /^Go to Today/],
    ['options', /^See options for what needs cover/],
    ['hours', /^Go to Hours & authorizations/],
    [twice, `Profile of ${twice}`],
  ] as const) {
    await calendar.open(`?${DAY}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(typed);
    await expect(page.getByRole('option', { name: command })).toBeInViewport();
  }
});

/** Pages and states that no other test gives to axe: where they are, for whom, and what opens them there. */
const STATES: readonly [path: string, what: string, open?: (page: Page) => Promise<unknown>][] = [
  [`/calendar?${DAY}`, 'the menu', (page) => page.getByRole('button', { name: /account of/ }).click()],
  [`/calendar?${DAY}`, 'the shortcuts', (page) => page.keyboard.press('?')],
  [`/calendar?${DAY}`, 'the card of a session', (page) => page.locator('[data-bar]').nth(2).focus()],
  [`/calendar?${DAY}`, 'a new session', (page) => page.keyboard.press('s')],
  [
    `/calendar?${DAY}`,
    'a second factor',
    async (page) => {
      await page.getByRole('button', { name: /account of/ }).click();
      await page.getByRole('menuitem', { name: 'Password, passkeys and sessions' }).click();
      await page.getByLabel('Current password').fill(DEMO.admin.password);
      await page.getByRole('button', { name: 'Set Up an App' }).click();
      await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    },
  ],
  [`/calendar?${DAY}&span=week`, 'the week of a location'],
  ['/people/clients/C-0001', 'the page of a client'],
  ['/people/therapists/T-0001', 'the page of a therapist'],
  ['/people/therapists/T-0001', 'a new absence', (page) => page.getByRole('button', { name: 'Add absence' }).click()],
  [`/reports?location=${AT}`, 'the reports'],
  ['/import', 'the import'],
  ['/export', 'the export'],
  ['/differences', 'the differences'],
  ['/meeting?location=tampa', 'a meeting'],
  ['/accounts', 'an invitation', (page) => page.getByRole('button', { name: 'Invite a Colleague' }).click()],
  ['/locations', 'a location', (page) => page.getByRole('button', { name: /^Edit/ }).first().click()],
  ['/programs', 'a program', (page) => page.getByRole('button', { name: 'Add Program' }).click()],
  ['/no/such/page', 'an address without a page'],
];

test('axe finds no violations in states of the pages that no other test opens, in both themes', async ({ page }) => {
  test.slow();
  await signedIn(page, DEMO.admin);
  for (const [path, what, open] of STATES) {
    await page.goto(path);
    await expect(page.locator('h1')).toBeAttached();
    await expect(page.locator('[role="status"][aria-label^="Loading"]')).toHaveCount(0);
    await open?.(page);
    await expectAccessibleInBothThemes(page, what);
  }
});
