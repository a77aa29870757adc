import { Socket } from 'node:net';
import { addDays, isoDate } from '@clinic/domain';
import { expect, test, vi } from 'vitest';
import { saveAbsences } from '../../../testing/calls.ts';
import { buildCoverApp } from '../../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../../testing/small-clinic.ts';
import { useApp } from '../../../testing/use-app.ts';

const t = useApp(buildCoverApp, async () => {
  await buildSmallClinic(t.deps.db);
});

test('a request with too many dates or absences is refused, the refusal states the limit, and nothing is stored', async () => {
  const days = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ therapist: 'Kai Wood', date: addDays(isoDate('2031-01-06'), i) }));
  const dates = await saveAbsences(t.staff, days(15));
  expect(dates.statusCode).toBe(422);
  expect(dates.json()).toEqual({
    detail:
      'These absences fall on 15 dates. You can save absences for at most 14 dates at once. Nothing was saved. Save them in smaller groups.',
  });
  const many = await saveAbsences(
    t.staff,
    Array.from({ length: 201 }, () => ({ therapist: 'Kai Wood', date: DATE })),
  );
  expect(many.statusCode).toBe(422);
  expect(many.body).toContain('more than 200 absences in one request');
  const payload = { location: 'altamonte', dates: days(15).map((day) => day.date) };
  expect((await t.staff.call({ method: 'POST', url: '/api/proposals', payload })).statusCode).toBe(422);
  expect(await t.deps.db.selectFrom('absence').select('id').execute()).toEqual([]);
});

test('saving absences of three people takes no more statements than saving absences of one person', async () => {
  const names = ['Ana Ruiz', 'Kai Wood', 'Lin Park'];
  const statements = async (people: readonly string[], date: string): Promise<number> => {
    const absences = people.map((therapist) => ({ therapist, date }));
    const sent = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
    const reply = await saveAbsences(t.staff, absences);
    const count = sent.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    for (const spy of sent) spy.mockRestore();
    expect(reply.statusCode, reply.body).toBe(200);
    return count;
  };
  // The first save opens the connections.
  await statements(names, '2031-02-03');
  const one = await statements(names.slice(0, 1), '2031-02-04');
  expect(one).toBeGreaterThan(0);
  expect(await statements(names, '2031-02-05')).toBe(one);
});
