import { expect, test } from 'vitest';
import { awayWindows, uncoveredOf, type Coverable } from './uncovered.ts';

const session: Coverable = {
  start: 510,
  end: 690,
  clientId: 'C1',
  therapistId: 'T1',
  service: 'direct',
  occupies: true,
};
const away = (list: [string, number, number][]) =>
  awayWindows({
    absences: list.map(([who, start, end], i) => ({
      id: String(i),
      location: 'altamonte',
      therapistId: who.startsWith('T') ? who : null,
      clientId: who.startsWith('C') ? who : null,
      start,
      end,
    })),
  });

test('given a session with its therapist and client present, no time needs cover', () => {
  expect(
    uncoveredOf(
      session,
      away([
        ['T2', 0, 1440],
        ['C2', 0, 1440],
      ]),
      null,
    ),
  ).toEqual([]);
});

test('an absent therapist’s time needs cover, and so does a whole session without a therapist', () => {
  expect(
    uncoveredOf(
      session,
      away([
        ['T1', 0, 540],
        ['T1', 600, 630],
      ]),
      null,
    ),
  ).toEqual([
    { start: 510, end: 540 },
    { start: 600, end: 630 },
  ]);
  expect(uncoveredOf({ ...session, therapistId: null }, away([]), null)).toEqual([{ start: 510, end: 690 }]);
});

test('given an absent client, the time of the absence needs no cover', () => {
  expect(
    uncoveredOf(
      session,
      away([
        ['T1', 0, 1440],
        ['C1', 540, 600],
      ]),
      null,
    ),
  ).toEqual([
    { start: 510, end: 540 },
    { start: 600, end: 690 },
  ]);
  expect(uncoveredOf({ ...session, therapistId: null }, away([['C1', 0, 1440]]), null)).toEqual([]);
});

test('past time needs no cover, and the current time is rounded up to a quarter hour', () => {
  expect(uncoveredOf(session, away([['T1', 0, 1440]]), 601)).toEqual([{ start: 615, end: 690 }]);
  expect(uncoveredOf(session, away([['T1', 0, 1440]]), 700)).toEqual([]);
});

test('administrative and cancelled time needs no cover', () => {
  expect(uncoveredOf({ ...session, occupies: false }, away([['T1', 0, 1440]]), null)).toEqual([]);
  expect(uncoveredOf({ ...session, service: 'admin', clientId: null }, away([['T1', 0, 1440]]), null)).toEqual([]);
});
