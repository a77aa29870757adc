// This file is over 250 lines because it follows a session and a weekly series from the booking to the cancellation.
import type { Client, Therapist, WireAppointment } from '@clinic/contract';
import { addDays, datesInWords, dayOfWeek, type IsoDate } from '@clinic/domain';
import { expectAccessible, expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('a session is booked, changed and cancelled with a cause in the calendar', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 22);
  const calendar = new Calendar(page);
  await calendar.open(`?location=palm+beach&view=client&date=${date}`);
  const booking = await calendar.newSession();
  const client = booking.getByLabel('Client');
  await expect(client).toBeFocused();
  await booking.getByRole('button', { name: 'Add Session' }).click();
  await expect(client).toHaveAccessibleDescription('Choose a client');
  const child = (await client.locator('option').nth(1).textContent()) ?? '';
  await client.selectOption(child);
  await booking.getByLabel('From', { exact: true }).fill('07:00');
  await booking.getByLabel('To', { exact: true }).fill('07:30');
  await booking.getByRole('button', { name: 'Add Session' }).click();
  await expect(booking).toHaveCount(0);
  // Enter on a bar opens its session.
  const changing = await calendar.openSession(child, 'Needs a therapist, 7:00 AM - 7:30 AM');
  await changing.getByLabel('To', { exact: true }).fill('07:45');
  await changing.getByRole('button', { name: 'Save Changes' }).click();
  // The hover card with the old time is gone.
  await expect(page.getByRole('tooltip').filter({ hasText: '7:00 AM - 7:30 AM' })).toHaveCount(0);
  const longer = calendar.row(child).getByRole('button', { name: 'Needs a therapist, 7:00 AM - 7:45 AM' });
  await expect(longer).toBeVisible();
  await longer.dblclick();
  await changing.getByRole('button', { name: 'Cancel Session' }).click();
  const asked = page.getByRole('alertdialog', { name: `Cancel ${child}’s session?` });
  await expect(asked).toContainText('7:00 AM - 7:45 AM. This session only.');
  // Messages with Undo are shown over the dialog, within it.
  await expect(asked.getByRole('button', { name: / the session$/ })).toHaveText([
    'Cancel the session',
    'Keep the session',
  ]);
  await asked.getByRole('button', { name: 'Keep the session' }).click();
  await expect(asked).toHaveCount(0);
  await changing.getByRole('button', { name: 'Family told: cancelled' }).click();
  // One more key press chooses the cause.
  const cause = asked.getByLabel(/^Reason /);
  await expect(cause).toHaveValue('');
  await expect(cause.getByRole('option', { name: 'Weather' })).toBeAttached();
  await cause.focus();
  await page.keyboard.press('w');
  await expect(asked.getByLabel(/^Caused by/)).toHaveValue('clinic');
  // The cancellation was known long before, so the notice is not late.
  await asked.getByLabel(/^When did they tell us/).fill('2026-01-05T08:00');
  await asked.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(
    calendar.row(child).getByRole('button', { name: 'Unassigned Cancelled, 7:00 AM - 7:45 AM' }),
  ).toBeVisible();
  const { appointments } = await api.slots(date, 'palm beach');
  const cancelled = appointments.find(
    (each) => each['Client Name'] === child && /, 7:45 AM$/.test(each.EndDateTime) && each.loss !== undefined,
  );
  expect(cancelled?.loss).toMatchObject({ label: 'Weather', lost_by: 'clinic', late: false });
});

