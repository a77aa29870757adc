import type { SlotsReply } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('[ABS-01] [ABS-05] given two absences of one person on a day, the panel shows and saves each by itself, and saving them untouched changes nothing', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const at = 'deerfield';
  const date = addDays(await api.today(), 5);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?date=${date}&location=${at}&view=therapist`);
  const [person = ''] = await calendar.booked(2);
  const recorded = async (): Promise<string[]> =>
    (await api.slots(date, at)).absences
      .filter(({ name }) => name === person) // other tests of this server may use the day
      .map((a) => `${a.name} ${a.startTime}-${a.endTime} ${a.loss?.label ?? '-'}`);

  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const entry = calendar.entry(person);
  const from = entry.getByLabel('From', { exact: true });
  const to = entry.getByLabel('To', { exact: true });
  await from.fill('08:00');
  await to.fill('09:30');
  await entry.getByLabel(/^Reason/).selectOption({ label: 'Sick' });
  const add = entry.getByRole('button', { name: `Add another time for ${person}` });
  await add.click();
  await expect(from.nth(1)).toBeFocused();
  await expect(from.nth(1)).toHaveValue('');
  // A window without a time is called wrong only once the coordinator tries to save.
  await expect(entry.locator('[aria-invalid]')).toHaveCount(0);
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(from.nth(1)).toHaveAccessibleDescription('Enter a time');
  await expect(from.nth(1)).toBeFocused();
  await from.nth(1).fill('09:00');
  await to.nth(1).fill('16:00');
  await expect(from.nth(1)).toHaveAccessibleDescription('Already away until 9:30 AM');
  await from.nth(1).fill('14:00');
  await expect(entry.locator('[aria-invalid]')).toHaveCount(0);
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await expect(calendar.name(person)).toContainText('8 - 9:30 AM, 2 - 4 PM');
  await expectAccessibleInBothThemes(page, 'two absences of one person');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const answered = calendar.modal.or(page.getByRole('alertdialog'));
  await expect(answered).toBeVisible();
  const both = [`${person} 08:00-09:30 Sick`, `${person} 14:00-16:00 -`];
  expect(await recorded()).toEqual(both);
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(answered).toHaveCount(0);
    await calendar.ready();
  };
  await close();

  // Selected again and saved untouched, even through its fields, both stay as they are.
  const before = await api.slots(date, at);
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  await expect(from).toHaveCount(2);
  for (const field of [from.first(), to.first(), from.nth(1), to.nth(1), from.first()]) await field.focus();
  await expect(calendar.panel.locator('dl')).not.toContainText('5 h');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(answered).toBeVisible();
  const still = ({ absences, version }: SlotsReply) => ({ absences, version });
  expect(still(await api.slots(date, at))).toEqual(still(before));
  await close();

  // One of them is removed by itself, and its removal is undone.
  if (!(await calendar.panel.isVisible())) await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  await stored.getByRole('button', { name: `Remove ${person}, 2:00 PM - 4:00 PM` }).click();
  await expect(
    page.getByRole('status').filter({ hasText: `${person} is no longer away 2:00 PM - 4:00 PM.` }),
  ).toBeVisible();
  expect(await recorded()).toEqual(both.slice(0, 1));
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(recorded).toEqual(both);
});
