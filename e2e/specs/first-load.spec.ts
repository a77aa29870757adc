import { gzipSync } from 'node:zlib';
import { MOST_LOADED } from '../fixtures/first-load.ts';
import { DEMO, expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('the calendar shows a day after at most 130 kB of JavaScript and 12 kB of styles', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-row] [data-bar]')) return;
      observer.disconnect();
      performance.mark('bars');
    }).observe(document, { childList: true, subtree: true });
  });
  await signedIn(page, DEMO.staff, '/calendar');
  await new Calendar(page).ready();
  const files = await page.evaluate(() => {
    const shown = performance.getEntriesByName('bars')[0]?.startTime ?? Number.NaN;
    const loaded = performance.getEntriesByType('resource').filter((entry) => entry.startTime < shown);
    return loaded.map(({ name }) => name).filter((name) => /\.(js|css)$/.test(name));
  });
  const weigh = async (kind: keyof typeof MOST_LOADED): Promise<number> => {
    const bodies = await Promise.all(
      files.filter((name) => name.endsWith(`.${kind}`)).map(async (name) => (await page.request.get(name)).body()),
    );
    return bodies.reduce((sum, body) => sum + gzipSync(body).length / 1000, 0);
  };
  const [js, css] = [await weigh('js'), await weigh('css')];
  // Less would mean that the files were not found.
  expect(js, `${files.length} files`).toBeGreaterThan(60);
  expect(js).toBeLessThanOrEqual(MOST_LOADED.js);
  expect(css).toBeGreaterThan(2);
  expect(css).toBeLessThanOrEqual(MOST_LOADED.css);
});