test('given a session without a therapist, *Family told: cancelled* in the form marks the family as told', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const location = 'orlando';
  const date = addDays(await api.today(), 7);
  const { appointments } = await api.slots(date, location);
  const client = appointments.find((each) => each.service === 'direct')?.['Client Name'];
  const times = { start: '07:00', end: '07:15', subject: 'Parent Training' };
  const booked = await api.send('POST', '/appointments', { location, client, therapist: null, date, ...times });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  await api.send('POST', '/calls/day-sheet', { location, date });
  const calendar = new Calendar(page);
  await calendar.open(`?location=${location}&date=${date}&view=client`);
  const form = await calendar.openSession(client ?? '', 'Needs a therapist, 7:00 AM - 7:15 AM');
  await form.getByRole('button', { name: 'Family told: cancelled' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the session' }).click();
  await expect(page.getByText('Recorded: the family was told.')).toBeVisible();
  await page.goto(`/calls?location=${location}&date=${date}`);
  const lines = page.getByRole('list', { name: 'Calls to make' }).locator('> li');
  const told = page.getByRole('listitem').filter({ hasText: '7:00 to 7:15 cancelled' });
  await expect(told).toContainText(`Family of ${client}`);
  await expect(lines).toHaveCount(0);
  // When *Told* is taken back, the family's line is on the list again.
  await told.getByRole('button', { name: 'Not told' }).click();
  await expect(lines).toContainText('from 7:00 to 7:15 is cancelled');
});

test('given a session to book, *Choose someone* lists therapists with their hours, and fills in the chosen one @detail', async ({
  page,
  request,
}) => {
  // Only the therapist added here, who works from 9 to 12 on this day, has the skill that the client added here needs.
  const api = await Api.signIn(request);
  const date = await api.ownDay('choose someone');
  const person = { last_name: 'Signing', location: 'deerfield', gender: 'Female' };
  const needs = [{ tag: 'Sign language', must: true }];
  const { body: child } = await api.send<Client>('POST', '/clients', { ...person, first_name: 'Cleo', needs });
  const { body: therapist } = await api.send<Therapist>('POST', '/therapists', {
    ...person,
    first_name: 'Thea',
    specialization: 'RBT',
    start_date: '2025-02-03',
    tags: [{ tag: 'Sign language' }],
    availability: [
      { day_of_week: dayOfWeek(date), start_time: '09:00', end_time: '12:00', from_date: date, until_date: date },
    ],
  });
  const calendar = new Calendar(page);
  await calendar.open(`?location=deerfield&view=client&date=${date}`);
  const booking = await calendar.newSession();
  await expect(booking.getByRole('button', { name: 'Choose someone' })).toHaveCount(0);
  await booking.getByLabel('Client').selectOption(child.display_name);
  await booking.getByLabel('From', { exact: true }).fill('07:00');
  await booking.getByLabel('To', { exact: true }).fill('18:30');
  await booking.getByRole('button', { name: 'Choose someone' }).click();
  await expect(booking.getByText(/^\d+ people cannot take it$/)).toBeVisible();
  await expect(booking.getByText('No one else who works that day can take this.')).toBeVisible();
  await expect(booking.getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(booking.getByRole('button', { name: 'Choose someone' })).toBeFocused();
  await page.keyboard.press('Enter');
  // After a change of time, the therapists are ranked again.
  await booking.getByLabel('From', { exact: true }).fill('09:00');
  await booking.getByLabel('To', { exact: true }).fill('09:30');
  const able = booking.getByRole('list', { name: 'Who else could take it' }).getByRole('button');
  await expect(able).toHaveCount(1);
  await expect(able).toContainText(therapist.display_name);
  await expect(able).toContainText(/free|would leave|would move/);
  await expect(able).toContainText(/ of .+ h this week/);
  await expectAccessible(page, 'who could take a session');
  await able.click();
  await expect(booking.getByLabel('Therapist')).toHaveValue(therapist.display_name);
  await expect(booking.getByRole('button', { name: 'Choose someone else' })).toBeVisible();
});

test('a refused booking shows the reason and keeps what was typed', async ({ page, watch }) => {
  watch.allow(/409|422/);
  const calendar = new Calendar(page);
  await calendar.open('?location=orlando');
  const [person] = await calendar.booked();
  const taken = calendar
    .row(person ?? '')
    .locator('[data-kind="booked"]')
    .first();
  const [, from, to] = /(\d+:\d+ [AP]M) - (\d+:\d+ [AP]M)/.exec((await taken.getAttribute('aria-label')) ?? '') ?? [];
  const clock = (text = ''): string => {
    const [, hour, minute, half] = /(\d+):(\d+) ([AP])M/.exec(text) ?? [];
    return `${String((Number(hour) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')}:${minute}`;
  };
  const booking = await calendar.newSession();
  await booking.getByLabel('Client').selectOption({ index: 2 });
  await booking.getByLabel('Therapist').selectOption(person ?? '');
  await booking.getByLabel('From', { exact: true }).fill(clock(from));
  await booking.getByLabel('To', { exact: true }).fill(clock(to));
  await booking.getByRole('button', { name: 'Add Session' }).click();
  await expect(booking.getByRole('alert')).toContainText(/./);
  await expect(booking.getByLabel('Therapist')).toHaveValue(person ?? '');

  await booking.getByLabel('Repeat every week').check();
  const until = booking.getByLabel(/^Weekly until/);
  await until.fill('2099-01-01');
  await booking.getByRole('button', { name: 'Book Weekly Sessions' }).click();
  await expect(booking.getByRole('alert').first()).toContainText('Weekly until: a series can run for at most a year.');
  await expect(until).toHaveAccessibleDescription(/^A series can run for at most a year\./);
});

/**
 * Whether this is one of the client's sessions between 7 and 8 AM. The demo clinic has booked nothing for the client
 * then.
 */
const isEarly = (a: WireAppointment, client: string): boolean =>
  a['Client Name'] === client && a.StartDateTime.includes(', 7:');

/** Books a weekly series without a therapist at 7:00 AM, when little is booked; returns its first date and sessions. */
async function weekly(api: Api, client: string, weeks: number): Promise<{ date: IsoDate; made: WireAppointment[] }> {
  const date = addDays(await api.today(), 7);
  const { body, status } = await api.send<WireAppointment[]>('POST', '/appointments', {
    location: 'deerfield',
    client,
    therapist: null,
    date,
    start: '07:00',
    end: '07:15',
    subject: 'Parent Training',
    weekly_until: addDays(date, 7 * (weeks - 1)),
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { date, made: body };
}

test('given a session form with changes, Escape and Back ask first; while the form is being saved, it stays open', async ({
  page,
  watch,
}) => {
  watch.allow(/500/);
  const calendar = new Calendar(page);
  await calendar.open('?location=tampa');
  await page.getByRole('button', { name: 'Client View' }).click();
  await expect(page).toHaveURL(/view=client/);
  const booking = await calendar.newSession();
  await page.keyboard.press('Escape');
  await expect(booking).toHaveCount(0);
  await calendar.newSession();
  const child = (await booking.getByLabel('Client').locator('option').nth(1).textContent()) ?? '';
  await booking.getByLabel('Client').selectOption(child);
  await booking.getByLabel('To', { exact: true }).fill('10:45');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  const keepEditing = question.getByRole('button', { name: 'Keep editing' });
  await keepEditing.click();
  await expect(question).toHaveCount(0);
  await page.goBack();
  await keepEditing.click();
  await expect(page).toHaveURL(/view=client/);
  await expect(booking.getByLabel('To', { exact: true })).toHaveValue('10:45');

  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/appointments', async (route) => {
    await asked;
    await route.fulfill({ status: 500, json: { detail: 'broken' } });
  });
  await booking.getByRole('button', { name: 'Add Session' }).click();
  await expect(booking.getByRole('button', { name: 'Saving...' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  answer();
  await expect(booking.getByRole('alert')).toBeVisible();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(booking).toHaveCount(0);
  await page.goBack();
  await expect(page).not.toHaveURL(/view=client/);
});

test('in a weekly series, a change applies to one session or also to all later ones, and the form shows their number and dates @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const [{ display_name: child = '' } = {}] = await api.get<{ display_name?: string }[]>('/clients?location=deerfield');
  const { date } = await weekly(api, child, 5);
  const calendar = new Calendar(page);
  const open = async (on: string, from: string) => {
    await calendar.open(`?location=deerfield&view=client&date=${on}`);
    const dialog = await calendar.openSession(child, new RegExp(`Needs a therapist, ${from}`));
    await expect(dialog.getByRole('group', { name: 'This session is part of a weekly series' })).toBeVisible();
    return dialog;
  };
  const later = [14, 21, 28].map((days) => addDays(date, days));
  const more = `3 more, ${datesInWords(later, date)}`;

  // The first change applies to only one session.
  const second = await open(addDays(date, 7), '7:00 AM');
  await expect(second.getByLabel('Change this session only')).toBeChecked();
  await expect(second.getByLabel(more)).toBeVisible();
  await second.getByLabel('To', { exact: true }).fill('07:30');
  await second.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('The session is saved.')).toBeVisible();

  // A change to the first and all later sessions leaves out the session that was changed separately, as the page says.
  const first = await open(date, '7:00 AM');
  await first.getByLabel(more).check();
  await expect(first.getByText('1 later session that was changed on its own stays as it is.')).toBeVisible();
  await first.getByLabel('From', { exact: true }).fill('07:15');
  await first.getByLabel('To', { exact: true }).fill('07:45');
  await first.getByRole('button', { name: 'Save 4 Sessions' }).click();
  await expect(page.getByText('4 sessions are saved.')).toBeVisible();
  const timesOn = async (on: string) =>
    (await api.slots(on, 'deerfield')).appointments
      .filter((a) => isEarly(a, child))
      .map((a) => a.StartDateTime.split(', ')[1]);
  expect(await timesOn(addDays(date, 14))).toEqual(['7:15 AM']);
  expect(await timesOn(addDays(date, 7))).toEqual(['7:00 AM']);
});

test('given a series that cannot change as a whole, nothing is saved and each conflict is shown; cancelling several sessions asks first', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const [, child] = await api.get<{ display_name: string }[]>('/clients?location=deerfield');
  const [therapist] = await api.get<{ display_name: string }[]>('/therapists?location=deerfield');
  const name = child?.display_name ?? '';
  const { date, made } = await weekly(api, name, 3);
  const [, , other] = await api.get<{ display_name: string }[]>('/clients?location=deerfield');
  for (const days of [7, 14]) {
    const taken = await api.send('POST', '/appointments', {
      location: 'deerfield',
      therapist: therapist?.display_name,
      client: other?.display_name,
      date: addDays(date, days),
      start: '07:00',
      end: '07:45',
      subject: 'Parent Training',
      anyway: true,
    });
    expect(taken.status).toBe(201);
  }
  const calendar = new Calendar(page);
  await calendar.open(`?location=deerfield&view=client&date=${date}`);
  const dialog = await calendar.openSession(name, /Needs a therapist, 7:00 AM - 7:15 AM/);
  await dialog.getByLabel(/Change this and the following/).check();
  await dialog.getByLabel('Therapist').selectOption(therapist?.display_name ?? '');
  await dialog.getByRole('button', { name: 'Save 3 Sessions' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing was saved.');
  await expect(dialog.getByRole('list', { name: 'Conflicting bookings' }).getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('list', { name: 'Conflicting bookings' })).toContainText(
    therapist?.display_name ?? '?',
  );
  expect((await api.slots(date, 'deerfield')).appointments.find((a) => a.key === made[0]?.key)).toMatchObject({
    Preferred_Provider_Name: 'Unassigned',
  });

  await dialog.getByRole('button', { name: 'Cancel 3 Sessions' }).click();
  const asked = page.getByRole('alertdialog', { name: `Cancel 3 of ${name}’s sessions?` });
  await expectAccessibleInBothThemes(page, 'a series to cancel, with what is in the way');
  await asked.getByRole('button', { name: 'Keep the sessions' }).click();
  await expect(asked).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel 3 Sessions' }).click();
  await asked.getByRole('button', { name: 'Cancel 3 sessions' }).click();
  await expect(page.getByText('3 sessions are cancelled.')).toBeVisible();
  const statuses = await Promise.all(
    [0, 7, 14].map(async (days) =>
      (await api.slots(addDays(date, days), 'deerfield')).appointments
        .filter((a) => isEarly(a, name))
        .map((a) => a.Appointment_Status),
    ),
  );
  expect(statuses).toEqual([['Cancelled'], ['Cancelled'], ['Cancelled']]);
});

test.describe('with animations', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a dialog reopened while the previous one is still closing stays open @detail', async ({ page }) => {
    const calendar = new Calendar(page);
    await calendar.open('?location=orlando');
    for (let i = 0; i < 3; i++) {
      const booking = await calendar.newSession();
      await expect(booking.getByLabel('Client')).toBeFocused();
      await page.evaluate(() => {
        const press = (key: string, target: EventTarget = document.body): boolean =>
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        document.querySelector<HTMLElement>('dialog [aria-label="Dismiss"]')?.click();
        press('s');
      });
      await expect(booking).toHaveCount(1);
      // After all animations have finished, the newer dialog is still there.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map((motion) => motion.finished)));
      await expect(booking.getByLabel('Client')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(booking).toHaveCount(0);
    }
  });
});
