import type { Client, Therapist } from '@clinic/contract';
import { addDays, dayOfWeek, weekdayName, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('a session on two days a week, without an end, is booked in one form that shows beforehand what is skipped and why @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 60);
  const person = { last_name: 'Tansy', location: 'deerfield', gender: 'Female' };
  const availability = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    day_of_week: day,
    start_time: '08:00',
    end_time: '18:00',
  }));
  const more = { specialization: 'RBT', start_date: '2024-01-01', availability };
  const { body: own } = await api.send<Client>('POST', '/clients', { ...person, first_name: 'Otto' });
  const { body: who } = await api.send<Therapist>('POST', '/therapists', { ...person, ...more, first_name: 'Wren' });
  const at = { location: 'deerfield', client: own.display_name, therapist: who.display_name };
  const taken = { ...at, date: addDays(date, 7), start: '09:00', end: '10:00', subject: 'Direct Therapy' };
  expect((await api.send('POST', '/appointments', taken)).status).toBe(201);
  const calendar = new Calendar(page);
  await calendar.open(`?location=deerfield&date=${date}`);
  const booking = await calendar.newSession();
  await booking.getByLabel('Client').selectOption(own.display_name);
  await booking.getByLabel('Therapist').selectOption(who.display_name);
  await booking.getByLabel('From', { exact: true }).fill('09:00');
  await booking.getByLabel('To', { exact: true }).fill('10:00');
  await booking.getByLabel('Repeat every week').check();
  const other = weekdayName((dayOfWeek(date) + 2) % 7);
  await booking.getByLabel(other, { exact: true }).check();
  await booking.getByLabel(`From, ${other}`).fill('13:00');
  await booking.getByLabel(`To, ${other}`).fill('14:00');
  await expect(
    booking.getByText(/ sessions until .*; the next ones follow as time passes\. 2 h a week\./),
  ).toBeVisible();
  await expect(booking.getByRole('list', { name: /skipped:/ })).toContainText('is booked on');
  await expectAccessibleInBothThemes(page, 'a weekly series to book');
  await booking.getByRole('button', { name: 'Book Weekly Sessions' }).click();
  await expect(page.getByText('The weekly sessions are booked.')).toBeVisible();
  const on = async (date: IsoDate) =>
    (await api.slots(date, 'deerfield')).appointments.filter((a) => a['Client Name'] === own.display_name);
  expect(await on(addDays(date, 2))).toHaveLength(1);
  expect(await on(addDays(date, 14))).toHaveLength(1);
  expect(await on(addDays(date, 7))).toHaveLength(1);
});
