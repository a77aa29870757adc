import type { SlotsReply } from '@clinic/contract';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { APPOINTMENTS, checked, choose, clients, csv, open, replied } from '../pages/import.ts';

test('given dates that can only be day first and a column that marks cancelled sessions, the import waits for the answers @detail', async ({
  page,
  request,
}) => {
  const week = csv(
    'foreign.csv',
    `${APPOINTMENTS},Canceled,Shoe size`,
    'I-91,14/12/2026 8:00,14/12/2026 9:00,Direct Therapy,,Confirmed,Juno Day,Tampa,No,31',
    'I-92,03/12/2026 8:00,03/12/2026 9:00,Direct Therapy,,Confirmed,Juno Day,Tampa,Yes,31',
  );
  await open(page);
  await choose(page, 'clients', clients('C-I11,Juno,Day,tampa,Female,'));
  await choose(page, 'appointments', week);
  await checked(page);
  await expect(page.getByText('2 questions first:')).toBeVisible();
  const order = page.getByLabel(/^Are these dates day first \(14\/12\/2026\) or month first\?/);
  const marks = page.getByLabel('What does the column “Canceled” hold? Appointments');
  // The button says why it waits, and leads to the first question.
  await page.getByRole('button', { name: 'Import waits for 2 answers' }).focus();
  await page.keyboard.press('Enter');
  await expect(order).toBeFocused();
  await expectAccessibleInBothThemes(page, 'questions that the import waits for');
  await order.selectOption('Day first: 03/12/2026 is December 3');
  await expect(page.getByRole('button', { name: 'Import waits for 1 answer' })).toBeVisible();
  await expect(marks.getByRole('option').nth(2)).toHaveText('Cancelled');
  await marks.selectOption('Cancelled');
  await replied(page, 'Check the answers');
  await expect(page.getByText('3 rows would be saved.')).toBeVisible();
  await replied(page, 'Import 3 rows');
  await expect(page.getByText('The import is done: 3 rows saved.')).toBeVisible();
  const api = await Api.signIn(request);
  const statusOf = async (date: string) =>
    (await api.get<SlotsReply>(`/slots?date=${date}&location=tampa`)).appointments
      .filter(({ Id }) => Id.startsWith('I-9'))
      .map(({ Id, Appointment_Status }) => `${Id} ${Appointment_Status}`);
  expect([await statusOf('2026-12-14'), await statusOf('2026-12-03')]).toEqual([
    ['I-91 Scheduled'],
    ['I-92 Cancelled'],
  ]);
});

test('given a file without statuses and locations, then both are said once for the file @detail', async ({ page }) => {
  const week = csv(
    'bare-week.csv',
    'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Client Name',
    'I-95,"11/19/2026, 8:00 AM","11/19/2026, 9:00 AM",Direct Therapy,,Juno Bare',
  );
  await open(page);
  await choose(page, 'clients', clients('C-I12,Juno,Bare,tampa,Female,'));
  await choose(page, 'appointments', week);
  await checked(page);
  await page.getByLabel('Which location are all rows of bare-week.csv from?').selectOption('Tampa');
  await page.getByLabel('Which status do all rows of bare-week.csv have?').selectOption('Booked');
  await replied(page, 'Check the answers');
  await replied(page, 'Import 2 rows');
  await expect(page.getByText('The import is done: 2 rows saved.')).toBeVisible();
});
