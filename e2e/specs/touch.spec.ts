import type { CDPSession } from '@playwright/test';
import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

test.use({ hasTouch: true });

/** A finger on the screen, as the browser itself gets it. */
const finger = (devtools: CDPSession) => ({
  down: (x: number, y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
  to: async (x: number, y: number) =>
    void (await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] })),
  up: () => devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
});

test('a finger that rests on a session lifts it, and then moves it; one that swipes scrolls the day @detail', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const api = await Api.signIn(request);
  await page.goto(`/calendar?location=orlando&view=therapist&date=${addDays(await api.today(), 8)}`);
  await page.locator('[data-hands]').waitFor();
  const touch = finger(await page.context().newCDPSession(page));
  const grid = page.locator('[data-calendar]');
  const bar = page.locator('[data-row] [data-kind="booked"]').first();
  const { x = 0, y = 0, width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
  const at = { x: x + width / 2, y: y + height / 2 };
  const scrolled = () => grid.evaluate((box) => box.scrollTop);
  const lifted = grid.and(page.locator('[data-dragging]'));

  await touch.down(at.x, at.y);
  await expect(lifted).toHaveCount(1);
  await touch.to(at.x + 30, at.y + 60);
  await touch.to(at.x + 60, at.y + 120);
  expect(await scrolled()).toBe(0);
  await expect(page.locator('[data-calendar] > [aria-hidden="true"][data-refused]')).toBeVisible();
  // Back where it was, nothing is saved.
  await touch.to(at.x, at.y);
  await touch.up();
  await expect(lifted).toHaveCount(0);
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toHaveCount(0);

  await touch.down(at.x, at.y + 200);
  for (const up of [20, 60, 120, 180]) await touch.to(at.x, at.y + 200 - up);
  await touch.up();
  await expect.poll(scrolled).toBeGreaterThan(0);
  await expect(lifted).toHaveCount(0);
});
