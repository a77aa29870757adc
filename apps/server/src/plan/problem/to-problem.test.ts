import { expect, test } from 'vitest';
import fc from 'fast-check';
import { buildModel, parseProblem } from '@clinic/cover-engine';
import { formatTime, isoDate, NO_CARE, overlaps, subtract, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAppointment, DayTherapist } from '../../day/facts/day.ts';
import { dayAppointment } from '../../testing/day-appointment.ts';
import { dayClient } from '../../testing/day-client.ts';
import { gridPieces, segmentsOf } from './segments.ts';
import { toProblem } from './to-problem.ts';

const DATE = isoDate('2030-11-22');
const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const win = (text: string): Interval => ({ start: at(text.slice(0, 5)), end: at(text.slice(6)) });

const therapist = (id: string, available = '08:00-17:00', more: Partial<DayTherapist> = {}): DayTherapist => ({
  id,
  firstName: id,
  displayName: id,
  location: 'altamonte',
  credential: 'RBT',
  gender: 'Female',
  deleted: false,
  notEmployed: null,
  freed: null,
  newHere: false,
  work: null,
  tags: [],
  available: available === '' ? [] : available.split(' ').map(win),
  ...more,
});
let keys = 0;
const session = (
  who: string | null,
  of: string | null,
  time: string,
  more: Partial<DayAppointment> = {},
): DayAppointment => dayAppointment({ key: `S${++keys}`, therapistId: who, clientId: of, ...win(time), ...more });
const absent = (who: string, time: string) => ({
  id: who,
  location: 'altamonte' as const,
  therapistId: who.startsWith('T') ? who : null,
  clientId: who.startsWith('C') ? who : null,
  ...win(time),
});
const day = (parts: Partial<ClinicDay>): ClinicDay => ({
  location: 'altamonte',
  date: DATE,
  version: 3,
  isDemo: false,
  therapists: [therapist('T1'), therapist('T2')],
  clients: [dayClient('C1'), dayClient('C2')],
  appointments: [],
  absences: [],
  weights: new Map(),
  declines: [],
  freeTold: new Map(),
  extra: [],
  ...parts,
});

test('appointments off the quarter hour are rounded outward for planning, and their pieces get the real minutes back', () => {
  const planned = toProblem(
    day({ appointments: [session('T1', 'C1', '08:35-11:20')], absences: [absent('T1', '00:00-24:00')] }),
    { now: null },
  );
  expect(planned.problem.sessions).toMatchObject([{ start: '08:30', end: '11:30' }]);
  const [s] = planned.sessions;
  if (!s) throw new Error('no session');
  const pieces = [
    { therapist: 'T2', start: '08:30', end: '10:00' },
    { therapist: null, start: '10:00', end: '11:30' },
  ];
  expect(segmentsOf(s, pieces).map((p) => [p.therapistId, formatTime(p.start), formatTime(p.end)])).toEqual([
    ['T2', '08:35', '10:00'],
    [null, '10:00', '11:20'],
  ]);
});

test('availability is rounded inward to quarter hours, and excludes sessions at other locations', () => {
  const planned = toProblem(
    day({
      therapists: [therapist('T1', '08:07-16:52'), therapist('T2', '08:00-17:00')],
      appointments: [
        session('T2', 'C1', '10:05-11:05', { location: 'tampa' }),
        session('T2', null, '12:00-13:00', { location: 'tampa' }),
      ],
    }),
    { now: null },
  );
  expect(planned.problem.therapists.map((t) => t.available)).toEqual([
    [['08:15', '16:45']],
    [
      ['08:00', '10:00'],
      ['11:15', '12:00'],
      ['13:00', '17:00'],
    ],
  ]);
  expect(planned.problem.sessions).toEqual([]);
});

test('a therapist from another location covers only between their first and last session here', () => {
  const guest = therapist('T2', '08:00-17:00', { location: 'tampa' });
  const planned = toProblem(
    day({
      therapists: [therapist('T1'), guest],
      appointments: [session('T2', 'C1', '09:00-10:00'), session('T2', 'C2', '11:00-12:00')],
    }),
    { now: null },
  );
  expect(planned.problem.therapists[1]?.available).toEqual([['09:00', '12:00']]);
});

test('cancelled, no-show and deleted appointments take up no time; administrative time becomes an admin session', () => {
  const none = (['cancelled', 'noshow', 'entered-in-error'] as const).map((status) =>
    session('T1', 'C1', '09:00-10:00', { status, occupies: false }),
  );
  const planned = toProblem(day({ appointments: [...none, session('T1', null, '13:00-14:00', { key: 'A' })] }), {
    now: null,
  });
  expect(planned.problem.sessions).toEqual([
    { id: 'A', client: null, therapist: 'T1', start: '13:00', end: '14:00', service: 'admin' },
  ]);
  expect(planned.sessions).toEqual([]);
});

