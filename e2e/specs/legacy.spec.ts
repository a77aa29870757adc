import type { Page } from '@playwright/test';
import type { TimeslotDay } from '@clinic/contract';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';

interface Booked {
  name: string;
  date: string;
}

/** A client with a session at Altamonte today, and today's date in the demo clinic. */
async function someoneBooked(page: Page): Promise<Booked> {
  return page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('access_token')}` };
    const read = async (path: string): Promise<unknown> => (await fetch(`/api${path}`, { headers })).json();
    const { now } = (await read('/session')) as { now: string };
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
    const clients = (await read('/clients?location=altamonte')) as { display_name: string }[];
    for (const { display_name: name } of clients) {
      const query = new URLSearchParams({ client_name: name, location: 'altamonte', start_date: date }).toString();
      const week = (await read(`/timeslots?${query}`)) as { data: TimeslotDay[] };
      if (week.data.some((d) => d.date === date && d.slots.length > 0)) return { name, date };
    }
    throw new Error('nobody is booked today');
  });
}

test('[LEG-03] given a location, client and week, the sessions chosen in the modal are listed for review and cancelled, and a link opens the options', async ({
  page,
}) => {
  await signedIn(page);
  const { name, date } = await someoneBooked(page);
  // The reply to the page's first request for clients arrives late. It must not replace the newer list or the client
  // chosen from that list.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    '**/api/clients?*',
    async (route) => {
      await held;
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto('/scheduler');
  await page.getByRole('combobox', { name: /^Location/ }).selectOption('altamonte');
  const client = page.getByRole('combobox', { name: /^Client/ });
  await expect(client.locator('option', { hasText: name }).first()).toBeAttached();
  await client.selectOption(name);
  const late = page.waitForEvent('requestfinished', (request) => request.url().includes('/api/clients?'));
  release();
  await late;
  await page.getByLabel('Week of').fill(date);
  await page.getByRole('button', { name: 'Choose sessions' }).click();

  const modal = page.getByRole('dialog', { name: 'Select Timeframes to Cancel' });
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );
  const day = modal.getByRole('group', { name: new RegExp(`^${weekday}`) });
  await day.getByRole('checkbox', { name: 'Select All' }).check();
  await modal.getByRole('button', { name: 'Confirm Selection' }).click();
  await expect(modal).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel these sessions' })).toBeFocused();

  const rows = page.getByRole('row').filter({ hasText: name });
  await expect(rows.first()).toBeVisible();
  const saved = page.waitForRequest((r) => r.url().endsWith('/api/api/scheduler/process'));
  await page.getByRole('button', { name: 'Cancel these sessions' }).click();
  const body = (await saved).postDataJSON() as { queries: Record<string, unknown>[] };
  expect(body.queries.length).toBeGreaterThan(0);
  for (const query of body.queries) {
    expect(query).toMatchObject({ type: 'client_cancel', client: name, date, location: 'altamonte' });
    expect(query).not.toHaveProperty('replaces');
  }
  await page
    .getByRole('link', { name: /^See options for/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: /^Schedule Solutions/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByText(name).first()).toBeVisible();
});

test('an account with one location can choose only that location, whatever location was chosen on this computer before', async ({
  page,
  request,
}) => {
  const account = { email: 'legacy@clinic.example', password: 'slow boats carry wide rivers' };
  const api = await Api.signIn(request, DEMO.admin);
  await api.addAccount({ ...account, name: 'Lena Legacy', role: 'scheduler', locations: ['orlando'] });
  await signedIn(page, account);
  await page.evaluate(() => localStorage.setItem('selectedLocation', 'tampa'));
  await page.goto('/scheduler');
  const location = page.getByRole('combobox', { name: /^Location/ });
  await expect(location.locator('option')).toHaveText(['Orlando']);
  await expect(location).toHaveValue('orlando');
  await expect(page.getByRole('combobox', { name: /^Client/ }).locator('option')).not.toHaveCount(1);
});
