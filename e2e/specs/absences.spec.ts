// This file is over 250 lines because it follows an absence from the click on a name to the withdrawal.
import { REFUSALS, type SlotsReply } from '@clinic/contract';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

let calendar: Calendar;

test.beforeEach(async ({ page }) => {
  await signedIn(page);
  calendar = new Calendar(page);
});

/** The name of someone with at least two booked sessions and no stored absence. */
async function somebody(index = 0): Promise<string> {
  return (await calendar.booked(2))[index] ?? '';
}

test('[ABS-01] the panel shows a title, type, times in quarter hours, Remove, Clear All Absences and Save Absences', async ({
  page,
}) => {
  await calendar.open();
  const person = await somebody();
  await calendar.name(person).click();
  await page.getByRole('button', { name: 'Client View' }).click();
  const [client] = await calendar.booked();
  await calendar.name(client ?? '').click();
  await calendar.absencesButton.click();
  const long = (await page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1).textContent()) ?? '';
  await expect(calendar.panel.getByRole('heading', { name: `Absences for ${long}` })).toBeVisible();
  await expect(calendar.entry(person)).toContainText('Therapist');
  await expect(calendar.entry(client ?? '')).toContainText('Client');
  for (const label of ['From', 'To']) {
    const field = calendar.panel.getByRole('group', { name: `Absence of ${person}` }).getByLabel(label);
    await expect(field).toHaveAttribute('type', 'time');
    await expect(field).toHaveAttribute('step', '900');
  }
  await expect(calendar.panel.getByRole('button', { name: 'Save Absences' })).toBeVisible();
  await calendar
    .entry(person)
    .getByRole('button', { name: `Remove ${person}` })
    .click();
  await expect(calendar.entry(person)).toHaveCount(0);
  await calendar.panel.getByRole('button', { name: 'Clear All Absences' }).click();
  await expect(calendar.panel).toContainText('No absences selected');
  await expect(calendar.absencesButton).toHaveText('Absences');
});

test('[ABS-02] a new absence lasts all day, and times are rounded when their field loses the focus', async ({
  page,
}) => {
  await calendar.open();
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const entry = calendar.entry(person);
  const from = entry.getByLabel('From', { exact: true });
  const to = entry.getByLabel('To', { exact: true });
  await expect(from).toHaveValue('00:00');
  await expect(to).toHaveValue('23:59');
  await from.fill('07:08');
  await expect(from).toHaveValue('07:15');
  // A typed time is not rounded until the field loses the focus.
  await to.focus();
  await page.keyboard.type('1007AM');
  await expect(to).toHaveValue('10:07');
  await entry.getByRole('heading').click();
  await expect(to).toHaveValue('10:00');
  await expect(calendar.name(person)).toContainText('7:15 - 10 AM');
  await entry.getByRole('button', { name: 'All day' }).click();
  await expect(from).toHaveValue('00:00');
  await expect(to).toHaveValue('23:59');
});

test('[ABS-03] a click outside the panel or Escape closes it, but clicks on names do not', async ({ page }) => {
  await calendar.open();
  const person = await somebody();
  await calendar.absencesButton.click();
  await expect(calendar.panel).toContainText('No absences selected');
  await calendar.name(person).click();
  await expect(calendar.entry(person)).toBeVisible();
  await calendar.panel.getByLabel('From', { exact: true }).click();
  await expect(calendar.panel).toBeVisible();
  await calendar.grid.getByRole('columnheader').nth(5).click({ force: true });
  await expect(calendar.panel).toHaveCount(0);
  await calendar.absencesButton.click();
  await expect(calendar.panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(calendar.panel).toHaveCount(0);
  await expect(calendar.absencesButton).toBeFocused();
  await calendar.absencesButton.click();
  await calendar.absencesButton.click();
  await expect(calendar.panel).toHaveCount(0);
});

test('[ABS-04] saving with no one selected shows a message and sends nothing', async ({ page }) => {
  await calendar.open();
  let sent = false;
  page.on('request', (request) => (sent ||= request.url().includes('/scheduler/process')));
  await calendar.absencesButton.click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(calendar.panel.getByRole('alert')).toHaveText('No absences to save');
  expect(sent).toBe(false);
  // The message disappears when someone is selected.
  await calendar.name(await somebody()).click();
  await expect(calendar.panel.getByRole('alert')).toHaveCount(0);
});

test('[ABS-05] [ABS-08] [SOL-19] Save Absences posts the queries, shows Saving..., and opens the options', async ({
  page,
}) => {
  await calendar.open();
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  await calendar.entry(person).getByLabel('From', { exact: true }).fill('08:00');
  await calendar.entry(person).getByLabel('To', { exact: true }).fill('12:00');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/scheduler/process', async (route) => {
    await held;
    await route.continue();
  });
  const sent = page.waitForRequest('**/scheduler/process');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const request = await sent;
  // Until the reply arrives, nothing closes the panel.
  for (const key of ['Escape', 'a']) await page.keyboard.press(key);
  await calendar.absencesButton.click();
  await expect(calendar.panel.getByRole('button', { name: 'Saving...' })).toBeVisible();
  release();
  expect(new URL(request.url()).pathname).toBe('/api/api/scheduler/process');
  const body = request.postDataJSON() as { queries: unknown[]; date: string; location: string };
  expect(body).toEqual({
    date: body.date,
    location: 'altamonte',
    queries: [
      {
        type: 'therapist_cancel',
        date: body.date,
        begin: '08:00',
        end: '12:00',
        location: 'altamonte',
        therapist: person,
        replaces: true,
      },
    ],
    wait_for: 'first',
  });
  await expect(calendar.modal).toBeVisible();
  expect(
    await page.evaluate(() => JSON.parse(localStorage.getItem('backed_up_therapists') ?? 'null') as object),
  ).toHaveProperty(body.date);
});

