import type { ChoicesReply, Client, OwnWeek, Therapist } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { Api } from '../fixtures/api.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { OptionsModal } from '../pages/options.ts';
import { card, editProfile, modal } from '../pages/profiles.ts';

test.use({ serverFor: 'cover-note', viewport: { width: 360, height: 740 } });

const AT = 'altamonte';
const NOTE = { Likes: 'trains and maps', 'What helps': 'a quiet corner', 'What to avoid': 'loud rooms' };

test('given a note written in a client’s profile, the therapist who covers the client today sees the note on their own page @detail', async ({
  page,
  request,
  browser,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const { name } = await (await Api.signIn(request, DEMO.therapist)).get<OwnWeek>('/me');
  const date = await api.today();
  // Books a new client with someone else, at a time when the therapist is free.
  const person = { last_name: 'Noted', location: AT, gender: 'Female' };
  const { body: client } = await api.send<Client>('POST', '/clients', { ...person, first_name: 'Coco' });
  const availability = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    day_of_week: day,
    start_time: '07:00',
    end_time: '19:00',
  }));
  const job = { specialization: 'RBT', start_date: '2025-02-03', availability };
  const { body: booked } = await api.send<Therapist>('POST', '/therapists', { ...person, ...job, first_name: 'Willa' });
  const child = client.display_name;
  const { start, end, therapist } = await freeHour(api, date, child, name);
  const session = { location: AT, date, client: child, therapist: booked.display_name, subject: 'Direct Therapy' };
  const made = await api.send<{ key: string }[]>('POST', '/appointments', { ...session, start, end });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const key = made.body[0]?.key ?? '';

  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const form = await editProfile(desk, 'Clients', child);
  for (const [label, text] of Object.entries(NOTE)) await form.getByLabel(label, { exact: true }).fill(text);
  await expectAccessible(desk, 'the note in the profile form');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form).toBeHidden();
  await card(desk, child).click();
  const profile = modal(desk, child);
  for (const text of Object.values(NOTE)) await expect(profile.getByText(text)).toBeVisible();

  // Before the cover, the therapist does not see the note; after the commit and their yes, they do.
  await signedIn(page, DEMO.therapist, '/me');
  const today = page.getByRole('region', { name: /^Today, / });
  const own = today.getByRole('listitem').filter({ hasText: 'You cover' }).filter({ hasText: child });
  await expect(today).toBeVisible();
  await expect(page.getByText(NOTE.Likes)).toHaveCount(0);
  const view = new OptionsModal(desk);
  await desk.goto(`/calendar?date=${date}&location=${AT}&options=open&session=${key}&therapist=${therapist}`);
  await expect(view.cell(child, 1)).toContainText(name);
  const reloaded = desk.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  // Whoever is only asked does not see it yet.
  const therapistsApi = await Api.signIn(request, DEMO.therapist);
  for (const { location, version, ...change } of (await therapistsApi.get<OwnWeek>('/me')).changes)
    await therapistsApi.send('POST', '/me/answer', { location, version, date: change.date, answer: 'yes' });
  await page.reload();
  await expect(own).toHaveCount(1);
  await expect(own.getByRole('term')).toHaveText(Object.keys(NOTE));
  await expect(own.getByRole('definition')).toHaveText(Object.values(NOTE));
  // No other session shows the note, not even the therapist's own with other children.
  await expect(page.getByText(NOTE.Likes)).toHaveCount(1);
  await expectAccessible(page, 'my day with a note');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await desk.close();
});

/**
 * Finds an hour of the day in which this therapist could take a session of the client. Returns the hour and the
 * therapist's id.
 */
async function freeHour(api: Api, date: string, client: string, name: string) {
  for (let hour = 8; hour < 19; hour++) {
    const [start, end] = [formatTime(hour * 60), formatTime(hour * 60 + 60)];
    const session = { client, start, end, subject: 'Direct Therapy' };
    const { body } = await api.send<ChoicesReply>('POST', '/sessions/choices', { location: AT, date, session });
    const own = body.choices.find((choice) => choice.therapist === name && choice.words.startsWith('free'));
    if (own?.possible && own.ask === null) return { start, end, therapist: own.id };
  }
  throw new Error(`${name} is never free today`);
}
