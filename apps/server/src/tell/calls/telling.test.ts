import readXlsxFile from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { ActionsReply, CallsReply, Client } from '@clinic/contract';
import { listWords, whomToCall } from '@clinic/domain';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, everyone, propose, slotsOf, submit, submitBody } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { OneDay } from '../../testing/one-day.ts';
import { BO, ProfileCalls } from '../../testing/profiles.ts';
import { FRIDAY_MORNING } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

/** The current time by the machine's clock; answers get this time. */
let machine = Date.parse('2026-11-20T12:20:00.000Z');
const t = useApp(() => buildCoverApp({ config: FRIDAY_MORNING, deps: { accessClock: { now: () => machine } } }));

const callsOf = (day: OneDay) => new CallList(() => t.staff, day.on);
const dayOf = (date: string, last: string) => new OneDay(t.db, date, last);
/** Marks a therapist absent all day, and submits the first option. */
const commitWithout = async (day: OneDay, first: string): Promise<ActionsReply> =>
  commitEveryone(t.staff, await propose(t.staff, { therapist: day.name(first), date: day.on.date }));
const cancel = async (key: string, payload: object = {}): Promise<void> => {
  const reply = await t.staff.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload });
  expect(reply.statusCode, reply.body).toBe(200);
};
const workbookOf = async (commit: string): Promise<Buffer> =>
  (await t.staff.call({ url: `/api/commits/${commit}/workbook` })).rawPayload;
/** The rows of the sheet *Calls to make*, without its header. */
async function sheetOf(commit: string): Promise<unknown[][]> {
  const sheets = await readXlsxFile(await workbookOf(commit));
  return sheets.find(({ sheet }) => sheet === 'Calls to make')?.data.slice(1) ?? [];
}
/** A call list's lines, as the sheet *Calls to make* writes them. */
const asRows = ({ lines, date }: CallsReply): unknown[] =>
  lines.map(({ kind, name, say, after }) => [
    whomToCall(kind, name),
    kind === 'client' ? 'Family' : 'Therapist',
    date,
    `${after.length === 0 ? '' : `After ${listWords(after.map((each) => each.name))} says yes: `}${say.join(' ')}`,
  ]);
/** What is said, without the date that the first sentence begins with. */
const withoutDate = (say: readonly string[] | undefined): string => (say ?? []).join(' ').replace(/^\w+, [^:]*: /, '');

test('given two commits and a booking by hand, with no one told yet, then the second workbook has the whole call list, in the same order and words as on the page', async () => {
  const day = dayOf('2030-12-02', 'Ames');
  const [ana, lin] = [await day.therapist('Ana'), await day.therapist('Lin')];
  for (const first of ['Kai', 'Zoe']) await day.therapist(first);
  const [bo, mo] = [await day.client('Bo'), await day.client('Mo'), await day.client('Ida')];
  await day.session(ana, bo, '13:00', '15:00');
  await day.session(lin, mo, '09:00', '11:00');
  const { list, told } = callsOf(day);
  const proposal = await propose(t.staff, { therapist: day.name('Ana'), date: day.on.date });
  const body = submitBody(proposal, everyone(proposal));
  const first = await submit(t.staff, body);
  expect(first.statusCode, first.body).toBe(200);
  const { commit } = first.json<ActionsReply>();
  const early = await workbookOf(commit);
  expect(await sheetOf(commit)).toEqual(asRows(await list()));

  const ida = { client: day.name('Ida'), therapist: day.name('Zoe'), start: '11:00', end: '12:00' };
  const payload = { ...day.on, ...ida, subject: 'Direct Therapy' };
  const booked = await t.staff.call({ method: 'POST', url: '/api/appointments', payload });
  expect(booked.statusCode, booked.body).toBe(201);
  const second = await commitWithout(day, 'Lin');
  const calls = await list();
  expect(await sheetOf(second.commit)).toEqual(asRows(calls));
  const families = calls.lines.filter((line) => line.kind === 'client').map((line) => [line.first, line.name]);
  expect(families).toEqual([
    ['09:00', 'Mo Ames'],
    ['13:00', 'Bo Ames'],
    ['11:00', 'Ida Ames'],
  ]);
  expect(second.figures?.people).toBe(calls.lines.length);

  // Later answers and commits change nothing in a stored reply.
  await told('Bo Ames');
  const again = await submit(t.staff, body);
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  expect((await workbookOf(commit)).equals(early)).toBe(true);
});

test('given changes at 9:00 and 13:00, then the lines are sorted by the first minute that changes, not by name', async () => {
  const day = dayOf('2030-12-03', 'Bell');
  const early = await day.session(await day.therapist('Yara'), await day.client('Zed'), '09:00', '10:00');
  const late = await day.session(await day.therapist('Abe'), await day.client('Ben'), '13:00', '14:00');
  const { list, post } = callsOf(day);
  await post('day-sheet', {});
  for (const key of [late, early]) await cancel(key);
  expect((await list()).lines.map(({ first, name }) => [first, name])).toEqual([
    ['09:00', 'Yara Bell'],
    ['09:00', 'Zed Bell'],
    ['13:00', 'Abe Bell'],
    ['13:00', 'Ben Bell'],
  ]);
});

