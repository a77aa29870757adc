import type { SlotsReply } from '@clinic/contract';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('[CAL-09] [CAL-14] given another back end’s day, its sessions are drawn at their times, and what cannot be read is counted @detail', async ({
  page,
}) => {
  await signedIn(page);
  await page.route('**/api/slots?*', async (route) => {
    const date = new URL(route.request().url()).searchParams.get('date') ?? '';
    const [, month, day] = date.split('-').map(Number);
    const session = (Id: string, start: unknown, end: unknown, more: object = {}) => ({
      Id,
      StartDateTime: start,
      EndDateTime: end,
      Subject: 'Direct Therapy',
      Preferred_Provider_Name: 'Ana Ruiz',
      Appointment_Status: 'CONFIRMED',
      'Client Name': `Child ${Id}`,
      Location: 'Altamonte',
      ...more,
    });
    const appointments = [
      session('A', `${date}T08:00:00`, `${date}T09:00:00`),
      session('B', `${month}/${day}/${date.slice(0, 4)}, 10:00:00 AM`, `${month}/${day}/${date.slice(0, 4)} 11:00`),
      session('C', '1/2/2020, 1:00 PM', '1/2/2020, 2:00 PM'),
      session('D', null, 'noon'),
      session('E', `${date} 13:00`, `${date} 14:00`, { Preferred_Provider_Name: null, Appointment_Status: 'On hold' }),
      null,
    ];
    const json = { appointments, availabilities: [null] } as unknown as SlotsReply;
    await route.fulfill({ json });
  });
  const calendar = new Calendar(page);
  await calendar.open();
  await expect(page.getByRole('alert')).toContainText('2 sessions and 1 available time could not be read');
  const ana = calendar.row('Ana Ruiz');
  await expect(ana.getByRole('button', { name: /^Child A, 8:00 AM - 9:00 AM/ })).toBeVisible();
  await expect(ana.getByRole('button', { name: /^Child B, 10:00 AM - 11:00 AM/ })).toBeVisible();
  await expect(calendar.grid.getByRole('button', { name: /^Child [CD]/ })).toHaveCount(0);
  const held = calendar.grid.getByRole('button', { name: /^Child E/ });
  await held.focus();
  await expect(page.getByRole('tooltip')).toContainText('On hold');
});
