import type { Locator } from '@playwright/test';
import { bars, session, withDay } from '../fixtures/made-day.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

const NAMES = ['Wanda Mwangi', 'Mo Warner', "Jamal O'Brien", 'Åsa Öberg', 'Quinn Quade', 'Gwen Maddow', 'Ili Lil'];
/** Seven sessions run side by side in each of these windows, which get shorter. */
const LENGTHS = [
  ['8:00 AM', '9:30 AM'],
  ['10:00 AM', '10:30 AM'],
  ['11:00 AM', '11:15 AM'],
] as const;
const KINDS = [{}, { Subject: 'Supervision' }, { Appointment_Status: 'Cancelled' }];

/** The bars with text that is very small or cut off; the text is the name, or the initials in its place. */
function cutOff(list: Locator): Promise<string[]> {
  return list.evaluateAll((all) =>
    all.flatMap((bar) => {
      const name = bar.getAttribute('aria-label') ?? '';
      const full = bar.querySelector<HTMLElement>('span');
      const instead = getComputedStyle(bar, '::after');
      if (full?.offsetWidth) return full.scrollWidth > full.clientWidth ? [name] : [];
      // Text drawn by CSS cannot be measured, so this measures an element with the same text in the same font.
      const probe = document.createElement('span');
      probe.textContent = instead.content.replace(/^"|"$/g, '');
      const { fontFamily, fontSize, fontWeight, fontStretch, letterSpacing } = instead;
      const box = { paddingLeft: instead.paddingLeft, paddingRight: instead.paddingRight };
      Object.assign(probe.style, { fontFamily, fontSize, fontWeight, fontStretch, letterSpacing, ...box });
      Object.assign(probe.style, { position: 'absolute', whiteSpace: 'nowrap' });
      document.body.append(probe);
      const { width } = probe.getBoundingClientRect();
      probe.remove();
      const whole = instead.textOverflow === 'ellipsis' && probe.textContent !== bar.getAttribute('data-initials');
      const small = Number.parseFloat(fontSize) < 8;
      return small || (width > bar.clientWidth + 0.5 && !whole) ? [`${name}: ${probe.textContent}`] : [];
    }),
  );
}

for (const width of [1440, 1024])
  test(`given seven sessions side by side, no initials are cut off and no bars overlap: ${width} px, in both themes`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signedIn(page);
    const day = LENGTHS.flatMap(([from, to], l) =>
      NAMES.map((name, n) => session(`${l}-${n}`, name, from, to, KINDS[n % 3] ?? {})),
    );
    const calendar = await withDay(page, [
      ...day,
      session('admin', 'Admin', '1:00 PM', '1:15 PM', { Subject: 'Admin' }),
      session('open', 'Wim Mam', '2:00 PM', '2:15 PM', { Preferred_Provider_Name: 'Unassigned' }),
    ]);
    await expect(bars(calendar)).toHaveCount(23);
    const row = calendar.row('Ana Ruiz');
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const boxes = await row.locator('[data-bar]').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()));
      const lanes = new Set(boxes.map(({ top }) => Math.round(top)));
      expect(lanes.size).toBe(7);
      const overlapping = boxes.flatMap((a, i) =>
        boxes.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
      );
      expect(overlapping).toEqual([]);
      expect(await cutOff(bars(calendar)), theme).toEqual([]);
    }
  });
