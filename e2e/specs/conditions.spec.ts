import { addDays, longDate } from '@clinic/domain';
import type { Locator } from '@playwright/test';
import { Api } from '../fixtures/api.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { bars, session, withDay } from '../fixtures/made-day.ts';
import { Calendar } from '../pages/calendar.ts';
import { openOptions, OptionsModal } from '../pages/options.ts';

/** Focuses the cell and returns whether its middle is uncovered. */
async function isFree(cell: Locator): Promise<boolean> {
  await cell.focus();
  return cell.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

test.describe('at a zoom of 200% on a laptop', () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test('the focused row of the options is not hidden by the header, and Submit and the account menu stay in view @detail', async ({
    page,
    request,
  }) => {
    const { view, proposal, date } = await openOptions(page, request, { at: 'tampa', after: 2 }, 2);
    await expect(view.submit).toBeInViewport({ ratio: 1 });
    for (const client of Object.keys(proposal.data[date] ?? {}).slice(0, 3))
      expect(await isFree(view.pick(client, 1)), client).toBe(true);
    await expect(view.submit).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await new Calendar(page).ready();
    await expect(page.getByRole('button', { name: /account of/ })).toBeInViewport({ ratio: 1 });
  });
});

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 1194, height: 834 }, hasTouch: true, isMobile: true });

  test('the *Why?* button is beside the text of its cell and does not cover the text @detail', async ({
    page,
    request,
  }) => {
    const { view } = await openOptions(page, request, { at: 'tampa', after: 4 }, 2);
    const cells = view.table.locator('td:has([data-do="why"])');
    const over = await cells.evaluateAll((all) =>
      all.flatMap((cell) => {
        const why = cell.querySelector('[data-do="why"]')?.firstChild;
        const texts = document.createTreeWalker(cell.querySelector('[data-do="pick"]') ?? cell, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const linesOf = (node: Node): DOMRect[] => {
          range.selectNodeContents(node);
          const lines = [...range.getClientRects()];
          // Of a name, only the form that fits is visible; the others are clipped.
          for (let box = node.parentElement; box && box !== cell; box = box.parentElement) {
            const clip = getComputedStyle(box).overflow === 'visible' ? null : box.getBoundingClientRect();
            for (const [i, line] of clip ? lines.entries() : []) {
              const [left, top] = [Math.max(line.left, clip?.left ?? 0), Math.max(line.top, clip?.top ?? 0)];
              const right = Math.max(left, Math.min(line.right, clip?.right ?? 0));
              lines[i] = new DOMRect(
                left,
                top,
                right - left,
                Math.max(0, Math.min(line.bottom, clip?.bottom ?? 0) - top),
              );
            }
          }
          return lines.filter((line) => line.width > 1 && line.height > 1);
        };
        const [word] = why ? linesOf(why) : [];
        const lines: DOMRect[] = [];
        while (texts.nextNode()) lines.push(...linesOf(texts.currentNode));
        if (!word || lines.length === 0) return ['nothing to compare'];
        // The extra pixels are those that a line has above and below its letters.
        const covers = (line: DOMRect): boolean =>
          word.left < line.right && line.left < word.right && word.top + 3 < line.bottom && line.top + 3 < word.bottom;
        return lines.some(covers) ? [cell.textContent] : [];
      }),
    );
    expect(await cells.count()).toBeGreaterThan(0);
    expect(over).toEqual([]);
  });
});

test('at 400% zoom, the options, *Why?*, the absences and the calendar’s menus can be reached and used @detail', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 225 });
  const { view, date } = await openOptions(page, request, { at: 'altamonte', after: 5 }, 2);
  await view.table.locator('[data-do="why"]').first().click();
  const popover = page.locator(':popover-open:not(:has(> :popover-open))');
  await popover.getByRole('button', { name: 'Close the explanation' }).click();
  await view.submit.click({ trial: true });
  const calendar = new Calendar(page);
  await calendar.closeOptions();
  await page.getByRole('button', { name: new RegExp(longDate(date)) }).click();
  await popover.getByRole('gridcell').last().click({ trial: true });
  await page.keyboard.press('Escape');
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  await calendar.entry(person).getByLabel('From').click();
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click({ trial: true });
});

test('at a width of 1024 pixels, the *Why?* button is beside the check mark, and each of a client’s session times is on a separate line @detail', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), 5);
  // Finds a therapist who has the same client twice that day.
  const { appointments } = await api.slots(date, 'altamonte');
  const pairs = appointments
    .filter((a) => a.service === 'direct' && /scheduled|confirmed/i.test(a.Appointment_Status))
    .map((a) => ({ therapist: a.Preferred_Provider_Name, client: a['Client Name'] }))
    .filter(({ therapist }) => therapist !== 'Unassigned');
  const twice = pairs.find((one, i) =>
    pairs.some((other, j) => j > i && other.therapist === one.therapist && other.client === one.client),
  );
  if (!twice) throw new Error('no client has a therapist twice');
  await api.away(date, 'altamonte', [twice.therapist]);
  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(date, 'altamonte');
  const covered = await view.table.locator('td[data-picked]:has(> span)').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const [tick, why] = [':scope > span', '[data-do="why"]'].map((part) =>
        cell.querySelector(part)?.getBoundingClientRect(),
      );
      if (!tick || !why) return ['nothing to compare'];
      const beside = why.right - 6 <= tick.left || why.top >= tick.bottom; // the button's padding is 6 px
      return beside ? [] : [cell.textContent];
    }),
  );
  expect(covered).toEqual([]);
  const clients = await view.table
    .locator('tbody:has(tr + tr)')
    .evaluateAll((all) =>
      all.map((client) =>
        [...client.querySelectorAll('th > span')].map((words) =>
          Math.round(words.lastElementChild?.getBoundingClientRect().left ?? 0),
        ),
      ),
    );
  expect(clients.length).toBeGreaterThan(0);
  for (const lefts of clients) expect(new Set(lefts).size).toBe(1);
});

