import type { Locator, Page } from '@playwright/test';
import type { Client, Therapist } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// These tests need a day on which much happens, so they have a server of their own.
test.use({ serverFor: 'found at once' });

const AT = 'tampa';
const DAY = `date=2026-11-18&location=${AT}`;

/** Makes a morning with calls to make, sessions that need cover, and a session against a rule; returns its therapist. */
async function makeMorning(api: Api): Promise<string> {
  const date = await api.today();
  await api.commit(await api.callOut(date, AT, 3));
  await api.callOut(date, AT, 3);
  const person = { location: AT, gender: 'Female' };
  const child = { ...person, first_name: 'Nell', last_name: 'Against', restrictions: [] };
  const { body: nell } = await api.send<Client>('POST', '/clients', child);
  const starts = { specialization: 'RBT', start_date: '2024-03-04', availability: [] };
  const adult = { ...person, ...starts, first_name: 'Rule', last_name: 'Breaker' };
  const { body: rule } = await api.send<Therapist>('POST', '/therapists', adult);
  const session = { location: AT, date, start: '09:00', end: '10:00', subject: 'Direct Therapy', anyway: true };
  const names = { client: nell.display_name, therapist: rule.display_name };
  expect((await api.send('POST', '/appointments', { ...session, ...names })).status).toBe(201);
  const restrictions = [{ type: 'therapist', restriction: rule.id }];
  expect((await api.send('PUT', `/clients/${nell.id}`, { ...nell, restrictions })).status).toBe(200);
  return rule.display_name;
}

/** What a newcomer looks for on the calendar: the control that leads there, and what is there. */
const SEARCHES: readonly [what: string, way: (page: Page) => Locator, found: (page: Page) => Locator][] = [
  [
    'the calls',
    (page) => page.getByRole('link', { name: /^Calls ?: \d+ to tell/ }),
    (page) => page.getByRole('list', { name: 'Calls to make' }).getByRole('listitem').first(),
  ],
  [
    'what is wrong',
    (page) => page.getByRole('link', { name: /things? (is|are) wrong/ }),
    (page) => page.getByRole('main').getByText(/^\d+ things? (is|are) wrong/),
  ],
  [
    'the open hours of an option',
    (page) => page.getByRole('button', { name: 'See options' }),
    (page) =>
      page
        .getByRole('dialog', { name: /^Schedule Solutions/ })
        .getByRole('definition')
        .filter({ hasText: /open/ })
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
  const therapist = await makeMorning(await Api.signIn(request));
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
      await expect(found(page), `${what} at ${width}`).toBeInViewport();
    }
  }
  for (const [typed, command] of [
    ['calls', /^Calls to make/],
    ['wrong', /^Go to Today/],
    ['options', /^See options for what needs cover/],
    ['hours', /^Go to Hours & authorizations/],
    [therapist, `Profile of ${therapist}`],
  ] as const) {
    await calendar.open(`?${DAY}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(typed);
    await expect(page.getByRole('option', { name: command })).toBeInViewport();
  }
});
