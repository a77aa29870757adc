import type { CallLine, CallsReply } from '@clinic/contract';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

test.use({ serverFor: 'whole-morning' });

const AT = 'deerfield';
const MOST_KEYS = 70;
const CALLS = 10;

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

test('given absences of three therapists and a client, the whole morning up to the last call needs at most 70 keys and no mouse', async ({
  page,
  request,
}) => {
  test.slow();
  await signIn(page);
  const api = await Api.signIn(request);
  const date = await api.today();
  const calendar = new Calendar(page);
  await calendar.open(`?location=${AT}`);
  // Uses only names that any keyboard can type.
  const typed = (name: string): boolean => /^[a-z' -]+$/i.test(name);
  const [one = '', two = '', three = ''] = (await calendar.booked()).filter(typed);
  const { appointments } = await api.slots(date, AT);
  const child = appointments
    .filter((a) => a.service === 'direct' && ![one, two, three, 'Unassigned'].includes(a.Preferred_Provider_Name))
    .map((a) => a['Client Name'])
    .find(typed);
  if (child === undefined) throw new Error('no client to be away');
  const keys = keyboardOf(page);
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });

  /** Marks a person absent in the palette: types as many letters of the name as needed, then the times. */
  const markAway = async (name: string, times = ''): Promise<void> => {
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
    for (const key of times) await keys.press(key === ' ' ? 'Space' : key);
    if (times === '') await keys.press('ArrowDown');
    await expect(found).toContainText(`Mark ${name} absent`);
    await keys.press('Enter');
  };
  await markAway(one);
  await expect(calendar.absencesButton).toHaveText('Absences1');
  await expect(page.getByRole('status').getByText(`${one} marked absent`)).toBeAttached();
  await markAway(two);
  await markAway(three, ' 7-9');
  await markAway(child);
  await expect(calendar.absencesButton).toHaveText('Absences4');
  await keys.press('a');
  await expect(calendar.entry(child).getByLabel('To', { exact: true })).toBeVisible();
  await keys.press('Control+Enter');

  // Pins another option for the first client, solves the rest again, and submits.
  const view = new OptionsModal(page);
  await expect(view.table.locator('button[aria-pressed="true"]').first()).toBeFocused();
  await keys.press('ArrowRight', 'm');
  await expect(view.mode).toHaveAttribute('aria-checked', 'true');
  await keys.press('Enter');
  await expect(view.modal).toContainText('1 selected to stay');
  await keys.press('Control+Enter');
  await expect(view.mode).toHaveAttribute('aria-checked', 'false');
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
  expect(keys.count()).toBeLessThanOrEqual(MOST_KEYS);
});
