import type { CallsReply, Client, Therapist } from '@clinic/contract';
import { addDays, dayOfWeek } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test.use({ serverFor: 'calls waiting' });

test('given a family promised someone who has not said yes, then the line waits under the ask, and Told asks once', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 1);
  const on = { location: 'orlando', date } as const;
  const person = { last_name: 'Waits', location: on.location, gender: 'Female' };
  const hours = { day_of_week: dayOfWeek(date), start_time: '08:00', end_time: '17:00' };
  const therapist = async (first_name: string): Promise<Therapist> => {
    const made = { ...person, first_name, specialization: 'RBT', start_date: '2025-02-03', availability: [hours] };
    return (await api.send<Therapist>('POST', '/therapists', made)).body;
  };
  const [willa, ysolde] = [await therapist('Willa'), await therapist('Ysolde')];
  const { body: child } = await api.send<Client>('POST', '/clients', { ...person, first_name: 'Kenji' });
  const session = { ...on, client: child.display_name, start: '09:00', end: '11:00', subject: 'Direct Therapy' };
  const booked = await api.send<{ key: string; version: number }[]>('POST', '/appointments', {
    ...session,
    therapist: willa.display_name,
  });
  await api.send('POST', '/calls/day-sheet', on);
  const [{ key, version } = { key: '', version: 0 }] = booked.body;
  const moved = { ...session, therapist: ysolde.display_name, version, anyway: true };
  expect((await api.send('PUT', `/appointments/${key}`, moved)).status).toBe(200);

  await signedIn(page);
  await page.goto(`/calls?location=${on.location}&date=${date}`);
  const lines = page.getByRole('list', { name: 'Calls to make' }).locator('> li');
  await expect(lines.locator('h2')).toHaveText(['Ysolde Waits', 'Family of Kenji Waits', 'Willa Waits']);
  const family = lines.nth(1);
  await expect(family).toContainText('after Ysolde says yes');
  const calls = () => api.get<CallsReply>(`/calls?location=${on.location}&date=${date}`);

  // Key 1 asks once; Escape leaves everything as it is.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('1');
  const question = family.getByRole('group', { name: 'Family of Kenji Waits: not yet' });
  await expect(question).toContainText('Ysolde has not said yes yet. After a no, Kenji Waits’ family would have heard');
  await expectAccessible(page, 'a line that waits for a yes');
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  expect((await calls()).told).toEqual([]);
  // From the question, one key leads to the ask.
  await page.keyboard.press('1');
  await question.getByRole('button', { name: 'Ask Ysolde first' }).click();
  await expect(lines.first()).toHaveAttribute('data-current');
  // On paper, the line says what it waits for.
  await page.emulateMedia({ media: 'print' });
  await expect(family).toContainText('after Ysolde says yes');
  await page.emulateMedia({ media: 'screen' });

  // All the same: recorded.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('1');
  await page.keyboard.press('y');
  await expect(page.getByText('Family of Kenji Waits: told')).toBeVisible();
  // After the yes, nobody waits.
  await lines.first().getByRole('button', { name: 'Ysolde Waits', exact: true }).click();
  await page.keyboard.press('1');
  await expect(lines.locator('h2')).toHaveText(['Willa Waits']);
  await expect(lines.first()).not.toContainText('says yes');
  await page.keyboard.press('1');
  await expect(lines).toHaveCount(0);
});
