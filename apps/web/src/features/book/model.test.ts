import { expect, test } from 'vitest';
import {
  apartInWords,
  cancelQuestion,
  changedForm,
  formOf,
  isChanged,
  newSession,
  problemsOf,
  seriesInWords,
  toBody,
  whyNoOptions,
  type SessionSource,
} from './model.ts';
import { previewInWords, toggledDay, toSeries } from './weekly.ts';

const source: SessionSource = {
  key: 'k',
  version: 3,
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  date: '2026-11-20',
  start: 510,
  end: 690,
  subject: 'Direct Therapy',
  statusText: 'confirmed',
  open: false,
};

test('given an existing session, the form sends it back unchanged, with the version that was shown', () => {
  const form = formOf(source);
  expect(problemsOf(form)).toEqual({});
  expect(toBody(form, 'altamonte', source)).toEqual({
    location: 'altamonte',
    client: 'Bo Lee',
    therapist: 'Ana Ruiz',
    date: '2026-11-20',
    start: '08:30',
    end: '11:30',
    subject: 'Direct Therapy',
    status: 'Confirmed',
    version: 3,
  });
});

test('the form counts as changed only if saving it would change the session', () => {
  const changed = (over: Parameters<typeof changedForm>[1]): boolean =>
    isChanged(changedForm(formOf(source), over), 'altamonte', source);
  expect(changed({})).toBe(false);
  expect(changed({ start: '08:30', therapist: 'Ana Ruiz' })).toBe(false);
  expect(changed({ start: '08:45' })).toBe(true);
  expect(changed({ therapist: 'Kai Wood', ask: null })).toBe(true);
  expect(changed({ therapist: 'Ana Ruiz', ask: 'Ask to stay late until 5:30' })).toBe(true);
});

test('if opening the options would lose an unsaved change, the form does not open them and says what to do first', () => {
  const none = { form: false, absences: false };
  expect(whyNoOptions(none, 'one')).toBeNull();
  expect(whyNoOptions({ ...none, form: true }, 'one')).toContain('save your changes first');
  expect(whyNoOptions({ ...none, absences: true }, 'one')).toContain('save the selected absences first');
  expect(whyNoOptions(none, 'following')).toContain('change this session only');
});

test('a session without a therapist is sent with a null therapist, and a weekly series with its last date', () => {
  const form = { ...newSession('2026-11-20'), client: ' Bo Lee ', weeklyUntil: '2026-12-18' };
  expect(toBody(form, 'tampa', null)).toMatchObject({ client: 'Bo Lee', therapist: null });
  expect(toSeries(form, 'tampa', null)).toBeNull();
  const weekly = [{ weekday: 5, start: '09:00', end: '12:00' }];
  expect(toSeries({ ...form, weekly }, 'tampa', null)).toEqual({
    location: 'tampa',
    client: 'Bo Lee',
    subject: 'Direct Therapy',
    days: [{ weekday: 5, start: '09:00', end: '12:00', therapist: null }],
    from: '2026-11-20',
    until: '2026-12-18',
  });
});

test.each([
  [{ client: '  ' }, 'client'],
  [{ date: '2026-02-30' }, 'date'],
  [{ start: '' }, 'start'],
  [{ end: '09:00' }, 'end'],
  [{ subject: '' }, 'subject'],
  [{ weekly: [{ weekday: 5, start: '09:00', end: '12:00' }], weeklyUntil: '2026-11-19' }, 'weeklyUntil'],
  [{ weekly: [{ weekday: 5, start: '09:00', end: '08:00' }] }, 'weekly'],
])('given the input %o, an error is shown beside the %s field', (over, field) => {
  const form = { ...newSession('2026-11-20'), client: 'Bo Lee', ...over };
  expect(Object.keys(problemsOf(form))).toEqual([field]);
});

test('a session that runs until midnight shows 23:59, the latest time a time field can hold', () => {
  const late = { ...source, start: 1380, end: 1440 };
  expect(formOf(late).end).toBe('23:59');
  expect(problemsOf(formOf(late))).toEqual({});
  expect(toBody(formOf(late), 'altamonte', late).end).toBe('24:00');
});

test('given a change to a series, the form says which sessions change and how many stay as they are', () => {
  expect(seriesInWords({ dates: ['2026-11-27', '2026-12-04'], apart: 0 })).toBe(
    '2 more, on November 27 and December 4',
  );
  expect(seriesInWords({ dates: ['2026-11-27'], apart: 0 })).toBe('1 more, on Friday, November 27');
  const fridays = ['2026-11-27', '2026-12-04', '2026-12-11', '2026-12-18', '2027-01-01'];
  expect(seriesInWords({ dates: fridays, apart: 0 })).toBe(
    '5 more, from November 27 until January 1, Fridays, except December 25',
  );
  expect(apartInWords({ dates: [], apart: 0 })).toBe('');
  expect(apartInWords({ dates: [], apart: 2 })).toContain('2 later sessions');
});

test('the question before a cancellation names the client, the date and what happens to later sessions', () => {
  const series = { dates: ['2026-11-27', '2026-12-04'], apart: 0 };
  const when = 'Friday, November 20, 2026, 8:30 AM - 11:30 AM';
  expect(cancelQuestion(source, undefined, 'one')).toMatchObject({
    title: 'Cancel Bo Lee’s session?',
    which: `${when}. This session only. Its history is kept.`,
  });
  expect(cancelQuestion(source, series, 'one').which).toContain('the later ones in its series stay');
  expect(cancelQuestion(source, series, 'following')).toMatchObject({
    title: 'Cancel 3 of Bo Lee’s sessions?',
    which: `This one (${when}) and 2 more, on November 27 and December 4. Their history is kept.`,
  });
});

test('a new series begins with the session’s own day, which follows the session; other days keep their own times', () => {
  const friday = changedForm(newSession('2026-11-20'), { weekly: [{ weekday: 5, start: '09:00', end: '12:00' }] });
  const both = changedForm(friday, { weekly: toggledDay(friday, 2) });
  expect(both.weekly.map((day) => `${day.weekday} ${day.start}`)).toEqual(['2 09:00', '5 09:00']);
  const apart = changedForm(both, { weekly: both.weekly.map((d) => (d.weekday === 2 ? { ...d, start: '10:00' } : d)) });
  const moved = changedForm(apart, { date: '2026-11-23', start: '08:00' });
  expect(moved.weekly.map((day) => `${day.weekday} ${day.start}`)).toEqual(['1 08:00', '2 10:00']);
  expect(toggledDay(moved, 1)).toEqual(moved.weekly);
  expect(toggledDay(moved, 2).map((day) => day.weekday)).toEqual([1]);
});

test('the preview of a series says how many sessions, until when, and how many hours a week', () => {
  const form = changedForm(newSession('2026-11-20'), { weekly: [{ weekday: 5, start: '09:00', end: '12:00' }] });
  const shown = { version: '', through: '2027-02-11', days: [{ dates: ['2026-11-20', '2026-11-27'], skipped: [] }] };
  expect(previewInWords(shown, form)).toBe(
    '2 sessions until February 11, 2027; the next ones follow as time passes. 3 h a week.',
  );
  expect(previewInWords(shown, { ...form, weeklyUntil: '2027-02-11' })).toBe(
    '2 sessions until February 11, 2027. 3 h a week.',
  );
});
