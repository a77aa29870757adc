import { addDays, isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { saveAbsences } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { useApp } from '../../testing/use-app.ts';

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
