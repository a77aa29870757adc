import { expect, test } from 'vitest';
import type { PlannedSession } from './planned-day.ts';
import { changedSince } from './stale.ts';

const names = { ana: 'Ana Ruiz', kai: 'Kai Wood' };

/** Bo Watkins' session, or a piece of it, in hours. */
function session(id: string, start: number, end: number, therapistId: string | null, root?: string): PlannedSession {
  const times = { start: start * 60, end: end * 60 };
  const row = { key: id, wireId: id, clientId: 'bo', therapistId, subject: 'Direct Therapy', seat: 1, ...times };
  return {
    id,
    listedAs: 'Bo Watkins',
    problemClient: 'bo',
    service: 'direct',
    rows: [root === undefined ? row : { ...row, root }],
    therapistId,
    grid: times,
    parts: [{ ...times, affected: true }],
    fixed: [],
    ...times,
  };
}
const why = (...sessions: PlannedSession[]) => changedSince(session('one', 8, 11, 'ana'), { sessions, names });

test('given a session that another plan divided, the refusal says who has each piece, and does not say that it was moved', () => {
  expect(why(session('two', 9, 11, 'kai', 'one'), session('one', 8, 9, null))).toBe(
    'Bo Watkins’ session was divided: 8:00 AM - 9:00 AM has no therapist and 9:00 AM - 11:00 AM is with Kai Wood.',
  );
});

test('given a session that was moved, given to someone else or taken off the calendar, the refusal says so', () => {
  expect(why(session('one', 8, 11, 'ana'))).toBeNull();
  expect(why(session('one', 9, 12, 'ana'))).toBe('Bo Watkins’ session was moved to 9:00 AM - 12:00 PM.');
  expect(why(session('one', 9, 12, 'ana'), session('two', 8, 9, 'kai', 'one'))).toBe(
    'Bo Watkins’ session was moved to 9:00 AM - 12:00 PM.',
  );
  expect(why(session('one', 8, 11, 'kai'))).toBe('Bo Watkins’ session is now with Kai Wood.');
  expect(why(session('one', 8, 11, null))).toBe('Bo Watkins’ session is now without a therapist.');
  expect(why()).toBe('Bo Watkins’ session is no longer on the calendar as it was.');
});
