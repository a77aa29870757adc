import { describe, expect, test } from 'vitest';
import {
  contains,
  addDays,
  dayOfWeek,
  dialable,
  groupBy,
  isEmailAddress,
  isoDate,
  locationValues,
  minutesOf,
  nameKey,
  overlaps,
  parseTime,
  type IsoDate,
} from '@clinic/domain';
import { demoDay, type DemoAppointment } from './days.ts';
import { readSeed, readWeek, type WeeklySession } from './seed.ts';

const weekOf = (location: string): WeeklySession[] => readWeek().filter((s) => s.location === location);
const weeks = locationValues().map(weekOf);
const windows = groupBy(readSeed('therapist_availability'), (w) => w['therapist_id'] ?? '');
const restrictions = groupBy(readSeed('client_restriction'), (r) => r['client_id'] ?? '');
const therapists = new Map(
  readSeed('therapist').map((t) => [
    t['id'] ?? '',
    {
      row: t,
      bcba: t['specialization'] === 'BCBA',
      days: (windows.get(t['id'] ?? '') ?? []).map((w) => ({
        day: Number(w['day_of_week']),
        start: Number(w['start_minute']),
        end: Number(w['end_minute']),
      })),
    },
  ]),
);
const clients = new Map(
  readSeed('client').map((c) => [c['id'] ?? '', { row: c, restrictions: restrictions.get(c['id'] ?? '') ?? [] }]),
);

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
    if (t && !t.days.some((d) => d.day === dayOfWeek(date) && contains(d, when))) say('not available');
    for (const { requires_gender: gender, excludes_therapist_id: never } of c?.restrictions ?? []) {
      if (t && gender && gender !== t.row['gender']) say('gender');
      if (t && never === row.therapist_id) say('excluded');
    }
    if (t && c?.row['rbt_or_above'] === 'true' && t.row['specialization'] === 'BT') say('credential');
    if (t && row.location !== t.row['location']) say('location');
    if (row.service !== 'direct' && t?.bcba !== true) say('not a BCBA');
    if (row.seat === 2 && c?.row['two_to_one'] !== 'true') say('seat');
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

  test.each(locationValues())('therapists are 78 to 90 % booked on every day of the week in %s', (location) => {
    for (let day = 0; day < 7; day++) {
      const share = bookedShare(location, day);
      expect(share).toBeGreaterThan(0.78);
      expect(share).toBeLessThan(0.9);
    }
  });

  test('rows made from the same arguments are the same, including their ids', () => {
    const today = isoDate('2026-11-20');
    expect(demoDay(weekOf('tampa'), today, today)).toEqual(demoDay(weekOf('tampa'), today, today));
  });

  test('full names are unique, and each location has 30 to 45 clients and every type of restriction', () => {
    const names = [...therapists.values(), ...clients.values()].map(({ row }) =>
      nameKey(`${row['first_name']} ${row['last_name']}`),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const location of locationValues()) {
      const here = [...clients.values()].filter((c) => c.row['location'] === location);
      expect(here.length).toBeGreaterThanOrEqual(30);
      expect(here.length).toBeLessThanOrEqual(45);
      const asked = here.flatMap((c) => c.restrictions);
      expect(asked.some((r) => r['requires_gender'] === 'Female')).toBe(true);
      expect(asked.some((r) => r['requires_gender'] === 'Male')).toBe(true);
      expect(asked.filter((r) => r['excludes_therapist_id']).length).toBeGreaterThanOrEqual(2);
      for (const column of ['two_to_one', 'care_team_only', 'rbt_or_above'])
        expect(here.some((c) => c.row[column] === 'true') || (column === 'rbt_or_above' && location === 'tampa')).toBe(
          true,
        );
    }
  });

  test('at every location, each day of the week has a group of several children, and some child has two therapists at once', () => {
    for (const week of weeks) {
      const groups = week.filter((s) => s.group);
      const days = new Set(groups.map((s) => s.day));
      for (const day of days) expect(groups.filter((s) => s.day === day).length).toBeGreaterThanOrEqual(2);
      expect(days.size).toBe(7);
      expect(week.some((s) => s.seat === 2)).toBe(true);
    }
  });

  test('everyone in the demo clinic has contact details, and no number or address belongs to a real person', () => {
    const contacts = readSeed('contact');
    for (const id of clients.keys())
      expect(contacts.some((c) => c['client_id'] === id && c['rank'] === '1')).toBe(true);
    for (const id of therapists.keys()) expect(contacts.some((c) => c['therapist_id'] === id)).toBe(true);
    for (const { phone = '', email = '' } of contacts) {
      expect(dialable(phone)).toMatch(/^\+1\d{3}55501\d{2}$/);
      expect(isEmailAddress(email) && email.endsWith('@example.org'), email).toBe(true);
    }
  });
});

/** The share of the direct therapists' time that is booked on a day of the week. */
function bookedShare(location: string, day: number): number {
  const free = [...therapists].flatMap(([id, t]) =>
    t.row['location'] === location && !t.bcba ? t.days.filter((d) => d.day === day).map((d) => ({ ...d, id })) : [],
  );
  const ids = new Set(free.map(({ id }) => id));
  const own = weekOf(location).filter((s) => s.day === day && s.therapist !== null && ids.has(s.therapist));
  const busy = new Map(own.map((s) => [`${s.therapist} ${s.start}`, s]));
  return minutesOf([...busy.values()]) / minutesOf(free);
}
