import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ActionsReply, CallLine, CallsReply } from '@clinic/contract';
import { isoDate, whomToCall } from '@clinic/domain';
import { everyone, propose, saveAbsences, slotsOf, submit, submitBody } from '../../testing/calls.ts';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { openNearDays } from './open-near-days.ts';

/** Converts a time on the small clinic's day, by the clinic's clock, to milliseconds since 1970. */
const clinicTime = (time: string): number => Date.parse(`${DATE}T${time}:00-05:00`);

let t: SmallApp;
let now: number;
beforeEach(async () => {
  now = clinicTime('07:00');
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => now } } });
  await openNearDays(t.db, () => ({ date: isoDate(DATE), minutes: 7 * 60 }));
});
afterAll(() => t.app.close());

const { list, answered: answer } = new CallList(() => t.who);
const urgency = async () => (await list()).lines.map(({ name, urgent }) => [name, urgent]);
const words = ({ lines }: CallsReply, name: string): string[] => [
  ...(lines.find((line: CallLine) => line.name === name)?.say ?? []),
];
/** Removes an appointment's therapist directly in the database. */
const withoutTherapist = (key: string) =>
  t.db.updateTable('appointment').set({ therapist_id: null }).where('id', '=', key).execute();

test('a call still open 30 minutes before the change is urgent, even after a message was left', async () => {
  await withoutTherapist(t.clinic.moAfternoon);
  now = clinicTime('12:29');
  expect(await urgency()).toEqual([
    ['Lin Park', false],
    ['Mo Diaz', false],
  ]);
  now = clinicTime('12:30');
  await answer('Mo Diaz', 'left-message');
  expect(await urgency()).toEqual([
    ['Lin Park', true],
    ['Mo Diaz', true],
  ]);
  await answer('Lin Park', 'said-no');
  expect(await urgency()).toEqual([
    ['Mo Diaz', true],
    ['Lin Park', false],
  ]);
  const count = await t.who.call({ url: '/api/calls/count', query: ON });
  expect(count.json()).toMatchObject({ to_tell: 2, urgent: 1, next: '13:00' });
});

test('given a person who said no and whose day changes again, then their line is urgent again', async () => {
  await withoutTherapist(t.clinic.moAfternoon);
  now = clinicTime('12:30');
  await answer('Lin Park', 'said-no');
  await answer('Mo Diaz', 'told');
  expect(await urgency()).toEqual([['Lin Park', false]]);
  const { lin, ida } = t.clinic;
  await buildAppointment(t.db, { therapist: lin, client: ida, date: DATE, start: '13:00', end: '14:00' });
  expect(await urgency()).toContainEqual(['Lin Park', true]);
});

test('given two people whose days change at the same minute, the person who is not in the building yet is listed first', async () => {
  const abe = await buildTherapist(t.db, { first: 'Abe', last: 'Aard', windows: [[5, '08:00', '17:00']] });
  const { ida, bo, moAfternoon } = t.clinic;
  await buildAppointment(t.db, { therapist: abe, client: ida, date: DATE, start: '08:00', end: '11:30' });
  const later = { therapist: abe, client: bo, date: DATE, start: '13:00', end: '14:00' };
  const bosAfternoon = await buildAppointment(t.db, later);
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  for (const key of [moAfternoon, bosAfternoon]) await withoutTherapist(key);
  now = clinicTime('10:00');
  const therapists = (await list()).lines.filter((line) => line.kind === 'therapist');
  expect(therapists.map(({ name, first, here }) => [name, first, here])).toEqual([
    ['Lin Park', '13:00', false],
    ['Abe Aard', '13:00', true],
  ]);
});

test('the caller names every service except direct therapy and every site except the therapist’s home site, and adjoining times are joined', async () => {
  const eli = await buildTherapist(t.db, { first: 'Eli', last: 'West', location: 'tampa' });
  const { mo, bo, kai } = t.clinic;
  const at = { date: DATE, therapist: eli };
  await buildAppointment(t.db, { ...at, client: mo, start: '09:00', end: '10:00', service: 'supervision' });
  for (const [start, end] of [
    ['14:00', '15:00'],
    ['15:00', '16:00'],
  ] as const)
    await buildAppointment(t.db, { date: DATE, therapist: kai, client: bo, start, end });
  const calls = await list();
  expect(words(calls, 'Eli West')).toEqual([
    'Can you come in for supervision with Mo Diaz from 9:00 to 10:00 at Altamonte? You have not met Mo Diaz.',
  ]);
  expect(words(calls, 'Mo Diaz')).toEqual(['Mo has new supervision from 9:00 to 10:00 with Eli.']);
  expect(words(calls, 'Kai Wood')).toEqual(['Can you come in for Bo Lee from 2:00 to 4:00?']);
});

