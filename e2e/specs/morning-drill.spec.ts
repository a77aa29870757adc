import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

const AT = 'tampa';

test('the morning drill (two absences, from the open calendar to Submit) needs no mouse and at most 30 keys', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const api = await Api.signIn(request);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  const [one = '', two = ''] = await calendar.booked(2);
  // From here on, anything that needs the mouse fails.
  for (const act of ['click', 'move', 'down'] as const)
    page.mouse[act] = () => Promise.reject(new Error('the drill used the mouse'));
  let presses = 0;
  const press = async (key: string): Promise<void> => {
    presses++;
    await page.keyboard.press(key);
  };
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });
  const field = page.getByRole('combobox', { name: /^A person/ });

  await press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type(one);
  await expect(found).toContainText(`Show ${one}`);
  await press('ArrowDown');
  await expect(found).toContainText(`Mark ${one} absent`);
  await press('Enter');
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type(two);
  for (const key of ' 7-10') await press(key === ' ' ? 'Space' : key);
  await expect(found).toContainText(`Mark ${two} absent 7:00 AM - 10:00 AM`);
  await press('Enter');
  await expect(calendar.absencesButton).toHaveText('Absences2');
  await press('a');
  await expect(calendar.entry(two).getByLabel('To', { exact: true })).toHaveValue('10:00');
  await press('Control+Enter');

  // The focus starts on the first choice, and Submit is the dialog's last tab stop. So Submit is only a few keys away,
  // in either direction.
  const view = new OptionsModal(page);
  await expect(view.table.locator('button[aria-pressed="true"]').first()).toBeFocused();
  for (let i = 0; i < 8 && !(await view.submit.evaluate((e) => e === document.activeElement)); i++) await press('Tab');
  await expect(view.submit).toBeFocused();
  const saved = page.waitForEvent('download');
  const reloaded = page.waitForEvent('load');
  await press('Enter');
  expect((await saved).suggestedFilename()).toBe('schedule_actions.xlsx');
  await reloaded;
  await calendar.ready();
  await expect(view.modal).toHaveCount(0);
  expect(presses).toBeLessThanOrEqual(30);

  // The calendar shows the result: the person who is away all day has no session left that takes place.
  const day = await api.slots(await api.today(), AT);
  expect(day.absences.map((a) => [a.name, a.startTime, a.endTime])).toEqual(
    expect.arrayContaining([
      [one, '00:00', '23:59'],
      [two, '07:00', '10:00'],
    ]),
  );
  const left = day.appointments.filter(
    (a) =>
      a.Preferred_Provider_Name === one && a.service !== 'admin' && !/cancelled|no show/i.test(a.Appointment_Status),
  );
  expect(left).toEqual([]);
});
