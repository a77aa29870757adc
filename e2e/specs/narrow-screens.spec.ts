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

test('on a screen 1024 px wide, all columns of the ledgers, the report and the audit trail fit side by side @detail', async ({
  page,
  request,
}) => {
  await signedIn(page, DEMO.admin);
  // Absences have the longest entries in the audit trail, and looking at the ledgers makes entries too.
  const api = await Api.signIn(request);
  await api.callOut(addDays(await api.today(), 15), 'orlando', 6);
  for (const [path, region] of [
    ['/ledgers/hours?location=orlando', 'Hours'],
    ['/ledgers/care?location=orlando', 'Care'],
    ['/reports?location=orlando&by=therapist', 'By therapist'],
    ['/audit', 'Audit trail'],
  ] as const) {
    await page.goto(path);
    const box = page.getByRole('region', { name: region, exact: true });
    await expect(box.getByRole('cell').first()).toBeVisible();
    expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth), path).toBeLessThanOrEqual(0);
    expect(await box.evaluate(brokenTimes), path).toEqual([]);
  }
});

test('at any width, *Why?* and the check mark cover no part of a name, on a scarce day with all options @detail', async ({
  page,
  request,
}) => {
  const { view } = await openOptions(page, request, { at: 'tampa', after: 19 }, 4);
  expect(await view.table.getByRole('columnheader').count()).toBeGreaterThanOrEqual(4);
  await expect(view.table.locator('td[data-kind="unassigned"]').first()).toBeVisible();
  for (const width of [1024, 1200, 1440, 390]) {
    await page.setViewportSize({ width, height: 768 });
    const covered = await view.table.getByRole('gridcell').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        // Where the letters are, not the box around them.
        const textRects = (piece: Element): DOMRect[] => {
          const texts = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
          const rects: DOMRect[] = [];
          while (texts.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(texts.currentNode);
            // A form of a name that does not fit has no width.
            const { width = 0 } = texts.currentNode.parentElement?.getBoundingClientRect() ?? {};
            if (width > 1) rects.push(...range.getClientRects());
          }
          return rects;
        };
        const side = [...cell.querySelectorAll('[data-do="why"], :has(> [data-do="why"]) > span')].map((each) =>
          each.getBoundingClientRect(),
        );
        return [...cell.querySelectorAll('[data-do="pick"] [aria-hidden] > span')]
          .filter((piece) =>
            textRects(piece).some((at) =>
              side.some(
                (box) => at.right > box.left && at.left < box.right && at.bottom > box.top && at.top < box.bottom,
              ),
            ),
          )
          .map((piece) => piece.textContent);
      }),
    );
    expect(covered, `${width} px`).toEqual([]);
  }
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
});
