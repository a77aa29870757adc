// This file is over 250 lines because it tests everything drawn in the calendar’s grid, and the keys that move in it.
import type { Locator } from '@playwright/test';
import { bars, session, withDay } from '../fixtures/made-day.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test.beforeEach(async ({ page }) => {
  await signedIn(page);
});

test('[CAL-08] the card shows client, therapist, status, location and subject on hover and on focus', async ({
  page,
}) => {
  const calendar = await withDay(page, [session('1', 'Bo Lee', '8:30 AM', '11:30 AM', { Subject: 'Parent Training' })]);
  const card = page.getByRole('tooltip');
  const bar = bars(calendar).first();
  const told = async (): Promise<void> => {
    for (const text of [
      'Bo Lee',
      'Ana Ruiz, RBT',
      'Confirmed',
      'Altamonte',
      'Parent Training',
      '8:30 AM - 11:30 AM, 3 h',
    ])
      await expect(card).toContainText(text);
  };
  await bar.hover();
  await told();
  await page.mouse.move(5, 5);
  await expect(card).toHaveCount(0);
  await calendar.name('Ana Ruiz').focus();
  await page.keyboard.press('ArrowRight');
  await expect(bar).toBeFocused();
  await told();
  await expect(bar).toHaveAttribute('aria-describedby', (await card.getAttribute('id')) ?? '');
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  // When the window is resized, the card must not stay where the bar was.
  await bar.hover();
  await told();
  await page.setViewportSize({ width: 1300, height: 700 });
  await expect(card).toHaveCount(0);
});

test('[CAL-08] given a bar out of view, when the keyboard moves to it, its card is shown beside it', async ({
  page,
}) => {
  const therapists = Array.from({ length: 60 }, (_, i) => `Bo Lee ${i + 10}`);
  const calendar = await withDay(
    page,
    ['Ana Ruiz', ...therapists].map((name) =>
      session(name, 'Mo Diaz', '8:30 AM', '11:30 AM', { Preferred_Provider_Name: name }),
    ),
    therapists.map((name) => ({ id: name, name, type: 'therapist', credential: 'RBT' })),
  );
  await calendar.name('Bo Lee 10').focus();
  await page.keyboard.press('Control+End');
  const bar = calendar.row('Bo Lee 69').locator('[data-bar]');
  await expect(bar).toBeFocused();
  await expect(bar).toBeInViewport();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('Bo Lee 69');
  // The card stays after the scroll events that bring the bar into view.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(card).toContainText('Bo Lee 69');
  const [above, below] = [await card.boundingBox(), await bar.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  // With the page at 200 percent, the card is as wide as the window, and still leaves its bar in view.
  await page.setViewportSize({ width: 720, height: 450 });
  for (const key of ['Control+Home', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Control+End']) {
    await page.keyboard.press(key);
    if (key === 'Control+Home') continue;
    await expect(card).toBeVisible();
    const focused = calendar.grid.locator('[data-bar]:focus');
    const isFree = async (): Promise<boolean> => {
      const [a, b] = [await card.boundingBox(), await focused.boundingBox()];
      return a !== null && b !== null && (a.y >= b.y + b.height || a.y + a.height <= b.y);
    };
    await expect.poll(isFree, { message: key }).toBe(true);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // The card of a bar under the pointer disappears when the rows move.
  await calendar.row('Bo Lee 60').locator('[data-bar]').hover();
  await expect(card).toContainText('Bo Lee 60');
  await page.mouse.wheel(0, -800);
  await expect(card).not.toContainText('Bo Lee 60');
});

test('a covered session’s bar is marked and names the absent therapist, whose own row keeps a pale bar', async ({
  page,
}) => {
  const covered = { Preferred_Provider_Name: 'Kai Wood', booked_with: 'Emily Thompson' };
  const people = ['Kai Wood', 'Emily Thompson'].map((name) => ({ id: name, name, type: 'therapist' }));
  const away = [{ id: 'e', name: 'Emily Thompson', type: 'therapist', startTime: '00:00', endTime: '23:59' }];
  const list = [session('1', 'Bo Lee', '8:30 AM', '11:30 AM', covered), session('2', 'Mo Diaz', '8:30 AM', '11:30 AM')];
  const calendar = await withDay(page, list, people, away);
  const cover = calendar.row('Kai Wood').getByRole('button', { name: 'Bo Lee for Emily Thompson, 8:30 AM - 11:30 AM' });
  await expect(cover.getByText('for Emily Thompson')).toBeVisible();
  const corner = (bar: Locator): Promise<string> => bar.evaluate((e) => getComputedStyle(e, '::before').clipPath);
  expect(await corner(cover)).toContain('polygon');
  expect(await corner(calendar.row('Ana Ruiz').locator('[data-bar]'))).toBe('none');
  // A covered session's bar has no more elements than any other bar.
  expect(await cover.locator('*').count()).toBe(2);
  await cover.hover();
  await expect(page.getByRole('tooltip')).toContainText('Covers forEmily Thompson');
  const trace = calendar
    .row('Emily Thompson')
    .getByRole('img', { name: 'Bo Lee, 8:30 AM - 11:30 AM, now with Kai Wood' });
  await expect(trace).toBeVisible();
  const at = async (found: Locator) => (await found.boundingBox())?.x;
  expect(await at(trace)).toBeCloseTo((await at(cover)) ?? 0, 0);
});

test('sessions outside the hours of the day are counted, on paper too, and can be opened; pale bars have text of the size of the row’s', async ({
  page,
}) => {
  const covered = { Preferred_Provider_Name: 'Ana Ruiz', booked_with: 'Emily Thompson' };
  const calendar = await withDay(
    page,
    [
      session('1', 'Bo Lee', '8:30 AM', '11:30 AM', covered),
      { ...session('2', 'Mo Diaz', '8:00 PM', '9:00 PM'), key: '2' },
    ],
    ['Ana Ruiz', 'Emily Thompson'].map((name) => ({ id: name, name, type: 'therapist' })),
  );
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('1 session outside 7 AM - 7 PM')).toBeVisible();
  const size = (element: Locator): Promise<string> => element.evaluate((e) => getComputedStyle(e).fontSize);
  expect(await size(calendar.row('Emily Thompson').locator('[data-trace]'))).toBe(await size(calendar.grid));
  // On the screen, the count leads to each of these sessions, which have no bar.
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: '1 session outside 7 AM - 7 PM' }).click();
  await page.getByRole('menuitem', { name: '8:00 PM - 9:00 PM: Ana Ruiz, Mo Diaz' }).click();
  await expect(page.getByRole('dialog').getByLabel('Client')).toHaveValue('Mo Diaz');
});

