import { expect, test } from 'vitest';
import type { WireAppointment } from '@clinic/contract';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, propose } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { OneDay } from '../../testing/one-day.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);

test('given a child with two therapists, if one is away without a substitute, the family is told who still comes', async () => {
  const day = new OneDay(t.db, '2030-12-05', 'Lund');
  for (const first of ['Ana', 'Lin']) await day.therapist(first);
  await day.client('Bo', { twoToOne: true });
  const keys: string[] = [];
  for (const first of ['Ana', 'Lin']) {
    const people = { client: day.name('Bo'), therapist: day.name(first), subject: 'Direct Therapy' };
    const payload = { ...day.on, ...people, start: '09:00', end: '11:00', anyway: true };
    const reply = await t.staff.call({ method: 'POST', url: '/api/appointments', payload });
    expect(reply.statusCode, reply.body).toBe(201);
    keys.push(reply.json<WireAppointment[]>()[0]?.key ?? '');
  }
  const { list, lineOf } = new CallList(() => t.staff, day.on);
  await t.staff.call({ method: 'POST', url: '/api/calls/day-sheet', payload: day.on });
  await commitEveryone(t.staff, await propose(t.staff, { therapist: day.name('Ana'), date: day.on.date }));
  expect((await list()).lines.map(({ name }) => name)).toEqual(['Bo Lund']);
  const { say, sessions } = await lineOf('Bo Lund');
  expect(say.map((each) => each.replace(/^\w+, [^:]*: /, ''))).toEqual([
    'We have only Lin for Bo from 9:00 to 11:00; shall we cancel it, or may we ring again by 8:00?',
  ]);
  expect(sessions.map(({ key, has_therapist }) => [key, has_therapist])).toEqual([[keys[0], false]]);
});
