// This file is over 250 lines because it is one scenario with every place where a name is planted.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  eachNotePart,
  type ActionsReply,
  type CallsReply,
  type Client,
  type ProposalReply,
  type Therapist,
  type WireAppointment,
} from '@clinic/contract';
import { everyone, saveAbsences, submit, submitBody } from '../testing/calls.ts';
import { failingSolver } from '../testing/cover-app.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

const DATE = '2031-03-03';
const NEXT = '2031-03-10';
/**
 * Planted in every field that can hold text about a person. Each planted secret has its own number, so that a leak
 * identifies its field.
 */
const SECRET = 'Zyzzyva';
let uses = 0;
const planted: string[] = [];
const secret = (field: string): string => {
  planted.push(field);
  return `${SECRET}${uses++}`;
};

let t: TestApp;
/** The same application, except that every solve fails. */
let failing: TestApp;
let admin: SignedIn;
beforeAll(async () => {
  t = await buildTestApp({ config: { logLevel: 'trace', solverSeconds: 20 } });
  failing = await buildTestApp({
    config: { logLevel: 'trace' },
    database: t.database,
    solver: failingSolver(new Error(`no plan for ${SECRET}`)),
  });
  admin = await t.signIn({
    role: 'admin',
    email: `${secret('account email')}@clinic.example`.toLowerCase(),
    name: secret('account name'),
  });
}, 300_000);
afterAll(async () => {
  await failing.close();
  await t.close();
});

const post = (url: string, payload: object, who = admin) => who.call({ method: 'POST', url, payload });

async function made<T>(url: string, payload: object): Promise<T> {
  const reply = await post(url, payload);
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json<T>();
}

const contact = (of: string) => ({
  name: secret(`${of} contact name`),
  relation: secret(`${of} contact relation`),
  email: `${secret(`${of} contact email`)}@x.example`,
  language: secret(`${of} contact language`),
});
const therapistBody = () => ({
  first_name: secret('therapist first name'),
  last_name: secret('therapist last name'),
  location: 'altamonte',
  specialization: 'RBT',
  gender: 'Female',
  start_date: '2024-03-04',
  availability: [{ day_of_week: 1, start_time: '08:00', end_time: '17:00' }],
  contacts: [contact('therapist')],
  tags: [{ tag: secret('tag') }],
  credentials: [{ credential: 'RBT', number: secret('credential number') }],
});
const clientBody = () => ({
  first_name: secret('client first name'),
  last_name: secret('client last name'),
  location: 'altamonte',
  gender: 'Female',
  restrictions: [],
  contacts: [contact('client')],
  needs: [{ tag: secret('need'), must: false }],
  ...eachNotePart((part) => secret(`cover note, ${part}`)),
});

/**
 * Does a whole day's work with secrets in it, and makes every mistake for which the server's reply quotes the request.
 */
