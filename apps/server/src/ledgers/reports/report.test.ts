// This file is over 250 lines because its recount needs every kind of session, absence and loss.
import fc from 'fast-check';
import { addDays, isoDate, type IsoDate, type LossSide } from '@clinic/domain';
import { expect, test } from 'vitest';
import type { ReportBy } from '@clinic/contract';
import type { CareNow, CareSession } from '../count/care-hours.ts';
import { countSessions } from '../count/count-sessions.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import { coverLoad, groupHours, median, workedBy } from './report.ts';
import { repeats } from '../../reliability/testing/doses.ts';

const MONDAY = isoDate('2026-11-16');
type Absence = DayAbsence & { date: IsoDate };

const dates = fc.integer({ min: 0, max: 2 }).map((days) => addDays(MONDAY, days));
const window = fc
  .tuple(fc.integer({ min: 84, max: 220 }), fc.integer({ min: 1, max: 40 }))
  .map(([start, length]) => ({ start: start * 5, end: Math.min(1140, (start + length) * 5) }));
const loss = fc.option(
  fc.record({
    cause: fc.constantFrom('sick', 'weather', null),
    lostBy: fc.constantFrom<LossSide | null>('clinic', null),
    known: fc.constantFrom('2026-11-10 08:00:00', '2026-11-17 06:00:00', null),
  }),
  { nil: undefined },
);
const lossOf = (said: { cause: string | null; lostBy: LossSide | null; known: string | null } | undefined) =>
  said === undefined ? {} : { loss: { ...said, label: said.cause, saidBy: said.lostBy } };

const sessions: fc.Arbitrary<CareSession[]> = fc
  .array(
    fc
      .record({
        date: dates,
        location: fc.constantFrom('altamonte', 'tampa'),
        window,
        clientId: fc.constantFrom('C1', 'C2', 'C3'),
        therapistId: fc.constantFrom('T1', 'T2', null),
        parentId: fc.constant(null),
        bookedTherapistId: fc.constantFrom('T1', 'T2', null),
        status: fc.constantFrom('booked', 'fulfilled', 'cancelled', 'noshow'),
        subject: fc.constantFrom('Direct Therapy', 'Make-up session', '97155 Protocol', '97156 Parents'),
        declinedBy: fc.constantFrom<(LossSide | undefined)[]>(undefined, undefined, 'therapist', 'family'),
        loss,
      })
      .map(({ window: { start, end }, loss: said, status, declinedBy, ...rest }) => {
        const occupies = status === 'booked' || status === 'fulfilled';
        const own = occupies ? {} : lossOf(said);
        return {
          ...rest,
          key: '',
          service: 'direct' as const,
          start,
          end,
          status,
          occupies,
          ...(declinedBy === undefined ? {} : { declined: 'said no', declinedBy }),
          ...own,
        };
      }),
    // Only one session in six is kept, and billing rounds only those of one client and day together.
    { maxLength: 60, size: 'max' },
  )
  .map((list) => list.map((session, i): CareSession => ({ ...session, key: `A${i}` })));
const absences: fc.Arbitrary<Absence[]> = fc.array(
  fc
    .record({ date: dates, window, who: fc.constantFrom('T1', 'T2', 'C1', 'C2'), loss })
    .map(({ date, window: { start, end }, who, loss: said }) => {
      const person = who.startsWith('T') ? { therapistId: who, clientId: null } : { therapistId: null, clientId: who };
      return { id: '', location: 'altamonte' as const, date, start, end, ...person, ...lossOf(said) };
    }),
  { maxLength: 12 },
);
const now: fc.Arbitrary<CareNow> = fc.record({
  date: dates,
  cut: fc.option(fc.integer({ min: 420, max: 1140 }), { nil: null }),
});

/** When an absence begins to take time from a session. */
const from = (absence: Absence, session: CareSession): number => Math.max(absence.start, session.start);