test('given a session by video, then no one is asked to come in or told a site for it', async () => {
  const eli = await buildTherapist(t.db, { first: 'Eli', last: 'West', location: 'tampa' });
  const times = { date: DATE, start: '09:00', end: '10:00', subject: 'Supervision - Telehealth' } as const;
  await buildAppointment(t.db, { ...times, therapist: eli, client: t.clinic.mo, service: 'supervision' });
  expect(words(await list(), 'Eli West')).toEqual([
    'Can you take supervision with Mo Diaz from 9:00 to 10:00? You have not met Mo Diaz.',
  ]);
});

test('a family is told only about its own child, and no one is told why a therapist is away', async () => {
  const { ana, mo } = t.clinic;
  await buildAppointment(t.db, { therapist: ana, client: mo, date: DATE, start: '11:45', end: '12:45' });
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  const causes = (await t.who.call({ url: '/api/causes' })).json<{ id: string; label: string }[]>();
  const cause = causes.find(({ label }) => label === 'Sick');
  if (!cause) throw new Error(`no cause Sick in ${JSON.stringify(causes)}`);
  const proposal = await propose(t.who, { therapist: 'Ana Ruiz', loss: { cause: cause.id } });
  const submitted = await submit(t.who, submitBody(proposal, everyone(proposal)));
  expect(submitted.statusCode, submitted.body).toBe(200);

  const calls = await list();
  expect(words(calls, 'Bo Lee').join(' ')).toMatch(/^Bo is with /);
  expect(words(calls, 'Bo Lee').join(' ')).not.toMatch(/\bMo\b|Diaz/);
  expect(words(calls, 'Mo Diaz').join(' ')).toMatch(/^Mo is with /);
  expect(words(calls, 'Mo Diaz').join(' ')).not.toMatch(/\bBo\b|Lee/);
  expect(calls.lines.flatMap((line) => line.say).join(' ')).not.toMatch(/sick|away|absent|called out|ill\b/i);
  // The workbook has the same lines; whoever waits for Kai's yes is called after it.
  expect(submitted.json<ActionsReply>().calls.map(({ who, say }) => [who, say])).toEqual(
    calls.lines.map(({ kind, name, say, after }) => [
      whomToCall(kind, name),
      `${after.length > 0 ? 'After Kai says yes: ' : ''}${say.join(' ')}`,
    ]),
  );
});

test('time without a therapist is never shown as Confirmed, and the caller tells the family which time has no therapist', async () => {
  now = clinicTime('07:00');
  const away = ['Lin Park', 'Max Dean'].map((therapist) => ({ therapist, date: DATE }));
  expect((await saveAbsences(t.who, away)).statusCode).toBe(200);
  const proposal = await propose(t.who, { therapist: 'Ana Ruiz' }, { therapist: 'Kai Wood', begin: '10:00' });
  const submitted = await submit(t.who, submitBody(proposal, everyone(proposal)));
  expect(submitted.statusCode, submitted.body).toBe(200);
  const { appointments } = await slotsOf(t.who, DATE);
  const bos = appointments.filter((a) => a['Client Name'] === 'Bo Lee');
  expect(bos.map((a) => [a.Preferred_Provider_Name, a.Appointment_Status, a.needs_cover ?? false])).toEqual([
    ['Kai Wood', 'Confirmed', false],
    ['Unassigned', 'Scheduled', true],
  ]);
  expect(words(await list(), 'Bo Lee')).toEqual([
    'Bo is with Kai from 8:30 to 10:00 instead of Ana.',
    'We have nobody for Bo from 10:00 to 11:30; shall we cancel it, or may we ring again by 9:00?',
  ]);
});
