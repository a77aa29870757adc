import { expect, test } from 'vitest';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, propose, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp, async ({ db }) => {
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const tags: [string, string | null, string | null][] = [['SPANISH', '2026-12-02', '2026-12-03']];
  await buildTherapist(db, { first: 'Kai', last: 'Wood', tags });
  await buildTherapist(db, { first: 'Lou', last: 'Vance' });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee', needs: ['Spanish'] });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz', prefers: ['Spanish'] });
  for (const date of ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04'])
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  await buildAppointment(db, { therapist: ana, client: mo, date: '2026-12-03', start: '12:00', end: '13:00' });
});

const planFor = (date: string) => propose(t.staff, { therapist: 'Ana Ruiz', date });

test.each([
  ['2026-12-01', 'Unassigned', 'the day before the skill'],
  ['2026-12-02', 'Kai Wood', 'its first day'],
  ['2026-12-03', 'Kai Wood', 'its last day'],
  ['2026-12-04', 'Unassigned', 'the day after it'],
])(
  'given a client who must have a therapist who speaks Spanish, the session on %s goes to %s (%s)',
  async (date, therapist) => {
    expect(takersOf(await planFor(date), date, 'Bo Lee')).toEqual([therapist]);
  },
);

test('given a client who prefers a therapist who speaks Spanish, such a therapist is chosen, and the reasons say so', async () => {
  const date = '2026-12-03';
  const reply = await planFor(date);
  expect(takersOf(reply, date, 'Mo Diaz')).toEqual(['Kai Wood']);
  expect(JSON.stringify(await explainFirst(t.staff, reply, date, 'Mo Diaz'))).toContain(
    'Has what Mo Diaz does best with: Spanish.',
  );
  expect(JSON.stringify(await explainFirst(t.staff, reply, date, 'Bo Lee'))).toContain(
    'Has what Bo Lee needs: Spanish.',
  );
});

test('given no therapist with the tag that a client needs, the reasons say so, and count every therapist once', async () => {
  const date = '2026-12-01';
  const why = await explainFirst(t.staff, await planFor(date), date, 'Bo Lee');
  expect([why.therapists, why.excluded.map(({ reason, count }) => [reason, count])]).toEqual([
    3,
    [
      ['1 is away', 1],
      ['2 do not have what Bo Lee needs: Spanish', 2],
    ],
  ]);
});
