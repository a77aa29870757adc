import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { locationsEndpoints, seriesEndpoints, type ManagedLocation } from '@clinic/contract';
import { DEFAULT_LOCATIONS, locationToSend, setLocations, type ClinicLocation } from '@clinic/domain';
import type { Replies } from '../testing/components.tsx';
import { openPage } from '../testing/pages.tsx';

afterEach(() => setLocations(DEFAULT_LOCATIONS));

const managed = (of: ClinicLocation, over: Partial<ManagedLocation> = {}): ManagedLocation => ({
  ...locationToSend(of),
  merged_into: null,
  therapists: 2,
  clients: 5,
  version: `v-${of.value}`,
  ...over,
});
const LIST = DEFAULT_LOCATIONS.map((each) => managed(each));
const ADMIN = {
  account: { id: 'someone', email: 'a@clinic.example', name: 'Ada', role: 'admin' as const, locations: null },
};
const open = (replies: Replies = []) =>
  openPage('/locations', { session: ADMIN, replies: [...replies, [locationsEndpoints.listLocations, LIST]] });

test('an administrator sees each location with its group, clock and people, and adds one', async () => {
  const added = {
    value: 'mesa',
    label: 'Mesa',
    group: 'Arizona',
    zone: 'America/Phoenix',
    hours: [],
    closedFrom: null,
  };
  const { requests } = await open([[locationsEndpoints.createLocation, [...LIST, managed(added)]]]);
  await expect
    .element(page.getByRole('row', { name: /Tampa/ }))
    .toMatchTextContent(/West Florida.*Eastern \(New York\).*2 therapists and 5 clients/);
  await page.getByRole('button', { name: 'Add Location' }).click();
  const save = page.getByRole('button', { name: 'Save Changes' });
  await page.getByLabelText('Name', { exact: true }).fill('Mesa');
  await page.getByLabelText('Group').fill('Arizona');
  await page.getByLabelText('Time zone').selectOptions('America/Phoenix');
  await page.getByLabelText('Monday from').fill('08:00');
  await expect.element(page.getByText('Enter both times, or none')).toBeVisible();
  await page.getByLabelText('Monday until').fill('18:00');
  await save.click();
  await expect.element(page.getByRole('row', { name: /Mesa/ })).toBeVisible();
  expect(requests).toEqual([
    {
      path: '/locations',
      body: {
        label: 'Mesa',
        group: 'Arizona',
        zone: 'America/Phoenix',
        hours: [{ weekday: 1, start: '08:00', end: '18:00' }],
      },
    },
  ]);
});

test('given sessions later on, a location cannot be closed, and the dialog says what to do', async () => {
  const left = { sessions: 12, series: 1, therapists: 2, clients: 0 };
  const { requests } = await open([[locationsEndpoints.remainingAtLocation, left]]);
  await page.getByRole('button', { name: 'Close Tampa' }).click();
  await expect
    .element(page.getByText(/Tampa still has 12 sessions and 1 weekly series\. Move or cancel them first/))
    .toBeVisible();
  await expect.element(page.getByText(/2 therapists will still be listed at Tampa/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close Location' })).toHaveAttribute('aria-disabled', 'true');
  expect(requests).toEqual([]);
});

test('a merge says first what it moves, and sends the version that was seen', async () => {
  const moved = { therapists: 2, clients: 5, sessions: 40, series: 3, absences: 1, accounts: 0 };
  const closed = managed({ ...DEFAULT_LOCATIONS[4], closedFrom: '2026-11-18' } as ClinicLocation, {
    merged_into: 'orlando',
  });
  const { requests } = await open([
    [locationsEndpoints.previewMerge, moved],
    [locationsEndpoints.mergeLocation, { moved, locations: [...LIST.slice(0, 4), closed] }],
  ]);
  await page.getByRole('button', { name: 'Merge Tampa' }).click();
  await page.getByLabelText('Merge into').selectOptions('Orlando');
  await expect
    .element(
      page.getByText(/Moves to Orlando: 2 therapists, 5 clients, 40 sessions, 3 weekly series,? and 1 absence\./),
    )
    .toBeVisible();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect.element(page.getByRole('row', { name: /Tampa/ })).toMatchTextContent(/Merged into Orlando/);
  expect(requests.at(-1)).toEqual({
    path: '/locations/tampa/merge',
    body: { into: 'orlando', from: '2026-11-18', version: 'v-tampa' },
  });
});

test('with 60 locations, one chooses by typing, and the keyboard is enough', async () => {
  const many = Array.from({ length: 60 }, (_, n): ClinicLocation => ({
    value: `clinic ${n}`,
    label: `Clinic ${n}`,
    group: n < 30 ? 'Arizona' : 'Colorado',
    zone: n < 30 ? 'America/Phoenix' : 'America/Denver',
    hours: [],
    closedFrom: null,
  }));
  await openPage('/series?location=clinic%203', {
    session: { locations: many.map(locationToSend) },
    replies: [[seriesEndpoints.recognised, () => new Response(null, { status: 404 })]],
  });
  const field = page.getByRole('combobox', { name: 'Location' });
  await field.findElement(); // its files load first
  await expect.element(field).toHaveValue('Clinic 3');
  await field.click();
  await expect.element(page.getByRole('group', { name: 'Colorado' })).toBeVisible();
  expect(page.getByRole('option').elements()).toHaveLength(60);
  await userEvent.keyboard('colo 45');
  expect(
    page
      .getByRole('option')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(['Clinic 45']);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('Clinic 45');
  expect(location.search).toContain('clinic+45');
  await field.click();
  await userEvent.keyboard('nowhere');
  await expect.element(page.getByText('No location matches “nowhere”.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveValue('Clinic 45');
});
