import { expect, test } from 'vitest';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { useDesk, type Refused } from '../testing/desk.ts';

const desk = useDesk();

test('a booking that the calendar would mark as wrong is asked about before it is saved, and marked as before once it is', async () => {
  const { db } = desk;
  const shy = await buildClient(db, { first: 'Shy', last: 'Child' });
  await db.updateTable('client').set({ care_team_only: true }).where('id', '=', shy).execute();
  await buildClient(db, { first: 'Far', last: 'Child', location: 'tampa' });
  await buildTherapist(db, { first: 'Day', last: 'Worker', windows: [[1, '09:00', '17:00']] });
  await buildTherapist(db, { first: 'No', last: 'Windows', windows: [] });
  const wrong: [object, string, string][] = [
    [{ client: 'Shy Child', therapist: 'Day Worker', start: '09:00' }, 'sees only familiar people', 'new to a client'],
    [{ therapist: 'Day Worker', start: '09:00', subject: 'Supervision' }, 'needs a BCBA', 'not a BCBA'],
    [
      { therapist: 'Day Worker', end: '09:30' },
      'is not in Day Worker’s availability',
      'outside the therapist’s availability',
    ],
    [{ client: 'admin', therapist: 'Day Worker', date: '2026-11-24', subject: 'Notes' }, 'availability', 'outside'],
    [{ client: 'Far Child', start: '12:00', end: '13:00' }, 'Far Child’s location is Tampa', 'another location'],
  ];
  for (const [more, why, history] of wrong) {
    const refused = await desk.post(desk.session(more));
    expect([refused.statusCode, refused.json<Refused>().detail]).toEqual([
      409,
      expect.objectContaining({ anyway: true, message: expect.stringContaining(why) as unknown }),
    ]);
    const { key } = await desk.booked({ ...more, anyway: true });
    expect((await desk.historyOf(key))[0]?.reason).toContain(history);
    await desk.cancel(key);
  }
  await desk.booked({ therapist: 'No Windows', start: '20:00', end: '21:00' });
});

test('given a booking that is refused in any case, then nobody is asked before whether to book it anyway', async () => {
  await buildTherapist(desk.db, { first: 'Day', last: 'Late', windows: [[1, '09:00', '17:00']] });
  const evening = { therapist: 'Day Late', start: '18:00', end: '19:00' };
  await buildClient(desk.db, { first: 'Other', last: 'Child' });
  await desk.booked({ ...evening, anyway: true });
  const { key } = await desk.booked({ client: 'Other Child' });
  const booking = desk.session({ ...evening, client: 'Other Child' });
  for (const reply of [await desk.post(booking), await desk.put(key, booking)]) {
    expect([reply.statusCode, reply.json<Refused>().detail.conflicts.length]).toEqual([409, 1]);
    expect(reply.json<Refused>().detail).not.toHaveProperty('anyway');
  }
});
