import { expect, test } from 'vitest';
import type { CallLine } from '@clinic/contract';
import { CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';

let t: SmallApp;
openForEachTest((small) => (t = small));

const { lineOf, list, post, answered } = new CallList(() => t.who);
const withoutDate = ({ say }: CallLine): string[] => say.map((each) => each.replace(/^\w+, [^:]*: /, ''));

/** Divides Bo's session: from 8:30 to 10:00 with Kai, then without a therapist until 11:30. */
async function halfCovered(): Promise<void> {
  const people = { ...ON, client: 'Bo Lee', subject: 'Direct Therapy' };
  const url = `/api/appointments/${t.clinic.boMorning}`;
  const payload = { ...people, therapist: 'Kai Wood', start: '08:30', end: '10:00' };
  const moved = await t.who.call({ method: 'PUT', url, payload });
  expect(moved.statusCode, moved.body).toBe(200);
  const rest = { ...people, therapist: 'Unassigned', start: '10:00', end: '11:30' };
  const booked = await t.who.call({ method: 'POST', url: '/api/appointments', payload: rest });
  expect(booked.statusCode, booked.body).toBe(201);
}

test('given a session that had no therapist from the start, when someone takes a part of it, the family is asked about the rest and can cancel it at once', async () => {
  await t.db.updateTable('appointment').set({ therapist_id: null }).where('id', '=', t.clinic.boMorning).execute();
  expect((await post('day-sheet', {})).statusCode).toBe(200);
  expect((await list()).lines).toEqual([]);
  await halfCovered();
  const line = await lineOf('Bo Lee');
  expect(withoutDate(line)).toEqual([
    'Bo is with Kai from 8:30 to 10:00.',
    'We have nobody for Bo from 10:00 to 11:30; shall we cancel it, or may we ring again by 9:00?',
  ]);
  expect(line).toMatchObject({ first: '08:30', ring_by: '09:00', waits_for: [] });
  expect(line.sessions.map(({ start, end, has_therapist }) => [start, end, has_therapist])).toEqual([
    ['08:30', '10:00', true],
    ['10:00', '11:30', false],
  ]);
  // Once told, the family is not called again about it.
  await answered('Bo Lee', 'told');
  expect((await list()).lines.map(({ name }) => name)).not.toContain('Bo Lee');
});
