import { expect, test } from 'vitest';
import type { ActionsReply, ChoicesReply, Explanation, ProposalReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import {
  asProposal,
  commitEveryone,
  everyone,
  saveAbsences,
  slotsOf,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';

let small: SmallApp;
openForEachTest((opened) => {
  small = opened;
});

const post = (url: string, payload: object) => small.who.call({ method: 'POST', url, payload });

/** Books Bo with Ana from 3:30 until `end`; Ana, Kai and Max are away, and Lin is there until 4:00. */
async function lateSession(end = '16:30'): Promise<string> {
  const { who, db, clinic } = small;
  const key = await buildAppointment(db, { therapist: clinic.ana, client: clinic.bo, date: DATE, start: '15:30', end });
  await db
    .updateTable('appointment')
    .set({ ends: `${DATE} 15:30:00` })
    .where('id', '=', clinic.moAfternoon)
    .execute();
  const away = ['Ana Ruiz', 'Kai Wood', 'Max Dean'].map((therapist) => ({ therapist, date: DATE, begin: '12:00' }));
  const saved = await saveAbsences(who, away);
  expect(saved.statusCode, saved.body).toBe(200);
  return key;
}
const choices = async (key: string): Promise<ChoicesReply['choices']> => {
  const reply = await post('/api/sessions/choices', { ...ON, key });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ChoicesReply>().choices;
};
const asks = async (key: string): Promise<string[]> =>
  (await choices(key)).flatMap((c) => (c.ask === null ? [] : [`${c.therapist}: ${c.ask}: ${c.words}`]));
const choose = (key: string, therapist: string) =>
  post('/api/proposals', { location: 'altamonte', dates: [DATE], choose: { key, therapist, ask: true } });
/** Chooses Lin for the whole session, and submits the plan. */
async function askLin(): Promise<{ key: string; commit: string }> {
  const key = await lateSession();
  const reply = await choose(key, small.clinic.lin);
  expect(reply.statusCode, reply.body).toBe(200);
  const proposal = reply.json<ProposalReply>();
  return { key, commit: (await commitEveryone(small.who, proposal)).commit };
}
const { list, lineOf, answered } = new CallList(() => small.who);
/** When Lin is available, as the calendar shows it. */
const linsDay = async (date: string = DATE): Promise<string[]> =>
  (await slotsOf(small.who, date)).availabilities
    .filter((a) => a.therapist_name === 'Lin Park')
    .map((a) => `${a.start_time.slice(11, 16)}-${a.end_time.slice(11, 16)}`);
const stored = () => small.db.selectFrom('extra_hours').selectAll().orderBy('id').execute();

test("given an open session that ends less than an hour after a therapist's day, then that therapist can be asked to stay late", async () => {
  const key = await lateSession();
  expect(await asks(key)).toEqual([
    'Lin Park: Ask to stay late until 4:30: known, would work outside their booked day',
  ]);
  // A therapist who can take the session without being asked comes first.
  await small.db
    .updateTable('absence')
    .set({ withdrawn_at: new Date().toISOString() })
    .where('therapist_id', '=', small.clinic.kai)
    .execute();
  expect((await choices(key)).map((c) => [c.therapist, c.possible, c.ask !== null])).toEqual([
    ['Kai Wood', true, false],
    ['Lin Park', true, true],
    ['Ana Ruiz', false, false],
    ['Max Dean', false, false],
  ]);
});

test.each([
  ['16:30', 'no one who works then can cover all of Bo Lee 3:30 PM to 4:30 PM. Ask Lin Park to stay late until 4:30?'],
  ['17:15', 'no one who works then can cover all of Bo Lee 3:30 PM to 5:15 PM.'],
])(
  'given a gap until %s that no one covers, then the explanation names a therapist to ask only if someone could stay that late',
  async (end, words) => {
    await lateSession(end);
    const reply = await post('/api/proposals', { location: 'altamonte', dates: [DATE] });
    const { data, metadata } = reply.json<ProposalReply>();
    const options = data[DATE]?.['Bo Lee']?.['Option 1'] ?? {};
    const [slot] = Object.entries(options).find(([, cell]) => cell.status === 'Unassigned') ?? [];
    const { proposal, revision } = metadata;
    const cell = { proposal, revision, date: DATE, client: 'Bo Lee', option: 'Option 1', time_slot: slot };
    const why = (await post('/api/proposals/explain', cell)).json<Explanation>();
    expect(why.what_it_would_take?.words).toBe(`Whatever else changes, ${words}`);
  },
);

test.each([
  ['exactly an hour', '17:00', 'Lin Park: Ask to stay late until 5:00: known, would work outside their booked day'],
  ['61 minutes', '17:01', undefined],
])(
  "given a gap that ends %s after the therapist's day, then the therapist can be asked to stay late only if that is at most an hour",
  async (_, end, offered) => {
    expect((await asks(await lateSession(end)))[0]).toBe(offered);
  },
);

test("given a session before a therapist's day begins, then they can be asked to come early", async () => {
  const { who, db, clinic } = small;
  const key = await buildAppointment(db, {
    therapist: null,
    client: clinic.mo,
    date: DATE,
    start: '07:30',
    end: '08:15',
  });
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE }]);
  expect((await asks(key)).map((words) => words.split(': ').slice(0, 2).join(': ')).toSorted()).toEqual([
    'Kai Wood: Ask to come early at 7:30',
    'Lin Park: Ask to come early at 7:30',
  ]);
});

