import { addDays, isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { filledUntil } from './filled-until.ts';

const app = useApp(() => buildTestApp());
const MONDAY = isoDate('2026-11-23');
const ends = (days: number, today = MONDAY) => filledUntil(app.db, 'altamonte', [today, addDays(MONDAY, days)]);

test('the calendar is filled until the last week with half as many sessions as the fullest, whatever is empty before', async () => {
  expect(await ends(80)).toBeNull();
  const [client, therapist] = [await buildClient(app.db), await buildTherapist(app.db)];
  // Four sessions in the weeks 0, 1 and 3, none in week 2 (a holiday), and one in week 4.
  for (const [week, days] of [4, 4, 0, 4, 1].entries())
    for (let day = 0; day < days; day++)
      await buildAppointment(app.db, {
        client,
        therapist,
        date: addDays(MONDAY, 7 * week + day),
        start: '09:00',
        end: '11:00',
      });
  expect(await ends(80)).toBe('2026-12-20');
  expect(await ends(80, addDays(MONDAY, 4))).toBe('2026-12-20');
  expect(await ends(28)).toBe('2026-12-20');
  expect(await ends(27)).toBeNull();
  expect(await filledUntil(app.db, 'tampa', [MONDAY, addDays(MONDAY, 80)])).toBeNull();
});
