// This file is over 250 lines because the call list's tests share one server, each with its own location or date.
import type { CallsReply, DaySheetReply } from '@clinic/contract';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

test.use({ serverFor: 'calls' });

const at: Location = 'tampa';

const callsOf = (api: Api, date: IsoDate, location: Location = at): Promise<CallsReply> =>
  api.get<CallsReply>(`/calls?location=${location}&date=${date}`);
const list = (page: Page) => page.getByRole('list', { name: 'Calls to make' });
const lines = (page: Page) => list(page).locator('> li');

/** Makes `away` therapists absent today, commits cover for them, and logs in. Returns the date and the commit's id. */
async function committed(
  page: Page,
  api: Api,
  location: Location,
  { away = 2 } = {},
): Promise<{ date: IsoDate; commit: string }> {
  const date = await api.today();
  const commit = await api.commit(await api.callOut(date, location, away));
  await signedIn(page);
  return { date, commit };
}

test('given a day with submitted cover, a coordinator can work through the calls to everyone with the keyboard only', async ({
  page,
  request,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const today = await api.today();
  await api.callOut(today, at, 2);
  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(today, at);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  await page.getByRole('button', { name: 'Calls to make' }).click();
  await page.waitForURL(/\/calls\?/);
  const before = await callsOf(api, today);
  expect(before.lines.length).toBeGreaterThan(3);
  await expect(lines(page)).toHaveCount(before.lines.length);
  // The page shows the server's lines, in the server's order and wording.
  expect(await lines(page).locator('h2').allInnerTexts()).toEqual(
    before.lines.map((line) => (line.kind === 'client' ? `Family of ${line.name}` : line.name)),
  );
  for (const sentence of before.lines[0]?.say ?? []) await expect(lines(page).first()).toContainText(sentence);
  // Without mail settings, the page says that sending is off; people are told by telephone.
  await expect(page.getByText('Email is not set up')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Release/ })).toHaveCount(0);
  await expectAccessibleInBothThemes(page, 'call list');
  // The three faces of the day are links to the same day and location, and Calls has its count.
  const faces = page.getByRole('navigation', { name: 'Day' }).getByRole('link');
  await expect(faces).toHaveText([/^Today/, /^Calendar/, new RegExp(`^Calls: ${before.lines.length} to tell$`)]);
  await expect(faces.last()).toHaveAttribute('aria-current', 'page');
  for (const face of await faces.all()) await expect(face).toHaveAttribute('href', new RegExp(`location=${at}`));
  // Whoever can be told in a sentence or two takes 64 pixels.
  const heights = await lines(page).evaluateAll((all) => all.map((line) => line.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeLessThanOrEqual(65);

  // On paper, each line has the time, the person and the words to say, from left to right, with enough room for the
  // person's name.
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 960 });
  const [time, person, words] = await lines(page)
    .first()
    .evaluate((line) =>
      [...line.children].map((part) => {
        const { left, right, width } = part.getBoundingClientRect();
        return { left, right, width };
      }),
    );
  expect(time?.right).toBeLessThanOrEqual(person?.left ?? 0);
  expect(person?.right).toBeLessThanOrEqual(words?.left ?? 0);
  expect(person?.width).toBeGreaterThan(150);
  const title = await page.getByRole('heading', { name: /^Calls, / }).boundingBox();
  expect(time?.left, 'the lines begin where the title begins').toBe(title?.x);
  await expect(list(page).locator('a[href^="tel:"]').first()).toBeVisible();
  for (const text of await list(page).locator('a[href^="sms:"]').all()) await expect(text).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height: 900 });

  // With text twice as large, the words to say still have the width of the list.
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const [line, said] = [
    await lines(page).first().boundingBox(),
    await lines(page).first().locator('> *').nth(2).boundingBox(),
  ];
  expect(said?.width).toBeGreaterThan((line?.width ?? 0) / 2);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));

  // Move down, add a note, record *No answer*: the line stays, with the result and the note.
  await page.keyboard.press('ArrowDown');
  const second = lines(page).nth(1);
  await expect(second).toHaveAttribute('data-current');
  await page.keyboard.press('n');
  await page.keyboard.type('try the mother');
  await second.getByRole('button', { name: 'No answer' }).click();
  await expect(second).toContainText('no answer');
  await expect(second).toContainText('try the mother');
  await expect(page.getByRole('status').getByText(/: no answer$/)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  // Mark the first line as ringing, then record *Told* on every line.
  await page.keyboard.press('r');
  await expect(lines(page).first()).toContainText('You are ringing');
  for (let left = before.lines.length; left > 0; left--) {
    await expect(lines(page)).toHaveCount(left);
    const isWaiting =
      (await lines(page)
        .and(page.locator('[data-current]'))
        .getByText(/^after .* says? yes$/)
        .count()) > 0;
    await page.keyboard.press('1');
    if (isWaiting) await page.keyboard.press('y'); // told although someone has not said yes yet
  }
  await expect(page.getByText('Everyone has been told')).toBeVisible();
  // The button in a message can be clicked even while a dialog is open.
  await page.getByRole('button', { name: 'Everyone has the day sheet' }).click();
  const message = page.getByRole('alertdialog').getByRole('status');
  await message.getByRole('button', { name: 'Not told' }).click({ trial: true, timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'call list, all told');
  const after = await callsOf(api, today);
  expect([after.lines.length, after.told.length]).toEqual([0, before.lines.length]);

  // Taking back one *Told*, clicked by mistake, brings the line back.
  await page
    .getByRole('region', { name: 'Call details' })
    .getByRole('button', { name: /^Not told/ })
    .first()
    .click();
  await expect(lines(page)).toHaveCount(1);
});

