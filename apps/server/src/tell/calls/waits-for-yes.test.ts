import { expect, test } from 'vitest';
import type { ActionsReply, CallLine, CallsReply, OwnWeek } from '@clinic/contract';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose, submit, submitBody } from '../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { whyNotSent } from '../lines/messages.ts';

/** Nobody is told what hangs on a yes that nobody has given yet. */

let small: SmallApp;
openForEachTest((opened) => (small = opened), { deps: { clock: { now: () => Date.parse('2030-11-22T12:00:00Z') } } });
const { list, lineOf, post, answered, told, covered } = new CallList(() => small.who);

const waiting = ({ lines }: Pick<CallsReply, 'lines'>): string[] =>
  lines.map(({ name, after }) => [name, ...after.map((each) => `after ${each.name}`)].join(' '));
const listed = async (): Promise<string[]> => waiting(await list());
const body = ({ kind, id, version }: CallLine, answer: string) => ({ kind, id, version, answer, before_yes: false });
const give = (session: string, therapist: string) =>
  small.db.updateTable('appointment').set({ therapist_id: therapist }).where('id', '=', session).execute();

test('given a family promised someone who is asked, then it stands under the ask, and is told before the yes only if one says so', async () => {
  await covered();
  expect(await listed()).toEqual(['Kai Wood', 'Bo Lee after Kai']);
  const line = await lineOf('Bo Lee');
  for (const answer of ['told', 'left-message']) {
    const refused = await post('answer', body(line, answer));
    expect([refused.statusCode, refused.json<{ detail: { message: string } }>().detail.message]).toEqual([
      409,
      'Kai Wood has not said yes yet, and what the family of Bo Lee would hear depends on it. Nothing was saved. Ask first, or record the call all the same.',
    ]);
  }
  expect((await list()).told).toEqual([]);
  expect((await post('answer', body(line, 'no-answer'))).statusCode).toBe(200);
  expect((await post('answer', { ...body(line, 'told'), before_yes: true })).statusCode).toBe(200);
  expect(await listed()).toEqual(['Kai Wood']);
});

test('given a yes, then the family is told as ever; and taken back, it waits again', async () => {
  await covered();
  await told('Kai Wood');
  expect(await listed()).toEqual(['Bo Lee']);
  await post('answer', { kind: 'therapist', id: small.clinic.kai, version: '', answer: 'not-told' });
  expect(await listed()).toEqual(['Kai Wood', 'Bo Lee after Kai']);
  await told('Kai Wood');
  expect((await post('answer', body(await lineOf('Bo Lee'), 'told'))).statusCode).toBe(200);
});

test('given a no, then the family has heard nothing, and hears of the next therapist only', async () => {
  await covered();
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  expect((await post('answer', body(await lineOf('Bo Lee'), 'told'))).statusCode).toBe(409);
  await commitEveryone(small.who, await propose(small.who, { therapist: 'Ana Ruiz' }));
  expect(await listed()).toEqual(['Lin Park', 'Bo Lee after Lin']);
  expect((await lineOf('Bo Lee')).again).toBeNull();
});

test('the workbook’s calls are in the list’s order, and say whose yes they wait for', async () => {
  const { calls } = await commitEveryone(small.who, await propose(small.who, { therapist: 'Ana Ruiz' }));
  expect(calls.map(({ who, say }) => [who, say.replace('Friday, November 22, 2030: ', '')])).toEqual([
    ['Kai Wood', 'Can you come in for Bo Lee from 8:30 to 11:30?'],
    ['Family of Bo Lee', 'After Kai says yes: Bo is with Kai from 8:30 to 11:30 instead of Ana.'],
  ]);
});

test('given a no and a plan for other sessions, then the workbook’s calls say that the options come first', async () => {
  await covered();
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  const proposal = await propose(small.who, { client: 'Mo Diaz' });
  const reply = await submit(small.who, submitBody(proposal, { [DATE]: { 'Mo Diaz': 'Option 1' } }));
  const said = reply.json<ActionsReply>().calls.map(({ who, say }) => `${who}: ${say}`);
  expect(said.find((each) => each.startsWith('Kai'))).toMatch(
    /^Kai Wood: Kai Wood said no: see the new options before you call\. .*Can you come in/,
  );
  expect(said.find((each) => each.startsWith('Family of Bo'))).toMatch(
    /^Family of Bo Lee: Kai Wood said no at 7:00: see the new options before you call\. .*Bo is/,
  );
});

