// This file is over 250 lines because it tests every place that offers someone who could stay late.
import type { Client, Therapist } from '@clinic/contract';
import { dayOfWeek, type IsoDate, type Location } from '@clinic/domain';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

/** No therapist in the demo clinic has this skill, so only therapists added in this file can take the session. */
const SKILL = 'Braille';

interface Made {
  date: IsoDate;
  /** A therapist who is available until 6:00 PM. */
  booked: Therapist;
  /** A therapist who is available until 4:00 PM. */
  early: Therapist;
  child: Client;
  /** Adds another therapist who may see the child and is available until the time `end`. */
  add: (first_name: string, end: string) => Promise<Therapist>;
}

/** Adds a child and two therapists who may see the child and work only on these tests' own day. */
async function twoWhoMay(api: Api, location: Location, last_name: string): Promise<Made> {
  const date = await api.ownDay('stay late');
  const only = { day_of_week: dayOfWeek(date), from_date: date, until_date: date };
  const until = (end_time: string) => [{ ...only, start_time: '08:00', end_time }];
  const person = { last_name, location, gender: 'Female' };
  const job = { specialization: 'RBT', start_date: '2025-02-03', tags: [{ tag: SKILL }] };
  const add = async (first_name: string, end: string): Promise<Therapist> => {
    const made = { ...person, ...job, first_name, availability: until(end) };
    return (await api.send<Therapist>('POST', '/therapists', made)).body;
  };
  const needs = [{ tag: SKILL, must: true }];
  const { body: child } = await api.send<Client>('POST', '/clients', { ...person, first_name: 'Coco', needs });
  return { date, child, booked: await add('Willa', '18:00'), early: await add('Greta', '16:00'), add };
}

/** Records the therapist's yes in the call list; the calendar then shows them available for the extra half hour. */
async function saysYes(page: Page, { date, early, child }: Made, location: Location): Promise<void> {
  const calendar = new Calendar(page);
  const search = `?location=${encodeURIComponent(location)}&date=${date}`;
  const available = (end: string) =>
    calendar.row(early.display_name).getByRole('img', { name: `Available 8:00 AM - ${end}`, exact: true });
  await calendar.open(search);
  await expect(available('4:00 PM')).toBeVisible();

  await page.goto(`/calls${search}`);
  const line = page
    .getByRole('list', { name: 'Calls to make' })
    .locator('> li')
    .filter({ has: page.getByRole('button', { name: early.display_name, exact: true }) });
  await expect(line).toContainText(/an you stay late until 4:30 for .* from 4:00 to 4:30\?/);
  await expect(line).toContainText(child.first_name);
  await expect(line).toContainText('Ask');
  await line.getByRole('button', { name: early.display_name, exact: true }).click();
  await expectAccessible(page, 'a line that asks to stay late');
  // The therapist has no telephone number, so the line says so and links to the profile.
  const profile = line.getByRole('link', { name: `no number for ${early.display_name}: open the profile` });
  await expect(profile).toHaveAttribute('href', /^\/profiles\?/);
  // In print, the sentences stay, and checkboxes take the place of the buttons.
  await page.emulateMedia({ media: 'print' });
  await expect(line).toContainText('an you stay late until 4:30');
  await expect(line.getByRole('button', { name: 'Said yes' })).toBeHidden();
  expect(await line.evaluate((e) => getComputedStyle(e, '::after').content)).toContain('☐ told');
  await page.emulateMedia({ media: 'screen' });
  await line.getByRole('button', { name: 'Said yes' }).click();
  await expect(page.getByText(`${early.display_name}: told`)).toBeVisible();
  await expect(line).toHaveCount(0);

  await calendar.open(search);
  await expect(available('4:30 PM')).toBeVisible();
  await expect(available('4:00 PM')).toHaveCount(0);
}