test('given two coordinators, when one starts a call or records its result, the other’s page shows the change at once', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const api = await Api.signIn(request);
  const { date: today } = await committed(page, api, 'deerfield', { away: 1 });
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const other = await context.newPage();
  await signedIn(other, DEMO.admin);
  const url = `/calls?location=deerfield&date=${today}`;
  await page.goto(url);
  await other.goto(url);
  const name = (await lines(page).first().locator('h2').innerText()).trim();
  await expect(lines(other).first()).toContainText(name);
  await page.keyboard.press('r');
  await expect(lines(other).first()).toContainText('Dana Whitfield is ringing');
  await expect(lines(other).first().getByRole('button', { name: 'Take over' })).toBeVisible();
  await page.keyboard.press('1');
  await expect(list(other).getByRole('heading', { name, exact: true })).toHaveCount(0);
  await context.close();
});

test('when a session changes after someone was told, their line comes back and shows what they were told', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { date: today, commit } = await committed(page, api, 'palm beach', { away: 1 });
  const [line] = (await callsOf(api, today, 'palm beach')).lines;
  if (!line) throw new Error('nobody to tell');
  const person = { location: 'palm beach', date: today, kind: line.kind, id: line.id };
  await api.send('POST', '/calls/answer', { ...person, version: line.version, answer: 'told' });
  expect((await api.send('POST', `/commits/${commit}/undo`)).status).toBe(200);
  await page.goto(`/calls?location=palm+beach&date=${today}`);
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page).first()).toContainText(/Was told at .* by Dana Whitfield: .* → now /);
});

test('given a family that would rather cancel, only the session they chose is cancelled', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { date: today } = await committed(page, api, 'altamonte');
  const { lines: open } = await callsOf(api, today, 'altamonte');
  const line = open.find((each) => each.kind === 'client' && each.sessions[0]?.has_therapist === true);
  const [session] = line?.sessions ?? [];
  if (!line || !session) throw new Error('no family to tell');
  const day = async (): Promise<Map<string, string>> => {
    const { appointments } = await api.slots(today, 'altamonte');
    return new Map(appointments.map((a) => [a.key ?? '', a.Appointment_Status]));
  };
  const before = await day();
  await page.goto(`/calls?location=altamonte&date=${today}`);
  const row = lines(page).filter({ has: page.getByRole('button', { name: `Family of ${line.name}`, exact: true }) });
  await row.getByRole('button', { name: `Family of ${line.name}`, exact: true }).click();
  // The line shows how to reach the family.
  await expect(row.locator('a[href^="tel:"], a[href^="mailto:"], a[href^="sms:"]').first()).toBeVisible();
  await row
    .getByRole('button', { name: /^(They would rather cancel|Cancel) \d/ })
    .first()
    .click();
  await expect(page.getByText(/^Family of .*: the session \d.* is cancelled$/)).toBeVisible();
  expect(await day()).toEqual(new Map([...before, [session.key, 'Cancelled']]));
  const { appointments } = await api.slots(today, 'altamonte');
  expect(appointments.find(({ key }) => key === session.key)?.loss).toMatchObject({
    cause: 'family-reason',
    label: 'Family reason',
    lost_by: 'family',
  });
});

test('Today and the command palette open the call list, and marking the day sheet as sent empties the list', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { date: today } = await committed(page, api, 'orlando', { away: 1 });
  const { lines: open } = await callsOf(api, today, 'orlando');
  await page.goto(`/?location=orlando`);
  const main = page.getByRole('region', { name: 'Cover for this day' });
  await expect(main.getByText(`${open.length} to tell`)).toBeVisible();
  await main.getByRole('link', { name: 'Calls' }).click();
  await page.waitForURL(/\/calls\?/);
  await expect(lines(page)).toHaveCount(open.length);
  await page.goto(`/profiles`);
  await expect(page.getByRole('button', { name: 'Add Therapist' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible();
  await page.keyboard.type('calls to');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/calls/);
  await page.goto(`/calls?location=orlando&date=${today}`);
  await page.getByRole('button', { name: 'Everyone has the day sheet' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'It was sent' }).click();
  await expect(page.getByText('Only later changes are on this list.')).toBeVisible();
  expect((await callsOf(api, today, 'orlando')).lines).toEqual([]);
});

test('at a width of 390 pixels, the call list does not scroll sideways and its buttons are large @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { date: today } = await committed(page, api, 'altamonte', { away: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/calls?location=altamonte&date=${today}`);
  const told = lines(page)
    .first()
    .getByRole('button', { name: /Told|Said yes/ });
  await expect(told).toBeVisible();
  expect((await told.boundingBox())?.height).toBeGreaterThanOrEqual(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page, 'call list at 390');
});

