import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { openOptions } from '../pages/options.ts';

test.use({ viewport: { width: 1024, height: 768 }, colorScheme: 'dark' });

/** The lengths of time, such as `24 h 30 min`, that wrap onto a second line. */
function brokenTimes(box: Element): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: time, index } of (text.nodeValue ?? '').matchAll(/\d+ h( \d+ min)?/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + time.length);
      if (range.getClientRects().length > 1) broken.push(time);
    }
  return broken;
}

for (const [path, region] of [
  ['/audit', 'Audit trail'],
  ['/ledgers/hours?location=orlando', 'Hours'],
  ['/ledgers/care?location=orlando', 'Care'],
  ['/reports?location=orlando&by=therapist', 'By therapist'],
] as const)
  test(`on a screen 1024 px wide, all columns of ${region} fit side by side`, async ({ page, request }) => {
    await signedIn(page, DEMO.admin);
    if (path === '/audit') {
      // Absences have the longest entries in the audit trail, and looking at the ledgers makes entries too.
      const api = await Api.signIn(request);
      await api.callOut(addDays(await api.today(), 15), 'orlando', 6);
      await page.goto('/ledgers/supervision?location=orlando');
      await expect(page.getByRole('columnheader').first()).toBeVisible();
    }
    await page.goto(path);
    const box = page.getByRole('region', { name: region, exact: true });
    await expect(box.getByRole('cell').first()).toBeVisible();
    expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    expect(await box.evaluate(brokenTimes)).toEqual([]);
  });

test('on a screen 1024 px wide with all options, *Why?* covers no part of a name', async ({ page, request }) => {
  const { view } = await openOptions(page, request, { at: 'tampa', after: 18 }, 4);
  const cells = view.table.getByRole('gridcell');
  expect(await view.table.getByRole('columnheader').count()).toBeGreaterThanOrEqual(4);
  const covered: string[] = [];
  for (const width of [1024, 1200]) {
    await page.setViewportSize({ width, height: 768 });
    for (let i = 0; i < Math.min(40, await cells.count()); i++) {
      await cells.nth(i).hover();
      covered.push(
        ...(await cells.nth(i).evaluate((cell) => {
          const why = cell.querySelector<HTMLElement>('[data-do="why"]');
          if (!why || getComputedStyle(why).opacity === '0') return [];
          // The button may be higher than its word if it has no background, or only behind the word.
          const word = document.createRange();
          word.selectNodeContents(why);
          const { backgroundColor, backgroundClip } = getComputedStyle(why);
          const bare = backgroundColor === 'rgba(0, 0, 0, 0)' || backgroundClip === 'content-box';
          const box = (bare ? word : why).getBoundingClientRect();
          const names = [...cell.querySelectorAll('[class*="person"]')];
          return names
            .filter((name) =>
              [...name.getClientRects()].some(
                (at) =>
                  at.right > box.left + 1 && at.left < box.right && at.bottom > box.top + 3 && at.top < box.bottom,
              ),
            )
            .map((name) => name.textContent);
        })),
      );
    }
  }
  expect(covered).toEqual([]);
  await page.setViewportSize({ width: 1024, height: 768 });

  // The reasons are beside their cell and inside the window, also when their answer is known already and when *Choose
  // someone else* adds to their height. They cover no other cell of the option.
  // In the middle column, the reasons have room on neither side.
  const why = view.table.locator('td[data-open]:last-child [data-do="why"]').last();
  const popover = page.locator('[popover="auto"]:popover-open');
  const place = () =>
    popover.evaluate((box) => {
      const cell = document.querySelector('[data-do="why"][aria-expanded="true"]')?.closest('td');
      const at = cell?.getBoundingClientRect();
      const { top, bottom, left, right } = box.getBoundingClientRect();
      const column = [...document.querySelectorAll('td')].filter((each) => each.cellIndex === cell?.cellIndex);
      const beside = at !== undefined && Math.min(Math.abs(left - at.right), Math.abs(at.left - right)) < 10;
      const covers = column.some((each) => {
        const own = each.getBoundingClientRect();
        return own.left < right && left < own.right && own.top < bottom && top < own.bottom;
      });
      const level = at !== undefined && top < at.bottom && at.top < bottom;
      return { beside, covers, level, inside: top >= 0 && bottom <= innerHeight };
    });
  const placed = { beside: true, covers: false, level: true, inside: true };
  for (const known of [false, true]) {
    await why.click();
    await expect(popover.getByText(/^Of \d+ therapists?, in this option:/)).toBeVisible();
    await expect.poll(place, { message: known ? 'known' : 'new' }).toEqual(placed);
    if (known) {
      await popover.getByRole('button', { name: 'Choose someone else' }).click();
      await expect(popover.getByText(/cannot take it$/)).toBeVisible();
      await expect.poll(place, { message: 'choosing' }).toEqual(placed);
    }
    await page.keyboard.press('Escape');
  }

  // A session without a therapist has its *Why?* on the same line, beside the check mark if it is chosen.
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const apart = await view.table.locator('td[data-kind="unassigned"]').evaluateAll((all) =>
      all
        .map((cell) => {
          const why = document.createRange();
          why.selectNodeContents(cell.querySelector('[data-do="why"]') ?? cell);
          const word = why.getBoundingClientRect();
          const piece = cell.querySelector('[data-kind]')?.getBoundingClientRect();
          const tick = cell.querySelector(':scope > span')?.getBoundingClientRect();
          const middle = (box: DOMRect | undefined): number => (box ? box.top + box.height / 2 : NaN);
          return {
            down: Math.round(Math.abs(middle(word) - middle(piece))),
            under: Math.round(Math.max((piece?.right ?? Infinity) - word.left, tick ? word.right - tick.left : 0)),
          };
        })
        .filter(({ down, under }) => !(down < 4 && under <= 0)),
    );
    expect(await view.table.locator('td[data-kind="unassigned"]').count()).toBeGreaterThan(0);
    expect(apart, `${width} px`).toEqual([]);
  }

  // On a wide screen, only the cells that always show *Why?* keep room for it, at the end of their last line.
  await page.setViewportSize({ width: 1440, height: 900 });
  const chosen = view.table.locator('[data-picked][data-first][data-open]');
  await expect(chosen.first()).toBeVisible();
  const missing = await chosen.evaluateAll((all) =>
    all.map((cell) => {
      const [pick, why] = cell.querySelectorAll('button');
      if (!pick || !why) return Infinity;
      const room =
        parseFloat(getComputedStyle(pick).paddingRight) + parseFloat(getComputedStyle(pick, '::after').width);
      const word = document.createRange();
      word.selectNodeContents(why);
      return Math.max(0, cell.getBoundingClientRect().right - room - word.getBoundingClientRect().left);
    }),
  );
  expect(missing.filter((px) => px > 0)).toEqual([]);
});
