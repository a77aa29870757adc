import { expect, test } from 'vitest';
import type { ActionsReply, ProposalReply, SessionHistory } from '@clinic/contract';
import {
  commitEveryone,
  everyone,
  propose,
  saveAbsences,
  slotsOf,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { dayOfWeek, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList } from '../../testing/call-list.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

let clinic: SmallClinic;
const app = useApp(buildCoverApp, async () => {
  clinic = await buildSmallClinic(app.database.db);
});

async function historyOf(key: string, by = app.staff): Promise<SessionHistory> {
  const reply = await by.call({ url: `/api/appointments/${key}/history` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<SessionHistory>();
}
const wordsOf = async (key: string): Promise<string[]> => (await historyOf(key)).lines.map((line) => line.words);

const { told: tell } = new CallList(() => app.staff);

test('a session’s history says in words who changed it, who decided on its cover, and who has been told', async () => {
  const session = {
    location: 'altamonte',
    client: 'Ida Fox',
    therapist: 'Ana Ruiz',
    date: DATE,
    subject: 'Direct Therapy',
  };
  const booked = await app.staff.call({
    method: 'POST',
    url: '/api/appointments',
    payload: { ...session, start: '13:00', end: '14:00' },
  });
  const [{ key = '' } = {}] = booked.json<{ key: string }[]>();
  const moved = { ...session, start: '14:00', end: '15:00' };
  expect((await app.staff.call({ method: 'PUT', url: `/api/appointments/${key}`, payload: moved })).statusCode).toBe(
    200,
  );
  expect((await historyOf(key)).cover).toBeNull();

  const options = (
    await saveAbsences(app.staff, [{ therapist: 'Ana Ruiz', date: DATE, end: '10:00' }])
  ).json<ProposalReply>();
  const done = (await submit(app.staff, submitBody(options, everyone(options)))).json<ActionsReply>();
  const before = await historyOf(clinic.boMorning);
  expect(before.lines.map((line) => line.words)).toEqual(['Stays with Ana Ruiz, Fri, Nov 22, 10:00 AM - 11:30 AM']);

  const piece = (await slotsOf(app.staff, DATE)).appointments.find((a) => a.booked_with === 'Ana Ruiz')?.key ?? '';
  const cover = await historyOf(piece);
  expect(cover.lines).toMatchObject([
    {
      words: 'Covered by Kai Wood for Ana Ruiz, Fri, Nov 22, 8:30 AM - 10:00 AM',
      reason: 'Ana Ruiz is away',
      by: expect.any(String) as string,
    },
  ]);
  expect(cover.cover).toMatchObject({
    booked_with: 'Ana Ruiz',
    by: cover.lines[0]?.by,
    told: [
      { who: 'Kai Wood', told: false },
      { who: 'Family of Bo Lee', told: false },
    ],
  });
  await tell('Kai Wood');
  const told = await historyOf(piece);
  expect(told.lines.at(-1)?.words).toBe('Kai Wood: told');
  expect(told.cover?.told.map((each) => each.told)).toEqual([true, false]);

  expect((await undo(app.staff, done.commit)).statusCode).toBe(200);
  expect(await wordsOf(clinic.boMorning)).toEqual([
    'Stays with Ana Ruiz, Fri, Nov 22, 10:00 AM - 11:30 AM',
    'Undone: with Ana Ruiz again, Fri, Nov 22, 8:30 AM - 11:30 AM',
  ]);
  expect((await app.staff.call({ url: `/api/appointments/${piece}/history` })).statusCode).toBe(404);

  await app.staff.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: { family_told: true } });
  expect(await wordsOf(key)).toEqual([
    'Booked with Ana Ruiz, Fri, Nov 22, 1:00 PM - 2:00 PM',
    'Moved from Fri, Nov 22, 1:00 PM - 2:00 PM to Fri, Nov 22, 2:00 PM - 3:00 PM',
    'The family was told, and the session cancelled, Fri, Nov 22, 2:00 PM - 3:00 PM',
  ]);
});

test('given a group session that was covered, then the history of each child’s session lists every family, whether told or not', async () => {
  const { db } = app.database;
  const group = { therapist: clinic.max, date: DATE, start: '15:00', end: '16:00', subject: 'Group', group: 'pm' };
  for (const client of [clinic.ida, clinic.bo]) await buildAppointment(db, { ...group, client });
  const options = (await saveAbsences(app.staff, [{ therapist: 'Max Dean', date: DATE }])).json<ProposalReply>();
  const done = await submit(app.staff, submitBody(options, everyone(options)));
  expect(done.statusCode, done.body).toBe(200);
  await tell('Ida Fox');
  const rows = (await slotsOf(app.staff, DATE)).appointments.filter((a) => a.booked_with === 'Max Dean');
  expect(rows.length).toBe(2);
  for (const row of rows) {
    const { cover } = await historyOf(row.key ?? '');
    expect(cover?.told.slice(1)).toEqual([
      { who: 'Family of Bo Lee', told: false },
      { who: 'Family of Ida Fox', told: true },
    ]);
  }
});

test('given five accounts that book, move, cover, tell and cancel, then each line of the history names the account that made the change', async () => {
  const as = (name: string) => app.signIn({ name });
  const [bea, max, sam, tia, uma] = [
    await as('Bea'),
    await as('Max'),
    await as('Sam'),
    await as('Tia'),
    await as('Uma'),
  ];
  const date = '2030-11-25';
  const session = { location: 'altamonte', client: 'Ida Fox', therapist: 'Ana Ruiz', date, subject: 'Direct Therapy' };
  const send = async (by: SignedIn, method: 'POST' | 'PUT', url: string, payload: object) => {
    const reply = await by.call({ method, url, payload });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    return reply;
  };
  const booked = await send(bea, 'POST', '/api/appointments', { ...session, start: '13:00', end: '14:00' });
  const [{ key = '' } = {}] = booked.json<{ key: string }[]>();
  await send(max, 'PUT', `/api/appointments/${key}`, { ...session, start: '14:00', end: '15:00' });
  await commitEveryone(sam, await propose(app.staff, { therapist: 'Ana Ruiz', date }));
  const { cover } = await historyOf(key);
  await new CallList(() => tia, { location: 'altamonte', date: isoDate(date) }).told('Ida Fox');
  await send(uma, 'POST', `/api/appointments/${key}/cancel`, { family_told: true });
  expect(cover?.by).toBe('Sam');
  expect((await historyOf(key)).lines.map(({ by, words }) => [by, words.split(/[ :,]/)[0]])).toEqual([
    ['Bea', 'Booked'],
    ['Max', 'Moved'],
    ['Sam', 'Covered'],
    ['Tia', 'Family'],
    ['Uma', 'The'],
  ]);
});

test('given a session at a location that the account may not see, then its history is refused', async () => {
  const tampa = await app.signIn({ locations: ['tampa'] });
  expect((await tampa.call({ url: `/api/appointments/${clinic.boMorning}/history` })).statusCode).toBe(403);
});

test('given a session that nobody had, once a commit covers it, it is marked as covered and says who decided; after the undo it is not', async () => {
  const { db } = app.database;
  const date = isoDate('2030-12-12');
  const therapist = await buildTherapist(db, {
    first: 'Nia',
    last: 'Free',
    specialization: 'RBT',
    windows: [[dayOfWeek(date), '08:00', '17:00', date, date]],
  });
  const client = await buildClient(db, { first: 'Bo', last: 'Open' });
  const wireId = 'OPEN';
  await buildAppointment(db, { therapist: null, client, date, start: '09:00', end: '11:00', wireId });
  await buildAppointment(db, { therapist, client, date, start: '12:00', end: '13:00', wireId: 'BOOKED' });
  const shown = async () => (await slotsOf(app.staff, date)).appointments.find((a) => a.Id.startsWith(wireId));
  expect(await shown()).not.toHaveProperty('had_nobody');

  const options = (
    await app.staff.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [date] } })
  ).json<ProposalReply>();
  const done = (await submit(app.staff, submitBody(options, everyone(options)))).json<ActionsReply>();
  const covered = await shown();
  expect(covered).toMatchObject({ needs_cover: false, had_nobody: true });
  expect(covered).not.toHaveProperty('booked_with');
  expect((await historyOf(covered?.key ?? '')).cover).toMatchObject({ booked_with: null });
  const booked = (await slotsOf(app.staff, date)).appointments.find((a) => a.Id === 'BOOKED');
  expect(booked).not.toHaveProperty('had_nobody');

  expect((await undo(app.staff, done.commit)).statusCode).toBe(200);
  expect(await shown()).toMatchObject({ Preferred_Provider_Name: 'Unassigned' });
  expect(await shown()).not.toHaveProperty('had_nobody');
});
