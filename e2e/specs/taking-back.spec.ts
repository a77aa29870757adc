import type { SlotsReply } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('given submitted cover, “Back at work” asks first: “Not now” changes nothing, and “Yes” opens options that offer Undo', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const at = 'palm beach';
  const date = addDays(await api.today(), 4);
  await api.commit(await api.callOut(date, at, 1));
  await signedIn(page);
  const before = await api.slots(date, at);
  const [absence] = before.absences;
  expect(before.absences).toHaveLength(1);

  const calendar = new Calendar(page);
  await calendar.open(`?date=${date}&location=${at}&view=therapist`);
  // The absent therapist's sessions stay visible as pale bars. Each cover names the absent therapist, the person who
  // decided, and the people who have not been told yet.
  await expect(
    calendar
      .row(absence?.name ?? '')
      .locator('[data-trace]')
      .first(),
  ).toBeVisible();
  // Leaves out group sessions, whose bar names one child and only counts the others.
  const covers = calendar.grid.getByRole('button', { name: `for ${absence?.name}` });
  const cover = covers.filter({ hasNotText: /\+ \d/ }).first();
  const client = (await cover.locator('span').first().textContent()) ?? '';
  // Below the bar there is room for the card, but not once its story has loaded.
  const { y = 0, height = 0 } = (await cover.boundingBox()) ?? {};
  const room = Math.ceil(y + height + 200);
  await page.setViewportSize({ width: 1440, height: room });
  // A change of the window's size hides the card, so the focus comes after it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await cover.focus();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText(`Covers for${absence?.name}`);
  await expect(card).toContainText(/Decided by .+, \d+:\d\d [AP]M/);
  await expect(card).toContainText(new RegExp(`Not told yet: .*Family of ${client}`));
  await expect(card).not.toContainText('Told:');
  const bottom = async () => {
    const box = await card.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? room);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(room);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Session with ${client}` });
  await dialog.getByText('History of this session').click();
  await expect(dialog.getByRole('listitem').filter({ hasText: `for ${absence?.name}` })).toContainText('Covered by');
  await expectAccessible(page, 'the history of a session');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  const back = stored.getByRole('button', { name: `Back at work ${absence?.name}` });
  await back.click();
  const question = page.getByRole('alertdialog', { name: `${absence?.name} is back. Give the sessions back?` });
  // No one has been told yet, so the question does not say that people were told.
  await expect(question).toContainText('in submitted changes. If you continue');
  await expect(question).not.toContainText('told');
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(question).toHaveCount(0);
  await expect(back).toBeVisible();
  expect({ ...(await api.slots(date, at)), now: '' }).toEqual({ ...before, now: '' });

  await back.click();
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(question).toHaveCount(0);
  await expect(calendar.modal).toBeVisible();
  const after = await api.slots(date, at);
  expect(after.absences).toEqual([]);
  expect(after.appointments).not.toEqual(before.appointments);

  // The options hide the toast, so they offer Undo too. After Undo, the day is as it was.
  const taken = calendar.modal.getByRole('list', { name: 'Removed or shortened absences' });
  await expect(taken).toContainText(`${absence?.name} is no longer away: `);
  await expectAccessible(page, 'options after a withdrawal');
  const reloaded = page.waitForEvent('load');
  await taken.getByRole('button', { name: `Undo this for ${absence?.name}` }).click();
  await reloaded;
  await expect(page.getByRole('status').filter({ hasText: `${absence?.name} is away again` })).toBeVisible();
  expect(settled(await api.slots(date, at))).toEqual(settled(before));
});

/** A day's absences and appointments without their versions, for comparing the day before and after. */
const settled = ({ absences, appointments }: SlotsReply) => ({
  absences,
  appointments: appointments.map(({ version: _, ...each }) => each),
});
