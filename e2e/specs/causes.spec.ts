import { addDays, isoDate } from '@clinic/domain';
import type { SlotsReply, TodayReply } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';

const at = 'palm beach';

test('in the absence panel one key press chooses a cause, which is saved with the absence @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 12);
  await signedIn(page);
  await page.goto(`/calendar?location=${at}&date=${date}`);
  const calendar = new Calendar(page);
  await calendar.ready();
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const cause = calendar.entry(person).getByLabel(`Reason ${person}`);
  await expect(cause).toHaveValue('');
  await expect(cause.getByRole('option', { name: 'Sick' })).toBeAttached();
  await cause.focus();
  await page.keyboard.press('s');
  await expect(cause).toHaveValue('sick');
  await expect(calendar.entry(person).getByLabel('Caused by')).toHaveValue('therapist');
  await expectAccessible(page, 'absence panel with a cause');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(page.getByRole('dialog', { name: /^Schedule Solutions/ })).toBeVisible();
  const slots = await api.get<SlotsReply>(`/slots?location=${at}&date=${date}`);
  expect(slots.absences.find((absence) => absence.name === person)?.loss).toMatchObject({ label: 'Sick', late: false });
});

test('Today lists absences and cancellations without a cause, and choosing a cause there records it @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = isoDate(addDays(await api.today(), 19));
  const proposal = await api.callOut(date, at, 2);
  expect(Object.keys(proposal.data)).not.toEqual([]);
  const notSaid = async () => (await api.get<TodayReply>(`/today?location=${at}&date=${date}`)).not_said;
  const before = await notSaid();
  await signedIn(page);
  await page.goto(`/?location=${at}&date=${date}`);
  const list = page.getByRole('region', { name: `No reason yet: ${before.length} this week` });
  await expect(list.getByRole('listitem')).toHaveCount(0);
  await list.getByRole('button', { name: `Show all ${before.length}` }).click();
  await expect(list.getByRole('listitem')).toHaveCount(before.length);
  await list.getByRole('combobox').first().selectOption({ label: 'Leave' });
  await expect(
    page.getByRole('region', {
      name: before.length === 1 ? 'nothing' : `No reason yet: ${before.length - 1} this week`,
    }),
  ).toBeVisible();
  expect(await notSaid()).toHaveLength(before.length - 1);
  await expectAccessible(page, 'today with causes to say');
});

test('after a cause could not be saved, later changes to the list do not move the focus @detail', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/ERR_FAILED/);
  const api = await Api.signIn(request);
  const date = isoDate(addDays(await api.today(), 12));
  await api.callOut(date, at, 3);
  const { not_said: before } = await api.get<TodayReply>(`/today?location=${at}&date=${date}`);
  expect(before.length).toBeGreaterThan(1);
  await signedIn(page);
  await page.goto(`/?location=${at}&date=${date}`);
  const list = page.getByRole('region', { name: `No reason yet: ${before.length} this week` });
  await list.getByRole('button', { name: `Show all ${before.length}` }).click();
  await page.route('**/cause', (route) => route.abort());
  await list.getByRole('combobox').first().selectOption({ label: 'Leave' });
  await expect(page.getByText('Check the list before trying again', { exact: false })).toBeVisible();
  await page.getByRole('heading', { name: 'Who is away' }).click();
  const absence = before.find(({ kind }) => kind === 'absence');
  const said = await api.send('PUT', `/absences/${absence?.key}/cause`, { cause: 'leave' });
  expect(said.status, JSON.stringify(said.body)).toBeLessThan(300);
  await expect(page.getByRole('region', { name: `No reason yet: ${before.length - 1} this week` })).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('SELECT');
});

test('an administrator adds a cause, and removing a cause that was never used deletes it @detail', async ({ page }) => {
  await signedIn(page, DEMO.admin);
  await page.goto('/causes');
  await page.getByRole('button', { name: 'Add Reason' }).click();
  await page.getByLabel('Reason', { exact: true }).fill('Power cut');
  await page.getByLabel(/^Usually caused by/).selectOption('clinic');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const row = page.getByRole('row', { name: /^Power cut/ });
  await expect(row).toContainText('Clinic');
  await row.getByRole('button', { name: 'Edit Power cut' }).click();
  await expect(page.getByText('Changes also apply to past records and reports.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row.getByRole('button', { name: 'Remove Power cut' }).click();
  await expect(row).toHaveCount(0);
});
