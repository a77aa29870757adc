import { seriesEndpoints, type Recognised } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { serve, show } from '../../../testing/components.tsx';
import { RepeatsAlready } from './repeats-already.tsx';

const KEY = '00000000-0000-4000-8000-000000000001';
const REPEAT: Recognised = {
  key: '00000000-0000-4000-8000-000000000009',
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  subject: 'Direct Therapy',
  weekday: 2,
  start: '09:00',
  end: '11:00',
  first: '2026-10-06',
  last: '2026-12-29',
  weeks: 13,
  held: 12,
  cancelled: 0,
  covered: [{ therapist: 'Kai Wood', dates: 1 }],
};
const open = () =>
  show(
    <RepeatsAlready sessionKey={KEY} location="altamonte">
      Repeat every week
    </RepeatsAlready>,
  );

test('[WKS-05] given an imported session that repeats, it says so, and one click makes it a series', async () => {
  let made = false;
  const sent = serve(
    [seriesEndpoints.recognised, () => ({ series: made ? [] : [REPEAT] })],
    [seriesEndpoints.accept, () => ((made = true), { series: 1, changed: 0 })],
  );
  await open();
  await expect.element(page.getByText(/12 of 13 Tuesdays, one covered by Kai Wood/)).toBeVisible();
  await expect.element(page.getByText('Repeat every week', { exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Make it a weekly series' }).click();
  await expect.element(page.getByText('Repeat every week', { exact: true })).toBeVisible();
  expect(sent.map(({ body }) => body).filter(Boolean)).toEqual([{ location: 'altamonte', keys: [REPEAT.key] }]);
});

test.each([
  ['a session that does not repeat', { series: [] }],
  ['a failure', null],
])('given %s, it offers to repeat it', async (_, reply) => {
  serve([seriesEndpoints.recognised, reply]);
  await open();
  await expect.element(page.getByText('Repeat every week')).toBeVisible();
});
