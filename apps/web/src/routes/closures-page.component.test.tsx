import { causesEndpoints, closuresEndpoints, type ClosingPreview } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../testing/pages.tsx';

const PREVIEW: ClosingPreview = {
  sessions: 4,
  minutes: 480,
  families: 3,
  staff: 2,
  days: [],
  first: [],
  video: 0,
  absences: 0,
  words: 'Altamonte is closed on Wed, Nov 18 because of …. Your sessions then do not take place.',
};

const isCancelling = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'cancel_video' in body && body.cancel_video === true;

async function open(video: number) {
  const { requests } = await openPage('/closures', {
    replies: [
      [closuresEndpoints.listClosures, []],
      [causesEndpoints.listCauses, []],
      [
        closuresEndpoints.previewClosing,
        () => ({ ...PREVIEW, video, sessions: isCancelling(requests.at(-1)?.body) ? 4 + video : 4 }),
      ],
    ],
  });
  return requests;
}

test('given sessions by video, closing asks about them, keeps them unless told otherwise, and counts anew', async () => {
  const requests = await open(2);
  const box = page.getByRole('checkbox', { name: /Cancel the 2 sessions by video, too/ });
  await expect.element(box).not.toBeChecked();
  await expect.element(page.getByText('They take place: nobody has to come for them.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 4 sessions' })).toBeVisible();
  await box.click();
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 6 sessions' })).toBeVisible();
  await expect.element(box).toBeChecked();
  await expect.element(box).toHaveFocus();
  expect(requests.map(({ body }) => isCancelling(body))).toEqual([false, true]);
});

test('given no session by video, closing does not ask about them', async () => {
  await open(0);
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 4 sessions' })).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});