async function useEverything(): Promise<void> {
  const ana = await made<Therapist>('/api/therapists', therapistBody());
  const kai = await made<Therapist>('/api/therapists', therapistBody());
  const bo = await made<Client>('/api/clients', clientBody());
  const session = {
    location: 'altamonte',
    client: bo.display_name,
    therapist: ana.display_name,
    date: DATE,
    start: '09:00',
    end: '11:00',
    subject: secret('subject'),
  };
  const [booked] = await made<WireAppointment[]>('/api/appointments', session);
  await admin.call({ method: 'PUT', url: `/api/appointments/${booked?.key}`, payload: { ...session, end: '12:00' } });
  // This booking conflicts with another, and the refusal names everyone in both.
  await post('/api/appointments', { ...session, start: '10:00' });
  await post('/api/appointments', { ...session, client: secret('unknown client') });
  await post('/api/appointments', { ...session, location: secret('unknown location') });
  const query = `location=altamonte&date=${DATE}`;
  const urls = [
    `/api/slots?${query}`,
    `/api/today?${query}`,
    `/api/commits?${query}`,
    `/api/timeslots?location=altamonte&start_date=${DATE}&client_name=${bo.display_name}`,
    `/api/timeslots?location=altamonte&start_date=${DATE}&client_name=${secret('asked client')}`,
    `/api/slots?location=${secret('asked location')}&date=${DATE}`,
    `/api/therapists/${secret('asked id')}`,
    `/api/clients/${bo.id}`,
    `/api/clients`,
    `/api/therapists`,
    `/api/${secret('address')}?name=${secret('address query')}`,
    `/${secret('page')}`,
    `/api/audit?subject=${secret('audit subject')}`,
    `/api/accounts`,
    `/api/%E0%A4%A${secret('broken address')}`,
    `/api/calls?${query}`,
    `/api/reports?from=${DATE}&to=${DATE}`,
    `/api/reports/sessions?from=${DATE}&to=${DATE}&by=client&key=${secret('report key')}&figure=booked`,
    `/api/ledgers/care/${bo.id}?date=${DATE}`,
    `/api/ledgers/hours/${secret('ledger id')}?date=${DATE}`,
  ];
  for (const url of urls) await admin.call({ url });
  await post('/api/accounts', {
    email: `${secret('other email')}@x.example`,
    name: secret('other name'),
    role: 'scheduler',
    locations: null,
    password: secret('password'),
  });
  const [first] = [await saveAbsences(admin, [{ therapist: ana.display_name, date: DATE }])];
  expect(first.statusCode, first.body).toBe(200);
  const proposal = first.json<ProposalReply>();
  const chosen = everyone(proposal);
  await post('/api/refresher', {
    output: { possible_solutions: proposal.data },
    metadata: { ...proposal.metadata, location: secret('sent location') },
    refreshSelections: [{ date: DATE, client: secret('pinned client'), option: 'Option 1' }],
  });
  await post('/api/proposals/explain', {
    proposal: proposal.metadata.proposal,
    revision: 1,
    date: DATE,
    client: secret('explained client'),
    option: 'Option 1',
    time_slot: secret('slot'),
  });
  await submit(admin, submitBody(proposal, { [DATE]: { [secret('chosen client')]: 'Option 1' } }));
  const done = await submit(admin, submitBody(proposal, chosen));
  expect(done.statusCode, done.body).toBe(200);
  const { commit } = done.json<ActionsReply>();
  await submit(admin, submitBody(proposal, chosen), { 'idempotency-key': secret('key') });
  await call(ana, kai, DATE);
  await admin.call({ url: `/api/commits/${commit}/workbook` });
  await post(`/api/appointments/${booked?.key}/cancel`, { reason: secret('reason') });
  await post(`/api/commits/${commit}/undo`, {});
  await post('/api/absences/withdraw', {
    location: 'altamonte',
    date: DATE,
    type: 'therapist',
    name: ana.display_name,
  });
  await admin.call({ method: 'DELETE', url: `/api/therapists/${kai.id}` });
  await admin.call({
    method: 'POST',
    url: '/api/actions',
    headers: { 'content-type': 'application/json' },
    payload: `{"name": "${secret('broken JSON')}`,
  });
  await admin.call({
    method: 'POST',
    url: '/api/imports',
    headers: { 'content-type': 'multipart/form-data; boundary=part' },
    payload: `--part\r\ncontent-disposition: form-data; name="clients"; filename="${secret('file name')}.csv"\r\n\r\nid,first_name,last_name,location,gender,restrictions\r\n${secret('row id')},${secret('row name')},${secret('row name')},${secret('row location')},x,\r\n--part--\r\n`,
  });
  for (const username of [`${secret('sign-in email')}@clinic.example`, admin.email])
    await t.app.inject({
      method: 'POST',
      url: '/api/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username, password: secret('sign-in password') }).toString(),
    });
  await t.app.inject({
    url: '/api/session',
    headers: { authorization: `Bearer ${secret('token')}`, cookie: secret('cookie') },
  });
}

