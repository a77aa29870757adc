import type { CallsReply, Client } from '@clinic/contract';
import { formatTime, type IsoDate, type Location } from '@clinic/domain';
import type { Locator, Page } from '@playwright/test';
import { Api } from '../fixtures/api.ts';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { bookedPair } from '../pages/profiles.ts';

const callsOf = (api: Api, date: IsoDate, location: Location): Promise<CallsReply> =>
  api.get<CallsReply>(`/calls?location=${location}&date=${date}`);
const lines = (page: Page) => page.getByRole('list', { name: 'Calls to make' }).locator('> li');

const NO_ONE = { relation: '', phone: '', email: '', language: '', preferred: '' };

/**
 * Commits cover for a day that only these tests use. On that day, only the absent therapists could take the families'
 * sessions. Logs in and returns the date.
 */
async function withoutTherapist(page: Page, api: Api, location: Location, families: string[]): Promise<IsoDate> {
  const date = await api.ownDay('calls');
  const away: string[] = [];
  for (const last of families) {
    const { therapist } = await bookedPair(api, last, { location, date }, { skill: 'Cued speech' });
    away.push(therapist.display_name);
  }
  await api.commit(await api.away(date, location, away));
  await signedIn(page);
  return date;
}

test('given a family whose session has no therapist, *Ring again by* records them as told, with the agreed time', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const location = 'orlando';
  const date = await withoutTherapist(page, api, location, ['Alder']);
  const { lines: open } = await callsOf(api, date, location);
  const line = open.find((each) => each.ring_by !== null);
  if (!line) throw new Error('every family has a therapist');
  await page.goto(`/calls?location=${location}&date=${date}`);
  const name = `Family of ${line.name}`;
  const row = lines(page).filter({ has: page.getByRole('button', { name, exact: true }) });
  await expect(row).toContainText(/We have nobody for .*; shall we cancel it, or may we ring again by \d+:\d\d\?/);
  await row.getByRole('button', { name, exact: true }).click();
  const ringAgain = row.getByRole('button', { name: /^Ring again by \d+:\d\d/ });
  const by = /\d+:\d\d/.exec(await ringAgain.innerText())?.[0] ?? '';
  await expect(row).toContainText(`may we ring again by ${by}?`);
  await ringAgain.click();
  await expect(row).toHaveCount(0);
  const told = page.getByRole('region', { name: 'Call details' }).getByRole('listitem').filter({ hasText: name });
  await expect(told).toContainText(`we ring again by ${by}`);
  // The family is on the list again a quarter of an hour before.
  const [hours = 0, minutes = 0] = (line.ring_by ?? '').split(':').map(Number);
  expect((await callsOf(api, date, location)).next_ring).toBe(formatTime(60 * hours + minutes - 15));
  // The session stays as it is: nothing was cancelled.
  const { appointments } = await api.slots(date, location);
  const [session] = line.sessions;
  expect(appointments.find(({ key }) => key === session?.key)?.Appointment_Status).not.toBe('Cancelled');
});

