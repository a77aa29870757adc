import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { awayWindows } from '../day/facts/uncovered.ts';
import { weekHours, type WeekSession } from './week.ts';

const MONDAY = isoDate('2026-11-16');
const FRIDAY = isoDate('2026-11-20');
const session = (more: Partial<WeekSession>): WeekSession => ({
  date: FRIDAY,
  start: 540,
  end: 660,
  clientId: 'C1',
  therapistId: 'T1',
  service: 'direct',
  status: 'booked',
  occupies: true,
  ...more,
});
const absent = (who: string, start: number, end: number) => ({
  id: who,
  location: 'altamonte' as const,
  therapistId: who.startsWith('T') ? who : null,
  clientId: who.startsWith('C') ? who : null,
  start,
  end,
});
type Absence = ReturnType<typeof absent>;
const hours = (sessions: WeekSession[], absences: Absence[] = [], cut: number | null = 585, today = FRIDAY) =>
  weekHours(MONDAY, sessions, (date) => awayWindows({ absences: date === FRIDAY ? absences : [] }), {
    date: today,
    cut,
  });
const friday = (...of: Parameters<typeof hours>) => {
  const { date: _date, ...figures } = hours(...of)[4] ?? { date: '' };
  return figures;
};

test('a week has seven days from Monday to Sunday, and booked time counts as kept if nothing happens to it', () => {
  const week = hours([session({}), session({ date: isoDate('2026-11-22'), start: 600 })]);
  expect(week.map((day) => day.date)).toEqual(Array.from({ length: 7 }, (_, i) => `2026-11-${16 + i}`));
  expect(week.map((day) => day.kept)).toEqual([0, 0, 0, 0, 120, 0, 60]);
});

test('time is lost if the session is cancelled or a no-show, or the client is away', () => {
  expect(friday([session({ status: 'cancelled', occupies: false })])).toEqual({
    booked: 120,
    kept: 0,
    lost: 120,
    open: 0,
  });
  expect(friday([session({ status: 'noshow', occupies: false })])).toMatchObject({ lost: 120 });
  expect(friday([session({})], [absent('C1', 600, 1440)])).toEqual({ booked: 120, kept: 60, lost: 60, open: 0 });
});

test('unassigned time is open after the current time and lost before it', () => {
  // It is 9:45, so the quarter hours before that are over.
  expect(friday([session({ therapistId: null })])).toEqual({ booked: 120, kept: 0, lost: 45, open: 75 });
  expect(friday([session({})], [absent('T1', 0, 600)])).toEqual({ booked: 120, kept: 60, lost: 45, open: 15 });
  expect(friday([session({ therapistId: null })], [], null)).toMatchObject({ lost: 0, open: 120 });
  expect(friday([session({ therapistId: null })], [], 0, isoDate('2026-11-21'))).toMatchObject({ lost: 120, open: 0 });
  expect(friday([session({ therapistId: null })], [], 1000, isoDate('2026-11-19'))).toMatchObject({
    lost: 0,
    open: 120,
  });
});

test('booked time is always the sum of kept, lost and open time', () => {
  const sessions = [
    session({}),
    session({ therapistId: null, clientId: 'C2' }),
    session({ clientId: 'C3', status: 'cancelled', occupies: false }),
    session({ clientId: 'C4', therapistId: 'T2', start: 700, end: 745 }),
  ];
  const figures = hours(sessions, [
    absent('T1', 550, 610),
    absent('C2', 0, 590),
    absent('T2', 0, 1440),
    absent('C1', 600, 615),
  ])[4];
  expect((figures?.kept ?? 0) + (figures?.lost ?? 0) + (figures?.open ?? 0)).toBe(figures?.booked);
  expect(figures?.kept).toBe(10 + 45); // the kept time of the first session is 9:00 to 9:10 and 10:15 to 11:00
});
