import { expect, test } from 'vitest';
import type { WireAppointment } from '@clinic/contract';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, saveAbsences, solveDay } from '../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let t: SmallApp;
openForEachTest((small) => (t = small));

const { lineOf, post } = new CallList(() => t.who);
const withoutDate = (say: readonly string[]): string => say.join(' ').replace(/^\w+, [^:]*: /, '');

/** Extends Bo's session with Ana to 12:00, after the day sheet has told everyone that it ends at 11:30. */
async function longer(): Promise<void> {
  expect((await post('day-sheet', {})).statusCode).toBe(200);
  const people = { ...ON, client: 'Bo Lee', therapist: 'Ana Ruiz', subject: 'Direct Therapy' };
  const payload = { ...people, start: '08:30', end: '12:00' };
  const reply = await t.who.call({ method: 'PUT', url: `/api/appointments/${t.clinic.boMorning}`, payload });
  expect(reply.json<WireAppointment>().key, reply.body).toBe(t.clinic.boMorning);
}

test('given a family whose session has changed, if its therapist is then away, the line waits for a plan, and the plan covers the whole session', async () => {
  await longer();
  // The family already knows this time, so the line is not about it.
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '09:00', end: '10:00' }]);
  expect((await lineOf('Bo Lee')).waits_for).toEqual([]);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE }]);
  const before = await lineOf('Bo Lee');
  expect(withoutDate(before.say)).toMatch(/^We have nobody for Bo from 11:30 to 12:00;/);
  expect(before.waits_for).toEqual(['Ana Ruiz is away']);
  await commitEveryone(t.who, await solveDay(t.who));
  const after = await lineOf('Bo Lee');
  expect([withoutDate(after.say), after.waits_for]).toEqual([
    'Bo is with Kai from 8:30 to 12:00 instead of Ana from 8:30 to 11:30.',
    [],
  ]);
});

test('given a plan that found no one, then the family is called about the whole session, and the line no longer waits', async () => {
  await longer();
  const all = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'];
  await saveAbsences(
    t.who,
    all.map((therapist) => ({ therapist, date: DATE })),
  );
  await commitEveryone(t.who, await solveDay(t.who));
  const { say, waits_for } = await lineOf('Bo Lee');
  expect([withoutDate(say), waits_for]).toEqual([
    expect.stringMatching(/^We have nobody for Bo from 8:30 to 12:00;/),
    [],
  ]);
});