test('the day sheet prints on at most two pages, or with a page for each therapist @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 12);
  const at = 'palm beach';
  await api.callOut(date, at, 1);
  const sheet = await api.get<DaySheetReply>(`/calls/day-sheet?location=${encodeURIComponent(at)}&date=${date}`);
  expect(sheet.open.length).toBeGreaterThan(0);
  await signedIn(page);
  await page.goto(`/calls?location=${encodeURIComponent(at)}&date=${date}`);
  const printed = page.waitForEvent('console', (message) => message.text() === 'printed');
  await page.evaluate(() => (window.print = () => console.info('printed')));
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await printed;
  await page.getByRole('link', { name: 'Day sheet', exact: true }).click();
  const printedToo = page.waitForEvent('console', (message) => message.text() === 'printed');
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await printedToo;
  const open = page.getByRole('region', { name: 'No therapist' });
  await expect(open.getByRole('listitem')).toHaveCount(sheet.open.length);
  const person = page.getByRole('region', { name: sheet.therapists[0]?.name ?? '' });
  await expect(person).toBeVisible();
  // Sessions without a therapist come first.
  expect((await open.boundingBox())?.y).toBeLessThan((await person.boundingBox())?.y ?? 0);
  await expectAccessible(page, 'day sheet');

  const pagesOf = async (format: 'A4' | 'Letter'): Promise<number> =>
    (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  for (const format of ['A4', 'Letter'] as const) expect(await pagesOf(format)).toBeLessThanOrEqual(2);
  await page.getByRole('button', { name: 'One page per therapist' }).click();
  await expect(page.getByRole('button', { name: 'One page per therapist' })).toHaveAttribute('aria-pressed', 'true');
  for (const format of ['A4', 'Letter'] as const) expect(await pagesOf(format)).toBe(sheet.therapists.length + 1);
  await page.emulateMedia({ media: 'print' });
  await expect(person).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('button', { name: 'Everyone has the day sheet' }).click();
  await page.getByRole('button', { name: 'It was sent' }).click();
  await expect(page.getByText(/^Sent .* by /)).toBeVisible();
});

test('given a slow server, keys pressed in quick succession all count, each for the person shown at that moment', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/409/);
  const api = await Api.signIn(request);
  const location = 'orlando';
  const { date } = await committed(page, api, location, { away: 3 });
  const { lines: open } = await callsOf(api, date, location);
  const [one, two, three, four] = open;
  if (!one || !two || !three || !four) throw new Error('too few people to tell');
  await page.goto(`/calls?location=${location}&date=${date}`);
  await expect(lines(page)).toHaveCount(open.length);
  // All keys are pressed before the first reply.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/calls/**', async (route) => {
    await held;
    await route.continue();
  });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // First: ringing, message left. Second and third: told. Fourth: no answer, with a note.
  // Whoever waits for a yes is told with one key more.
  const told = ({ after }: CallsReply['lines'][number]): string[] => (after.length > 0 ? ['1', 'y'] : ['1']);
  await press('r', '2', 'ArrowDown', ...told(two), ...told(three), 'n');
  await page.keyboard.type('try the father');
  await press('Enter', '3', 'ArrowUp', 'r');
  release();
  await expect(lines(page)).toHaveCount(open.length - 2);
  const row = ({ kind, id }: CallsReply['lines'][number]) => page.locator(`[data-line="${kind}:${id}"]`);
  await expect(row(four)).toContainText('try the father');
  await expect(row(one)).toContainText('You are ringing');
  await expect(page.locator('[data-line][data-current]')).toHaveAttribute('data-line', `${one.kind}:${one.id}`);
  const { lines: left, told: done } = await callsOf(api, date, location);
  expect(done.map(({ id }) => id).sort()).toEqual([two.id, three.id].sort());
  const lineIn = (list: CallsReply['lines'], { id }: { id: string }) => list.find((line) => line.id === id);
  expect(lineIn(left, one)).toMatchObject({
    answers: [{ answer: 'left-message', note: null }],
    ringing: { mine: true },
  });
  expect(lineIn(left, four)).toMatchObject({
    answers: [{ answer: 'no-answer', note: 'try the father' }],
    ringing: null,
  });

  // A refused answer shows a message and brings its line back; keys pressed after it still take effect.
  await page.route('**/api/calls/answer', (route) => route.fulfill({ status: 409, json: { detail: 'Try later.' } }), {
    times: 1,
  });
  await press('1', '3');
  await expect(page.getByText('Try later.')).toBeVisible();
  const next = left[left.findIndex(({ id }) => id === one.id) + 1] ?? four;
  await expect
    .poll(async () => lineIn((await callsOf(api, date, location)).lines, next)?.answers.length)
    .toBe((lineIn(left, next)?.answers.length ?? 0) + 1);
  await expect(lines(page)).toHaveCount(open.length - 2);
});
