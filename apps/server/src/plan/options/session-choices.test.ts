import { expect, test } from 'vitest';
import type { ActionsReply, ChoicesReply, ProposalReply } from '@clinic/contract';
import { asProposal, everyone, propose, submit, submitBody } from '../../testing/calls.ts';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';

let small: SmallApp;
openForEachTest((opened) => {
  small = opened;
});

const ask = (payload: object, who = small.who) =>
  who.call({ method: 'POST', url: '/api/sessions/choices', payload: { ...ON, ...payload } });
const ranked = async (payload: object): Promise<string[]> => {
  const reply = await ask(payload);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ChoicesReply>().choices.map((c) => `${c.possible ? '' : 'no: '}${c.therapist}: ${c.words}`);
};
const take = (key: string, therapist: string) =>
  small.who.call({
    method: 'POST',
    url: '/api/proposals',
    payload: { location: 'altamonte', dates: [DATE], choose: { key, therapist } },
  });
const { list: calls } = new CallList(() => small.who);

test('given a booked session, every other therapist who works that day is listed, least costly first, with the reasons for and against them', async () => {
  const every = [1, 2, 3, 4, 5].map((weekday): [number, string, string] => [weekday, '08:00', '17:00']);
  await buildTherapist(small.db, { first: 'Abe', last: 'Aard', windows: every });
  // Bea does not work on Fridays, so the choices leave her out.
  await buildTherapist(small.db, { first: 'Bea', last: 'Bly', windows: every.slice(0, 4) });
  expect(await ranked({ key: small.clinic.boMorning })).toEqual([
    'Kai Wood: free, on the team',
    expect.stringMatching(/^Lin Park: free, known/),
    expect.stringMatching(/^Abe Aard: free, new to Bo Lee/),
    'no: Max Dean: not: does not work then',
  ]);
});

test('given a session without a therapist or a session not booked yet, every therapist is listed', async () => {
  const { db, clinic } = small;
  const open = await buildAppointment(db, {
    therapist: null,
    client: clinic.mo,
    date: DATE,
    start: '09:30',
    end: '10:30',
  });
  const names = async (payload: object) => (await ranked(payload)).map((line) => line.split(':')[0]);
  expect((await names({ key: open })).toSorted()).toEqual(['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean']);
  // Ida has no session that day, but Kai, who gave her sessions before, still counts as known.
  const before = { therapist: clinic.kai, client: clinic.ida, date: '2030-11-15', start: '09:00', end: '10:00' };
  await buildAppointment(db, { ...before, status: 'fulfilled' });
  const session = { client: 'ida fox', start: '09:00', end: '10:00', subject: 'Direct Therapy' };
  expect((await ranked({ session })).find((line) => line.startsWith('Kai Wood'))).toMatch(/^Kai Wood: free, known/);
});

test('given a form that moves a booked session, the choices are for the new time', async () => {
  const session = { client: 'Bo Lee', start: '16:00', end: '17:00', subject: 'Direct Therapy' };
  const lines = await ranked({ key: small.clinic.boMorning, session });
  expect(lines).toContain('no: Lin Park: not: does not work then');
  expect(lines[0]).toMatch(/^Kai Wood: free/);
});

test('given a therapist whom the child does not know, choosing them for a session in the call list pins them, and the commit gives them the session', async () => {
  const { who, db, clinic } = small;
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  expect((await submit(who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  await db
    .updateTable('therapist_availability')
    .set({ start_minute: 480 })
    .where('therapist_id', '=', clinic.max)
    .execute();
  const line = (await calls()).lines.find((each) => each.name === 'Kai Wood');
  const key = line?.sessions[0]?.key ?? '';
  expect((await ranked({ key })).some((words) => words.startsWith('Max Dean: free, new to Bo Lee'))).toBe(true);

  const reply = await take(key, clinic.max);
  expect(reply.statusCode, reply.body).toBe(200);
  const chosen = reply.json<ProposalReply>();
  expect(chosen.metadata.chosen).toEqual({ date: DATE, client: 'Bo Lee' });
  const therapists = (of: ProposalReply) =>
    Object.values(of.data[DATE]?.['Bo Lee'] ?? {}).map((slots) => Object.values(slots).map((c) => c.therapist));
  expect(new Set(therapists(chosen).flat())).toEqual(new Set(['Max Dean']));
  // The new options mark their cells as changing a commit, and name the commit's therapist; the first options do not.
  const cells = (of: ProposalReply) =>
    Object.values(of.data[DATE]?.['Bo Lee'] ?? {}).flatMap((slots) => Object.values(slots));
  expect(new Set(cells(chosen).map((c) => `${c.again} ${c.from}`))).toEqual(new Set(['true Kai Wood']));
  expect(cells(proposal).some((c) => c.again)).toBe(false);

  // The chosen therapist keeps the session through a refresh that selects the option, and through the commit.
  const refreshed = await who.call({
    method: 'POST',
    url: '/api/refresher',
    payload: {
      output: { possible_solutions: chosen.data },
      metadata: chosen.metadata,
      refreshSelections: [{ date: DATE, client: 'Bo Lee', option: 'Option 1' }],
    },
  });
  expect(refreshed.statusCode, refreshed.body).toBe(200);
  const again = asProposal(refreshed.json());
  expect(new Set(therapists(again).flat())).toEqual(new Set(['Max Dean']));
  const done = await submit(who, submitBody(again, everyone(again)));
  expect(done.statusCode, done.body).toBe(200);
  expect(done.json<ActionsReply>().uncovered).toEqual([]);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Max Dean/Ana Ruiz booked']);
});

test('given a session whose own therapist is present, choosing another therapist pins that therapist, and the commit gives them the session', async () => {
  const { who, db, clinic } = small;
  const reply = await take(clinic.boMorning, clinic.kai);
  expect(reply.statusCode, reply.body).toBe(200);
  const chosen = reply.json<ProposalReply>();
  expect(chosen.metadata.chosen).toEqual({ date: DATE, client: 'Bo Lee' });
  const done = await submit(who, submitBody(chosen, everyone(chosen)));
  expect(done.statusCode, done.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz booked']);
});

test('given a session after 7:00 PM, asking who could take it and choosing a therapist for it are both refused', async () => {
  const { db, clinic } = small;
  const over = { therapist: clinic.lin, client: clinic.mo, date: DATE, start: '19:00', end: '20:00' };
  const key = await buildAppointment(db, over);
  const replies = [await ask({ key }), await take(key, clinic.kai)];
  for (const reply of replies) {
    expect(reply.statusCode).toBe(404);
    expect(reply.body).toContain('No one can be chosen for this session');
  }
});

test('a session that does not exist, a therapist who cannot take it or is unknown, and an account at another location are refused', async () => {
  const { app, clinic } = small;
  expect((await ask({ key: '00000000-0000-4000-8000-000000000000' })).statusCode).toBe(404);
  expect((await ask({})).statusCode).toBe(404);
  const session = { client: 'Bo Lee', start: '10:00', end: '09:00', subject: 'Direct Therapy' };
  expect((await ask({ session })).statusCode).toBe(422);
  expect((await take(clinic.boMorning, clinic.max)).statusCode).toBe(410);
  expect((await take(clinic.boMorning, 'no one')).statusCode).toBe(404);
  const tampa = await app.signIn({ locations: ['tampa'] });
  expect((await ask({ key: clinic.boMorning }, tampa)).statusCode).toBe(403);
});