test('given sessions without a therapist, each family’s line shows its numbers and urgency, and the keys and the *Cancel* button work', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const location = 'palm beach';
  const date = await withoutTherapist(page, api, location, ['Rowan', 'Cedar']);
  const { lines: open } = await callsOf(api, date, location);
  const [one, two] = open.filter((line) => line.ring_by !== null && line.sessions.length === 1);
  const [session] = one?.sessions ?? [];
  if (!one || !two || !session) throw new Error('every family has a therapist');
  const contacts = async (id: string, list: object[]): Promise<void> => {
    const profile = await api.get<Client>(`/clients/${id}`);
    const saved = await api.send('PUT', `/clients/${id}`, { ...profile, contacts: list });
    expect(saved.status).toBe(200);
  };
  await contacts(one.id, [
    {
      ...NO_ONE,
      name: 'Maria Example',
      relation: 'Mother',
      phone: '407 555 0134',
      preferred: 'text',
      language: 'Spanish',
    },
    { ...NO_ONE, name: 'Luis Example', relation: 'Father', phone: '407 555 0135' },
  ]);
  await contacts(two.id, [{ ...NO_ONE, name: 'Ana Example', relation: 'Mother', email: 'ana@family.example' }]);
  // The day is in the future, so no line is urgent yet; this reply makes one line urgent.
  await page.route('**/api/calls?*', async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as CallsReply;
    const lines = reply.lines.map((line) => ({ ...line, urgent: line.id === one.id }));
    await route.fulfill({ response, json: { ...reply, lines } });
  });
  await page.goto(`/calls?location=${encodeURIComponent(location)}&date=${date}`);
  const rowOf = ({ name: child }: { name: string }) => {
    const name = `Family of ${child}`;
    const button = page.getByRole('button', { name, exact: true });
    return { row: lines(page).filter({ has: button }), button };
  };
  const first = rowOf(one);
  const second = rowOf(two);
  await expect(first.row).toHaveAttribute('data-urgent', 'true');
  await expect(first.row).toContainText('Now');
  // Red is only for what someone must act on.
  const edgeOf = (row: Locator) => row.evaluate((e) => getComputedStyle(e).borderLeftColor);
  expect(await edgeOf(first.row)).toBe('rgb(196, 81, 26)');
  await expect(second.row).not.toHaveAttribute('data-urgent');
  await expect(second.row).not.toContainText('Now');
  await expect(page.getByText('1 within half an hour.')).toBeVisible();
  await page.unroute('**/api/calls?*');

  // The best contact comes first; each number can be called and texted.
  await first.button.click();
  const reach = first.row.locator('a[href^="tel:"], a[href^="sms:"]');
  await expect(reach).toHaveText(['407 555 0134', 'Text Maria Example', '407 555 0135', 'Text Luis Example']);
  const hrefs = await reach.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs.map((href) => href?.replace(/\?body=.*/, ''))).toEqual([
    'tel:+14075550134',
    'sms:+14075550134',
    'tel:+14075550135',
    'sms:+14075550135',
  ]);
  await expect(first.row).toContainText('Maria Example, Mother, prefers a text, speaks Spanish');
  // Her words come first, in Spanish, and the English beneath; the text message is in Spanish too.
  await expect(first.row.locator('[lang="es"]')).toContainText(/No tenemos a nadie para .* ¿Cancelamos la cita/);
  await expect(first.row).toContainText('shall we cancel it');
  expect(hrefs[1]).toContain(encodeURIComponent('Por favor, llame a la clínica.'));
  // A family with only an email address has no number to call: the line says so and links to the profile.
  await second.button.click();
  await expect(second.row.getByRole('link', { name: 'ana@family.example' })).toHaveAttribute('href', /^mailto:/);
  const profile = second.row.getByRole('link', { name: `no number for Family of ${two.name}: open the profile` });
  await expectAccessible(page, 'call list with contacts');

  await page.keyboard.press('2');
  await expect(second.row).toContainText('left message');
  await page.keyboard.press('3');
  await expect(second.row).toContainText('no answer');
  const { lines: called } = await callsOf(api, date, location);
  const answers = called.find(({ id }) => id === two.id)?.answers.map(({ answer }) => answer);
  expect(answers?.toSorted()).toEqual(['left-message', 'no-answer']);

  await first.button.click();
  await first.row.getByRole('button', { name: /^Cancel \d/ }).click();
  await expect(page.getByText(/^Family of .*: the session \d.* is cancelled$/)).toBeVisible();
  await expect(first.row).toHaveCount(0);
  const { appointments } = await api.slots(date, location);
  expect(appointments.find(({ key }) => key === session.key)).toMatchObject({
    Appointment_Status: 'Cancelled',
    loss: { cause: 'no-therapist', lost_by: 'clinic' },
  });
  // The profile's URL contains no name.
  await second.button.click();
  await profile.click();
  await expect(page.getByRole('dialog', { name: two.name })).toBeVisible();
  expect([...new URL(page.url()).searchParams]).toEqual([
    ['kind', 'clients'],
    ['id', two.id],
  ]);
});