/** After a commit that changed a day, records the results of the calls and uses a therapist's own page. */
async function call(ana: Therapist, kai: Therapist, date: string): Promise<void> {
  const on = { location: 'altamonte', date };
  const { lines } = (await admin.call({ url: '/api/calls', query: on })).json<CallsReply>();
  const [line] = lines;
  if (!line) throw new Error('no one to call');
  const answer = (more: object) =>
    post('/api/calls/answer', {
      ...on,
      kind: line.kind,
      id: line.id,
      version: line.version,
      before_yes: true,
      ...more,
    });
  expect((await answer({ answer: 'left-message', note: secret('call note') })).statusCode).toBe(200);
  await answer({ answer: 'told', id: secret('called person') });
  await answer({ answer: 'told', version: secret('version'), note: secret('late note') });
  await made('/api/causes', { label: secret('cause'), lost_by: null });
  await post('/api/causes', { label: secret('cause') });
  await post('/api/invitations', { therapist: ana.id, email: `${secret('invited')}@x.example`.toLowerCase() });
  await post('/api/welcome', { secret: secret('link'), password: secret('first password') });
  const own = await t.signIn({ role: 'therapist', therapistId: kai.id, locations: ['altamonte'] });
  await own.call({ url: '/api/me' });
  await post(
    '/api/me/answer',
    { ...on, version: secret('own version'), answer: 'cannot', reason: secret('why not') },
    own,
  );
  const away = { from_date: date, from_time: '08:00', to_date: date, to_time: '12:00' };
  await post('/api/me/absences', { ...away, cause: secret('own cause') }, own);
}

/** Causes faults in the server itself: the database refuses, the solver fails. Their errors quote names. */
async function failEverything(): Promise<void> {
  const { db } = t.deps;
  const broken: SignedIn = {
    ...admin,
    call: (options) =>
      failing.app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${admin.token}` } }),
  };
  const ana = await made<Therapist>('/api/therapists', therapistBody());
  const bo = await made<Client>('/api/clients', clientBody());
  await made('/api/appointments', {
    location: 'altamonte',
    client: bo.display_name,
    therapist: ana.display_name,
    date: NEXT,
    start: '09:00',
    end: '11:00',
    subject: secret('subject'),
  });
  const solved = await saveAbsences(broken, [{ therapist: ana.display_name, date: NEXT }]);
  expect(solved.statusCode).toBeGreaterThanOrEqual(500);
  await sql`create function fail_loudly() returns trigger language plpgsql as $$
    begin raise exception 'cannot keep %', new; end $$`.execute(db);
  for (const table of ['client', 'appointment', 'absence'])
    await sql`create trigger fail_loudly before insert on ${sql.table(table)} for each row execute function fail_loudly()`.execute(
      db,
    );
  expect((await post('/api/clients', clientBody())).statusCode).toBe(500);
  await sql`drop trigger fail_loudly on client`.execute(db);
  const clash = await db.selectFrom('client').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('client')
    .values({ ...clash, id: 'C-twice' })
    .execute()
    .catch(() => {});
}

test('names and entered text appear in no line of the log and in no metric', async () => {
  await useEverything();
  await failEverything();
  const metrics = await t.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  const log = [...t.logLines, ...failing.logLines];
  const { log: kept } = inject('testServer');
  if (kept === null)
    throw new Error('The log of a PostgreSQL of one’s own cannot be read: run this on the embedded one.');
  const databaseLog = readFileSync(kept, 'utf8');
  const leaks = [...log, ...metrics.body.split('\n'), ...databaseLog.split('\n')].flatMap((line) =>
    [...line.matchAll(new RegExp(`${SECRET}(\\d*)`, 'gi'))].map(
      (m) => `${planted[Number(m[1])] ?? 'a fault'}: ${line}`,
    ),
  );
  expect(leaks).toEqual([]);
  // The log was written, and it contains the faults.
  expect(log.length).toBeGreaterThan(40);
  expect(log.filter((line) => line.includes('"level":50')).length).toBeGreaterThanOrEqual(2);
  expect(metrics.body).toContain('http_request_duration_seconds');
  expect(databaseLog).toContain('ready to accept connections');
  expect(planted.length).toBeGreaterThan(75);
});
