import { dayOfWeek, isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { propose } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);

const therapist = (first: string, last: string, date: string, from = '08:00', specialization: 'BCBA' | 'RBT' = 'RBT') =>
  buildTherapist(t.db, {
    first,
    last,
    specialization,
    windows: [[dayOfWeek(isoDate(date)), from, '17:00', date, date]],
  });

const notes = ({ data }: ProposalReply, date: string, client: string): unknown[] =>
  Object.entries(data[date]?.[client]?.['Option 1'] ?? {}).map(([slot, cell]) => [slot, cell.therapist, cell.note]);

test('given a supervision that only a BCBA whom the child has not met can take, then they take it and the cell says so', async () => {
  const date = '2030-12-05';
  const [ana] = [await therapist('Ana', 'Note', date, '08:00', 'BCBA')];
  await therapist('Kai', 'Note', date, '08:00', 'BCBA');
  const client = await buildClient(t.db, { first: 'Bo', last: 'Note' });
  await buildAppointment(t.db, { therapist: ana, client, date, start: '10:00', end: '11:00', service: 'supervision' });
  const reply = await propose(t.staff, { therapist: 'Ana Note', date });
  expect(notes(reply, date, 'Bo Note')).toEqual([['10:00 AM - 11:00 AM', 'Kai Note', 'has not met Bo Note']]);
});

test('given a session whose only substitute comes a quarter of an hour later, then its cell says that it starts late', async () => {
  const date = '2030-12-06';
  const ana = await therapist('Ana', 'Late', date);
  await therapist('Kai', 'Late', date, '09:15');
  const client = await buildClient(t.db, { first: 'Bo', last: 'Late' });
  await buildAppointment(t.db, { therapist: ana, client, date, start: '09:00', end: '11:00' });
  const reply = await propose(t.staff, { therapist: 'Ana Late', date });
  expect(notes(reply, date, 'Bo Late')).toEqual([
    ['9:00 AM - 9:15 AM', 'Unassigned', 'starts 15 min late'],
    ['9:15 AM - 11:00 AM', 'Kai Late', undefined],
  ]);
});
