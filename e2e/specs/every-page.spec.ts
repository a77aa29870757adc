import type { Page } from '@playwright/test';
import type { Client, Therapist } from '@clinic/contract';
import { Api } from '../fixtures/api.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';

const DAY = 'date=2026-11-18&location=tampa';
/** Every page of the product after the login, at addresses that show what it has. */
const PAGES = [
  `/?${DAY}`,
  `/calendar?${DAY}`,
  `/calendar?${DAY}&view=client`,
  `/calendar?${DAY}&span=week`,
  `/calls?${DAY}`,
  `/day-sheet?${DAY}`,
  '/profiles',
  '/profiles?kind=clients',
  `/ledgers/hours?${DAY}`,
  `/ledgers/care?${DAY}`,
  `/ledgers/supervision?${DAY}`,
  `/ledgers/authorizations?${DAY}`,
  '/import',
  '/export',
  '/differences',
  '/find-a-time?location=tampa',
  '/make-up?location=tampa',
  '/series?location=tampa',
  '/standing?location=tampa',
  '/closures',
  '/meeting?location=tampa',
  '/people/clients/C-0001',
  '/people/therapists/T-0001',
  '/accounts',
  '/locations',
  '/causes',
  '/programs',
  '/audit',
  '/reports?location=tampa',
  '/scheduler',
  '/no/such/page',
];

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1')).toBeAttached();
  await expect(page.locator('[role="status"][aria-label^="Loading"]')).toHaveCount(0);
}

/** What lies beside the window, except in a part that scrolls sideways and says so. */
const beside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const says = (part: Element): boolean =>
      /Scroll sideways/.test(part.parentElement?.innerText ?? '') || part.closest('dialog') !== null;
    const scrolls = [
      ...document.querySelectorAll('[role="region"][tabindex="0"], :has(> [role="grid"], > [role="table"])'),
    ].filter((part) => part.scrollWidth > part.clientWidth && says(part));
    const wide = [document.documentElement, ...document.querySelectorAll('main, main *')].filter(
      (part) =>
        part.scrollWidth > part.clientWidth + 1 &&
        !scrolls.includes(part) &&
        (part === document.documentElement || /auto|scroll/.test(getComputedStyle(part).overflowX)),
    );
    const outside = [
      ...document.querySelectorAll('main :is(h1, h2, p, button, a, input, select, label, td, th)'),
    ].filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      const isSeen = width > 1 && part.checkVisibility({ visibilityProperty: true }) && !part.closest('.sr, .roomy');
      return isSeen && (left < -1 || right > innerWidth + 1) && !scrolls.some((each) => each.contains(part));
    });
    return [...wide, ...outside].map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 40)}`);
  });

/** What shows something by its background alone: no text, no edge, and not exempt from the system's colors. */
const lost = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const drawn = (part: Element, pseudo?: string): boolean => {
      const { backgroundColor, backgroundImage } = getComputedStyle(part, pseudo);
      return backgroundImage.includes('gradient') || !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor);
    };
    return [...document.querySelectorAll('main *:not([role="status"] *, svg, svg *, input, select, option, iframe)')]
      .filter((part) => {
        const { width, height } = part.getBoundingClientRect();
        const style = getComputedStyle(part);
        const edges = [style.borderTopStyle, style.borderLeftStyle, style.outlineStyle].some((edge) => edge !== 'none');
        return (
          width > 2 &&
          height > 2 &&
          part.textContent.trim() === '' &&
          part.tagName !== 'TH' && // the corner of a table
          part.querySelector('svg') === null &&
          part.checkVisibility() &&
          drawn(part) &&
          !edges &&
          style.forcedColorAdjust !== 'none'
        );
      })
      .map((part) => `${part.tagName} ${part.className}`);
  });

for (const [zoom, width, height] of [
  [400, 320, 256],
  [200, 640, 512],
] as const)
  test(`at a zoom of ${zoom}% on a screen 1280 px wide, no page scrolls sideways, except parts that say so @detail`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    await signedIn(page, DEMO.admin);
    for (const path of PAGES) {
      await open(page, path);
      await expect.poll(() => beside(page), { message: path }).toEqual([]);
    }
  });

test('in forced colors, nothing is shown by a background alone, and with reduced motion nothing moves @detail', async ({
  page,
  request,
}) => {
  test.slow();
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await signedIn(page, DEMO.admin);
  const api = await Api.signIn(request);
  const [therapist] = await api.get<Therapist[]>('/therapists?location=tampa');
  const [client] = await api.get<Client[]>('/clients?location=tampa');
  const found = [
    `/standing?location=tampa&therapist=${therapist?.id}&from=2026-11-30&until=2026-12-11`,
    `/find-a-time?location=tampa&client=${client?.display_name}`,
  ];
  for (const path of [...PAGES, ...found]) {
    await open(page, path);
    await expect.poll(() => lost(page), { message: path }).toEqual([]);
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('body *')].flatMap((part) => {
        const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(part);
        const times = [animationName === 'none' ? '0s' : animationDuration, ...transitionDuration.split(', ')];
        return times.some((time) => parseFloat(time) > 0) || scrollBehavior === 'smooth' ? [part.className] : [];
      }),
    );
    expect(moving, path).toEqual([]);
  }
});