test('a client’s priority in the problem counts the care that is open that day, also where someone else is wanted', () => {
  const care = { ...NO_CARE, booked: 1080 };
  const of = (who: Partial<ClinicDay>, unheld: readonly string[] = []) =>
    toProblem(
      day({
        clients: [dayClient('C1', { care }), dayClient('C2', { care })],
        appointments: [
          session('T1', 'C1', '09:00-11:00', { key: 'A' }),
          session('T2', 'C2', '09:00-11:00', { key: 'B' }),
        ],
        ...who,
      }),
      { now: at('09:30'), unheld },
    ).problem.clients.map(({ id, priority }) => [id, priority]);
  expect(of({})).toEqual([
    ['C1', 60],
    ['C2', 60],
  ]);
  const open = [
    ['C1', 180],
    ['C2', 60],
  ];
  expect(of({ absences: [absent('T1', '08:00-17:00')] })).toEqual(open);
  expect(of({}, ['A'])).toEqual(open);
});

test('a group becomes one session and one client, with all restrictions, the lowest familiarity and the sum of the priorities', () => {
  const group = { groupKey: 'G' };
  const members = [
    dayClient('C1', {
      priority: 150,
      excludesTherapist: ['T9'],
      needs: ['spanish', 'cpi'],
      knows: new Map([
        ['T1', 'team'],
        ['T2', 'known'],
      ]),
    }),
    dayClient('C2', {
      requiresGender: ['Female'],
      rbtOrAbove: true,
      needs: ['spanish'],
      prefers: ['pets'],
      knows: new Map([['T1', 'known']]),
    }),
  ];
  const appointments = members.map((c) => session('T1', c.id, '09:00-10:00', { ...group, key: `G-${c.id}` }));
  const planned = toProblem(day({ clients: members, appointments }), { now: null });
  expect(planned.problem.sessions).toMatchObject([{ id: 'G-C1', client: 'group:G-C1', therapist: 'T1' }]);
  expect(planned.problem.clients).toEqual([
    {
      id: 'group:G-C1',
      name: 'C1 and C2',
      priority: 250,
      requiresGender: ['Female'],
      excludes: ['T9'],
      knownOnly: false,
      credentials: ['RBT', 'BCBA'],
      knows: { T1: 'known' },
      needs: ['cpi', 'spanish'],
      prefers: ['pets'],
    },
  ]);
  // When one member is away, that member gets a session of their own and the group goes on.
  const apart = toProblem(day({ clients: members, appointments, absences: [absent('C2', '08:00-12:00')] }), {
    now: null,
  });
  expect(apart.problem.sessions.map((s) => s.client)).toEqual(['C1', 'C2']);
  // One member needs a female therapist, the other a male one, so no therapist may serve both.
  const torn = toProblem(
    day({ clients: [dayClient('C1', { requiresGender: ['Male'] }), members[1] ?? dayClient('C2')], appointments }),
    { now: null },
  );
  expect(torn.problem.clients[0]?.excludes).toEqual(['T1', 'T2']);
});

test('a 2:1 client has two sessions, and a client with the setting “care team only” accepts only the team', () => {
  const planned = toProblem(
    day({
      clients: [
        dayClient('C1', {
          twoToOne: true,
          careTeamOnly: true,
          knows: new Map([
            ['T1', 'team'],
            ['T2', 'known'],
          ]),
        }),
      ],
      appointments: [session('T1', 'C1', '09:00-10:00'), session('T2', 'C1', '09:00-10:00', { seat: 2 })],
    }),
    { now: null, extraTeam: new Map([['C1', new Set(['T3'])]]) },
  );
  expect(planned.problem.sessions).toHaveLength(2);
  expect(planned.problem.clients[0]).toMatchObject({
    knownOnly: true,
    excludes: ['T2'],
    knows: { T1: 'team', T2: 'known' },
  });
});

test('a therapist who covers a client on an earlier date counts as on the client’s team', () => {
  const appointments = [session('T1', 'C1', '09:00-10:00')];
  const planned = toProblem(day({ appointments }), { now: null, extraTeam: new Map([['C1', new Set(['T2'])]]) });
  expect(planned.problem.clients[0]?.knows).toEqual({ T2: 'team' });
});

