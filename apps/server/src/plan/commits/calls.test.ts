import { expect, test } from 'vitest';
import type { ActionsReply } from '@clinic/contract';
import { everyone, propose, submit, submitBody } from '../../testing/calls.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { buildAbsence, buildAppointment } from '../../testing/builders.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn } from '../../testing/test-app.ts';

let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ db, who, clinic } = small));

async function reportOf(absence: { therapist: string; begin?: string; end?: string }): Promise<ActionsReply> {
  const proposal = await propose(who, absence);
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ActionsReply>();
}
const told = (report: ActionsReply, name: string) => report.calls.find((c) => c.who === name)?.say;
const DAY = 'Friday, November 22, 2030';

test('given admin time used for cover, then the workbook shows that the time is given up, and the therapist’s call says so', async () => {
  for (const therapist of [clinic.lin, clinic.max]) await buildAbsence(db, { therapist, date: DATE });
  await db.updateTable('appointment').set({ status: 'cancelled' }).where('id', '=', clinic.moAfternoon).execute();
  const at = { therapist: clinic.kai, client: null, date: DATE };
  await buildAppointment(db, { ...at, start: '10:45', end: '12:00' });
  await buildAppointment(db, { ...at, start: '14:00', end: '15:00' });
  const report = await reportOf({ therapist: 'Ana Ruiz' });
  expect(told(report, 'Kai Wood')).toBe(
    `${DAY}: Can you come in for Bo Lee from 8:30 to 11:30? It takes 45 min of your admin time, 10:45 to 11:30.`,
  );
  expect(report.by_therapist.filter((r) => r.therapist === 'Kai Wood').map((r) => [r.time, r.status])).toEqual([
    ['8:30 AM - 11:30 AM', 'Cover'],
    ['10:45 AM - 12:00 PM', 'Given up: 10:45 AM - 11:30 AM'],
    ['2:00 PM - 3:00 PM', 'Scheduled'],
  ]);
});

test('given a therapist who misses only the first hours of a session, then they are not called about their own absence', async () => {
  const report = await reportOf({ therapist: 'Ana Ruiz', begin: '00:00', end: '10:00' });
  expect(report.actions.map((a) => [a.time, a.to_therapist])).toEqual([['8:30 AM - 10:00 AM', 'Kai Wood']]);
  expect(told(report, 'Ana Ruiz')).toBeUndefined();
});

test('given a therapist who comes back after their session was given away, then they are told that it is no longer theirs', async () => {
  // It is better for Bo that Kai stays until the end than that a second therapist takes over.
  const report = await reportOf({ therapist: 'Ana Ruiz', begin: '00:00', end: '11:15' });
  const given = report.actions[0];
  expect([given?.time, given?.to_therapist]).toEqual(['8:30 AM - 11:30 AM', 'Kai Wood']);
  expect(told(report, 'Ana Ruiz')).toContain('is no longer yours.');
});

test('given a therapist who is away for all of their sessions, then they are not called', async () => {
  const report = await reportOf({ therapist: 'Ana Ruiz', begin: '08:00', end: '12:00' });
  expect(told(report, 'Ana Ruiz')).toBeUndefined();
});
