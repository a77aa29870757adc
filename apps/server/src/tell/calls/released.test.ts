import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, explainFirst, propose } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

/**
 * Whoever was told that they are released may have gone home: for the solver, for the call list and for the reasons.
 * Joy has sessions at 8:00, 9:00 and 12:00, and loses the one at 9:00. It is 7:05 AM.
 */

const TODAY = '2026-11-20';
const t = useApp(fridayCoverApp, async ({ db }) => {
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const joy = await buildTherapist(db, { first: 'Joy', last: 'Bell' });
  const [bo, mo, ida] = [
    await buildClient(db, { first: 'Bo', last: 'Lee' }),
    await buildClient(db, { first: 'Mo', last: 'Diaz' }),
    await buildClient(db, { first: 'Ida', last: 'Fox' }),
  ];
  const book = (therapist: string, client: string, start: string, end: string) =>
    buildAppointment(db, { date: TODAY, therapist, client, start, end });
  await book(joy, mo, '08:00', '09:00');
  await book(joy, ida, '09:00', '11:00');
  await book(joy, mo, '12:00', '13:00');
  await book(ana, bo, '09:30', '10:30');
});

const calls = new CallList(() => t.staff, { location: 'altamonte', date: isoDate(TODAY) });

test('given someone who was told that they are released, then they are not in the building, and are asked to come back', async () => {
  await commitEveryone(t.staff, await propose(t.staff, { client: 'Ida Fox', date: TODAY }));
  expect((await calls.lineOf('Joy Bell')).say.join(' ')).toContain('You are released from 9:00 until 12:00.');
  await calls.told('Joy Bell');
  const plan = () => propose(t.staff, { therapist: 'Ana Ruiz', date: TODAY });
  const reasons = async () => explainFirst(t.staff, await plan(), TODAY, 'Bo Lee');
  const after = await reasons();
  expect(after.costs).toContain('Joy Bell has to be called for this, and is not in yet.');
  expect(JSON.stringify(after)).not.toContain('Already at work then.');
  await commitEveryone(t.staff, await plan());
  const line = await calls.lineOf('Joy Bell');
  expect([line.call, line.say[0]]).toEqual(['ask', 'Can you come in for Bo Lee from 9:30 to 10:30?']);
  expect((await calls.lineOf('Bo Lee')).after?.map(({ name }) => name)).toEqual(['Joy']);
});