test('a therapist is not asked if they are away, booked at another location, based at another location, or no longer employed', async () => {
  const { who, db, clinic } = small;
  const key = await lateSession();
  const early = [1, 2, 3, 4, 5].map((day): [number, string, string] => [day, '08:00', '16:00']);
  const gone = await buildTherapist(db, { first: 'Gil', last: 'Gone', windows: early, lastDay: '2030-11-21' });
  await buildTherapist(db, { first: 'Tam', last: 'Pa', windows: early, location: 'tampa' });
  const other = await buildTherapist(db, { first: 'Eli', last: 'Where', windows: early });
  const session = { client: clinic.ida, date: DATE, start: '16:15', end: '16:45', location: 'tampa' } as const;
  await buildAppointment(db, { ...session, therapist: other });
  // Administrative time until the end of the day does not prevent a therapist from staying late.
  const admin = await buildTherapist(db, { first: 'Ada', last: 'Min', windows: early });
  await buildAppointment(db, {
    therapist: admin,
    client: null,
    service: 'admin',
    date: DATE,
    start: '15:00',
    end: '16:00',
  });
  expect((await asks(key)).map((words) => words.split(':')[0])).toEqual(['Lin Park', 'Ada Min']);
  expect((await choose(key, gone)).statusCode).toBe(422);
  expect((await choose(key, other)).statusCode).toBe(422);
  await saveAbsences(who, [{ therapist: 'Lin Park', date: DATE, begin: '15:45' }]);
  expect((await asks(key)).map((words) => words.split(':')[0])).toEqual(['Ada Min']);
});

test('given a session that has a therapist, then no one is asked to stay late for it', async () => {
  const { db, clinic } = small;
  const key = await buildAppointment(db, {
    therapist: clinic.ana,
    client: clinic.bo,
    date: DATE,
    start: '15:30',
    end: '16:30',
  });
  expect(await asks(key)).toEqual([]);
});

