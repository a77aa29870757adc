import type { SlotsReply } from '@clinic/contract';
import { addDays, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// These tests change several days, so they have a server of their own.
test.use({ serverFor: 'weeks-leave' });

let api: Api;
let today: IsoDate;
test.beforeEach(async ({ page, request }) => {
  await signedIn(page);
  api = await Api.signIn(request);
  today = await api.today();
});

const absencesOn = async (date: IsoDate) =>
  (await api.get<SlotsReply>(`/slots?location=altamonte&date=${date}`)).absences;

test('given a call-out until a date, one choice in the panel stores all dates; from one of them it ends from a day on, and an undo restores it', async ({
  page,
}) => {
  const calendar = new Calendar(page);
  await calendar.open();
  const [person = ''] = await calendar.booked(2);
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const entry = calendar.entry(person);
  // This day is chosen at first, so that a sick call needs no further click.
  await expect(entry.getByRole('button', { name: 'This day' })).toHaveAttribute('aria-pressed', 'true');
  await entry.getByRole('button', { name: 'Until a date' }).click();
  await entry.getByLabel('Last day').fill(addDays(today, 9));
  await expect(entry).toContainText('sessions');
  await expectAccessibleInBothThemes(page, 'the panel with a range');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await calendar.modal.waitFor();
  const later = addDays(today, 2);
  await expect.poll(async () => (await absencesOn(later)).map(({ name }) => name)).toContain(person);

  await page.goto(`/calendar?date=${later}&location=altamonte`);
  await calendar.absencesButton.click();
  await page.getByRole('link', { name: `Who takes the sessions? ${person}` }).click();
  await expect(page).toHaveURL(new RegExp(`/standing\\?.*from=${today}&until=${addDays(today, 9)}`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(person.split(' ')[0] ?? person);

  await page.goto(`/calendar?date=${later}&location=altamonte`);
  await calendar.absencesButton.click();
  await page.getByRole('button', { name: `Change or end the absence of ${person}` }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${person}: `) });
  await expect(dialog).toContainText('There again on');
  await expectAccessibleInBothThemes(page, 'ending a leave');
  await dialog
    .getByRole('button', { name: /^Back at work/ })
    .first()
    .click();
  await expect(page.getByText(`${person} is no longer away from`)).toBeVisible();
  expect((await absencesOn(later)).map(({ name }) => name)).not.toContain(person);
  expect((await absencesOn(today)).map(({ name }) => name)).toContain(person);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone: all dates are as they were.')).toBeVisible();
  expect((await absencesOn(later)).map(({ name }) => name)).toContain(person);
});

test('given a location that closes, the page says before what is cancelled and whom it concerns; it closes and reopens in one act each @detail', async ({
  page,
}) => {
  const date = addDays(today, 7);
  const booked = async () =>
    (await api.get<SlotsReply>(`/slots?location=altamonte&date=${date}`)).appointments.filter(
      ({ Appointment_Status: status }) => status !== 'Cancelled',
    ).length;
  const before = await booked();
  await page.goto('/closures');
  await page.getByLabel('First day').fill(date);
  await page.getByLabel('Name, as families will hear it').fill('Hurricane Odette');
  await expect(page.getByText('sessions cancelled')).toBeVisible();
  await expect(page.getByText('because of Hurricane Odette')).toBeVisible();
  await expectAccessibleInBothThemes(page, 'closing');
  await page.getByRole('button', { name: /^Close Altamonte, \d+ sessions$/ }).click();
  await expect(page.getByText(/Altamonte is closed: \d+ sessions cancelled/)).toBeVisible();
  expect(await booked()).toBe(0);
  await page.getByRole('button', { name: 'Reopen Altamonte' }).click();
  await expect(page.getByText('exactly as they were')).toBeVisible();
  await expectAccessibleInBothThemes(page, 'reopening');
  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await expect(page.getByText(/Altamonte is open again/)).toBeVisible();
  expect(await booked()).toBe(before);
});

test('given holidays, they are added by hand or read from a file, and what is not understood is named @detail', async ({
  page,
}) => {
  await page.goto('/closures');
  const ics = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    `DTSTART;VALUE=DATE:${addDays(today, 30).replaceAll('-', '')}`,
    'SUMMARY:Founders’ Day',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'DTSTART;VALUE=DATE:20260101',
    'RRULE:FREQ=YEARLY',
    'SUMMARY:New Year',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  await page
    .getByLabel('Holidays as an .ics file')
    .setInputFiles({ name: 'h.ics', mimeType: 'text/calendar', buffer: Buffer.from(ics) });
  await expect(page.getByText('New Year: it repeats; add each of its days by hand')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Holidays' });
  await expect(dialog.getByLabel('Name')).toHaveValue('Founders’ Day');
  await expectAccessibleInBothThemes(page, 'holidays');
  await dialog.getByRole('button', { name: 'Save 1 holiday' }).click();
  await expect(page.getByRole('region', { name: 'Closed locations and holidays' })).toContainText('Founders’ Day');
});