test('given a session moved by hand, then each person has one line with both times, no line if it moves back, and two lines if it moves to another date', async () => {
  const [day, next] = [dayOf('2030-12-12', 'Ingram'), dayOf('2030-12-13', 'Ingram')];
  const key = await day.session(await day.therapist('Ana'), await day.client('Bo'), '09:00', '10:00');
  for (const { post } of [callsOf(day), callsOf(next)]) await post('day-sheet', {});
  const move = async ({ on, name }: OneDay, start: string, end: string): Promise<void> => {
    const payload = { ...on, client: name('Bo'), therapist: name('Ana'), start, end, subject: 'Direct Therapy' };
    const reply = await t.staff.call({
      method: 'PUT',
      url: `/api/appointments/${key}`,
      payload: { ...payload, anyway: true },
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  const said = async (of: OneDay) =>
    (await callsOf(of).list()).lines.map(({ name, say }) => [name, withoutDate(say)]).toSorted();
  await move(day, '13:00', '14:00');
  expect(await said(day)).toEqual([
    ['Ana Ingram', 'Can you take Bo Ingram from 1:00 to 2:00 instead of 9:00 to 10:00? You are released until 1:00.'],
    ['Bo Ingram', 'Bo’s session is from 1:00 to 2:00 instead of 9:00 to 10:00.'],
  ]);
  await move(day, '09:00', '10:00');
  expect(await said(day)).toEqual([]);
  await move(next, '09:00', '10:00');
  expect(await said(day)).toEqual([
    ['Ana Ingram', 'Bo Ingram from 9:00 to 10:00 is cancelled. You are released from 9:00 on.'],
    ['Bo Ingram', 'Bo’s session from 9:00 to 10:00 is cancelled.'],
  ]);
  expect(await said(next)).toEqual([
    ['Ana Ingram', 'Can you come in for Bo Ingram from 9:00 to 10:00?'],
    ['Bo Ingram', 'Bo has a new session from 9:00 to 10:00 with Ana Ingram.'],
  ]);
});

test('given a therapist who loses a session and has another one later, then the call says that they are free until then', async () => {
  const day = dayOf('2030-12-16', 'Jones');
  const [ana, bo] = [await day.therapist('Ana'), await day.client('Bo')];
  const gone = await day.session(ana, bo, '09:00', '11:00');
  await day.session(ana, bo, '12:30', '13:30');
  const { post, lineOf } = callsOf(day);
  await post('day-sheet', {});
  await cancel(gone);
  const { call, say } = await lineOf('Ana Jones');
  expect([call, withoutDate(say)]).toEqual([
    'inform',
    'Bo Jones from 9:00 to 11:00 is cancelled. You are released until 12:30.',
  ]);
});

test.each([
  ['in their admin time', '2030-12-04', 'Cole', true, 'ask', /^Can you take Bo Cole from 9:00 to 10:00\? It takes 1 h/],
  ['in a gap of their booked day', '2030-12-05', 'Dunn', false, 'inform', /^You have Bo Dunn from 9:00 to 10:00\.$/],
] as const)(
  'given a therapist who covers %s, then the call is a question if they would give up admin time, and otherwise only informs them',
  async (_, date, last, admin, call, words) => {
    const day = dayOf(date, last);
    const [ana, kai] = [await day.therapist('Ana'), await day.therapist('Kai', { to: '12:00' })];
    const [bo, mo] = [await day.client('Bo'), await day.client('Mo')];
    await day.session(ana, bo, '09:00', '10:00');
    await day.session(kai, mo, '08:00', '09:00');
    if (admin) await day.session(kai, null, '09:00', '10:00');
    await day.session(kai, mo, '10:00', '12:00');
    await commitWithout(day, 'Ana');
    const line = await callsOf(day).lineOf(day.name('Kai'));
    expect([line.call, withoutDate(line.say)]).toEqual([call, expect.stringMatching(words)]);
  },
);

test('given several contacts, then the line lists them in the profile’s order, each with relation, number, language and preferred way', async () => {
  const day = dayOf('2030-12-06', 'Eads');
  const contacts = [
    { name: 'Zora Eads', relation: 'Grandmother', phone: '407 555 0102', language: 'Spanish', preferred: 'text' },
    { name: 'Al Eads', relation: 'Father', phone: '407 555 0101', email: 'al@home.example', preferred: 'phone' },
  ];
  const { made } = new ProfileCalls<Client>(t, 'clients');
  const { id } = await made({ ...BO, last_name: 'Eads', contacts });
  const key = await day.session(await day.therapist('Ana'), id, '09:00', '10:00');
  const { post, lineOf } = callsOf(day);
  await post('day-sheet', {});
  await cancel(key);
  const line = await lineOf('Bo Eads');
  expect(line.contacts).toEqual([
    { ...contacts[0], dial: '+14075550102', email: '' },
    { ...contacts[1], dial: '+14075550101', language: '' },
  ]);
  // One of them speaks Spanish, so the caller has the words in both languages.
  expect(line.say).toEqual(['Friday, December 6, 2030: Bo’s session from 9:00 to 10:00 is cancelled.']);
  expect(line.say_es).toEqual(['Viernes 6 de diciembre de 2030: La sesión de Bo de 9:00 a 10:00 se cancela.']);
  expect(line.written).toEqual({
    en: 'Your day on Fri 6 Dec has changed: 1 gone. Please call the clinic.',
    es: 'Su horario del viernes 6 de diciembre cambió: 1 cita menos. Por favor, llame a la clínica.',
  });
});

test('given sessions at a site other than the child’s own, then the family is told which site', async () => {
  const day = dayOf('2030-12-09', 'Ford');
  const [ana, bo] = [await day.therapist('Una'), await day.client('Bo', { location: 'tampa' })];
  await day.therapist('Rex');
  await day.session(ana, bo, '09:00', '10:00');
  const gone = await day.session(ana, await day.client('Ida', { location: 'tampa' }), '10:00', '11:00');
  await day.session(ana, await day.client('Mo'), '11:00', '12:00');
  const { post, lineOf } = callsOf(day);
  await post('day-sheet', {});
  await cancel(gone);
  const luz = { client_id: bo, name: 'Luz Ford', rank: 1, language: 'Spanish' };
  await t.db.insertInto('contact').values(luz).execute();
  const { commit } = await commitWithout(day, 'Una');
  const spanish = (await sheetOf(commit)).map((row) => row.slice(4));
  expect(spanish.filter(([cell]) => cell !== null)).toEqual([
    [expect.stringMatching(/: Bo estará con Rex de 9:00 a 10:00 en Altamonte en lugar de Una\.$/)],
  ]);
  expect(withoutDate((await lineOf('Bo Ford')).say)).toBe(
    'Bo is with Rex from 9:00 to 10:00 at Altamonte instead of Una.',
  );
  expect(withoutDate((await lineOf('Ida Ford')).say)).toBe(
    'Ida’s session from 10:00 to 11:00 at Altamonte is cancelled.',
  );
  expect(withoutDate((await lineOf('Mo Ford')).say)).toBe('Mo is with Rex from 11:00 to 12:00 instead of Una.');
});

test('given an answer, then the list shows it with its author, time and note, and the audit trail records who gave it and when', async () => {
  const day = dayOf('2030-12-10', 'Gray');
  const key = await day.session(await day.therapist('Ana'), await day.client('Bo'), '09:00', '10:00');
  const sam = await t.signIn({ name: 'Sam Staff' });
  const calls = new CallList(() => sam, day.on);
  await calls.post('day-sheet', {});
  await cancel(key);
  machine = Date.parse('2026-11-20T12:21:07.000Z');
  const [line] = (await calls.answered('Bo Gray', 'left-message', { note: 'will ring back' })).lines.slice(-1);
  expect(line?.answers).toEqual([
    {
      result: expect.any(String) as string,
      answer: 'left-message',
      at: '2026-11-20T12:21:07.000Z',
      by: 'Sam Staff',
      note: 'will ring back',
      ring_by: null,
      own_page: false,
      taken_back: false,
    },
  ]);
  machine = Date.parse('2026-11-20T12:22:59.000Z');
  const { told } = await calls.answered('Bo Gray', 'told', { note: 'spoke to the aunt' });
  expect(told).toMatchObject([
    { name: 'Bo Gray', answer: 'told', at: '2026-11-20T12:22:59.000Z', by: 'Sam Staff', note: 'spoke to the aunt' },
  ]);
  const audited = await t.db
    .selectFrom('audit')
    .select(['at', 'account_id', 'detail'])
    .where('action', '=', 'call.answered')
    .where('account_id', '=', sam.accountId)
    .orderBy('at')
    .execute();
  expect(audited.map(({ at, detail }) => [Date.parse(at), detail])).toMatchObject([
    [Date.parse('2026-11-20T12:21:07Z'), { answer: 'left-message' }],
    [Date.parse('2026-11-20T12:22:59Z'), { answer: 'told' }],
  ]);
});

test('given an unassigned session that is cancelled and recorded as “family told”, then the family’s line closes', async () => {
  const day = dayOf('2030-12-11', 'Hart');
  const key = await day.session(await day.therapist('Ana'), await day.client('Bo'), '09:00', '10:00');
  await commitWithout(day, 'Ana');
  const { list, lineOf } = callsOf(day);
  const line = await lineOf('Bo Hart');
  expect(withoutDate(line.say)).toMatch(
    /^We have nobody for Bo from 9:00 to 10:00; shall we cancel it, or may we ring/,
  );
  const [session] = line.sessions;
  expect(session).toMatchObject({ key, has_therapist: false, start: '09:00', end: '10:00' });
  await cancel(session?.key ?? '', { version: session?.version, family_told: true });
  expect((await list()).lines).toEqual([]);
  const { appointments } = await slotsOf(t.staff, day.on.date);
  expect(appointments.map((a) => [a['Client Name'], a.Appointment_Status])).toEqual([['Bo Hart', 'Cancelled']]);
});
