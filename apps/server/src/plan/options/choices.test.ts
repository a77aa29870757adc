import { expect, test } from 'vitest';
import type { ActionsReply, ChoicesReply, ProposalReply, RefreshReply } from '@clinic/contract';
import { asProposal, everyone, propose, submit, submitBody } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildClient, buildAppointment } from '../../testing/builders.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { useApp } from '../../testing/use-app.ts';

let clinic: SmallClinic;
let proposal: ProposalReply;
const SLOT = '8:30 AM - 11:30 AM';
const cell = { date: DATE, client: 'Bo Lee', option: 'Option 1', time_slot: SLOT };
const app = useApp(buildCoverApp, async () => {
  clinic = await buildSmallClinic(app.database.db);
  const luca = await buildClient(app.database.db, { first: 'Luca', last: 'Ray' });
  await buildAppointment(app.database.db, {
    therapist: clinic.max,
    client: luca,
    date: DATE,
    start: '09:00',
    end: '10:00',
  });
  // Lin knows Luca, so Luca's session could move to Lin.
  const before = { therapist: clinic.lin, client: luca, date: '2030-11-15', start: '09:00', end: '10:00' };
  await buildAppointment(app.database.db, { ...before, status: 'fulfilled' });
  await app.database.db
    .insertInto('client_restriction')
    .values({ client_id: clinic.bo, requires_gender: null, excludes_therapist_id: clinic.lin })
    .execute();
  proposal = await propose(app.staff, { therapist: 'Ana Ruiz' });
});

const choicesOf = async (ref: object, by = app.staff) =>
  by.call({
    method: 'POST',
    url: '/api/proposals/choices',
    payload: { proposal: proposal.metadata.proposal, revision: proposal.metadata.revision, ...ref },
  });
const choose = (of: ProposalReply, therapist: string, ref: object = cell) =>
  app.staff.call({
    method: 'POST',
    url: '/api/refresher',
    payload: {
      output: { possible_solutions: of.data },
      metadata: of.metadata,
      refreshSelections: [],
      choose: { ...ref, therapist },
    },
  });

test('a cell lists every other therapist with the reason in words: first those who can take the session, by cost, then those who cannot', async () => {
  expect(proposal.data[DATE]?.['Bo Lee']?.['Option 1']?.[SLOT]?.therapist).toBe('Kai Wood');
  const { choices } = (await choicesOf(cell)).json<ChoicesReply>();
  expect(choices.map((c) => [c.therapist, c.possible, c.words])).toEqual([
    ['Ana Ruiz', false, 'not: away'],
    ['Lin Park', false, 'not: may not see Bo Lee'],
    ['Max Dean', false, 'not: does not work then'],
  ]);
});

test('a therapist whom these options do not know cannot be chosen', async () => {
  const reply = await choose(proposal, 'No One');
  expect([reply.statusCode, reply.json()]).toEqual([
    404,
    { detail: 'This therapist is no longer on file. Load the list again.' },
  ]);
});

test('choosing a therapist pins them in every option and solves the rest, and the commit writes that choice', async () => {
  const { db } = app.database;
  await db.deleteFrom('client_restriction').where('client_id', '=', clinic.bo).execute();
  await db
    .updateTable('therapist_availability')
    .set({ start_minute: 480 })
    .where('therapist_id', '=', clinic.max)
    .execute();
  proposal = await propose(app.staff, { therapist: 'Ana Ruiz' });
  const first = proposal.data[DATE]?.['Bo Lee']?.['Option 1']?.[SLOT]?.therapist;
  const { choices } = (await choicesOf(cell)).json<ChoicesReply>();
  const words = Object.fromEntries(choices.map((c) => [c.therapist, c.words]));
  expect(choices.map((c) => c.possible)).toEqual([true, true, false]);
  expect(first).toBe('Kai Wood');
  expect(words).toEqual({
    'Lin Park': 'free, known',
    'Max Dean': expect.stringMatching(
      /^Luca Ray would move to Lin Park, new to Bo Lee, would mean a BCBA running a session/,
    ) as string,
    'Ana Ruiz': 'not: away',
  });
  expect(choices[0]?.therapist).toBe('Lin Park');

  const reply = await choose(proposal, 'max  dean');
  expect(reply.statusCode, reply.body).toBe(200);
  const chosen = reply.json<RefreshReply>();
  expect(chosen.message).toMatch(/^Kept as chosen: Max Dean for Bo Lee\./);
  const solved = asProposal(chosen);
  for (const option of Object.values(solved.data[DATE]?.['Bo Lee'] ?? {}))
    expect(Object.values(option).map((c) => c.therapist)).toEqual(['Max Dean']);
  // The rest is solved again, so Luca has a therapist too.
  expect(Object.values(solved.data[DATE]?.['Luca Ray']?.['Option 1'] ?? {}).map((c) => c.status)).toEqual(['Swap']);
  const done = await submit(app.staff, submitBody(solved, everyone(solved)));
  expect(done.statusCode, done.body).toBe(200);
  expect(done.json<ActionsReply>().uncovered).toEqual([]);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Max Dean/Ana Ruiz booked']);
});

test('a therapist who cannot be chosen, an unknown cell and an account at another location are refused', async () => {
  proposal = await propose(app.staff, { client: 'Mo Diaz', date: DATE }, { therapist: 'Ana Ruiz' });
  const gone = { ...cell, time_slot: '6:00 AM - 7:00 AM' };
  expect((await choicesOf(gone)).statusCode).toBe(404);
  expect((await choose(proposal, 'Kai Wood', gone)).statusCode).toBe(404);
  const [client = '', options = {}] = Object.entries(proposal.data[DATE] ?? {})[0] ?? [];
  const [slot = ''] = Object.keys(options['Option 1'] ?? {});
  const there = { ...cell, client, time_slot: slot };
  const tampa = await app.signIn({ locations: ['tampa'] });
  expect((await choicesOf(there, tampa)).statusCode).toBe(403);
});
