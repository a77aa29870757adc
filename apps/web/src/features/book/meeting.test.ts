import type { SeriesPreview } from '@clinic/contract';
import { expect, test } from 'vitest';
import { meetingBody, outcomesOf, reasonsOf, type MeetingForm } from './meeting.ts';

const FORM: MeetingForm = {
  subject: ' Staff meeting ',
  often: 'weekly',
  weekdays: [1, 3],
  from: '2026-11-23',
  until: '',
  start: '12:00',
  end: '13:00',
  without: ['Kai Wood'],
};
const PEOPLE = ['Ana Ruiz', 'Kai Wood', 'Lin Park'];
const AT = { location: 'altamonte', admin: 'Admin' } as const;
const bodyOf = (changed: Partial<MeetingForm> = {}, people = PEOPLE) =>
  meetingBody({ ...FORM, ...changed }, people, AT);

test('a meeting is a series of administrative time for each person who comes, on each of its days', () => {
  expect(bodyOf()).toMatchObject({ client: 'Admin', subject: 'Staff meeting', from: '2026-11-23', until: null });
  expect(bodyOf()?.days.map(({ therapist, weekday }) => [therapist, weekday])).toEqual([
    ['Ana Ruiz', 1],
    ['Ana Ruiz', 3],
    ['Lin Park', 1],
    ['Lin Park', 3],
  ]);
});

test('a meeting that is held once is on its date, whatever days of the week were chosen before', () => {
  const once = bodyOf({ often: 'once', from: '2026-11-27' });
  expect([once?.from, once?.until, once?.days.map(({ weekday }) => weekday)]).toEqual([
    '2026-11-27',
    '2026-11-27',
    [5, 5],
  ]);
});

test.each<[string, Partial<MeetingForm>]>([
  ['no one', { without: PEOPLE }],
  ['no day', { weekdays: [] }],
  ['no subject', { subject: ' ' }],
  ['an end before the start', { end: '11:00' }],
  ['a last date before the first', { until: '2026-11-22' }],
])('given %s, nothing is sent', (_, changed) => {
  expect(bodyOf(changed)).toBeNull();
});

test('given more people and days than one booking takes, nothing is sent', () => {
  const many = Array.from({ length: 31 }, (_, i) => `T ${i}`);
  expect(bodyOf({}, many)).toBeNull();
  expect(bodyOf({ weekdays: [1] }, many)?.days.length).toBe(31);
});

test('each person’s dates and reasons are gathered over the days of the week', () => {
  const body = bodyOf();
  const day = (dates: string[], left: string[]): SeriesPreview['days'][number] => ({
    dates,
    skipped: left.map((date) => ({ date, kind: 'booked', why: 'busy' })),
  });
  const days = [day(['1'], ['3']), day(['2'], ['4']), day([], ['3']), day(['2', '4'], [])];
  const of = body && outcomesOf(body, { version: '', through: '2027-01-01', days });
  expect(of?.get('Ana Ruiz')?.dates).toEqual(['1', '2']);
  expect(reasonsOf(of?.get('Ana Ruiz')?.skipped ?? [])).toEqual([{ why: 'busy', dates: ['3', '4'] }]);
  expect(of?.get('Lin Park')?.dates).toEqual(['2', '4']);
});
