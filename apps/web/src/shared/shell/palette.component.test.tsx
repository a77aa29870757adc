import { calendarEndpoints, callsEndpoints, profilesEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MORNING } from '../../testing/calendar.tsx';
import { openPage } from '../../testing/pages.tsx';

test('given people that are still loading, the palette says so, and never that there are none', async () => {
  let load!: (value: unknown) => void;
  const therapists = new Promise((resolve) => (load = resolve));
  await openPage('/closures', {
    replies: [
      [profilesEndpoints.listTherapists, () => therapists],
      [profilesEndpoints.listClients, []],
    ],
  });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('Profile of Jonathan');
  await expect.element(page.getByText('Still loading people')).toBeVisible();
  expect(page.getByText(/No results/).query()).toBeNull();
  load([]);
  await expect.element(page.getByText(/No results for “.*Jonathan”/)).toBeVisible();
});

const person = (id: string, display_name: string) => ({
  ...{ id, display_name, version: 1, location: 'altamonte', gender: 'Female' },
  ...{ first_name: display_name.split(' ')[0], last_name: display_name.split(' ')[1] },
});
const NO_CALLS = {
  ...{ lines: [], told: [], declined: [], now: '2026-11-18T07:05:00', open: true, next_ring: null, sheet: null },
  sending: { email: false, text: false, to_release: 0 },
};

/** Opens the palette where Bo Lee is a client and Ana Ruiz a therapist, and types. */
async function ask(typed: string, calls: unknown = NO_CALLS) {
  await openPage('/closures', {
    replies: [
      [profilesEndpoints.listTherapists, [person('T-1', 'Ana Ruiz')]],
      [profilesEndpoints.listClients, [person('C-1', 'Bo Lee')]],
      [calendarEndpoints.slots, MORNING],
      [callsEndpoints.list, calls],
    ],
  });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard(typed);
}

test('a name and a day say who comes then, one line a session, without leaving the page', async () => {
  await ask('bo 11/18');
  const answer = page.getByRole('status').filter({ hasText: 'Bo Lee' });
  await expect.element(answer).toMatchTextContent('Bo Lee Wednesday, November 18, 2026');
  await expect
    .poll(() =>
      answer
        .getByRole('listitem')
        .elements()
        .map((each) => each.textContent),
    )
    .toEqual(['8:00 AM - 10:00 AM: Ana Ruiz', '10:30 AM - 12:00 PM: Kai Wood']);
  await expect.element(page.getByRole('option', { name: /^Bo Lee on Wed, Nov 18/ })).toBeVisible();
  expect(location.pathname).toBe('/closures');
});

test('given a call list that cannot be loaded, nobody is said to come', async () => {
  await ask('ana tomorrow', () => new Response('', { status: 500 }));
  await expect.element(page.getByText('Could not load this day. Try again in a moment.')).toBeVisible();
  expect(page.getByText(/8:00 AM - 10:00 AM/).query()).toBeNull();
});

test('a person’s entries begin with Show, Profile and Week, and Profile leads to their page', async () => {
  await ask('ana ruiz');
  await expect
    .poll(
      () =>
        page
          .getByRole('option')
          .elements()
          .flatMap((each) => each.querySelector('b')?.textContent ?? []), // the page has options of its own
    )
    .toEqual(['Show Ana Ruiz', 'Profile of Ana Ruiz', 'Week of Ana Ruiz', 'Who could use Ana Ruiz’s time']);
  await page.getByRole('option', { name: /^Profile of Ana Ruiz/ }).click();
  await expect.poll(() => location.pathname).toBe('/people/therapists/T-1');
});