test('[SOL-18] closing the modal clears the selection and reloads the page, and saved absences can be changed and withdrawn', async ({
  page,
}) => {
  await calendar.open('?location=orlando&view=therapist');
  const person = await somebody(1);
  await calendar.name(person).click();
  await calendar.saveAbsences();
  await calendar.closeOptions();
  await expect(page).toHaveURL(/location=orlando/);
  await expect(calendar.absencesButton).toHaveText('Absences');
  const name = calendar.name(person);
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await expect(name).toContainText('away');
  await expect(calendar.row(person).locator('[data-kind="open"]').first()).toBeVisible();
  await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  await expect(stored).toContainText(person);
  // Change the absence: make it shorter and save it again.
  await stored.getByRole('button', { name: `Change ${person}` }).click();
  await calendar.entry(person).getByLabel('From', { exact: true }).fill('16:00');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(
    page.getByRole('dialog', { name: /^Schedule Solutions/ }).or(page.getByRole('alertdialog')),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await calendar.ready();
  await expect(name).toContainText('from 4 PM');
  // Withdraw the absence, and undo the withdrawal.
  await calendar.absencesButton.click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(calendar.panel.getByRole('alert')).toHaveText('No absences to save');
  await stored.getByRole('button', { name: `Back at work ${person}` }).click();
  await expect(calendar.panel.getByRole('alert')).toHaveCount(0);
  await expect(name).not.toContainText('away');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(name).toContainText('from 4 PM');
});

test('an unsaved selection survives a reload', async ({ page }) => {
  await calendar.open('?location=deerfield');
  await calendar.name(await somebody(2)).click();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await page.reload();
  await calendar.ready();
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await calendar.saveAbsences();
  await page.reload();
  await calendar.ready();
  await expect(calendar.absencesButton).toHaveText('Absences');
});

test('the absence of someone who has left the clinic is shown but cannot be changed or removed', async ({ page }) => {
  await calendar.open();
  const person = await somebody();
  await page.route('**/api/slots?*', async (route) => {
    const response = await route.fetch();
    const day = (await response.json()) as SlotsReply;
    const absence = { id: 'a-1', name: person, type: 'therapist' as const, startTime: '08:00', endTime: '23:59' };
    const json: SlotsReply = {
      ...day,
      absences: [...day.absences, { ...absence, former: true }],
      people: day.people.map((each) => (each.name === person ? { ...each, former: true } : each)),
    };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await calendar.ready();
  await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  const line = stored.getByRole('listitem').filter({ hasText: person });
  await expect(line).toContainText('no longer with the clinic');
  await expect(line.getByRole('button')).toHaveCount(0);
});

test('given recorded absences, *See options* opens the options for these absences again', async ({ page }) => {
  await calendar.open('?location=deerfield');
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.saveAbsences();
  await calendar.closeOptions();
  await expect(calendar.absencesButton).toHaveText('Absences');
  await page.getByRole('button', { name: 'See options' }).click();
  await expect(calendar.modal).toBeVisible();
});

test('[ABS-06] a refused save shows the server’s message, or its status if there is no message', async ({
  page,
  watch,
}) => {
  await calendar.open();
  watch.allow(/Failed to load resource/);
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const save = calendar.panel.getByRole('button', { name: 'Save Absences' });
  const alert = calendar.panel.getByRole('alert');
  await page.route('**/scheduler/process', (route) =>
    route.fulfill({ status: 422, json: { detail: 'No therapist so named' } }),
  );
  await save.click();
  await expect(alert).toHaveText('Failed to save absences: No therapist so named');
  await page.unroute('**/scheduler/process');
  const saved = REFUSALS['absences-saved-but-busy'].words();
  await page.route('**/scheduler/process', (route) => route.fulfill({ status: 503, json: { detail: saved } }));
  await save.click();
  await expect(alert).toHaveText(saved);
  await page.unroute('**/scheduler/process');
  await page.route('**/scheduler/process', (route) => route.fulfill({ status: 502, body: '<html>' }));
  await save.click();
  await expect(alert).toContainText('Failed to save absences: Server error: 502. The absences may have been saved.');
  await page.unroute('**/scheduler/process');
  await page.route('**/scheduler/process', (route) => route.abort());
  await save.click();
  await expect(alert).toContainText('Failed to save absences: The server did not reply.');
  await expect(calendar.entry(person)).toBeVisible();
});

test('[ABS-07] given absences that affect nothing, the page shows “No scheduling changes needed”', async ({ page }) => {
  await page.route('**/scheduler/process', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), data: {} } });
  });
  await calendar.open('?location=palm%20beach');
  await calendar.name(await somebody()).click();
  await calendar.absencesButton.click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const said = page.getByRole('alertdialog', { name: 'No scheduling changes needed' });
  await expect(said).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(said).toHaveCount(0);
  await expect(calendar.absencesButton).toHaveText('Absences');
});

