import { callsEndpoints, type CallLine, type CallsReply, type SameLine } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { lineOf } from '../../../../testing/call-line.ts';
import { openPage } from '../../../../testing/pages.tsx';

const LINE: CallLine = {
  ...lineOf('bo'),
  name: 'Bo Lee',
  version: 'v1',
  say: ['Monday, December 7, 2026: Bo is with Kai from 8:30 to 11:30 instead of Ana.'],
};
const LIST: CallsReply = {
  location: 'altamonte',
  date: '2026-12-07',
  now: '2026-11-18T07:05:00',
  sheet: null,
  open: true,
  next_ring: null,
  sending: { email: false, text: false, to_release: 0 },
  lines: [LINE],
  told: [],
  declined: [],
};
const SAME: SameLine = {
  kind: 'client',
  id: 'bo',
  version: 'v1',
  dates: [
    { date: '2026-12-14', version: 'v2', last_shown: '' },
    { date: '2026-12-21', version: 'v3', last_shown: '7' },
  ],
  say: ['On December 7, 14 and 21: Bo is with Kai from 8:30 to 11:30 instead of Ana.'],
};
const told = {
  result: '9',
  answer: 'told',
  at: '2026-11-18T12:05:00Z',
  by: 'Dana Reyes',
  note: null,
  ring_by: null,
  own_page: false,
  taken_back: false,
} as const;

const open = () =>
  openPage('/calls?location=altamonte&date=2026-12-07', {
    replies: [
      [callsEndpoints.same, [SAME]],
      [callsEndpoints.later, [{ date: '2026-12-14', to_tell: 1 }]],
      [callsEndpoints.list, LIST],
      [
        callsEndpoints.answer,
        { ...LIST, lines: [], told: [{ kind: 'client', id: 'bo', name: 'Bo Lee', ...told, dropped: null }] },
      ],
    ],
  });

test('a line that says the same on later dates names them; told once is told, and taken back, for all of them', async () => {
  const { requests } = await open();
  await expect.element(page.getByText(/^On December 7, 14 and 21: Bo is with/)).toBeVisible();
  await page.getByRole('button', { name: /^Told/ }).click();
  await expect.element(page.getByText(/Bo.*: told, on 3 dates/)).toBeVisible();
  expect(requests.at(-1)).toMatchObject({ path: '/calls/answer', body: { answer: 'told', also: SAME.dates } });
  await page.getByRole('button', { name: 'Not told' }).first().click();
  await expect.poll(() => requests.at(-1)?.body).toMatchObject({ answer: 'not-told', mistaken: '9', also: SAME.dates });
});

test('a call without an answer counts for all dates that it was about', async () => {
  const { requests } = await open();
  await expect.element(page.getByText(/^On December 7, 14 and 21/)).toBeVisible();
  await page.getByRole('button', { name: /^No answer/ }).click();
  await expect.poll(() => requests.at(-1)?.body).toMatchObject({ answer: 'no-answer', also: SAME.dates });
});