/** Counts minute by minute, without intervals, as a reader of the rules would with pencil and paper. */
function recount(list: readonly CareSession[], away: readonly Absence[], at: CareNow, together: Set<string>) {
  const keptAt = new Set<string>();
  const total = { booked: 0, kept: 0, lost: 0, open: 0, covered: 0, made_up: 0 };
  const causes = new Map<string, number>();
  const sides = new Map<string, number>();
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  for (const session of list) {
    for (let minute = session.start; minute < session.end; minute++) {
      total.booked++;
      const here = away.filter((a) => a.date === session.date && a.start <= minute && minute < a.end);
      const ofClient = here.filter((a) => a.clientId === session.clientId);
      const ofTherapist = here.filter(
        (a) => a.therapistId !== null && [session.therapistId, session.bookedTherapistId].includes(a.therapistId),
      );
      const therapistHere =
        session.therapistId !== null &&
        session.declined === undefined &&
        !here.some((a) => a.therapistId === session.therapistId);
      const past =
        session.date < at.date || (session.date === at.date && at.cut !== null && minute < Math.ceil(at.cut / 15) * 15);
      if (session.occupies && ofClient.length === 0 && therapistHere) {
        total.kept++;
        keptAt.add(`${session.key} ${minute}`);
        if (session.bookedTherapistId !== null && session.bookedTherapistId !== session.therapistId) total.covered++;
        if (session.subject.startsWith('Make')) total.made_up++;
      } else if (session.occupies && ofClient.length === 0 && !past) total.open++;
      else {
        total.lost++;
        const own = !session.occupies && session.loss?.cause != null ? session.loss : undefined;
        const touching = away.filter(
          (a) =>
            a.date === session.date &&
            a.clientId === session.clientId &&
            a.start < session.end &&
            session.start < a.end,
        );
        const withCause = touching.filter((a) => a.loss?.cause != null);
        const whole = session.occupies ? undefined : withCause.sort((a, b) => from(a, session) - from(b, session))[0];
        const absence = whole ?? ofClient[0] ?? (session.occupies ? ofTherapist[0] : undefined);
        const said = own ?? (absence ? absence.loss : session.loss);
        const side = own ? 'family' : absence ? (absence.clientId === null ? 'therapist' : 'family') : null;
        count(causes, said?.cause ?? '');
        count(sides, said?.lostBy ?? side ?? (session.occupies ? (session.declinedBy ?? 'clinic') : 'family'));
      }
    }
  }
  return { total: { ...total, billable: recountBillable(list, keptAt, together) }, causes, sides };
}

const codeIn = (subject: string): string => (/^9715\d/.exec(subject) ?? ['97153'])[0];

/**
 * Counts each kept minute once for each session that may be billed for it, in whole units for each client, date and
 * code.
 */
function recountBillable(list: readonly CareSession[], keptAt: ReadonlySet<string>, together: Set<string>): number {
  const inOrder = [...list].sort((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1));
  const minutes = new Map<string, number>();
  for (const client of ['C1', 'C2', 'C3'])
    for (const date of new Set(list.map((each) => each.date)))
      for (let minute = 420; minute < 1140; minute++) {
        const billing: string[] = [];
        for (const { key, clientId, date: on, subject } of inOrder) {
          if (clientId !== client || on !== date || !keptAt.has(`${key} ${minute}`)) continue;
          const code = codeIn(subject);
          if (billing.every((other) => together.has([other, code].sort().join()))) billing.push(code);
        }
        for (const code of billing) {
          const of = `${client} ${date} ${code}`;
          minutes.set(of, (minutes.get(of) ?? 0) + 1);
        }
      }
  return [...minutes.values()].reduce((sum, n) => sum + 15 * (Math.floor(n / 15) + (n % 15 > 7 ? 1 : 0)), 0);
}

const codes = fc.constantFrom('97153', '97155', '97156');
const pairs = fc.array(
  fc.tuple(codes, codes).map((pair) => pair.sort().join()),
  { maxLength: 4 },
);

