import { describe, expect, test } from 'vitest';
import {
  contains,
  addDays,
  dayOfWeek,
  isoDate,
  LOCATION_VALUES,
  nameKey,
  overlaps,
  parseTime,
  type IsoDate,
} from '@clinic/domain';
import { demoDay, type DemoAppointment } from './days.ts';
import { demoPeople } from './people.ts';
import { bookedShare, draftWeek } from './week.ts';

const people = demoPeople();
const weeks = LOCATION_VALUES.map((location) => draftWeek(people, location));
const therapists = new Map(people.therapists.map((t) => [t.id, t]));
const clients = new Map(people.clients.map((c) => [c.id, c]));

const minutes = (text: string): number => parseTime(text.slice(11, 16)) ?? NaN;
const span = (row: DemoAppointment) => ({ start: minutes(row.starts), end: minutes(row.ends) });
const occupies = (row: DemoAppointment): boolean => ['pending', 'booked', 'fulfilled'].includes(row.status);

/**
 * Returns one line for each rule that a row or a pair of rows breaks. The checks follow the schema's rules, not the
 * generator's code.
 */
function faults(rows: readonly DemoAppointment[], date: IsoDate): string[] {
  const found: string[] = [];
  const live = rows.filter(occupies);
  for (const row of live) {
    const when = span(row);
    const t = row.therapist_id === null ? null : therapists.get(row.therapist_id);
    const c = row.client_id === null ? null : clients.get(row.client_id);
    const say = (what: string) => found.push(`${row.wire_id}: ${what}`);
    if (when.start < 420 || when.end > 1140 || when.start >= when.end || when.start % 15 || when.end % 15) say('times');
    if (t && (!t.days.includes(dayOfWeek(date)) || !contains(t.window, when))) say('not available');
    if (t && c?.requiresGender && c.requiresGender !== t.gender) say('gender');
    if (t && c?.rbtOrAbove && t.specialization === 'BT') say('credential');
    if (t && c && weeks.some((w) => w.excluded.get(c) === t)) say('excluded');
    if (t && row.location !== t.location) say('location');
    if (row.service !== 'direct' && t?.specialization !== 'BCBA') say('not a BCBA');
    if (row.seat === 2 && !c?.twoToOne) say('seat');
  }
  live.forEach((a, i) => {
    for (const b of live.slice(i + 1)) {
      if (!overlaps(span(a), span(b))) continue;
      if (a.therapist_id !== null && a.therapist_id === b.therapist_id && a.place !== b.place)
        found.push(`${a.wire_id} ${b.wire_id}: therapist twice`);
      if (a.client_id === b.client_id && a.service === 'direct' && b.service === 'direct' && a.seat === b.seat) {
        found.push(`${a.wire_id} ${b.wire_id}: client twice`);
      }
    }
  });
  return found;
}

describe('the demo clinic’s rows', () => {
  const todays = [
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-03-08',
    '2026-11-01',
    '2027-02-28',
    '2028-02-29',
    '2026-12-31',
  ].map(isoDate);

  test.each(todays)('no row breaks a rule when today is %s', (today) => {
    for (let ahead = -42; ahead <= 21; ahead++) {
      const date = addDays(today, ahead);
      for (const week of weeks) expect(faults(demoDay(week, date, today).appointments, date)).toEqual([]);
    }
  });

  test('the code that checks the rows finds errors planted in them', () => {
    const today = isoDate('2026-11-20');
    const week = weeks[0];
    if (!week) throw new Error('no week');
    const rows = demoDay(week, today, today).appointments;
    const [first] = rows.filter((r) => r.service === 'direct' && r.therapist_id !== null && occupies(r));
    if (!first) throw new Error('no session');
    expect(faults([...rows, { ...first, id: 'x', place: 'x', client_id: null }], today)).toContainEqual(
      expect.stringContaining('therapist twice'),
    );
    expect(faults([...rows, { ...first, id: 'x', therapist_id: null }], today)).toContainEqual(
      expect.stringContaining('client twice'),
    );
    // The session ends too late, and the therapist is not available then.
    expect(faults([{ ...first, ends: `${today} 19:15:00` }], today)).toHaveLength(2);
  });

  test.each(LOCATION_VALUES)('therapists are 78 to 90 % booked on every day of the week in %s', (location) => {
    const week = weeks.find((w) => w.location === location);
    for (let day = 0; day < 7; day++) {
      const share = week ? bookedShare(week, day) : 0;
      expect(share).toBeGreaterThan(0.78);
      expect(share).toBeLessThan(0.9);
    }
  });

  test('rows made from the same arguments are the same, including their ids', () => {
    const today = isoDate('2026-11-20');
    const again = draftWeek(demoPeople(), 'tampa');
    const tampa = weeks.find((w) => w.location === 'tampa');
    expect(tampa && demoDay(again, today, today)).toEqual(tampa && demoDay(tampa, today, today));
  });

  test('full names are unique, and each location has 30 to 45 clients and every type of restriction', () => {
    const names = [...people.therapists, ...people.clients].map((p) => nameKey(`${p.first} ${p.last}`));
    expect(new Set(names).size).toBe(names.length);
    for (const location of LOCATION_VALUES) {
      const here = people.clients.filter((c) => c.location === location);
      expect(here.length).toBeGreaterThanOrEqual(30);
      expect(here.length).toBeLessThanOrEqual(45);
      expect(here.some((c) => c.requiresGender === 'Female')).toBe(true);
      expect(here.some((c) => c.requiresGender === 'Male')).toBe(true);
      expect(here.some((c) => c.rbtOrAbove)).toBe(true);
      expect(here.some((c) => c.careTeamOnly)).toBe(true);
      expect(here.some((c) => c.twoToOne)).toBe(true);
      expect(weeks.find((w) => w.location === location)?.excluded.size).toBeGreaterThanOrEqual(2);
    }
  });

  test('at every location, each day of the week has a group of several children, and some child has two therapists at once', () => {
    for (const week of weeks) {
      const groups = week.sessions.filter((s) => s.group !== null);
      const days = new Set(groups.map((s) => s.day));
      for (const day of days) expect(groups.filter((s) => s.day === day).length).toBeGreaterThanOrEqual(2);
      expect(days.size).toBe(7);
      expect(week.sessions.some((s) => s.seat === 2)).toBe(true);
    }
  });
});
