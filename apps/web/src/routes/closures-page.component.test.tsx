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
  short: 0,
  absences: 0,
  words: 'Altamonte is closed on Wed, Nov 18 because of …. Your sessions then do not take place.',
};

const isTrue = (body: unknown, field: 'cancel_video' | 'cancel_short'): boolean =>
  new Map(Object.entries(body ?? {})).get(field) === true;

async function open({ video = 0, short = 0 }: { video?: number; short?: number }) {
  const { requests } = await openPage('/closures', {
    replies: [
      [closuresEndpoints.listClosures, []],
      [causesEndpoints.listCauses, []],
      [
        closuresEndpoints.previewClosing,
        () => {
          const more =
            (isTrue(requests.at(-1)?.body, 'cancel_video') ? video : 0) +
            (isTrue(requests.at(-1)?.body, 'cancel_short') ? short : 0);
          return { ...PREVIEW, video, short, sessions: 4 + more };
        },
      ],
    ],
  });
  return requests;
}

test('given sessions by video, closing asks about them, keeps them unless told otherwise, and counts anew', async () => {
  const requests = await open({ video: 2 });
  const box = page.getByRole('checkbox', { name: /Cancel the 2 sessions by video, too/ });
  await expect.element(box).not.toBeChecked();
  await expect.element(page.getByText('They take place: nobody has to come for them.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 4 sessions' })).toBeVisible();
  await box.click();
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 6 sessions' })).toBeVisible();
  await expect.element(box).toBeChecked();
  await expect.element(box).toHaveFocus();
  expect(requests.map(({ body }) => isTrue(body, 'cancel_video'))).toEqual([false, true]);
});

test('given sessions of which less than an hour is left, closing asks about them and keeps them unless told otherwise', async () => {
  const requests = await open({ short: 3 });
  const box = page.getByRole('checkbox', { name: /Cancel the 3 sessions of which less than an hour is left, too/ });
  await expect.element(box).not.toBeChecked();
  await box.click();
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 7 sessions' })).toBeVisible();
  await expect.element(box).toHaveFocus();
  expect(requests.map(({ body }) => isTrue(body, 'cancel_short'))).toEqual([false, true]);
});

test('given no session by video and no short rest, closing does not ask about them', async () => {
  await open({});
  await expect.element(page.getByRole('button', { name: 'Close Altamonte, 4 sessions' })).toBeVisible();
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});
