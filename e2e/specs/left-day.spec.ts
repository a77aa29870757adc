import type { Locator, Page } from '@playwright/test';
import { addDays, longDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// Tests that a slow reply about a day that the coordinator has left does not act on the day that they look at now.

/** Holds requests to this address back until the returned function is called; then the server or `reply` replies. */
async function heldBack(page: Page, address: string, reply?: { status: number; detail: string }): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await held;
    if (reply) await route.fulfill({ status: reply.status, json: { detail: reply.detail } });
    else await route.continue();
  });
  return () => release();
}

const nextDay = (page: Page): Locator => page.getByRole('group', { name: 'Date' }).getByRole('button').last();

/** Whether nothing covers the middle of an element, once what could cover it has made room in the next frame. */
const isOnTop = (element: Locator): Promise<boolean> =>
  element.evaluate(async (e) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const box = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
  });

test('given another location chosen while options are being found, then they do not open there', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 13);
  await api.callOut(date, 'orlando', 1);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=orlando&date=${date}`);
  const letGo = await heldBack(page, '**/api/proposals');
  await page.getByRole('button', { name: 'See options' }).click();
  await page.getByRole('combobox', { name: 'Location' }).selectOption({ label: 'Tampa' });
  await expect(page).toHaveURL(/location=tampa/);
  letGo();
  const arrived = page.getByText(`For ${longDate(date)} at Orlando, options are ready.`);
  await expect(arrived).toBeVisible();
  await expect(calendar.modal).toBeHidden();
  // The message makes room for what gets the focus.
  for (const button of [page.getByRole('button', { name: 'Display' }), calendar.absencesButton]) {
    await button.focus();
    expect(await isOnTop(button)).toBe(true);
  }
  // The message stays while the coordinator goes to another page.
  await page.getByRole('link', { name: 'Profiles' }).click();
  await expect(page).toHaveURL(/profiles/);
  await page.getByRole('status').getByRole('button', { name: 'See options' }).click();
  await expect(page).toHaveURL(/calendar.*location=orlando/);
  await expect(calendar.modal).toContainText(longDate(date));
});

test('given another date chosen while absences are saved, then a message names the day that was saved', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  const date = addDays(await (await Api.signIn(request)).today(), 13);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=tampa&date=${date}`);
  const [first = '', second = '', third = ''] = await calendar.booked(2);
  const save = async (): Promise<void> => {
    await calendar.absencesButton.click();
    await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
    await nextDay(page).click();
    await expect(page).toHaveURL(new RegExp(addDays(date, 1)));
  };
  await calendar.name(first).click();
  let letGo = await heldBack(page, '**/api/scheduler/process');
  await save();
  letGo();
  const day = `${longDate(date)} at Tampa`;
  await expect(page.getByText(`The absences for ${day} are saved`)).toBeVisible();
  await expect(calendar.modal).toBeHidden();

  await calendar.open(`?location=tampa&date=${date}`);
  await expect(calendar.row(first)).toContainText('away');
  await calendar.name(second).click();
  letGo = await heldBack(page, '**/api/scheduler/process', { status: 503, detail: 'The server is busy.' });
  await save();
  letGo();
  await expect(page.getByText(`${day}: Failed to save absences: The server is busy.`)).toBeVisible();
  await expect(calendar.panel.getByText('The server is busy.')).toHaveCount(0);

  // On another page, the outcome is told too.
  await calendar.open(`?location=tampa&date=${date}`);
  await calendar.name(third).click();
  letGo = await heldBack(page, '**/api/scheduler/process', { status: 503, detail: 'The server is busy.' });
  await calendar.absencesButton.click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await page.getByRole('link', { name: 'Profiles' }).click();
  await expect(page).toHaveURL(/profiles/);
  letGo();
  await expect(page.getByText(`${day}: Failed to save absences: The server is busy.`)).toBeVisible();
});

test('given options that could not be found, then only the page of their day says so @detail', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 15);
  await api.callOut(date, 'orlando', 1);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=orlando&date=${date}`);
  await page.route('**/api/proposals', (route) => route.fulfill({ status: 503, json: { detail: 'It is busy.' } }));
  await page.getByRole('button', { name: 'See options' }).click();
  const failed = page.getByText('Could not find options: It is busy.');
  await expect(failed).toBeVisible();
  await nextDay(page).click();
  await expect(page).toHaveURL(new RegExp(addDays(date, 1)));
  await expect(failed).toBeHidden();
  await page.getByRole('button', { name: 'Previous day' }).click();
  await expect(failed).toBeVisible();
});