test('time before 7:00 or after 19:00 is never covered, and a session that includes such time keeps its therapist', () => {
  const early = session('T1', 'C1', '06:30-08:00', { key: 'E' });
  const night = session('T1', 'C1', '19:00-20:00', { key: 'N' });
  const kinds = (absences: ClinicDay['absences'], now: number | null = null) => {
    const planned = toProblem(day({ appointments: [early, night], absences }), { now });
    return {
      pins: planned.problem.pins,
      fixed: planned.sessions.map((s) => s.fixed.map((f) => `${f.kind} ${formatTime(f.start)}-${formatTime(f.end)}`)),
    };
  };
  expect(kinds([])).toEqual({
    pins: [{ session: 'E', pieces: [{ therapist: 'T1', start: '07:00', end: '08:00' }] }],
    fixed: [['stays 06:30-07:00'], ['stays 19:00-20:00']],
  });
  expect(kinds([absent('T1', '00:00-24:00')])).toEqual({
    pins: [],
    fixed: [['open 06:30-07:00'], ['open 19:00-20:00']],
  });
  expect(kinds([absent('C1', '00:00-24:00')]).fixed).toEqual([
    ['cancel 06:30-07:00', 'cancel 07:00-08:00'],
    ['cancel 19:00-20:00'],
  ]);
  expect(kinds([], at('07:20')).fixed[0]).toEqual(['past 06:30-07:00', 'past 07:00-07:30']);
});

test('given time that a commit left unassigned, it goes to the original therapist if they are present, free and allowed to serve the client', () => {
  const open = (more: Partial<DayAppointment> = {}) =>
    session(null, 'C1', '09:00-11:00', { bookedTherapistId: 'T1', commitId: 'c', ...more });
  const whose = (parts: Partial<ClinicDay>, row = open()) =>
    toProblem(day({ ...parts, appointments: [row, ...(parts.appointments ?? [])] }), { now: null }).sessions[0]
      ?.therapistId;
  expect(whose({})).toBe('T1');
  expect(whose({ absences: [absent('T1', '00:00-10:00')] })).toBe('T1');
  expect(whose({ absences: [absent('T1', '00:00-24:00')] })).toBeNull();
  expect(whose({ appointments: [session('T1', 'C2', '10:00-12:00')] })).toBeNull();
  expect(whose({ appointments: [session('T1', 'C2', '10:00-12:00', { location: 'tampa' })] })).toBeNull();
  expect(whose({ clients: [dayClient('C1', { excludesTherapist: ['T1'] })] })).toBeNull();
  expect(whose({ clients: [dayClient('C1', { requiresGender: ['Male'] })] })).toBeNull();
  const above = [dayClient('C1', { rbtOrAbove: true })];
  expect(whose({ clients: above })).toBe('T1');
  expect(whose({ clients: above, therapists: [therapist('T1', '08:00-17:00', { credential: 'BT' })] })).toBeNull();
  expect(whose({}, open({ commitId: null }))).toBeNull();
});

test('a call counts as 1 if the therapist is in the building now or by the first change, and as 2 otherwise', () => {
  const calls = (now: number | null, absences = [absent('T1', '10:00-12:00')]) => {
    const planned = toProblem(
      day({
        therapists: ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map((id) => therapist(id)),
        appointments: [
          session('T1', 'C1', '10:00-12:00'),
          session('T2', 'C2', '09:00-10:00'),
          session('T3', null, '09:30-11:00'),
          session('T4', 'C2', '10:00-11:00'),
          session('T5', 'C2', '08:00-09:00', { location: 'tampa' }),
        ],
        absences,
      }),
      { now },
    );
    return planned.problem.therapists.map(({ id, call }) => `${id} ${call}`).join(', ');
  };
  expect(calls(null)).toBe('T1 2, T2 1, T3 1, T4 2, T5 2, T6 2');
  // At 10:00 the sessions of T1 and T4 have just begun, but T1 is away; at 9:45 neither has begun.
  expect(calls(at('09:45'))).toBe('T1 2, T2 1, T3 1, T4 2, T5 2, T6 2');
  expect(calls(at('10:00'))).toBe('T1 2, T2 1, T3 1, T4 1, T5 2, T6 2');
  // A therapist who is away for all of their booked time before the change is not in the building. A therapist who is
  // away for only part of that time is in the building.
  const away = (time: string) => [absent('T1', '10:00-12:00'), absent('T3', time)];
  expect(calls(null, away('08:00-10:00'))).toBe('T1 2, T2 1, T3 2, T4 2, T5 2, T6 2');
  expect(calls(null, away('08:00-09:45'))).toBe('T1 2, T2 1, T3 1, T4 2, T5 2, T6 2');
});

// Random days. On each of them, the parts of sessions must match the engine's, and must not overlap in real minutes.
const times = fc
  .tuple(fc.integer({ min: 360, max: 1180 }), fc.integer({ min: 5, max: 240 }))
  .map(([start, long]) => ({ start, end: Math.min(1290, start + long) }));
