import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import {
  awayWords,
  barWords,
  commitWords,
  dayWords,
  greeting,
  hours,
  keptWords,
  madeWords,
  needWords,
  nowOnAxis,
  onAxis,
  keptHours,
  weekFigures,
} from './model.ts';
import { countSessions } from '../../shared/count-sessions.ts';

const need = (client: string, start: string, end: string) => ({
  key: `${client} ${start}`,
  session: `${client} ${start}`,
  client,
  start,
  end,
  subject: 'Direct Therapy',
  why: 'nobody booked',
});

test('a time range is placed on the 7-to-7 axis and cut off at its ends', () => {
  expect(onAxis('08:30', '12:00')).toEqual({ s: 6, d: 14 });
  expect(onAxis('06:00', '07:30')).toEqual({ s: 0, d: 2 });
  expect(onAxis('18:00', '24:00')).toEqual({ s: 44, d: 4 });
  expect(onAxis('19:00', '20:00')).toBeNull();
  expect(nowOnAxis(490)).toBeCloseTo(0.0972, 4);
  expect([nowOnAxis(419), nowOnAxis(1141), nowOnAxis(null)]).toEqual([null, null, null]);
});

test('the sessions that need cover are summed up as hours, families and the start of the first session', () => {
  const list = [need('Bo Lee', '08:30', '12:00'), need('Bo Lee', '12:30', '15:00'), need('Mo Diaz', '13:00', '15:00')];
  const piece = { ...need('Bo Lee', '10:00', '10:30'), session: list[0]?.session ?? '' };
  expect(countSessions([...list, piece])).toBe(3);
  expect(needWords(list, 490)).toBe('8 h for 2 families. The first starts at 8:30 AM, in 20 minutes.');
  expect(needWords(list, 390)).toBe('8 h for 2 families. The first starts at 8:30 AM, in 2 hours.');
  expect(needWords(list, 600)).toBe('8 h for 2 families. The first started at 8:30 AM.');
  expect(needWords(list.slice(0, 1), null)).toBe('3 h 30 min for 1 family. The first starts at 8:30 AM.');
});

test('an absence is worded as a person would say it, and a bar’s time is kept short', () => {
  expect(awayWords('00:00', '23:59')).toBe('All day');
  expect(awayWords('13:00', '23:59')).toBe('from 1:00 PM');
  expect(awayWords('00:00', '10:00')).toBe('until 10:00 AM');
  expect(awayWords('12:30', '15:30')).toBe('12:30 - 3:30 PM');
  expect(awayWords('09:00', '15:30')).toBe('9:00 AM - 3:30 PM');
  expect(barWords('08:30', '12:00')).toBe('8:30 - 12:00');
});

test('a commit for one client shows the client’s name, and a commit for several clients shows how many', () => {
  const commit = {
    id: 'c',
    location: 'tampa' as const,
    dates: ['2026-11-20'],
    committed_at: '2026-11-20T12:48:00Z',
    committed_by: 'Dana',
    clients: ['Bo Lee'],
    option: 'Option 1',
    changes: 1,
    minutes_kept: 120,
    undone_at: null,
    undone_by: null,
  };
  expect(commitWords(commit, '2026-11-20')).toBe('Bo Lee, 1 change');
  expect(keptWords(commit)).toBe('2 h kept');
  expect(keptWords({ ...commit, minutes_needed: 180 })).toBe('2 h of 3 h kept');
  expect(keptWords({ ...commit, minutes_kept: 0, minutes_needed: 0 })).toBeNull();
  const several = { ...commit, clients: ['Bo Lee', 'Mo Diaz'], changes: 3 };
  expect(commitWords(several, '2026-11-20')).toBe('2 clients, 3 changes');
  expect(commitWords(several, '2026-11-19')).toBe('2 clients, 3 changes on Fri, Nov 20');
  const both = ['2026-11-20', '2026-11-23'];
  expect(commitWords({ ...commit, dates: both }, '2026-11-20')).toBe('Bo Lee, 1 change on Fri, Nov 20 and Mon, Nov 23');
  const made = { date: isoDate('2026-11-20'), minutes: 1030 };
  expect([madeWords(made, '2026-11-20'), madeWords(made, '2026-11-23')]).toEqual(['5:10 PM', 'Fri, Nov 20, 5:10 PM']);
});

test('the week’s figures add up, and a weekend day without bookings is left out', () => {
  const day = (date: string, booked: number, kept: number, lost: number, open: number) => ({
    date,
    booked,
    kept,
    lost,
    open,
  });
  const week = [
    day('2026-11-16', 600, 540, 60, 0),
    day('2026-11-17', 600, 600, 0, 0),
    day('2026-11-18', 0, 0, 0, 0),
    day('2026-11-19', 300, 300, 0, 0),
    day('2026-11-20', 1200, 800, 0, 400),
    day('2026-11-21', 0, 0, 0, 0),
    day('2026-11-22', 60, 60, 0, 0),
  ];
  const figures = weekFigures(week);
  expect([figures.booked, figures.kept, figures.lost, figures.open]).toEqual([2760, 2300, 60, 400]);
  expect(figures.days.map((d) => d.date.slice(-2))).toEqual(['16', '17', '18', '19', '20', '22']);
  expect(figures.days[4]?.keptShare).toBeCloseTo(800 / 1200);
  expect([hours(0), hours(20), hours(90), hours(72_000)]).toEqual(['0', '<1', '2', '1,200']);
});

test('the rounded hours kept, lost and open add up to the hours booked', () => {
  // Of 1,235 hours booked, 29 were lost and 48 are open.
  expect(keptHours({ booked: 74_085, kept: 69_510, lost: 1725, open: 2850 })).toBe('1,158');
  expect(keptHours({ booked: 600, kept: 600, lost: 0, open: 0 })).toBe('10');
  expect(keptHours({ booked: 600, kept: 20, lost: 290, open: 290 })).toBe('<1');
});

test('the page says that everyone is covered only if sessions are booked, none is lost or open, and nothing is wrong', () => {
  const day = { date: '2026-11-20', booked: 600, kept: 600, lost: 0, open: 0 };
  const said = (of: Partial<typeof day>, wrong: number | undefined = 0) => dayWords({ ...day, ...of }, wrong);
  expect(said({})).toMatchObject({ title: 'Everyone is covered', well: true });
  expect(said({ booked: 0, kept: 0 })).toMatchObject({ title: 'No sessions on this day', well: false });
  expect(said({ kept: 510, lost: 90 })).toEqual({
    title: 'Nothing needs cover now',
    text: '1 h 30 min of care was cancelled or had no therapist on this day.',
    well: false,
  });
  const others = [said({ kept: 510, open: 90 }), said({}, 1), dayWords(day, undefined), dayWords(undefined, 0)];
  for (const each of others) expect(each).toMatchObject({ title: 'Nothing needs cover now', well: false });
});

test('the greeting follows the clinic’s clock', () => {
  expect([greeting(490), greeting(720), greeting(1100)]).toEqual(['Good morning', 'Good afternoon', 'Good evening']);
});
