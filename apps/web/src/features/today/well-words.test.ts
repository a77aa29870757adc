import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { dayFigures, firstWrongWords, weekDates, wrongWords } from './well-words.ts';

test('each thing that is wrong names the people and the times; the first one is named above', () => {
  const session = {
    key: 'a',
    location: 'altamonte' as const,
    start: '08:15',
    end: '10:00',
    client: 'Leah Grant',
    therapist: 'Kai Wood',
  };
  const rule = { kind: 'rule' as const, sessions: [session], why: ['Leah Grant cannot be booked with Kai Wood.'] };
  expect(wrongWords(rule, 'altamonte')).toEqual({
    title: 'Leah Grant is with Kai Wood',
    text: 'Leah Grant cannot be booked with Kai Wood.',
  });
  expect(firstWrongWords([rule])).toBe('The first: Leah Grant, at 8:15 AM.');
  expect(firstWrongWords([])).toBe('');
  const twice = {
    kind: 'twice' as const,
    person: { type: 'therapist' as const, name: 'Kai Wood' },
    sessions: [session, { ...session, key: 'b', client: null, location: 'tampa' as const }],
    times: [{ start: '09:00', end: '10:00' }],
  };
  expect(wrongWords(twice, 'altamonte')).toEqual({
    title: 'Kai Wood is booked twice',
    text: 'Leah Grant and a session at Tampa, 9:00 AM - 10:00 AM',
  });
  expect(wrongWords({ kind: 'to-submit', sessions: [session], times: twice.times }, 'altamonte')).toEqual({
    title: 'Leah Grant is away, not submitted',
    text: 'Still booked 9:00 AM - 10:00 AM.',
  });
});

test('a day of the week has a tick only if it has sessions, nothing is open, and the people to tell are known', () => {
  const well = {
    over: false,
    booked: 5,
    needs_cover: 0,
    to_submit: 0,
    wrong: 0,
    reported: 0,
    to_tell: 0 as number | undefined,
  };
  const stateOf = (of: Partial<typeof well>, failed = false) => dayFigures({ ...well, ...of }, failed).state;
  expect(stateOf({})).toBe('nothing is open');
  expect(stateOf({ booked: 0 })).toBe('no sessions');
  expect(stateOf({ to_tell: undefined })).toBe('loading');
  expect(stateOf({ to_tell: undefined }, true)).toBe('not all known');
  expect(stateOf({ over: true, wrong: 2 })).toBe('over');
  const open = { needs_cover: 1, to_submit: 2, wrong: 3, reported: 1, to_tell: 4 };
  expect(stateOf(open)).toBe('open');
  const words = dayFigures({ ...well, ...open }, false).figures.map((figure) => `${figure.count} ${figure.words}`);
  expect(words).toEqual(['1 needs cover', '1 to confirm', '3 wrong', '2 to submit', '4 to tell']);
  for (const only of Object.entries(open)) expect(stateOf(Object.fromEntries([only]))).not.toBe('nothing is open');
  const saturday = { ...well, date: '2026-11-21' };
  const monday = isoDate('2026-11-16');
  expect(weekDates(monday, [saturday])).toHaveLength(6);
  expect(weekDates(monday, [{ ...saturday, booked: 0 }])).toHaveLength(5);
});