test('given an option with an unassigned session, its cell offers to ask a therapist to stay late, and a yes extends their day @detail', async ({
  page,
  request,
}) => {
  test.slow();
  const at = 'tampa';
  const api = await Api.signIn(request);
  const made = await twoWhoMay(api, at, 'Lateday');
  const { date, booked, early, child } = made;
  const session = { location: at, date, start: '16:00', end: '16:30', subject: 'Direct Therapy' };
  const names = { client: child.display_name, therapist: booked.display_name };
  expect((await api.send('POST', '/appointments', { ...session, ...names })).status).toBe(201);
  await api.away(date, at, [booked.display_name]);

  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(date, at);
  const cell = view.cell(child.display_name, 1);
  await expect(cell).toContainText('Unassigned');
  await cell.getByRole('button', { name: /^Why/ }).click();
  const why = page.getByRole('dialog', { name: new RegExp(child.first_name) });
  await why.getByRole('button', { name: 'Choose someone else' }).click();
  const able = why.getByRole('list', { name: 'Who else could take it' }).getByRole('button');
  await expect(able).toHaveCount(1);
  await expect(able).toContainText(early.display_name);
  await expect(able).toContainText('Ask to stay late until 4:30');
  await expectAccessible(page, 'who could stay late', '[popover="auto"]:popover-open');
  await able.click();
  await expect(view.cell(child.display_name, 1)).toContainText(early.display_name);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await saysYes(page, made, at);
});

