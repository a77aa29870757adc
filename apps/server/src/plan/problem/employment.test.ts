import { expect, test } from 'vitest';
import { DEFAULT_RULES, type SlotsReply, type TodayReply } from '@clinic/contract';
import { saveRules } from '../../ledgers/count/rules.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { propose, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp, async ({ db }) => {
  await saveRules(db, { ...DEFAULT_RULES, new_here_days: 0 });
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  await buildTherapist(db, { first: 'Kai', last: 'Wood', firstDay: '2026-12-14', lastDay: '2026-12-18' });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  for (const date of ['2026-12-11', '2026-12-14', '2026-12-18', '2026-12-21'])
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
});

test.each([
  ['2026-12-11', 'Unassigned', 'the weekday before the first day'],
  ['2026-12-14', 'Kai Wood', 'the first day'],
  ['2026-12-18', 'Kai Wood', 'the last day'],
  ['2026-12-21', 'Unassigned', 'the weekday after the last day'],
])('given a covering therapist employed for one week, the session on %s goes to %s (%s)', async (date, therapist) => {
  expect(takersOf(await propose(t.staff, { therapist: 'Ana Ruiz', date }), date)).toEqual([therapist]);
});

test('a therapist is on the calendar and counts as free only from their first to their last day of employment', async () => {
  const at = async (date: string) => {
    const query = `location=altamonte&date=${date}`;
    const day = (await t.staff.call({ url: `/api/slots?${query}` })).json<SlotsReply>();
    const { reserve } = (await t.staff.call({ url: `/api/today?${query}` })).json<TodayReply>();
    return {
      row: day.people.some((person) => person.name === 'Kai Wood'),
      available: day.availabilities.some((window) => window.therapist_name === 'Kai Wood'),
      free: reserve.some((each) => each.therapist === 'Kai Wood'),
    };
  };
  expect(await at('2026-12-11')).toEqual({ row: false, available: false, free: false });
  expect(await at('2026-12-15')).toEqual({ row: true, available: true, free: true });
  expect(await at('2026-12-21')).toEqual({ row: false, available: false, free: false });
});
