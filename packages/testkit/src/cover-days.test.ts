import { expect, test } from 'vitest';
import { contains, overlaps, type Interval } from '@clinic/domain';
import { windowOf } from './clinic-shapes.ts';
import { coverDay, hostileDays, randomFrom, tinyDay, uniformDay, uniformDays, type CoverDayOptions } from './index.ts';

const usual: CoverDayOptions = { seed: 7, therapists: 40, clients: 45, absent: 0.1 };

test('given the same options, the day is the same; given another seed, the day differs', () => {
  expect(JSON.stringify(coverDay(usual))).toBe(JSON.stringify(coverDay(usual)));
  expect(JSON.stringify(coverDay({ ...usual, seed: 8 }))).not.toBe(JSON.stringify(coverDay(usual)));
  expect(JSON.stringify(tinyDay(3))).toBe(JSON.stringify(tinyDay(3)));
  expect(JSON.stringify(hostileDays())).toBe(JSON.stringify(hostileDays()));
});

test('given any seed, a day names only its own people, books within availability and never double-books', () => {
  for (const hard of [false, true]) {
    for (let seed = 0; seed < 10; seed++) {
      const day = coverDay({ ...usual, seed, hard, now: seed % 2 ? '09:40' : null, groups: 0.1, pins: 2 });
      const therapists = new Map(day.therapists.map((t) => [t.id, t]));
      const clients = new Set(day.clients.map((c) => c.id));
      for (const a of day.absences) expect(therapists.has(a.who) || clients.has(a.who)).toBe(true);
      for (const c of day.clients)
        for (const id of [...Object.keys(c.knows ?? {}), ...(c.excludes ?? [])]) expect(therapists.has(id)).toBe(true);
      const booked = new Map<string, Interval[]>();
      for (const s of day.sessions) {
        expect(s.client === null).toBe(s.service === 'admin');
        if (s.client !== null) expect(clients.has(s.client)).toBe(true);
        if (s.therapist === null) continue;
        const window = windowOf(s);
        const hours = therapists.get(s.therapist)?.available ?? [];
        expect(hours.some(([start, end]) => contains(windowOf({ start, end }), window))).toBe(true);
        const others = booked.get(s.therapist) ?? [];
        expect(others.some((other) => overlaps(other, window))).toBe(false);
        booked.set(s.therapist, [...others, window]);
      }
    }
  }
});

test('given a clinic of any size, its day has a typical clinic’s load', () => {
  for (const [therapists, clients] of [
    [12, 12],
    [40, 45],
    [100, 110],
    [250, 270],
  ] as const) {
    const day = coverDay({ seed: 11, therapists, clients, absent: 0.1 });
    const direct = day.sessions.filter((s) => s.service === 'direct');
    expect(day.therapists).toHaveLength(therapists);
    expect(day.clients).toHaveLength(clients);
    expect(direct.length / therapists).toBeGreaterThan(1.2);
    expect(direct.length / therapists).toBeLessThan(2);
    expect(day.sessions.some((s) => s.service === 'admin')).toBe(true);
    expect(day.absences.length).toBeGreaterThan(1);
  }
});

test('given a request for double bookings and pins, the day contains both', () => {
  const day = coverDay({ ...usual, doubleBooked: 5, pins: 2 });
  const twice = day.sessions.some((a, i) =>
    day.sessions.some(
      (b, k) => k > i && a.therapist !== null && a.therapist === b.therapist && a.start < b.end && b.start < a.end,
    ),
  );
  expect(twice).toBe(true);
  expect(day.pins?.length).toBeGreaterThan(0);
});

test('given a thousand tiny days, each day is small enough, and together the days contain every feature', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 1000; seed++) {
    const day = tinyDay(seed);
    expect(day.therapists.length).toBeLessThanOrEqual(4);
    expect(day.sessions.filter((s) => s.service !== 'admin').length).toBeLessThanOrEqual(5);
    if (day.now) seen.add('now');
    if (day.pins?.length) seen.add('pins');
    for (const s of day.sessions) {
      expect(s.start < s.end).toBe(true);
      seen.add(s.service);
      if (s.therapist === null) seen.add('nobody');
      if (s.start.endsWith(':15') || s.end.endsWith(':45')) seen.add('odd quarter');
    }
    for (const c of day.clients) {
      if (c.knownOnly) seen.add('knownOnly');
      if (c.credentials) seen.add('credentials');
      if (c.priority && c.priority !== 100) seen.add('priority');
      if (c.requiresGender?.length) seen.add('gender');
      if (c.excludes?.length) seen.add('excludes');
      if (day.absences.some((a) => a.who === c.id)) seen.add('client away');
    }
  }
  expect([...seen].sort()).toEqual(
    [
      'admin',
      'client away',
      'credentials',
      'direct',
      'excludes',
      'gender',
      'knownOnly',
      'nobody',
      'now',
      'odd quarter',
      'parent-training',
      'pins',
      'priority',
      'supervision',
    ].sort(),
  );
});

test('given one seed, random numbers repeat, stay within their bounds and reach both bounds', () => {
  const [a, b] = [randomFrom(5), randomFrom(5)];
  const values = Array.from({ length: 500 }, () => a.int(2, 5));
  expect(values).toEqual(Array.from({ length: 500 }, () => b.int(2, 5)));
  expect(new Set(values)).toEqual(new Set([2, 3, 4, 5]));
  expect(
    randomFrom(1)
      .shuffle([1, 2, 3, 4])
      .sort((x, y) => x - y),
  ).toEqual([1, 2, 3, 4]);
  expect(() => randomFrom(1).pick([])).toThrow('nothing to pick from');
});

test('given a uniform day, all therapists have the same hours or one of two shifts, and sessions are within them', () => {
  expect(JSON.stringify(uniformDays(3))).toBe(JSON.stringify(uniformDays(3)));
  const options = { seed: 3, therapists: 20, spare: 2, away: 3, clientsAway: 1, knows: 8 };
  for (const shifts of [false, true]) {
    const day = uniformDay({ ...options, shifts });
    expect(day.clients).toHaveLength(18);
    expect(day.sessions).toHaveLength(36);
    expect(new Set(day.therapists.map((t) => JSON.stringify(t.available))).size).toBe(shifts ? 2 : 1);
    expect(day.absences).toHaveLength(4);
    for (const { knows = {} } of day.clients) expect(Object.keys(knows)).toHaveLength(8);
    const hours = new Map(day.therapists.map((t) => [t.id, t.available[0]!]));
    for (const s of day.sessions) {
      const [from, to] = hours.get(s.therapist ?? '')!;
      expect(from <= s.start && s.end <= to).toBe(true);
    }
  }
});