test('[ABS-09] given an end time that is not after the start time, a message beside the field says so, and nothing is sent', async ({
  page,
}) => {
  await calendar.open();
  let sent = false;
  page.on('request', (request) => (sent ||= request.url().includes('/scheduler/process')));
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const to = calendar.entry(person).getByLabel('To', { exact: true });
  await calendar.entry(person).getByLabel('From', { exact: true }).fill('10:00');
  await to.fill('09:00');
  await expect(to).toHaveAccessibleDescription('Must be after 10:00 AM');
  await expect(to).toHaveAttribute('aria-invalid', 'true');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(to).toBeFocused();
  expect(sent).toBe(false);
});

test('[ABS-06] [ABS-07] an unreadable reply is shown as a failure, not as “No scheduling changes needed”', async ({
  page,
}) => {
  await calendar.open();
  await calendar.name(await somebody()).click();
  await calendar.absencesButton.click();
  await page.route('**/api/scheduler/process', (route) => route.fulfill({ status: 200, json: { status: 'ok' } }));
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await expect(calendar.panel.getByRole('alert')).toContainText(
    'Failed to save absences: The server’s reply could not be read.',
  );
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('[ABS-01] Clear All Absences empties the list, and a message says that recorded absences stay', async ({
  page,
}) => {
  await calendar.open();
  const [first, second] = await calendar.booked();
  await page.route('**/api/slots?*', async (route) => {
    const response = await route.fetch();
    const day = (await response.json()) as SlotsReply;
    const absence = { id: 'a-1', name: first ?? '', type: 'therapist' as const, startTime: '00:00', endTime: '23:59' };
    await route.fulfill({ response, json: { ...day, absences: [absence] } satisfies SlotsReply });
  });
  await page.reload();
  await calendar.ready();
  await calendar.name(second ?? '').click();
  await calendar.absencesButton.click();
  const clear = calendar.panel.getByRole('button', { name: 'Clear All Absences' });
  await expect(clear).toHaveAccessibleDescription(/Absences already recorded stay/);
  await clear.click();
  await expect(calendar.panel).toContainText('No absences selected');
  await expect(calendar.panel.getByRole('region', { name: 'Recorded for this day' })).toContainText(first ?? '?');
  await expect(clear).toHaveAttribute('aria-disabled', 'true');
});

test('while an absence’s times are edited, the panel shows how many sessions and how much care the absence affects', async () => {
  await calendar.open();
  const person = await somebody();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  const tally = calendar.panel.locator('dl');
  const minutes = async (): Promise<number> => {
    const [, h = 0, min = 0] =
      /^(?:(\d+) h ?)?(?:(\d+) min)?$/.exec((await tally.locator('dd').nth(1).textContent()) ?? '') ?? [];
    return Number(h) * 60 + Number(min);
  };
  const whole = await minutes();
  expect(whole).toBeGreaterThan(0);
  await calendar.entry(person).getByLabel('To', { exact: true }).fill('07:00');
  await expect.poll(minutes).toBe(0);
  await expect(calendar.entry(person)).toContainText('No sessions then');
  await calendar.entry(person).getByRole('button', { name: 'All day' }).click();
  await expect.poll(minutes).toBe(whole);
});

test('axe finds no violations in the absences panel, in both themes', async ({ page }) => {
  await calendar.open();
  const check = (what: string): Promise<void> => expectAccessibleInBothThemes(page, what);
  await calendar.absencesButton.click();
  await expect(calendar.panel).toBeVisible();
  await check('empty');
  await calendar.name(await somebody()).click();
  await calendar.panel.getByLabel('To', { exact: true }).fill('00:00');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  await check('a wrong window');
});