test('[CAL-10] [CAL-11] [CAL-12] deleted sessions are hidden, duplicates are shown once, and sessions close together with the same Id are merged', async ({
  page,
}) => {
  const calendar = await withDay(page, [
    session('1', 'Bo Lee', '8:00 AM', '9:00 AM'),
    session('1', 'Bo Lee', '8:00 AM', '9:00 AM'),
    session('1', 'Bo Lee', '9:15 AM', '10:00 AM'),
    session('1', 'Bo Lee', '1:00 PM', '2:00 PM'),
    session('', 'Mo Diaz', '3:00 PM', '4:00 PM'),
    session('', 'Mo Diaz', '3:00 PM', '4:00 PM'),
    session('2', 'Gone Child', '5:00 PM', '6:00 PM', { Appointment_Status: 'DELETED' }),
  ]);
  await expect(bars(calendar)).toHaveCount(3);
  expect(await bars(calendar).evaluateAll((list) => list.map((bar) => bar.getAttribute('aria-label')))).toEqual([
    'Bo Lee, 8:00 AM - 10:00 AM',
    'Bo Lee, 1:00 PM - 2:00 PM',
    'Mo Diaz, 3:00 PM - 4:00 PM',
  ]);
});

test('[CAL-13] [CAL-14] a session that starts from 8 minutes before to 7 minutes after a slot is drawn in that slot', async ({
  page,
}) => {
  const calendar = await withDay(page, [
    session('1', 'A A', '8:52 AM', '9:30 AM'),
    session('2', 'B B', '9:53 AM', '10:30 AM'),
    session('3', 'C C', '11:37 AM', '12:00 PM'),
  ]);
  // The bars start in the columns for 8:45, 10:00 and 11:30; columns are 15 minutes wide, from 7:00 AM.
  expect(
    await bars(calendar).evaluateAll((list) =>
      list.map((bar) => ['--start', '--span'].map((name) => Number((bar as HTMLElement).style.getPropertyValue(name)))),
    ),
  ).toEqual([
    [7, 3],
    [12, 2],
    [18, 2],
  ]);
});

