import { expect, test } from 'vitest';
import type { DaySheetReply } from '@clinic/contract';
import { buildAppointment } from '../../testing/builders.ts';
import { saveAbsences } from '../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let small: SmallApp;
openForEachTest((opened) => {
  small = opened;
});

const ON = { location: 'altamonte', date: DATE } as const;
async function sheet(): Promise<DaySheetReply> {
  const reply = await small.who.call({ url: '/api/calls/day-sheet', query: ON });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<DaySheetReply>();
}
const lines = (list: DaySheetReply['open']): string[] =>
  list.map((s) => `${s.start}-${s.end} ${s.service} ${s.clients.join(' & ')}`);
const dayOf = ({ therapists }: DaySheetReply, name: string): string[] =>
  lines(therapists.find((t) => t.name === name)?.sessions ?? []);

test('given a booked day, each therapist has a section by name, with times, full names and the service', async () => {
  const { db, clinic } = small;
  const at = (therapist: string, start: string, end: string) => ({ therapist, date: DATE, start, end });
  for (const client of [clinic.ida, clinic.bo])
    await buildAppointment(db, { ...at(clinic.kai, '14:00', '15:00'), client, subject: 'Group', group: 'pm' });
  await buildAppointment(db, { ...at(clinic.kai, '15:00', '16:00'), client: null, subject: 'Notes', service: 'admin' });
  const found = await sheet();
  expect(found.therapists.map((t) => t.name)).toEqual(['Ana Ruiz', 'Kai Wood', 'Lin Park']);
  expect(dayOf(found, 'Ana Ruiz')).toEqual(['08:30-11:30 direct Bo Lee']);
  expect(dayOf(found, 'Kai Wood')).toEqual(['14:00-15:00 direct Bo Lee & Ida Fox', '15:00-16:00 admin ']);
  expect([found.open, found.sent]).toEqual([[], null]);
});

test('given absences, sessions without a therapist are listed only at the top, and a child who is away is not listed', async () => {
  await saveAbsences(small.who, [
    { therapist: 'Ana Ruiz', date: DATE, begin: '08:00', end: '10:00' },
    { client: 'Mo Diaz', date: DATE, begin: '15:00', end: '23:59' },
  ]);
  const { db, clinic } = small;
  await buildAppointment(db, { therapist: null, client: clinic.ida, date: DATE, start: '08:30', end: '10:00' });
  const found = await sheet();
  // Two children who are not a group get two lines.
  expect(lines(found.open).toSorted()).toEqual(['08:30-10:00 direct Bo Lee', '08:30-10:00 direct Ida Fox']);
  expect(dayOf(found, 'Ana Ruiz')).toEqual(['10:00-11:30 direct Bo Lee']);
  expect(found.therapists.find((t) => t.name === 'Ana Ruiz')?.away).toEqual([{ start: '08:00', end: '10:00' }]);
  expect(dayOf(found, 'Lin Park')).toEqual(['13:00-15:00 direct Mo Diaz']);
});

test('given a session booked over administrative time, only the rest of that time is on the day sheet', async () => {
  const { db, clinic } = small;
  const at = { therapist: clinic.max, date: DATE };
  await buildAppointment(db, { ...at, start: '11:00', end: '12:30', client: null, subject: 'Notes', service: 'admin' });
  await buildAppointment(db, { ...at, start: '10:00', end: '11:30', client: clinic.ida });
  expect(dayOf(await sheet(), 'Max Dean')).toEqual(['10:00-11:30 direct Ida Fox', '11:30-12:30 admin ']);
});

test('given a no-show, the session is not on the day sheet', async () => {
  const { db, clinic } = small;
  await db.updateTable('appointment').set({ status: 'noshow' }).where('id', '=', clinic.boMorning).execute();
  const found = await sheet();
  expect(found.therapists.map((t) => t.name)).toEqual(['Lin Park']);
  expect(found.open).toEqual([]);
});

test('the day sheet shows when it was sent, reading it is audited, and an account at another location may not read it', async () => {
  const { app, db, who } = small;
  await who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  expect((await sheet()).sent).toMatchObject({ by: expect.any(String) as string });
  const tampa = await app.signIn({ locations: ['tampa'] });
  expect((await tampa.call({ url: '/api/calls/day-sheet', query: ON })).statusCode).toBe(403);
  const reads = await db.selectFrom('audit').select('subject_ids').where('action', '=', 'day-sheet.read').execute();
  expect(reads.map((row) => row.subject_ids)).toEqual([[`altamonte/${DATE}`]]);
});
