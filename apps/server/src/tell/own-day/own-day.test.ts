import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CallsReply, Client, OwnChange, OwnWeek, ProposalReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { commitEveryone, everyone, saveAbsences, slotsOf, solveDay, submit, submitBody } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';

const day = (n: number): string => addDays(isoDate(DATE), n);

let t: SmallApp;
let kai: SignedIn;
beforeEach(async () => {
  // The evening before the day of the small test clinic.
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => Date.parse(`${day(-1)}T22:00:00Z`) } } });
  kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
});
afterAll(() => t.app.close());

async function week(who = kai, date?: string): Promise<OwnWeek> {
  const reply = await who.call({ url: `/api/me${date === undefined ? '' : `?date=${date}`}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<OwnWeek>();
}
const { list, covered } = new CallList(() => t.who);
const kaisLine = async () => (await list()).lines.find((line) => line.id === t.clinic.kai);
const answer = (change: Pick<OwnChange, 'version'>, payload: object, who = kai) =>
  who.call({ method: 'POST', url: '/api/me/answer', payload: { ...ON, version: change.version, ...payload } });

/** Ana calls out, and Kai covers her session with Bo, outside the time that Kai was booked for. */
async function cover(): Promise<OwnChange> {
  await covered();
  const [change] = (await week()).changes;
  if (!change) throw new Error('Kai sees no change');
  return change;
}

test('a therapist sees the session that they cover marked as new, with its place and service', async () => {
  expect((await week()).changes).toEqual([]);
  const change = await cover();
  expect(change).toMatchObject({
    date: DATE,
    place: 'Altamonte',
    call: 'ask',
    seen_at: null,
    said_no: false,
    can_refuse: true,
    gone: [],
  });
  expect(change.say).toEqual(['Friday, November 22, 2030: Can you come in for Bo Lee from 8:30 to 11:30?']);
  expect(change.say_es).toEqual([
    'Viernes 22 de noviembre de 2030: ¿Puede venir para atender la sesión con Bo Lee de 8:30 a 11:30?',
  ]);
  const shown = (await week()).days.find(({ date }) => date === DATE);
  expect(shown?.sessions).toEqual([
    {
      start: '08:30',
      end: '11:30',
      service: 'direct',
      clients: [{ name: 'Bo Lee', changed: true, no_show: false, note: null }],
      place: 'Altamonte',
      cover: false,
      changed: true,
      asked: true,
      undecided: false,
    },
  ]);
  expect((await answer(change, { answer: 'yes' })).statusCode).toBe(204);
  const [after] = (await week()).days.find(({ date }) => date === DATE)?.sessions ?? [];
  expect(after).toMatchObject({ cover: true, changed: false });
  expect(after).not.toHaveProperty('asked');
});

test('given a therapist who is asked to stay late, “Yes” makes their day end later, and “I can’t” does not', async () => {
  const session = { therapist: t.clinic.ana, client: t.clinic.ida, date: DATE, start: '16:30', end: '17:30' };
  const key = await buildAppointment(t.db, session);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '12:00' }]);
  const payload = { location: 'altamonte', dates: [DATE], choose: { key, therapist: t.clinic.kai, ask: true } };
  const proposal = (await t.who.call({ method: 'POST', url: '/api/proposals', payload })).json<ProposalReply>();
  expect((await submit(t.who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  const [change] = (await week()).changes;
  if (!change) throw new Error('Kai sees no change');
  expect(change.call).toBe('ask');
  expect(change.say[0]).toMatch(/Can you stay late until 5:30 for Ida Fox from 4:30 to 5:30\?$/);
  const ends = async () =>
    (await slotsOf(t.who, DATE)).availabilities.find((a) => a.therapist_name === 'Kai Wood')?.end_time.slice(11, 16);
  expect((await answer(change, { answer: 'cannot', reason: 'other' })).statusCode).toBe(204);
  expect(await ends()).toBe('17:00');
  const [still] = (await week()).changes;
  expect((await answer({ version: still?.version ?? '' }, { answer: 'yes' })).statusCode).toBe(204);
  expect(await ends()).toBe('17:30');
});

test('the page knows the therapist’s own language, if their profile says it', async () => {
  expect((await week()).language).toBeUndefined();
  const own = { therapist_id: t.clinic.kai, name: 'Kai Wood', rank: 1, phone: '407 555 0100' };
  await t.db
    .insertInto('contact')
    .values({ ...own, language: 'Spanish' })
    .execute();
  expect((await week()).language).toBe('es');
});

test('“Yes” counts like a coordinator’s “Told”: the line closes, and the call list says who answered on their own page', async () => {
  const change = await cover();
  expect((await answer(change, { answer: 'yes' })).statusCode).toBe(204);
  expect((await week()).changes).toEqual([]);
  expect(await kaisLine()).toBeUndefined();
  const told = (await list()).told.find(({ id }) => id === t.clinic.kai);
  expect(told).toMatchObject({ answer: 'told', own_page: true, by: expect.stringMatching(/^Person/) as string });
});

test('given a question, “Seen” leaves it open, and both the therapist and the coordinator can see when it was seen', async () => {
  const change = await cover();
  expect((await answer(change, { answer: 'seen' })).statusCode).toBe(204);
  expect((await week()).changes).toMatchObject([{ seen_at: expect.any(String) as string, said_no: false }]);
  expect(await kaisLine()).toMatchObject({ answers: [], seen_at: expect.any(String) as string });
});

test('given a change that needs no answer, “Seen” closes its line', async () => {
  const { lin, mo, moAfternoon } = t.clinic;
  const own = await t.app.signIn({ role: 'therapist', therapistId: lin, locations: ['altamonte'] });
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  await t.db
    .updateTable('appointment')
    .set({ ends: `${DATE} 15:00:00` })
    .where('id', '=', moAfternoon)
    .execute();
  const [change] = (await week(own)).changes;
  const gone = [{ start: '15:00', end: '16:00', clients: ['Mo Diaz'] }];
  // There is nothing that they could refuse.
  expect(change).toMatchObject({ call: 'inform', gone, can_refuse: false });
  expect((await answer(change ?? { version: '' }, { answer: 'seen' }, own)).statusCode).toBe(204);
  expect((await list()).told).toMatchObject([{ id: lin, answer: 'told', own_page: true }]);
  expect(mo).not.toBe(lin);
});

test('changed sessions are marked until the therapist answers, and later changes are marked again', async () => {
  const marked = async () =>
    (await week(kai, DATE)).days.flatMap((each) => each.sessions.map(({ changed }) => changed));
  const change = await cover();
  expect(await marked()).toEqual([true]);
  expect((await answer(change, { answer: 'yes' })).statusCode).toBe(204);
  expect(await marked()).toEqual([false]);
  const later = { therapist: t.clinic.kai, client: t.clinic.ida, date: DATE, start: '13:00', end: '14:00' };
  await buildAppointment(t.db, later);
  expect(await marked()).toEqual([false, true]);
  expect((await week()).changes.flatMap(({ say }) => say)).toEqual([
    'Friday, November 22, 2030: Can you come in for Ida Fox from 1:00 to 2:00?',
  ]);
});

test('“I can’t” with a reason counts as “Said no”, and its line stays open for the coordinator', async () => {
  const change = await cover();
  expect((await answer(change, { answer: 'cannot', reason: 'no car today' })).statusCode).toBe(204);
  expect((await week()).changes).toMatchObject([{ said_no: true }]);
  expect((await kaisLine())?.answers).toMatchObject([{ answer: 'said-no', note: 'no car today', own_page: true }]);
});

test('given a change that needs no answer, “I can’t” still counts as “Said no”, and the session needs cover again', async () => {
  const { kai: therapist, mo, ida } = t.clinic;
  const at = { therapist, date: DATE };
  await buildAppointment(t.db, { ...at, client: mo, start: '08:00', end: '08:30' });
  await buildAppointment(t.db, { ...at, client: ida, start: '11:30', end: '12:00' });
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  const change = await cover();
  expect([change.call, change.say]).toEqual([
    'inform',
    ['Friday, November 22, 2030: You have Bo Lee from 8:30 to 11:30.'],
  ]);
  expect((await answer(change, { answer: 'cannot', reason: 'no car today' })).statusCode).toBe(204);
  expect((await kaisLine())?.answers).toMatchObject([{ answer: 'said-no', note: 'no car today', own_page: true }]);
  expect((await list()).declined).toMatchObject([{ therapist: 'Kai Wood' }]);
  const open = (await slotsOf(t.who, DATE)).appointments.filter((each) => each.needs_cover);
  expect(open.map((each) => each['Client Name'])).toEqual(['Bo Lee']);
});

test('given a therapist who writes why they cannot stay longer, then “Said no” shows the reason, even after options are submitted, until the no is taken back', async () => {
  const { lin, moAfternoon } = t.clinic;
  const own = await t.app.signIn({ role: 'therapist', therapistId: lin, locations: ['altamonte'] });
  const until = (time: string) =>
    t.db
      .updateTable('appointment')
      .set({ ends: `${DATE} ${time}:00` })
      .where('id', '=', moAfternoon)
      .execute();
  await until('15:00');
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  await until('16:00');
  const [change] = (await week(own)).changes;
  expect((await answer(change ?? { version: '' }, { answer: 'cannot', reason: 'no car today' }, own)).statusCode).toBe(
    204,
  );
  const { lines, declined } = await list();
  expect(lines.map(({ id }) => id)).not.toContain(lin);
  const said = { therapist: 'Lin Park', own_page: true, note: 'no car today' };
  expect(declined).toMatchObject([said]);
  await commitEveryone(t.who, await solveDay(t.who));
  expect((await list()).declined).toMatchObject([said]);
  const back = { ...ON, id: declined[0]?.id, take_back: true };
  const after = await t.who.call({ method: 'POST', url: '/api/calls/said-no/take-back', payload: back });
  expect([after.statusCode, after.json<CallsReply>().declined]).toEqual([200, []]);
});

test('an answer to a change that has changed again is refused, and the refusal reveals nothing of the call list', async () => {
  const change = await cover();
  await t.who.call({
    method: 'POST',
    url: '/api/calls/answer',
    payload: {
      ...ON,
      kind: 'therapist',
      id: t.clinic.kai,
      version: change.version,
      answer: 'no-answer',
      note: 'private',
    },
  });
  await t.db
    .updateTable('appointment')
    .set({ ends: `${DATE} 11:00:00` })
    .where('client_id', '=', t.clinic.bo)
    .where('starts', '=', `${DATE} 08:30:00`)
    .execute();
  const reply = await answer(change, { answer: 'yes' });
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    {
      detail: {
        conflicts: [],
        message: 'This change is different from the one you saw. Nothing was saved. Load your day again, then answer.',
      },
    },
  ]);
  expect(JSON.stringify(await week())).not.toContain('private');
});

test('given a change beyond the days that the page shows, an answer to it is refused', async () => {
  t = await openSmallClinic(t.app, { deps: { clock: { now: () => Date.parse(`${day(-20)}T22:00:00Z`) } } });
  kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  await covered();
  const line = await kaisLine();
  const reply = await answer({ version: line?.version ?? '' }, { answer: 'yes' });
  expect(reply.statusCode, reply.body).toBe(409);
  expect((await kaisLine())?.version).toBe(line?.version);
});

test('given a therapist and a coordinator who answer at the same moment, only one answer is stored', async () => {
  const change = await cover();
  const payload = { ...ON, kind: 'therapist', id: t.clinic.kai, version: change.version, answer: 'told' };
  const [own, other] = await Promise.all([
    answer(change, { answer: 'yes' }),
    t.who.call({ method: 'POST', url: '/api/calls/answer', payload }),
  ]);
  // The therapist said yes in either case. A coordinator who comes second learns that the therapist has answered.
  expect(own.statusCode).toBe(204);
  const [kept, ...others] = await t.db.selectFrom('call_answer').selectAll().execute();
  expect([kept?.answer, others]).toEqual(['told', []]);
  expect(other.statusCode).toBe(kept?.by_page ? 409 : 200);
});

test('a therapist sees only their own sessions of the last 30 and next 14 days, and no names of other therapists or their clients', async () => {
  const hidden = { first: 'Quimby', last: 'Vell' };
  const other = await buildTherapist(t.db, { first: 'Xanthe', last: 'Orr' });
  const theirs = await buildClient(t.db, hidden);
  const at = { start: '14:00', end: '15:00' };
  for (const n of [-32, 14]) {
    const client = await buildClient(t.db, { first: 'Too', last: `Far${n}` });
    await buildAppointment(t.db, { therapist: t.clinic.kai, client, date: day(n), ...at });
  }
  const inside = await buildClient(t.db, { first: 'Just', last: 'Inside' });
  for (const n of [-31, 13])
    await buildAppointment(t.db, { therapist: t.clinic.kai, client: inside, date: day(n), ...at });
  await buildAppointment(t.db, { therapist: other, client: theirs, date: DATE, ...at });
  await cover();
  const texts = await Promise.all(
    [-40, -35, -28, -21, -14, -7, 0, 7, 14, 21].map(async (n) => JSON.stringify(await week(kai, day(n)))),
  );
  const all = texts.join();
  expect(all.match(/Just Inside/g)).toHaveLength(2);
  for (const name of ['Quimby', 'Vell', 'Xanthe', 'Orr', 'Too', 'Ana', 'Ruiz', 'Lin', 'Mo Diaz', 'Max'])
    expect(all).not.toContain(name);
});

test('given a note saved on a client’s profile, then only a therapist who covers the client can see it, and only on that day', async () => {
  let now = Date.parse(`${day(-1)}T22:00:00Z`);
  t = await openSmallClinic(t.app, { deps: { clock: { now: () => now } } });
  kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  const note = { likes: 'trains', helps: 'a quiet corner', avoid: 'loud rooms' };
  for (const id of [t.clinic.bo, t.clinic.mo]) {
    const url = `/api/clients/${id}`;
    const profile = (await t.who.call({ url })).json<Client>();
    const saved = await t.who.call({ method: 'PUT', url, payload: { ...profile, ...note } });
    expect(saved.statusCode, saved.body).toBe(200);
    expect((await t.who.call({ url })).json()).toMatchObject(note);
  }
  const own = { therapist: t.clinic.kai, client: t.clinic.mo, date: DATE, start: '08:00', end: '08:30' };
  await buildAppointment(t.db, own);
  const change = await cover();
  const notes = async () =>
    (await week(kai, DATE)).days.flatMap((each) =>
      each.sessions.flatMap(({ clients }) => clients.map(({ name, note: shown }) => [name, shown])),
    );
  expect(await notes()).toEqual([
    ['Mo Diaz', null],
    ['Bo Lee', null],
  ]);
  now = Date.parse(`${DATE}T12:00:00Z`);
  // Nor before a yes.
  expect((await notes()).at(-1)).toEqual(['Bo Lee', null]);
  expect((await answer(change, { answer: 'yes' })).statusCode).toBe(204);
  expect(await notes()).toEqual([
    ['Mo Diaz', null],
    ['Bo Lee', note],
  ]);
  now = Date.parse(`${day(1)}T12:00:00Z`);
  expect(await notes()).toEqual([
    ['Mo Diaz', null],
    ['Bo Lee', null],
  ]);
});

test('a group is shown as one session, with new clients and no-shows marked; a cancelled group is reported in one sentence', async () => {
  const { kai: therapist, bo, ida, mo } = t.clinic;
  const group = {
    therapist,
    date: DATE,
    start: '16:15',
    end: '16:45',
    service: 'direct' as const,
    group: randomUUID(),
  };
  const keys: string[] = [];
  for (const client of [mo, ida]) keys.push(await buildAppointment(t.db, { ...group, client }));
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  keys.push(await buildAppointment(t.db, { ...group, client: bo }));
  await t.db
    .updateTable('appointment')
    .set({ status: 'noshow' })
    .where('id', '=', keys[0] ?? '')
    .execute();
  const shown = async () => (await week(kai, DATE)).days.find(({ date }) => date === DATE)?.sessions;
  expect(await shown()).toMatchObject([
    {
      start: '16:15',
      changed: true,
      clients: [
        { name: 'Bo Lee', changed: true, no_show: false },
        { name: 'Ida Fox', changed: false, no_show: false },
        { name: 'Mo Diaz', changed: false, no_show: true },
      ],
    },
  ]);
  const [change] = (await week()).changes;
  expect((await answer(change ?? { version: '' }, { answer: 'yes' })).statusCode).toBe(204);
  expect((await shown())?.[0]?.changed).toBe(false);
  await t.db.updateTable('appointment').set({ status: 'cancelled' }).where('id', 'in', keys).execute();
  expect(await shown()).toEqual([]);
  expect((await week()).changes).toMatchObject([
    { gone: [{ start: '16:15', end: '16:45', clients: ['Bo Lee', 'Ida Fox', 'Mo Diaz'] }] },
  ]);
});

test('reading and answering are audited at the location concerned', async () => {
  const change = await cover();
  await answer(change, { answer: 'yes' });
  const rows = await t.db
    .selectFrom('audit')
    .select(['action', 'location', 'subject_ids'])
    .where('account_id', '=', kai.accountId)
    .where('action', 'in', ['own-day.read', 'call.answered'])
    .execute();
  expect(new Set(rows.map((row) => row.action))).toEqual(new Set(['own-day.read', 'call.answered']));
  for (const row of rows) expect([row.location, row.subject_ids]).toEqual(['altamonte', [t.clinic.kai]]);
});

test('coordinators have no page of their own', async () => {
  expect((await t.who.call({ url: '/api/me' })).statusCode).toBe(403);
});
