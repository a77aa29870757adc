import { addDays, shortDate } from '@clinic/domain';
import { expectAccessible } from '../fixtures/axe.ts';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

const AT = 'tampa';

test('a day far ahead has an empty call list; once a session is cancelled by hand, earlier days link to its list', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const today = await api.today();
  // The first day with a session, at least three weeks ahead.
  let date = addDays(today, 21);
  let session = await firstSession(api, date);
  while (!session) session = await firstSession(api, (date = addDays(date, 1)));
  await signedIn(page);
  await page.goto(`/calls?location=${AT}&date=${date}`);
  await expect(page.getByText('Nothing listed yet')).toBeVisible();
  await expect(page.getByText('No one has been told about this day.')).toBeVisible();
  await expect(page.getByText(/tell them yourself/)).toBeVisible();
  await expectAccessible(page, 'a call list that is not open');

  expect((await api.send('POST', `/appointments/${session}/cancel`, {})).status).toBe(200);
  await expect(page.getByText('2 people to tell')).toBeVisible();
  for (const start of ['/', '/calls']) {
    await page.goto(`${start}?location=${AT}&date=${today}`);
    const later = page.getByRole('region', { name: 'People to tell on later days' });
    await expect(later).toBeVisible();
    await expectAccessible(page, `later calls on ${start}`);
    await later.getByRole('link', { name: `2 to tell on ${shortDate(date)}` }).click();
    await expect(page).toHaveURL(new RegExp(`/calls\\?.*date=${date}`));
    await expect(page.getByText('2 people to tell')).toBeVisible();
  }
});

/** The key of a direct session that has a therapist and is not part of a group. */
async function firstSession(api: Api, date: string): Promise<string | undefined> {
  const { appointments } = await api.slots(date, AT);
  return appointments.find(
    (a) =>
      a.service === 'direct' &&
      !a.group &&
      a.Preferred_Provider_Name !== 'Unassigned' &&
      a.Appointment_Status !== 'Cancelled',
  )?.key;
}
