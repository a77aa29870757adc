import { leaveEndpoints, profilesEndpoints, standingEndpoints, type Therapist } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../testing/pages.tsx';

const LEAVE = {
  location: 'altamonte',
  person: 'ana',
  first_date: '2030-12-02',
  last_date: null,
  weekdays: [1, 3],
  begin: '00:00',
  end: '12:00',
} as const;

test('given the address of a therapist’s absence, it leads to who takes the sessions, with the person, dates and weekdays', async () => {
  await openPage('/leave/6f0a9f0e-6a2b-4c53-9a58-1a1f0f6b7d10', {
    replies: [
      [leaveEndpoints.readLeave, { ...LEAVE, type: 'therapist' }],
      [profilesEndpoints.listTherapists, []],
      [standingEndpoints.offerReplacement, new Response('{"detail":"no"}', { status: 404 })],
    ],
  });
  await expect.poll(() => window.location.search).toContain('open=1');
  expect(window.location.pathname).toBe('/standing');
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toMatchObject({
    location: 'altamonte',
    therapist: 'ana',
    from: '2030-12-02',
    weekdays: '1,3',
    start: '00:00',
    end: '12:00',
  });
});

test('given a client’s absence, the page says that nobody takes the sessions', async () => {
  await openPage('/leave/6f0a9f0e-6a2b-4c53-9a58-1a1f0f6b7d10', {
    replies: [[leaveEndpoints.readLeave, { ...LEAVE, type: 'client' }]],
  });
  await expect.element(page.getByText(/absence of a client/)).toBeVisible();
});

test('given an absence that is gone, the page says so', async () => {
  await openPage('/leave/6f0a9f0e-6a2b-4c53-9a58-1a1f0f6b7d10', {
    replies: [[leaveEndpoints.readLeave, new Response('{"detail":"gone"}', { status: 404 })]],
  });
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load the absence. Please try again.' });
  await expect.element(failure).toBeVisible();
});

const ANA: Therapist = {
  id: 'ana',
  display_name: 'Ana Ruiz',
  version: 1,
  first_name: 'Ana',
  last_name: 'Ruiz',
  location: 'altamonte',
  gender: 'Female',
  specialization: 'RBT',
  start_date: '2025-02-03',
  end_date: null,
  week_hours: null,
  day_hours: null,
  guaranteed_hours: null,
  consistency: null,
  availability: [],
  credentials: [],
  tags: [],
  contacts: [],
};

/** Opens who takes Ana's sessions, changes the first day, and returns what the page then asks for. */
async function changeDates(search: string): Promise<object> {
  await openPage(`/standing?location=altamonte&therapist=ana&from=2030-12-02&weekdays=1,3&${search}`, {
    replies: [
      [profilesEndpoints.listTherapists, [ANA]],
      [standingEndpoints.offerReplacement, new Response('{"detail":"no"}', { status: 404 })],
    ],
  });
  await page.getByRole('button', { name: 'Change the dates' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Who is away' })).toHaveValue('ana');
  await page.getByLabelText('First day').fill('2030-12-04');
  await page.getByRole('button', { name: 'Find replacements' }).click();
  await expect.poll(() => window.location.search).toContain('from=2030-12-04');
  return Object.fromEntries(new URLSearchParams(window.location.search));
}

test('given an absence of mornings, when its dates are changed, then its times and weekdays stay', async () => {
  const asked = await changeDates('until=2030-12-20&start=08:00&end=12:00');
  expect(asked).toMatchObject({ until: '2030-12-20', weekdays: '1,3', start: '08:00', end: '12:00' });
  expect(asked).not.toHaveProperty('for_good');
});

test('given sessions that are handed over for good, when the first day is changed, then they still are', async () => {
  const asked = await changeDates('for_good=1');
  expect(asked).toMatchObject({ for_good: '1', weekdays: '1,3' });
  for (const key of ['until', 'start', 'end']) expect(asked).not.toHaveProperty(key);
});

test('given an absence until further notice, when the first day is changed, then it still has no last day', async () => {
  const asked = await changeDates('open=1');
  expect(asked).toMatchObject({ open: '1', weekdays: '1,3' });
  for (const key of ['until', 'for_good']) expect(asked).not.toHaveProperty(key);
});