const quarters = fc
  .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 30 }))
  .map(([q, n]) => ({ start: q * 15, end: Math.min(1440, (q + n) * 15) }));
const person = (letter: string) => fc.integer({ min: 1, max: 4 }).map((n) => `${letter}${n}`);
const randomDay = fc
  .record({
    sessions: fc.array(fc.tuple(fc.option(person('T'), { freq: 8 }), person('C'), times), { maxLength: 12 }),
    absences: fc.array(fc.tuple(fc.oneof(person('T'), person('C')), quarters), { maxLength: 5 }),
    now: fc.option(fc.integer({ min: 300, max: 1200 })),
  })
  .map(({ sessions, absences, now }) => ({
    now,
    day: day({
      therapists: ['T1', 'T2', 'T3', 'T4'].map((id) => therapist(id, '07:00-19:00')),
      clients: ['C1', 'C2', 'C3', 'C4'].map((id) => dayClient(id)),
      appointments: sessions.map(([t, c, w], i) => session(t, c, '08:00-09:00', { ...w, key: `S${i}` })),
      absences: absences.map(([who, w]) => ({ ...absent(who, '08:00-09:00'), ...w })),
    }),
  }));

test('on random days, the problem can be parsed, and its parts match the engine’s', () => {
  fc.assert(
    fc.property(randomDay, ({ day: d, now }) => {
      const planned = toProblem(d, { now });
      const parsed = parseProblem(planned.problem);
      expect(parsed.ok, JSON.stringify(parsed)).toBe(true);
      const model = buildModel(planned.problem);
      const theirs = model.parts.map((p) => [p.session.id, 420 + p.from * 15, 420 + p.to * 15, p.affected]);
      const ours = planned.sessions.flatMap((s) => s.parts.map((p) => [s.id, p.start, p.end, p.affected]));
      expect(ours.map((p) => JSON.stringify(p)).sort()).toEqual(theirs.map((p) => JSON.stringify(p)).sort());
    }),
    { numRuns: 500 },
  );
});

test('on random days, a session’s parts fill it exactly, and parts that do not overlap on the grid do not overlap in real minutes', () => {
  fc.assert(
    fc.property(randomDay, ({ day: d, now }) => {
      const planned = toProblem(d, { now });
      const stretches = planned.sessions.map((s) => ({
        s,
        real: segmentsOf(s, undefined),
        grid: gridPieces(s, undefined),
      }));
      for (const { s, real } of stretches) {
        expect(real.reduce((n, r) => n + r.end - r.start, 0)).toBe(s.end - s.start);
        expect(subtract([s], real)).toEqual([]);
      }
      for (const a of stretches)
        for (const b of stretches) {
          if (a === b) continue;
          const grids = a.grid.some((x) => b.grid.some((y) => overlaps(x, y)));
          const inside = (list: Interval[], of: Interval[]) => list.filter((r) => of.some((g) => overlaps(r, g)));
          const reals = inside(a.real, a.grid).some((x) =>
            inside(b.real, b.grid).some(
              (y) => overlaps(x, y) && x.start >= 420 && y.start >= 420 && x.end <= 1140 && y.end <= 1140,
            ),
          );
          if (!grids) expect(reals).toBe(false);
        }
    }),
    { numRuns: 500 },
  );
});

test('given someone who was told that they are released, then they are not in the building, nor available within the hour', () => {
  const appointments = [
    session('T1', 'C1', '08:00-09:00'),
    session('T1', 'C1', '13:00-14:00'),
    session('T2', 'C2', '09:30-10:30'),
  ];
  const absences = [absent('T2', '00:00-24:00')];
  const seen = (released: string, standBy: string[] = []) => {
    const freeTold = new Map([['T1', { released: [win(released)], standBy: standBy.map(win) }]]);
    const { problem } = toProblem(day({ appointments, absences, freeTold }), { now: at('09:00') });
    const [first] = problem.therapists;
    return { call: first?.call, available: first?.available };
  };
  const always = [['08:00', '17:00']];
  const fromTen = [
    ['08:00', '09:00'],
    ['10:00', '17:00'],
  ];
  expect(seen('09:00-13:00')).toEqual({ call: 2, available: fromTen });
  expect(seen('09:00-13:00', ['08:00-09:00'])).toEqual({ call: 2, available: fromTen });
  expect(seen('14:00-24:00')).toEqual({ call: 1, available: always });
  expect(seen('14:00-24:00', ['09:00-13:00'])).toEqual({ call: 1, available: always });
});