/** Kai is asked to take Bo from Lin, so that Lin can take Ida from Ana; Ida’s family and Lin wait for Kai’s yes. */
async function swapped(): Promise<void> {
  const { ana, kai, lin, ida, boMorning } = small.clinic;
  await give(boMorning, lin);
  const times = { date: DATE, start: '08:30', end: '11:30' };
  const idaMorning = await buildAppointment(small.db, { therapist: ana, client: ida, ...times });
  await post('day-sheet', {});
  await give(boMorning, kai);
  await give(idaMorning, lin);
}

test('given a swap that hangs on a yes, then the other family and the other therapist wait for it too', async () => {
  await swapped();
  expect(await listed()).toEqual([
    'Kai Wood',
    'Ana Ruiz after Kai',
    'Bo Lee after Kai',
    'Ida Fox after Kai',
    'Lin Park after Kai',
  ]);
  await told('Kai Wood');
  expect((await list()).lines.every(({ after }) => after.length === 0)).toBe(true);
});

test('given a change that hangs on someone’s yes, then the therapist’s own page says only that it is being decided, and nothing is sent', async () => {
  await swapped();
  const lin = await small.app.signIn({ role: 'therapist', therapistId: small.clinic.lin, locations: ['altamonte'] });
  const own = async (): Promise<OwnWeek> => (await lin.call({ url: '/api/me' })).json<OwnWeek>();
  const { days, changes } = await own();
  const sessions = days
    .flatMap((day) => day.sessions)
    .map((each) => [each.clients.map(({ name }) => name).join(), each.undecided]);
  expect(sessions).toEqual([
    ['Bo Lee,Ida Fox', true],
    ['Mo Diaz', false],
  ]);
  expect(changes).toMatchObject([{ say: [], gone: [] }]);
  expect(changes.flatMap(({ undecided = [] }) => undecided.flatMap(({ clients }) => clients)).sort()).toEqual([
    'Bo Lee',
    'Ida Fox',
  ]);
  const answer = { ...ON, version: changes[0]?.version, answer: 'yes' };
  expect((await lin.call({ method: 'POST', url: '/api/me/answer', payload: answer })).statusCode).toBe(409);
  await told('Kai Wood');
  expect((await own()).changes).toMatchObject([
    { say: [expect.stringContaining('You have Ida Fox from 8:30 to 11:30 instead of Bo Lee.')], undecided: [] },
  ]);
});

test('no message goes out about what hangs on someone’s yes', () => {
  const line = { since: [], version: 'v', waitsFor: [], promised: null };
  expect(whyNotSent({ ...line, after: [] })).toBeNull();
  expect(whyNotSent({ ...line, after: [{ id: 'k', name: 'Kai Wood', spoken: 'Kai' }] })).toBe('ask');
});

test('given the supervision of a child whom the BCBA has not met, then they are asked, and the family waits', async () => {
  const { max, ida } = small.clinic;
  const eva = await buildTherapist(small.db, { first: 'Eva', last: 'Hall', specialization: 'BCBA' });
  const supervision = await buildAppointment(small.db, {
    therapist: eva,
    client: ida,
    date: DATE,
    start: '10:00',
    end: '11:00',
    service: 'supervision',
  });
  for (const start of ['09:00', '12:00'])
    await buildAppointment(small.db, {
      therapist: max,
      client: ida,
      date: DATE,
      start,
      end: start.replace(':00', ':30'),
    });
  await post('day-sheet', {});
  await give(supervision, max);
  expect((await lineOf('Max Dean')).say.join(' ')).toContain(
    'Can you take supervision with Ida Fox from 10:00 to 11:00? You have not met Ida Fox.',
  );
  expect(await listed()).toEqual(['Max Dean', 'Eva Hall after Max', 'Ida Fox after Max']);
  // Whoever has met the child is told.
  const met = { therapist: max, client: ida, date: '2030-11-15', start: '10:00', end: '11:00' } as const;
  await buildAppointment(small.db, { ...met, status: 'fulfilled' });
  expect(await lineOf('Max Dean')).toMatchObject({ call: 'inform' });
});
