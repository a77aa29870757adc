import { expect, test } from 'vitest';
import type { ReportReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2030-11-21T12:30:00Z') } } }));

test('given a cause that is reworded, then past records and reports have the new word, and the audit trail has both', async () => {
  const admin = await t.signIn({ role: 'admin' });
  const client = await buildClient(t.db, { first: 'Ola', last: 'Past' });
  const therapist = await buildTherapist(t.db);
  const lost = {
    client,
    therapist,
    date: '2030-11-18',
    start: '07:00',
    end: '08:00',
    status: 'cancelled',
  } as const;
  const key = await buildAppointment(t.db, lost);
  expect(
    (await t.staff.call({ method: 'PUT', url: `/api/appointments/${key}/cause`, payload: { cause: 'sick' } }))
      .statusCode,
  ).toBe(204);
  const after = { label: 'Ill', lost_by: 'payer' } as const;
  expect((await admin.call({ method: 'PUT', url: '/api/causes/sick', payload: after })).statusCode).toBe(200);
  const report = await admin.call({ url: '/api/reports?location=altamonte&from=2030-11-18&to=2030-11-18' });
  const { groups } = report.json<ReportReply>();
  expect([groups.cause, groups.side].map((group) => group.map(({ label }) => label))).toEqual([['Ill'], ['Payer']]);
  const trail = await t.db.selectFrom('audit').select('detail').where('action', '=', 'cause.changed').execute();
  const before = { label: 'Sick', lost_by: null };
  expect(trail.at(-1)?.detail).toEqual({ before, after });
});