test('overlapping bars are all visible, and a narrow bar keeps its full name for screen readers', async ({ page }) => {
  const calendar = await withDay(page, [
    session('1', 'Bo Lee', '8:00 AM', '11:00 AM'),
    session('2', 'Mo Diaz', '8:00 AM', '11:00 AM'),
    session('3', 'Jamal Longname-Smith', '9:00 AM', '9:15 AM'),
  ]);
  const boxes = await bars(calendar).evaluateAll((list) =>
    list.map((bar) => bar.getBoundingClientRect().toJSON() as DOMRect),
  );
  for (const a of boxes)
    for (const b of boxes)
      if (a !== b) expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true);
  await expect(calendar.grid.getByRole('button', { name: 'Jamal Longname-Smith, 9:00 AM - 9:15 AM' })).toBeVisible();
  for (const box of boxes) expect(box.height).toBeGreaterThanOrEqual(24);
});

test('the grid is a single tab stop; arrow keys, Home, End and Page keys move within it', async ({ page }) => {
  const calendar = new Calendar(page);
  await calendar.open();
  expect(await calendar.grid.locator('[tabindex="0"]').count()).toBe(1);
  const [person] = await calendar.booked(2);
  const name = calendar.name(person ?? '');
  const row = calendar.row(person ?? '');
  await name.focus();
  await page.keyboard.press('ArrowRight');
  await expect(row.locator('[data-bar]').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(row.locator('[data-bar]').last()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(name).toBeFocused();
  expect(await calendar.grid.locator('[tabindex="0"]').count()).toBe(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Home');
  await expect(calendar.grid.locator('[data-name]').last()).toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(calendar.grid.locator('[data-name]').nth(-11)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(calendar.grid.locator('[data-name]').nth(-11)).toHaveAttribute('aria-pressed', 'true');
});

test('given people without sessions, who come last, Up from them leads back to the same time of day', async ({
  page,
}) => {
  const by = { Preferred_Provider_Name: 'Lin Park' };
  const calendar = await withDay(
    page,
    [session('1', 'Mo Diaz', '8:00 AM', '9:00 AM', by), session('2', 'Ida Fox', '2:15 PM', '3:15 PM', by)],
    ['Lin Park', 'Max Dean'].map((name) => ({ id: name, name, type: 'therapist' })),
  );
  const afternoon = calendar.grid.getByRole('button', { name: 'Ida Fox, 2:15 PM - 3:15 PM' });
  await afternoon.focus();
  for (const key of ['Down', 'Down', 'Up']) await page.keyboard.press(`Arrow${key}`);
  await expect(calendar.name('Ana Ruiz')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(afternoon).toBeFocused();
});

test('given 1,000 people, only the rows in view are drawn, and the keyboard reaches the last row', async ({ page }) => {
  const many = Array.from({ length: 1000 }, (_, i) => ({
    id: `p${i}`,
    name: `Person ${String(i).padStart(4, '0')}`,
    type: 'therapist',
  }));
  const calendar = await withDay(
    page,
    many.flatMap((p, i) => [
      session(`A${i}`, `Child ${i}`, '8:00 AM', '11:00 AM', { Preferred_Provider_Name: p.name }),
    ]),
    many,
  );
  await expect(calendar.name('Person 0001')).toBeVisible();
  expect(await calendar.grid.getByRole('row').count()).toBeLessThan(100);
  // After the mouse has scrolled the first rows out of view, Tab still reaches the grid.
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 12_000);
  await expect(calendar.name('Person 0001')).toHaveCount(0);
  await expect(calendar.grid.locator('[tabindex="0"]')).toHaveCount(1);
  await page.mouse.wheel(0, -12_000);
  await calendar.name('Person 0001').focus();
  await page.keyboard.press('Control+End');
  // Ana Ruiz, who is not booked, comes last.
  await page.keyboard.press('ArrowUp');
  await expect(calendar.name('Person 0999')).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(calendar.name('Person 0999')).toHaveAttribute('aria-pressed', 'true');
  // Several keys within one frame: each key moves from where the previous key led.
  await page.keyboard.press('Control+Home');
  await expect(calendar.name('Person 0000')).toBeFocused();
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
    press('End', true);
    press('ArrowUp');
    press('PageUp');
  });
  await expect(calendar.name('Person 0989')).toBeFocused();
});
