import { useState } from 'react';
import { seriesEndpoints, type SeriesPreview } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { serve, show } from '../../../testing/components.tsx';
import { newSession, type SessionForm } from '../model.ts';
import { toSeries } from '../weekly.ts';
import { RepeatFields } from './repeat-fields.tsx';

const FIRST = isoDate('2026-11-30');
const day = (weekday: number) => ({ weekday, start: '09:00', end: '11:00' });
const START: SessionForm = {
  ...newSession(FIRST),
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  start: '09:00',
  end: '11:00',
  weekly: [day(1)],
  weeklyUntil: '2026-12-28',
};

function Fields() {
  const [form, setForm] = useState(START);
  return (
    <>
      <RepeatFields
        form={form}
        problems={{}}
        body={toSeries(form, 'altamonte', null)}
        onChange={(changed) => setForm((now) => ({ ...now, ...changed }))}
      />
      <output>{form.weeklyUntil}</output>
    </>
  );
}

/** A preview that skips two holidays, one of them after the first end, and a date that no authorization pays for. */
const preview = (until: string): SeriesPreview => {
  const dates = Array.from({ length: 12 }, (_, week) => addDays(FIRST, 7 * week)).filter((date) => date <= until);
  const closed = ['2026-12-07', '2027-01-04'];
  return {
    version: until,
    through: until,
    days: [
      {
        dates: dates.filter((date) => !closed.includes(date)),
        skipped: [
          ...dates
            .filter((date) => closed.includes(date))
            .map((date) => ({ date, kind: 'rule' as const, why: 'Holiday.' })),
          { date: '2026-12-14', kind: 'authorization' as const, why: 'Not paid.' },
        ],
      },
    ],
  };
};

test('[WKS-05] given a series that skips holidays, then its end can move by as many weeks, also where these have a holiday', async () => {
  const sent: { body: unknown }[] = serve([
    seriesEndpoints.preview,
    () => preview((sent.at(-1)?.body as { until: string } | undefined)?.until ?? ''),
  ]);
  await show(<Fields />);
  await page.getByRole('button', { name: 'Add 1 week at the end' }).click();
  await expect.element(page.getByText('2027-01-04', { exact: true })).toBeVisible();
  // The week that was added is a holiday itself.
  await page.getByRole('button', { name: 'Add 1 week at the end' }).click();
  await expect.element(page.getByText('2027-01-11', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Not paid.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /at the end/ })).not.toBeInTheDocument();
});