test('given a session after a therapist’s day, the form offers to ask them to stay late, and a yes extends their day @detail', async ({
  page,
  request,
}) => {
  test.slow();
  const at = 'orlando';
  const api = await Api.signIn(request);
  const made = await twoWhoMay(api, at, 'Lateform');
  const { date, early, booked, child } = made;
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${at}&date=${date}&view=client`);
  const booking = await calendar.newSession();
  await booking.getByLabel('Client').selectOption(child.display_name);
  await booking.getByLabel('From', { exact: true }).fill('16:00');
  await booking.getByLabel('To', { exact: true }).fill('16:30');
  await booking.getByRole('button', { name: 'Choose someone' }).click();
  const able = booking.getByRole('list', { name: 'Who else could take it' }).getByRole('button');
  // Therapists who are available come before those who would have to stay late.
  await expect(able).toHaveCount(2);
  await expect(able.first()).toContainText(booked.display_name);
  await expect(able.last()).toContainText(`${early.display_name}`);
  await expect(able.last()).toContainText('Ask to stay late until 4:30');
  await able.last().click();
  await expect(booking.getByText('Ask to stay late until 4:30: saving this adds a call to make.')).toBeVisible();
  await expectAccessible(page, 'a session for which someone would stay late');
  await booking.getByRole('button', { name: 'Add Session' }).click();
  await expect(booking).toHaveCount(0);
  await saysYes(page, made, at);
});

test('given a “Why?” that names the next best therapist, one click pins that therapist, and the cover can be submitted @detail', async ({
  page,
  request,
}) => {
  const at = 'deerfield';
  const api = await Api.signIn(request);
  const { date, booked, early, child, add } = await twoWhoMay(api, at, 'Nextbest');
  const late = await add('Lola', '18:00');
  const session = { location: at, date, start: '13:00', end: '14:00', subject: 'Direct Therapy' };
  const names = { client: child.display_name, therapist: booked.display_name };
  expect((await api.send('POST', '/appointments', { ...session, ...names })).status).toBe(201);
  await api.away(date, at, [booked.display_name]);

  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(date, at);
  const cell = view.cell(child.display_name, 1);
  const both = [early.display_name, late.display_name];
  await expect(cell).toContainText(new RegExp(both.join('|')));
  const shown = await cell.innerText();
  const first = both.find((name) => shown.includes(name)) ?? '';
  const next = both.find((name) => name !== first) ?? '';
  await cell.getByRole('button', { name: `Why? ${first}, ${child.display_name}, 1:00 PM - 2:00 PM, Option 1` }).click();
  const why = page.getByRole('dialog', { name: new RegExp(child.first_name) });
  await expect(why).toContainText(`Next best: ${next}`);
  await expectAccessible(page, 'the next best', '[popover="auto"]:popover-open');
  const solved = page.waitForResponse((reply) => reply.url().includes('/refresher'));
  await why.getByRole('button', { name: `Use ${next}` }).click();
  await solved;
  await expect(view.modal.getByText(`Kept as chosen: ${next} for ${child.display_name}`)).toBeVisible();
  await expect(cell).toContainText(next);
  await expect(cell).not.toContainText(first);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  const { appointments } = await api.slots(date, at);
  const covered = appointments.filter((each) => each['Client Name'] === child.display_name);
  expect(covered.map((each) => each.Preferred_Provider_Name)).toContain(next);
});

test('given a session that needs cover, its form opens the options with a chosen therapist pinned, and Submit gives that therapist the session @detail', async ({
  page,
  request,
}) => {
  const at = 'altamonte';
  const api = await Api.signIn(request);
  const { date, booked, early, child, add } = await twoWhoMay(api, at, 'Chosen');
  const late = await add('Lola', '18:00');
  const session = { location: at, date, start: '13:00', end: '14:00', subject: 'Direct Therapy' };
  const names = { client: child.display_name, therapist: booked.display_name };
  expect((await api.send('POST', '/appointments', { ...session, ...names })).status).toBe(201);
  await api.away(date, at, [booked.display_name]);

  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${at}&date=${date}&view=client`);
  const someone = (await calendar.names()).find((name) => name !== child.display_name) ?? '';
  const form = page.getByRole('dialog', { name: `Session with ${child.display_name}` });
  const choose = async (): Promise<void> => {
    await calendar.openSession(child.display_name, /Needs a therapist, 1:00 PM - 2:00 PM/);
    await form.getByRole('button', { name: 'Choose someone else' }).press('Enter');
  };

  // While selected absences are not saved, the form does not open the options, and says why.
  await calendar.name(someone).click();
  await choose();
  await expect(
    form.getByText('To see options with one of these therapists, save the selected absences first.'),
  ).toBeVisible();
  await expect(form.getByRole('button', { name: /^Enter name/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await calendar.name(someone).click();

  await choose();
  const rows = form.getByRole('list', { name: 'Who else could take it' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first().getByRole('button').first()).toBeFocused();
  const second = (await rows.last().locator('b').textContent()) ?? '';
  expect([early.display_name, late.display_name]).toContain(second);
  const enter = rows.last().getByRole('button', { name: `Enter name of ${second}`, exact: true });
  await expectAccessible(page, 'a session whose form leads to the options');

  // With unsaved changes to the session, the form does not open the options either.
  const to = form.getByLabel('To', { exact: true });
  await to.fill('14:15');
  await expect(form.getByText('To see options with one of these therapists, save your changes first.')).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(enter).toHaveCount(0);
  await expect(to).toBeFocused();
  await to.fill(session.end);

  // The button beside a name only enters the name in the form. Choosing the name pins that therapist and solves the
  // rest.
  await enter.press('Enter');
  await expect(form.getByLabel('Therapist')).toHaveValue(second);
  await form.getByLabel('Therapist').selectOption(booked.display_name);
  await form.getByRole('button', { name: 'Choose someone else' }).press('Enter');
  await rows.last().getByRole('button').first().press('Enter');
  const view = new OptionsModal(page);
  await expect(form).toHaveCount(0);
  await expect(view.cell(child.display_name, 1)).toContainText(second);
  await expect(view.rows(child.display_name).getByRole('rowheader')).toContainText('kept as you chose');
  await expectAccessible(page, 'the options with the chosen therapist');
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  const { appointments } = await api.slots(date, at);
  const own = appointments.filter((each) => each['Client Name'] === child.display_name);
  expect(own.map((each) => each.Preferred_Provider_Name)).toEqual([second]);
  await calendar.ready();
  await expect(calendar.row(child.display_name).getByRole('button', { name: second })).toBeVisible();
});
