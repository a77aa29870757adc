import type { CallLine, CallsReply } from '@clinic/contract';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

test.use({ serverFor: 'whole-morning' });

const AT = 'deerfield';
const MOST_KEYS = 70;
const CALLS = 12;

const lines = (page: Page) => page.getByRole('list', { name: 'Calls to make' }).locator('> li');
const frame = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/** A keyboard that counts every key. Any use of the mouse fails. */
function keyboardOf(page: Page) {
  for (const act of ['click', 'move', 'down'] as const)
    page.mouse[act] = () => Promise.reject(new Error('the morning used the mouse'));
  let presses = 0;
  return {
    count: () => presses,
    async press(...keys: string[]) {
      for (const key of keys) {
        presses++;
        await page.keyboard.press(key);
      }
    },
  };
}

/** Five therapists with at most one session with one child each, whose names any keyboard can type. */
async function fiveToCallOut(api: Api, date: string): Promise<string[]> {
  const booked = new Map<string, Set<string>>();
  for (const a of (await api.slots(date, AT)).appointments) {
    if (a.service !== 'direct' || !/scheduled|confirmed/i.test(a.Appointment_Status)) continue;
    const clients = booked.get(a.Preferred_Provider_Name) ?? new Set();
    booked.set(a.Preferred_Provider_Name, clients.add(`${a['Client Name']} ${a.StartDateTime}`));
  }
  return [...booked]
    .filter(([name]) => name !== 'Unassigned' && /^[a-z' -]+$/i.test(name))
    .sort(([, a], [, b]) => a.size - b.size)
    .slice(0, 5)
    .map(([name]) => name);
}

test('five call-outs, twelve people to tell, two refusals: from the first sick call to everyone told, at most 70 keys and no mouse', async ({
  page,
  request,
}) => {
  test.slow();
  await signIn(page);
  const api = await Api.signIn(request);
  const date = await api.today();
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  const away = await fiveToCallOut(api, date);
  expect(away).toHaveLength(5);
  const keys = keyboardOf(page);
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });

  /** Marks a person absent in the palette: types as many letters of the name as needed. */
  const markAway = async (name: string): Promise<void> => {
    await keys.press('Control+k');
    await expect(page.getByRole('combobox', { name: /^A person/ })).toBeFocused();
    const isFound = async (): Promise<boolean> => {
      await frame(page);
      return (await found.count()) === 1 && (await found.innerText()).includes(`Show ${name}`);
    };
    for (const letter of name) {
      if (await isFound()) break;
      await keys.press(letter === ' ' ? 'Space' : letter);
    }
    await keys.press('ArrowDown');
    await expect(found).toContainText(`Mark ${name} absent`);
    await keys.press('Enter');
    await expect(page.getByRole('status').getByText(`${name} marked absent`)).toBeAttached();
  };
  for (const name of away) await markAway(name);
  await expect(calendar.absencesButton).toHaveText('Absences5');
  await keys.press('a');
  await expect(calendar.entry(away.at(-1) ?? '').getByLabel('To', { exact: true })).toBeVisible();
  await keys.press('Control+Enter');

  const view = new OptionsModal(page);
  await expect(view.table.locator('button[aria-pressed="true"]').first()).toBeFocused();
  const submit = async (): Promise<void> => {
    await expect(view.submit).toBeEnabled();
    const reloaded = page.waitForEvent('load');
    await keys.press('Control+Enter');
    await reloaded;
    await calendar.ready();
    await keys.press('g', 'l');
    await expect(lines(page).first()).toBeVisible();
  };
  await submit();

  const listNow = (): Promise<CallsReply> => api.get<CallsReply>(`/calls?location=${AT}&date=${date}`);
  const isAsked = (line: CallLine): boolean => line.kind === 'therapist' && line.sessions.length > 0;
  let calls = 0;
  let noes = 0;
  for (let left = (await listNow()).lines; left.length > 0; left = (await listNow()).lines) {
    await expect(lines(page)).toHaveCount(left.length);
    const current = page.locator('[data-line][data-current]');
    const key = await current.getAttribute('data-line');
    const line = left.find((each) => `${each.kind}:${each.id}` === key);
    if (!line) throw new Error('no current line');
    calls++;
    if (noes < 2 && isAsked(line)) {
      // The therapist says no. New options leave the therapist out and keep what other people have already been told.
      noes++;
      await keys.press('4');
      await expect(page.getByRole('group', { name: `${line.name} said no` })).toBeVisible();
      await keys.press('t');
      await expect(page.getByRole('region', { name: 'Said no' })).toContainText(line.name);
      await keys.press('o');
      // The focus is on a chosen cell, the first one that changes again.
      await expect(view.table.locator('button[aria-pressed="true"]:focus')).toHaveCount(1);
      await submit();
    } else {
      await keys.press('1');
      await expect(page.locator(`[data-line="${key}"]`)).toHaveCount(0);
    }
  }
  await expect(page.getByText('Everyone has been told')).toBeVisible();
  const after = await listNow();
  expect(after.lines).toEqual([]);
  expect(noes).toBe(2);
  expect(calls).toBeGreaterThanOrEqual(CALLS);
  expect(keys.count(), `${calls} calls`).toBeLessThanOrEqual(MOST_KEYS);
});