test('a report agrees with an independent count minute by minute, and every grouping adds up to the total', () => {
  fc.assert(
    fc.property(sessions, absences, now, pairs, (list, away, at, allowed) => {
      const together = new Set(allowed);
      const counted = countSessions(list, away, () => at, {
        together: (_, a, b) => together.has([a, b].sort().join()),
        silent: [],
      });
      const expected = recount(list, away, at, together);
      const [total] = groupHours(counted, 'total');
      if (list.length > 0) expect(total?.hours).toMatchObject(expected.total);
      for (const by of ['location', 'client', 'therapist', 'weekday', 'day'] as const) {
        const sum = (of: 'booked' | 'kept' | 'billable' | 'lost' | 'open') =>
          groupHours(counted, by).reduce((all, group) => all + group.hours[of], 0);
        expect([sum('booked'), sum('kept'), sum('billable'), sum('lost'), sum('open')]).toEqual([
          expected.total.booked,
          expected.total.kept,
          expected.total.billable,
          expected.total.lost,
          expected.total.open,
        ]);
      }
      const lost = (by: 'cause' | 'side') => new Map(groupHours(counted, by).map((g) => [g.key, g.hours.lost]));
      expect(lost('cause')).toEqual(expected.causes);
      expect(lost('side')).toEqual(expected.sides);
    }),
    { numRuns: repeats(150) },
  );
});

const COVERED: CareSession = {
  key: 'A',
  parentId: null,
  location: 'altamonte',
  date: MONDAY,
  start: 540,
  end: 600,
  clientId: 'C1',
  subject: 'x',
  therapistId: 'T1',
  bookedTherapistId: 'T2',
  service: 'direct',
  status: 'booked',
  occupies: true,
};

test('given a group of three children, then the hours count once for each child, and once for the therapist', () => {
  const children = ['C1', 'C2', 'C3'].map((clientId) => ({ ...COVERED, key: clientId, clientId }));
  const later = { ...COVERED, key: 'later', start: 660, end: 690 };
  const counted = countSessions([...children, later], [], () => ({ date: MONDAY, cut: null }));
  expect(groupHours(counted, 'therapist')[0]?.hours).toMatchObject({ kept: 210, covered: 210 });
  expect([...workedBy(counted)]).toEqual([['T1', 90]]);
  expect([...coverLoad(counted, ['T1'])]).toEqual([['T1', 90]]);
});

test('given a session that a plan split between two therapists, then it counts once in the total, and once for each therapist', () => {
  const piece = { ...COVERED, key: 'B', parentId: 'A', start: 600, end: 630, therapistId: 'T3' };
  const counted = countSessions([COVERED, piece], [], () => ({ date: MONDAY, cut: null }));
  const sessionsBy = (by: ReportBy) => groupHours(counted, by).map(({ key, sessions: count }) => [key, count]);
  expect(sessionsBy('total')).toEqual([['', 1]]);
  expect(sessionsBy('client')).toEqual([['C1', 1]]);
  expect(sessionsBy('therapist')).toEqual([
    ['T1', 1],
    ['T3', 1],
  ]);
});

test('the cover load includes therapists who gave no cover, and a median can be the mean of the two middle values', () => {
  const counted = countSessions([COVERED], [], () => ({ date: MONDAY, cut: null }));
  const load = coverLoad(counted, ['T1', 'T2', 'T3']);
  expect([...load]).toEqual([
    ['T1', 60],
    ['T2', 0],
    ['T3', 0],
  ]);
  expect(median([0, 0, 60])).toBe(0);
  expect(median([10, 20])).toBe(15);
  expect(median([45, 60])).toBe(53); // the median is rounded, so that no text says `52.5 min`
  expect(median([])).toBe(0);
});

test('given an absence with a cause during only part of a no-show, then the cause explains all of its time, and without a cause none of it', () => {
  const noShow: CareSession = { ...COVERED, status: 'noshow', occupies: false };
  const away = (cause: string | null): Absence[] => [
    {
      ...{ id: '', location: 'altamonte', date: MONDAY, start: 570, end: 720, clientId: 'C1', therapistId: null },
      ...lossOf({ cause, lostBy: null, known: null }),
    },
  ];
  const lost = (cause: string | null) =>
    groupHours(
      countSessions([noShow], away(cause), () => ({ date: MONDAY, cut: null })),
      'cause',
    ).map(({ key, hours }) => [key, hours.lost]);
  expect(lost('sick')).toEqual([['sick', 60]]);
  expect(lost(null)).toEqual([['', 60]]);
});
