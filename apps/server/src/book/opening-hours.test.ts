import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TodayReply } from '@clinic/contract';
import { DEFAULT_LOCATIONS, setLocations } from '@clinic/domain';
import { loadLocations } from '../db/locations.ts';
import { DAY, useDesk, type Refused } from '../testing/desk.ts';

const desk = useDesk();
const open = async (hours: readonly { weekday: number; start: number; end: number }[]): Promise<void> => {
  const text = JSON.stringify(hours);
  await desk.db.updateTable('location').set({ hours: text }).where('value', '=', 'altamonte').execute();
  await loadLocations(desk.db);
};
const MONDAY = [
  { weekday: 1, start: 480, end: 720 },
  { weekday: 1, start: 720, end: 1080 },
];
beforeAll(() => open(MONDAY));
afterAll(() => setLocations(DEFAULT_LOCATIONS));

const OUTSIDE = ' is not in Altamonte’s opening hours';
const asked = async (more: object): Promise<unknown> => {
  const reply = await desk.post(desk.session(more));
  return [reply.statusCode, reply.json<Refused>().detail];
};
const question = (sentence: string): unknown => [
  409,
  expect.objectContaining({ anyway: true, message: expect.stringContaining(sentence) as unknown }),
];

test('a session outside the opening hours is booked only after a question, and then is one of the things that are wrong', async () => {
  await desk.booked({ start: '08:00', end: '18:00' });
  const early = { start: '07:00', end: '08:00' };
  expect(await asked(early)).toEqual(question(`Monday 7:00 AM - 8:00 AM${OUTSIDE} (8:00 AM - 6:00 PM).`));
  expect(await asked({ date: '2026-11-24' })).toEqual(question(`Tuesday 8:30 AM - 11:30 AM${OUTSIDE}.`));
  const { key } = await desk.booked({ ...early, anyway: true });
  expect((await desk.historyOf(key))[0]?.reason).toContain('outside the location’s opening hours');
  const today = await desk.staff.call({ url: '/api/today', query: { date: DAY, location: 'altamonte' } });
  expect(today.json<TodayReply>().wrong?.map((each) => JSON.stringify(each))).toContainEqual(
    expect.stringContaining(OUTSIDE),
  );
});

test('nobody is asked about a session by video, or at a location whose hours are not recorded', async () => {
  await desk.booked({ start: '19:00', end: '20:00', subject: 'Direct Therapy - Telehealth' });
  await open([]);
  await desk.booked({ start: '05:00', end: '06:00' });
  await open(MONDAY);
});
