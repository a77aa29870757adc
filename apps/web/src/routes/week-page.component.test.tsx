import { calendarEndpoints, closuresEndpoints, ledgersEndpoints, type SlotsReply } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MORNING } from '../testing/calendar.tsx';
import type { Replies } from '../testing/components.tsx';
import { openPage } from '../testing/pages.tsx';

const openWeek = (search = '', day: Partial<SlotsReply> = {}, more: Replies = []) =>
  openPage(`/calendar?span=week&location=altamonte${search}`, {
    replies: [
      ...more,
      [calendarEndpoints.slots, { ...MORNING, ...day }],
      [closuresEndpoints.listClosures, []],
      [ledgersEndpoints.hours, { rows: [], off: [], from: '2026-11-16', to: '2026-11-22' }],
    ],
  });

test('the staff’s week shows each person’s free time in hours, and a name leads to that person’s week', async () => {
  await openWeek();
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^Ana Ruiz/ }) });
  await expect
    .element(row.getByRole('link', { name: /^3 h free: Ana Ruiz, Wednesday.* 10:00 AM - 1:00 PM/ }))
    .toBeVisible();
  await expect.element(row.getByRole('link', { name: /^1 h free/ })).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Free for at least' }).selectOptions('60');
  await expect.element(row.getByRole('link', { name: /^1 h free: Ana Ruiz.* 7:00 AM - 8:00 AM/ })).toBeVisible();
  await row.getByRole('link', { name: /^Ana Ruiz/ }).click();
  await expect.element(page.getByRole('heading', { name: 'Ana Ruiz' })).toBeVisible();
  await expect.element(page.getByRole('grid', { name: 'Ana Ruiz, week of Monday, November 16, 2026' })).toBeVisible();
});

test('a person’s week has a row for each date, and a date leads to its day', async () => {
  await openWeek('&person=Ana Ruiz');
  await expect.element(page.getByRole('button', { name: /^Wed 18 Today, 4 h, 7 h free/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Bo Lee 8:00 - 10:00/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Sun 22/ })).toBeVisible();
  await page.getByRole('button', { name: /^Wed 18/ }).click();
  await expect.element(page.getByRole('grid', { name: 'Therapists, Wednesday, November 18, 2026' })).toBeVisible();
});

test('keys lead from day to week, a week on and back, and to today', async () => {
  await openWeek();
  await expect.element(page.getByRole('button', { name: 'Nov 16 - 22, 2026' })).toBeVisible();
  await userEvent.keyboard('[BracketRight]');
  await expect.element(page.getByRole('button', { name: 'Nov 23 - 29, 2026' })).toBeVisible();
  await userEvent.keyboard('[BracketLeft][BracketLeft]');
  await expect.element(page.getByRole('button', { name: 'Nov 9 - 15, 2026' })).toBeVisible();
  await userEvent.keyboard('td');
  await expect.element(page.getByRole('grid', { name: /^Therapists, Wednesday/ })).toBeVisible();
  await userEvent.keyboard('w');
  await expect.element(page.getByRole('table', { name: 'Therapists, the week' })).toBeVisible();
});

test('a closed date says so and has no free time', async () => {
  await openWeek('&person=Ana Ruiz', {}, [
    [
      closuresEndpoints.listClosures,
      [
        {
          id: '1',
          act: '1',
          location: 'altamonte',
          from_date: '2026-11-18',
          from_time: '00:00',
          to_date: '2026-11-18',
          to_time: '23:59',
          name: 'Flooding',
          cause: null,
          holiday: false,
          by: null,
          at: '2026-11-01T00:00:00Z',
          cancelled: 0,
          booked: 2,
        },
      ],
    ],
  ]);
  await expect.element(page.getByText('Flooding: Altamonte is closed')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Wed 18 Today, 4 h$/ })).toBeVisible();
});

test('when a day of the week cannot be loaded, the page says so and offers to try again', async () => {
  let fails = true;
  await openWeek('', {}, [
    [calendarEndpoints.slots, () => (fails ? new Response('', { status: 500 }) : Response.json(MORNING))],
  ]);
  await expect.element(page.getByText('Failed to load the week. Please try again.')).toBeVisible();
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('table', { name: 'Therapists, the week' })).toBeVisible();
});