test('given a therapist chosen to stay late, then a refresh and the commit keep them for the session, and they are asked to stay', async () => {
  const { who, db, clinic } = small;
  const key = await lateSession();
  const plain = await post('/api/proposals', {
    location: 'altamonte',
    dates: [DATE],
    choose: { key, therapist: clinic.lin },
  });
  expect(plain.statusCode, 'without being asked, Lin is not there').toBe(410);
  const reply = await choose(key, clinic.lin);
  expect(reply.statusCode, reply.body).toBe(200);
  const first = reply.json<ProposalReply>();
  const again = await post('/api/refresher', {
    output: { possible_solutions: first.data },
    metadata: first.metadata,
    refreshSelections: [{ date: DATE, client: 'Bo Lee', option: 'Option 1' }],
  });
  expect(again.statusCode, again.body).toBe(200);
  const proposal = asProposal(again.json());
  const done = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(done.statusCode, done.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toContain('15:30-16:30 Lin Park/Ana Ruiz booked');
  expect(done.json<ActionsReply>().calls.find((c) => c.who === 'Lin Park')?.say).toMatch(
    /Can you stay late until 4:30 for Bo Lee from 3:30 to 4:30\?/,
  );
  expect(await stored()).toMatchObject([
    { therapist_id: clinic.lin, kind: 'late', start_minute: 960, end_minute: 990, session: key, agreed_at: null },
  ]);
  const trail = db.selectFrom('audit').select(['action', 'subject_ids']).where('action', 'like', 'extra-hours%');
  expect(await trail.execute()).toEqual([{ action: 'extra-hours.asked', subject_ids: [clinic.lin] }]);
});

test('given a refresh that does not keep the choice, then no option uses the therapist beyond their day', async () => {
  const key = await lateSession();
  const first = (await choose(key, small.clinic.lin)).json<ProposalReply>();
  const again = await post('/api/refresher', {
    output: { possible_solutions: first.data },
    metadata: first.metadata,
    refreshSelections: [],
  });
  expect(again.statusCode, again.body).toBe(200);
  const ends = Object.values(asProposal(again.json()).data[DATE]?.['Bo Lee'] ?? {}).flatMap((slots) =>
    Object.entries(slots).flatMap(([slot, cell]) => (cell.therapist === 'Lin Park' ? [slot.split(' - ')[1]] : [])),
  );
  expect(ends.filter((end) => end !== '4:00 PM')).toEqual([]);
});

test('given a therapist who says yes, then their hours are extended for as long as they have the session', async () => {
  const { commit } = await askLin();
  const line = await lineOf('Lin Park');
  expect(line.call).toBe('ask');
  expect(line.say[0]).toMatch(/Can you stay late until 4:30 for Bo Lee from 3:30 to 4:30\?$/);
  expect(await linsDay()).toEqual(['08:00-16:00']);
  await answered('Lin Park', 'left-message');
  expect(await linsDay(), 'a message is not a yes').toEqual(['08:00-16:00']);
  await answered('Lin Park', 'told');
  expect(await linsDay()).toEqual(['08:00-16:30']);
  expect(await linsDay(addDays(isoDate(DATE), 7)), 'only for the day').toEqual(['08:00-16:00']);
  // After the yes is taken back, Lin is asked again and agrees again.
  const told = (await list()).told.find((each) => each.name === 'Lin Park');
  const back = await post('/api/calls/answer', {
    ...ON,
    kind: 'therapist',
    id: told?.id,
    version: '',
    answer: 'not-told',
  });
  expect(back.statusCode, back.body).toBe(200);
  expect(await linsDay()).toEqual(['08:00-16:00']);
  expect((await lineOf('Lin Park')).call).toBe('ask');
  await answered('Lin Park', 'told');
  expect(await linsDay()).toEqual(['08:00-16:30']);
  expect((await undo(small.who, commit)).statusCode).toBe(200);
  expect(await linsDay()).toEqual(['08:00-16:00']);
});

test('given a session that is moved to another day after the yes, then the therapist’s hours on that day are not extended', async () => {
  const { key } = await askLin();
  await answered('Lin Park', 'told');
  const date = addDays(isoDate(DATE), 7);
  const session = (await slotsOf(small.who, DATE)).appointments.find((a) => a.key === key);
  const names = { client: 'Bo Lee', therapist: 'Lin Park', subject: session?.Subject };
  const payload = { ...ON, ...names, date, start: '15:30', end: '16:30', version: session?.version, anyway: true };
  const moved = await small.who.call({ method: 'PUT', url: `/api/appointments/${key}`, payload });
  expect(moved.statusCode, moved.body).toBe(200);
  expect(await linsDay(date)).toEqual(['08:00-16:00']);
});

test('given a therapist who says no, then the session needs cover and the therapist’s day stays as it was', async () => {
  await askLin();
  await answered('Lin Park', 'said-no', { no: { scope: 'session' } });
  expect((await list()).declined).toMatchObject([{ therapist: 'Lin Park' }]);
  expect(await linsDay()).toEqual(['08:00-16:00']);
  expect(
    (await slotsOf(small.who, DATE)).appointments.filter((a) => a.needs_cover).map((a) => a['Client Name']),
  ).toContain('Bo Lee');
});

test('given a day sheet that goes out before the answer, then the question is closed and the day stays as it was', async () => {
  await askLin();
  const reply = await post('/api/calls/day-sheet', ON);
  expect(reply.statusCode, reply.body).toBe(200);
  expect((await list()).lines).toEqual([]);
  expect((await stored()).map((row) => [row.agreed_at, row.sheet_at !== null])).toEqual([[null, true]]);
  expect(await linsDay()).toEqual(['08:00-16:00']);
});

test('given the same question asked again after an undo, then only the new question counts', async () => {
  const { key, commit } = await askLin();
  await answered('Lin Park', 'told');
  expect((await undo(small.who, commit)).statusCode).toBe(200);
  const proposal = (await choose(key, small.clinic.lin)).json<ProposalReply>();
  expect((await submit(small.who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  expect((await stored()).map((row) => [row.agreed_at !== null, row.ended_at !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('given a session booked by hand that goes beyond a therapist’s day, then the call asks them to stay late', async () => {
  const { who, clinic } = small;
  const body = {
    location: 'altamonte',
    client: 'Ida Fox',
    therapist: 'Kai Wood',
    date: DATE,
    subject: 'Direct Therapy',
  };
  const booked = await post('/api/appointments', { ...body, start: '14:00', end: '15:00', ask: true });
  expect(booked.statusCode, booked.body).toBe(201);
  expect(await stored()).toEqual([]);
  const url = `/api/appointments/${booked.json<{ key: string }[]>()[0]?.key}`;
  const change = (start: string, end: string) =>
    who.call({ method: 'PUT', url, payload: { ...body, start, end, ask: true } });
  expect((await change('16:45', '17:45')).statusCode).toBe(200);
  expect(await stored()).toMatchObject([
    { therapist_id: clinic.kai, kind: 'late', start_minute: 1020, end_minute: 1065, commit_id: null },
  ]);
  const line = await lineOf('Kai Wood');
  expect([line.call, line.say.join(' ')]).toEqual(['ask', expect.stringMatching(/an you stay late until 5:45/)]);
  await answered('Kai Wood', 'told');
  const ends = async () =>
    (await slotsOf(who, DATE)).availabilities.find((a) => a.therapist_name === 'Kai Wood')?.end_time.slice(11, 16);
  expect(await ends()).toBe('17:45');
  expect((await change('12:00', '12:30')).statusCode).toBe(200);
  expect(await ends()).toBe('17:00');
});
