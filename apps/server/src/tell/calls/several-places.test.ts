import { expect, test } from 'vitest';
import type { DaySheetReply } from '@clinic/contract';
import { isoDate, type Location } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList } from '../../testing/call-list.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);
const DATE = isoDate('2026-11-20');
const NAME = 'Tess Voss';

test('given a therapist with sessions at three locations, each location’s call and day sheet include the sessions at the other locations', async () => {
  const windows: [number, string, string][] = [[5, '07:00', '18:00']];
  const tess = await buildTherapist(t.db, { first: 'Tess', last: 'Voss', windows });
  const oli = await buildTherapist(t.db, { first: 'Oli', last: 'Voss', windows, location: 'orlando' });
  const book = async (location: Location, first: string, therapist: string, start: string, end: string) => {
    const client = await buildClient(t.db, { first, last: 'Voss', location });
    return buildAppointment(t.db, { therapist, client, date: DATE, start, end, location });
  };
  const early = await book('orlando', 'Pia', tess, '07:00', '07:30');
  const bo = await book('altamonte', 'Bo', tess, '08:00', '10:00');
  const una = await book('orlando', 'Una', tess, '11:00', '13:00');
  await book('tampa', 'Rex', tess, '14:00', '16:00');
  await buildAppointment(t.db, { therapist: tess, client: null, date: DATE, start: '16:00', end: '17:00' });
  const at = (location: Location) => new CallList(() => t.staff, { location, date: DATE });
  for (const location of ['altamonte', 'orlando', 'tampa'] as const) await at(location).post('day-sheet', {});

  // It is 7:20, so Tess is in a session at Orlando, not at Tampa.
  await t.staff.call({ method: 'POST', url: `/api/appointments/${bo}/cancel`, payload: {} });
  expect(await at('altamonte').lineOf(NAME)).toMatchObject({
    say: ['Bo Voss from 8:00 to 10:00 is cancelled.', 'You are released from 8:00 until 11:00.'],
    here: false,
  });

  // Without any session left at Orlando, Tess is still expected at Tampa.
  await t.db.updateTable('appointment').set({ therapist_id: oli }).where('id', 'in', [early, una]).execute();
  expect((await at('orlando').lineOf(NAME)).say.slice(1)).toEqual([
    'Una Voss from 11:00 to 1:00 at Orlando is no longer yours.',
    'You are released until 2:00.',
  ]);

  // A session at Tampa takes the administrative time at Altamonte.
  await book('tampa', 'Sol', tess, '16:00', '16:30');
  expect(await at('tampa').lineOf(NAME)).toMatchObject({
    call: 'ask',
    say: ['Can you take Sol Voss from 4:00 to 4:30 at Tampa?', 'It takes 30 min of your admin time, 4:00 to 4:30.'],
  });
  const sheet = await t.staff.call({ url: '/api/calls/day-sheet', query: { location: 'altamonte', date: DATE } });
  const own = sheet.json<DaySheetReply>().therapists.find(({ id }) => id === tess);
  expect(own?.sessions).toEqual([{ start: '16:30', end: '17:00', service: 'admin', clients: [] }]);
});