test('in forced colors mode, chosen buttons and overlays have an outline, unavailable buttons are gray, and the hours keep their lines @detail', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signedIn(page, DEMO.staff, '/calendar');
  const calendar = new Calendar(page);
  await calendar.ready();
  const edge = (part: Locator) => part.evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(await edge(page.getByRole('button', { name: 'Therapist View' }))).toBe('solid');
  expect(await edge(page.getByRole('button', { name: 'Client View' }))).toBe('none');
  const kept = await calendar.grid
    .getByRole('gridcell')
    .first()
    .evaluate((track) =>
      ['::before', '::after'].map((line) => getComputedStyle(track, line).getPropertyValue('forced-color-adjust')),
    );
  expect(kept, 'the lines for the hours and for now keep their colors').toEqual(['none', 'none']);
  const [person = ''] = await calendar.booked();
  await calendar.name(person).click();
  await calendar.absencesButton.click();
  // Tab moves the focus away from the name: a focused name has a different outline.
  await page.keyboard.press('Tab');
  expect(await edge(calendar.name(person))).toBe('solid');
  expect(await edge(calendar.panel)).toBe('solid');
  const color = (name: string) =>
    calendar.panel.getByRole('button', { name }).evaluate((element) => getComputedStyle(element).color);
  expect(await color('Clear All Absences')).toBe(await color('Save Absences'));
  await calendar.entry(person).getByRole('button', { name: 'Remove' }).click();
  expect(await color('Clear All Absences'), 'an unavailable button is gray').not.toBe(await color('Save Absences'));
});

test('a 15-minute absence fits beside the person’s name, and a group without a therapist is drawn as a dashed outline @detail', async ({
  page,
}) => {
  await signedIn(page);
  const away = { id: 'a', name: 'Carolina Larsen', type: 'therapist', startTime: '18:45', endTime: '19:00' };
  const open = { Preferred_Provider_Name: 'Unassigned', Appointment_Status: 'Scheduled', group: 'g' };
  const calendar = await withDay(
    page,
    [
      session('1', 'Bo Lee', '4:00 PM', '5:30 PM', open),
      session('2', 'Mo Diaz', '4:00 PM', '5:30 PM', open),
      session('3', 'Io Vance', '4:00 PM', '7:00 PM', { Preferred_Provider_Name: 'Carolina Larsen' }),
    ],
    [{ id: 'caro', name: 'Carolina Larsen', type: 'therapist', credential: 'RBT' }],
    [away],
  );
  const name = calendar.name('Carolina Larsen');
  await expect(name).toHaveAccessibleName('Carolina Larsen away 6:45 - 7 PM');
  const [row, words] = [await name.boundingBox(), await name.locator('span').nth(1).boundingBox()];
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
  const group = bars(calendar).filter({ hasText: 'Bo Lee' });
  await expect(group).toHaveCSS('border-top-style', 'dashed');
  await expect(group).toHaveCSS('box-shadow', 'none');
});

test('given an administrator and a location without people, the calendar leads to the import @detail', async ({
  page,
}) => {
  await signedIn(page, DEMO.admin);
  await page.route('**/api/slots**', async (route) => {
    const day = { appointments: [], availabilities: [], absences: [], people: [] };
    await route.fulfill({ json: { ...day, version: 1, now: '2026-11-20T08:10:00' } });
  });
  await page.goto('/calendar?location=orlando&date=2031-11-02');
  await expect(page.getByRole('heading', { name: 'No therapists at Orlando' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible();
});

test('given a location without people, the page says what to do, and asking for options shows that no changes are needed @detail', async ({
  page,
}) => {
  await signedIn(page);
  await page.route('**/api/slots**', async (route) => {
    const day = { appointments: [], availabilities: [], absences: [], people: [] };
    await route.fulfill({ json: { ...day, version: 1, now: '2026-11-20T08:10:00' } });
  });
  const calendar = new Calendar(page);
  await page.goto('/calendar?location=orlando&date=2031-11-02');
  await expect(page.getByRole('heading', { name: 'No therapists at Orlando' })).toBeVisible();
  await page.getByRole('button', { name: 'Client View' }).click();
  await expect(page.getByRole('heading', { name: 'No clients at Orlando' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the profiles' })).toHaveAttribute('href', '/profiles');
  await expect(page.getByRole('link', { name: 'Import' }), 'only administrators import').toHaveCount(0);
  await calendar.absencesButton.click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  const said = page.getByRole('alertdialog', { name: 'No scheduling changes needed' });
  await expect(said).toContainText('No one is away, and every remaining session has a therapist.');
});
