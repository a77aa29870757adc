import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate, NO_CARE, priorityOf, type RecentCare } from '@clinic/domain';
import { dayAppointment } from '../../testing/day-appointment.ts';
import { dayClient } from '../../testing/day-client.ts';
import type { DayAbsence, DayAppointment, DayClient } from '../../day/facts/day.ts';
import { declining } from '../../tell/memory/declines.ts';
import { withPriorities } from './priorities.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';

const DATE = isoDate('2030-11-22');
const BEFORE: RecentCare = { booked: 1080, lost: 30, week: { booked: 300, lost: 0 } };
const client = (id: string, more: Partial<DayClient> = {}): DayClient => dayClient(id, { care: BEFORE, ...more });
const session = (more: Partial<DayAppointment> = {}): DayAppointment =>
  dayAppointment({ key: 'S', clientId: 'C', therapistId: 'T', start: 540, end: 660, ...more });
const away = (who: string, start: number, end: number): DayAbsence => ({
  id: `${who} ${start}`,
  location: 'altamonte',
  therapistId: who === 'T' ? who : null,
  clientId: who === 'C' ? who : null,
  start,
  end,
});
const dayWith = (appointments: readonly DayAppointment[], own: Partial<DayClient> = {}) => ({
  date: DATE,
  location: 'altamonte' as const,
  clients: [client('C', own)],
  appointments: [...appointments],
  declines: [],
});
type Day = ReturnType<typeof dayWith>;
const priorityIn = (day: Day, absences: readonly DayAbsence[] = [], unheld: readonly string[] = []) =>
  withPriorities(day, awayWindows({ absences }), unheld).get('C')?.priority;
const by = (booked: number, lost: number): number => priorityOf(100, BEFORE, { booked, lost });

test.each<[string, Day, number, DayAbsence[]?, string[]?]>([
  ['no session that day', dayWith([]), by(0, 0)],
  ['a session with its therapist', dayWith([session()]), by(120, 0)],
  ['a therapist who is away for an hour', dayWith([session()]), by(120, 60), [away('T', 540, 600)]],
  ['a session without a therapist', dayWith([session({ therapistId: null })]), by(120, 120)],
  ['a therapist who said no', declining(dayWith([session()]), 'T', ['S']), by(120, 120)],
  ['a session for which someone else is wanted', dayWith([session()]), by(120, 120), [], ['S']],
  [
    'a group session for which someone else is wanted, asked for another child',
    dayWith([session({ groupKey: 'G' }), session({ key: 'U', clientId: 'D', groupKey: 'G' })]),
    by(120, 120),
    [],
    ['U'],
  ],
  ['a cancelled session', dayWith([session({ status: 'cancelled', occupies: false })]), by(120, 120)],
  ['a client who is away for half an hour', dayWith([session()]), by(120, 30), [away('C', 630, 700)]],
  [
    'a client who is away while the therapist is',
    dayWith([session()]),
    by(120, 60),
    [away('T', 540, 600), away('C', 540, 570)],
  ],
  ['a session at another location', dayWith([session({ location: 'tampa', therapistId: null })]), by(0, 0)],
  ['another child’s open session', dayWith([session({ clientId: 'D', therapistId: null })]), by(0, 0)],
  ['a priority set by hand', dayWith([session({ therapistId: null })], { priority: 150 }), 150],
  ['no care booked before', dayWith([session({ therapistId: null })], { care: NO_CARE }), 150],
])('given %s, the client’s priority counts what is not delivered if no one comes', (_case, day, priority, ...more) => {
  expect(priorityIn(day, ...more)).toBe(priority);
});

test('whatever order people were marked away in, priorities are the same, and one more absence never lowers them', () => {
  const day = dayWith([session(), session({ key: 'U', start: 780, end: 1000 })]);
  const absence = fc
    .tuple(fc.constantFrom('T', 'C'), fc.integer({ min: 500, max: 1000 }), fc.integer({ min: 1, max: 300 }))
    .map(([who, start, length]) => away(who, start, start + length));
  fc.assert(
    fc.property(fc.array(absence, { maxLength: 6 }), absence, (list, more) => {
      const priority = priorityIn(day, list);
      expect(priorityIn(day, [...list].reverse())).toBe(priority);
      expect(priorityIn(day, [...list, more])).toBeGreaterThanOrEqual(priority ?? 0);
    }),
  );
});
