// This file is over 250 lines because it asks for every type of resource, and for what each search must find.
import type {
  Appointment,
  Bundle,
  CapabilityStatement,
  OperationOutcome,
  Patient,
  Practitioner,
  Slot,
} from 'fhir/r4.js';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { openProgram, type Program } from '../../testing/service-account.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

let clinic: SmallClinic;
let program: Program;
let there: string;
const t = useApp(() => buildTestApp({ config: { clock: '2030-11-21T12:00:00Z' } }));
beforeAll(async () => {
  clinic = await buildSmallClinic(t.db);
  const away = await buildTherapist(t.db, { id: 'T 9/é', first: 'Tia', last: 'Away', location: 'tampa' });
  const child = await buildClient(t.db, { first: 'Uma', last: 'There', location: 'tampa' });
  there = await buildAppointment(t.db, {
    therapist: away,
    client: child,
    date: DATE,
    start: '09:00',
    end: '10:00',
    location: 'tampa',
  });
  program = await openProgram(t.opened);
});

const get = (path: string, headers: Record<string, string> = {}, by = program) =>
  by.call({ url: `/fhir/r4/${path}`, headers });
async function search<T>(path: string): Promise<T[]> {
  const reply = await get(path);
  expect(reply.statusCode, reply.body).toBe(200);
  return (reply.json<Bundle>().entry ?? []).map(({ resource }) => resource as T);
}
const ids = async (path: string): Promise<string[]> => (await search<Appointment>(path)).map(({ id }) => id ?? '');

test('what the server can do is said without a token, and names what it serves', async () => {
  const reply = await t.app.inject({ url: '/fhir/r4/metadata' });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/fhir+json; charset=utf-8']);
  const { fhirVersion, rest } = reply.json<CapabilityStatement>();
  expect([fhirVersion, rest?.[0]?.resource?.map(({ type }) => type)]).toEqual([
    '4.0.1',
    ['Appointment', 'Schedule', 'Slot', 'Practitioner', 'PractitionerRole', 'Patient', 'Location'],
  ]);
  const smart = await t.app.inject({ url: '/fhir/r4/.well-known/smart-configuration' });
  expect(smart.json()).toMatchObject({ token_endpoint: 'http://localhost/fhir/r4/token' });
});

test('a session is read with its people, its times with the offset of its location, and without names', async () => {
  const reply = await get(`Appointment/${clinic.boMorning}`);
  expect(reply.json()).toMatchObject({
    resourceType: 'Appointment',
    id: clinic.boMorning,
    meta: { versionId: '1' },
    status: 'booked',
    start: '2030-11-22T08:30:00-05:00',
    end: '2030-11-22T11:30:00-05:00',
    minutesDuration: 180,
    participant: [
      { actor: { reference: `Patient/${clinic.bo}` }, status: 'accepted' },
      { actor: { reference: `Practitioner/${clinic.ana}` }, status: 'accepted' },
      { actor: { reference: 'Location/altamonte' }, status: 'accepted' },
    ],
  });
  expect(reply.body).not.toMatch(/\bBo\b|Lee|Ana|Ruiz/);
  expect([reply.headers.etag, reply.headers['cache-control']]).toEqual(['W/"1"', 'no-store']);
  expect(reply.headers['last-modified']).toMatch(/ GMT$/);
});

test('the version that a program has is not sent again, and a newer one is', async () => {
  const id = await buildAppointment(t.db, {
    therapist: clinic.max,
    client: null,
    date: '2030-12-02',
    start: '09:00',
    end: '10:00',
  });
  const known = await get(`Appointment/${id}`, { 'if-none-match': 'W/"1"' });
  expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', 'W/"1"']);
  expect((await get(`Appointment/${id}`, { 'if-none-match': '"7", W/"1"' })).statusCode).toBe(304);
  await sql`update appointment set version = 2, status = 'cancelled', updated_at = now() where id = ${id}`.execute(
    t.db,
  );
  const newer = await get(`Appointment/${id}`, { 'if-none-match': 'W/"1"' });
  expect([newer.statusCode, newer.headers.etag, newer.json<Appointment>().status]).toEqual([200, 'W/"2"', 'cancelled']);
});

test.each([
  [`date=${DATE}`, 3],
  [`date=eq${DATE}&location=Location/altamonte`, 2],
  [`date=${DATE}T08:30&location=altamonte`, 1],
  [`date=${DATE}T13:30:00Z&location=altamonte`, 1],
  [`date=${DATE}T08:30:00-05:00&location=altamonte`, 1],
  [`date=${DATE}T08:30:00%2B00:00&location=altamonte`, 0],
  [`date=ge${DATE}T13:30:00%2B00:00&date=lt${DATE}T18:00:00Z`, 2],
  [`date=gt${DATE}T13:30:00Z&date=lt${DATE}T18:00:00Z`, 1],
  [`date=gt${DATE}T09:00&date=lt2030-11-23`, 1],
  [`date=ge${DATE}T13:00&date=le${DATE}`, 1],
  [`date=lt${DATE}&date=ge2030-11-08`, 2],
  [`date=gt${DATE}&date=lt2030-11-30`, 0],
  [`date=2030-11&location=altamonte&status=booked`, 2],
  [`date=ge${DATE}&date=lt2030-11-23&date=ne${DATE}T08:30`, 2],
  [`date=${DATE}&status=booked,cancelled`, 3],
  [`date=${DATE}&status=cancelled`, 0],
  [`date=${DATE}&status=proposed`, 0],
  [`date=${DATE}T08:30,${DATE}T13:00`, 2],
  ['_lastUpdated=lt2001-01-01', 0],
])('a search by %s finds %i sessions', async (query, count) => {
  expect(await ids(`Appointment?${query}`)).toHaveLength(count);
});

test('a search by person finds only their sessions, by their reference, its whole address, or a parameter of its own', async () => {
  const on = `Appointment?date=${DATE}`;
  const own = [clinic.boMorning];
  expect(await ids(`${on}&actor=Practitioner/${clinic.ana}`)).toEqual(own);
  expect(await ids(`${on}&actor=http://localhost/fhir/r4/Patient/${clinic.bo}`)).toEqual(own);
  expect(await ids(`${on}&practitioner=${clinic.ana}`)).toEqual(own);
  expect(await ids(`${on}&patient=Patient/${clinic.bo}&actor=Location/altamonte`)).toEqual(own);
  expect(await ids(`${on}&patient=Patient/${clinic.bo}&practitioner=${clinic.lin}`)).toEqual([]);
  expect(await ids(`Appointment?_id=${there},${clinic.boMorning}`)).toHaveLength(2);
});

test('a therapist whose own id FHIR does not allow is found by the one that it gets', async () => {
  const [session] = await search<Appointment>(`Appointment?_id=${there}`);
  const reference = session?.participant[1]?.actor?.reference ?? '';
  expect(reference).toMatch(/^Practitioner\/x-[0-9a-f]{40}$/);
  expect((await get(reference)).json()).toMatchObject({
    identifier: [{ value: 'T 9/é' }],
    name: [{ text: 'Tia Away' }],
  });
  expect(await ids(`Appointment?date=${DATE}&actor=${reference}`)).toEqual([there]);
  const [slot] = await search<Slot>(`Slot?schedule=${reference.replace('Practitioner', 'Schedule')}&start=${DATE}`);
  expect(slot?.start).toBe(`${DATE}T10:00:00-05:00`);
  expect((await get(`Slot/${slot?.id}`)).json()).toEqual(slot);
});

test('pages follow each other by their links, without a gap and without a row twice', async () => {
  const all = await ids('Appointment?date=ge2030-09&location=altamonte&_count=200');
  expect(all.length).toBeGreaterThan(6);
  const found: string[] = [];
  let url: string | undefined = '/fhir/r4/Appointment?date=ge2030-09&location=altamonte&_count=2';
  while (url !== undefined) {
    const page: Bundle = (await program.call({ url })).json<Bundle>();
    expect(page.total).toBe(all.length);
    found.push(...(page.entry ?? []).map(({ resource }) => resource?.id ?? ''));
    url = page.link?.find(({ relation }) => relation === 'next')?.url.replace('http://localhost', '');
    expect(found.length).toBeLessThanOrEqual(all.length);
  }
  expect(found).toEqual(all);
  const none = (await get('Appointment?_count=0')).json<Bundle>();
  expect([none.entry, none.total === 0]).toEqual([undefined, false]);
});

test('an unknown parameter is left out, or refused if the program asks for that; a modifier and a wrong value are refused', async () => {
  const on = `Appointment?date=${DATE}`;
  expect(await ids(`${on}&color=red`)).toHaveLength(3);
  expect((await get(`${on}&color=red`)).json<Bundle>().link?.[0]?.url).not.toContain('color');
  const refused: [string, Record<string, string>][] = [
    [`${on}&color=red`, { prefer: 'respond-async, handling=strict' }],
    [`${on}&status:not=booked`, {}],
    [`${on}&status=late`, {}],
    ['Appointment?date=2030-13-01', {}],
    ['Appointment?date=2030-02-30', {}],
    ['Appointment?date=ap2030-02-03', {}],
    ['Appointment?date=soon', {}],
    ['Appointment?actor=Bo', {}],
    ['Appointment?actor=Device/1', {}],
    ['Appointment?_count=many', {}],
    ['Appointment?_cursor=abc', {}],
    ['Patient', {}],
    ['Patient?name=Bo', {}],
  ];
  for (const [path, headers] of refused) {
    const reply = await get(path, headers);
    expect([path, reply.statusCode, reply.json<OperationOutcome>().resourceType]).toEqual([
      path,
      400,
      'OperationOutcome',
    ]);
  }
});

test('slots are the time in which a therapist works, has nothing and is not away, from now on', async () => {
  const own = async (query: string) =>
    (await search<Slot>(`Slot?schedule=Schedule/${query}`)).map(
      ({ start, end }) => `${start.slice(0, 16)} ${end.slice(11, 16)}`,
    );
  expect(await own(`${clinic.ana}&start=${DATE}`)).toEqual([`${DATE}T08:00 08:30`, `${DATE}T11:30 17:00`]);
  await buildAbsence(t.db, { therapist: clinic.kai, date: DATE, start: '10:00', end: '12:00' });
  expect(await own(`${clinic.kai}&start=${DATE}`)).toEqual([`${DATE}T08:00 10:00`, `${DATE}T12:00 17:00`]);
  expect(await own(`${clinic.kai}&start=ge${DATE}T09:00&start=lt2030-11-23`)).toEqual([`${DATE}T12:00 17:00`]);
  expect(await own(`${clinic.ana}&start=2030-11-15`)).toEqual([]); // past
  expect(await own(`${clinic.ana}&start=${DATE}&status=busy`)).toEqual([]);
  const everybody = await search<Slot>(`Slot?start=${DATE}&_count=200`);
  expect(new Set(everybody.map(({ schedule }) => schedule.reference)).size).toBe(5);
  const first = everybody[0]?.id ?? '';
  expect((await get(`Slot/${first}`)).json()).toEqual(everybody[0]);
  expect((await get(`Slot/${first.replace(/\d$/, '1')}`)).statusCode).toBe(404);
  expect((await get('Slot/none')).statusCode).toBe(404);
});

test('a closed location has no slots', async () => {
  const closed = {
    act: '00000000-0000-4000-8000-000000000000',
    location: 'altamonte' as const,
    first_date: '2030-11-25',
    last_date: '2030-11-25',
  };
  await t.db
    .insertInto('closure')
    .values({
      ...closed,
      first_minute: 720,
      last_minute: 1440,
      name: 'Storm',
      cause_id: null,
      recorded_by: null,
      recorded_at: '2030-01-01',
      reopened_by: null,
      reopened_at: null,
    })
    .execute();
  const [slot, ...more] = await search<Slot>(`Slot?schedule=${clinic.max}&start=2030-11-25`);
  expect([slot?.end, more]).toEqual(['2030-11-25T12:00:00-05:00', []]);
});

test('people are read with their names, a child only by id, and everything that is shown is in the audit trail', async () => {
  const own = await openProgram(t.opened);
  expect((await get(`Practitioner/${clinic.ana}`, {}, own)).json<Practitioner>()).toMatchObject({
    name: [{ text: 'Ana Ruiz', family: 'Ruiz', given: ['Ana'] }],
    gender: 'female',
    active: true,
  });
  expect((await get(`PractitionerRole?practitioner=${clinic.ana}`, {}, own)).json<Bundle>().total).toBe(1);
  expect((await get(`Schedule?actor=Practitioner/${clinic.ana}`, {}, own)).json<Bundle>().total).toBe(1);
  expect((await get(`Patient/${clinic.bo}`, {}, own)).json<Patient>().name).toEqual([
    { text: 'Bo Lee', family: 'Lee', given: ['Bo'] },
  ]);
  expect((await get(`Patient?_id=${clinic.bo}`, {}, own)).json<Bundle>().total).toBe(1);
  const rows = await t.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', own.account.id)
    .orderBy('at')
    .execute();
  const reads = rows.filter(({ action }) => action === 'records.read');
  expect(reads.map((row) => [row.subject_kind, row.subject_ids, row.location, row.detail])).toEqual([
    ['therapist', [clinic.ana], 'altamonte', { resource: 'Practitioner' }],
    ['therapist', [clinic.ana], 'altamonte', { resource: 'PractitionerRole' }],
    ['therapist', [clinic.ana], 'altamonte', { resource: 'Schedule' }],
    ['client', [clinic.bo], 'altamonte', { resource: 'Patient' }],
    ['client', [clinic.bo], 'altamonte', { resource: 'Patient' }],
  ]);
  expect(t.logLines.join('\n')).not.toMatch(/Bo Lee|Ana Ruiz|actor=/);
});

test('a program of one location sees nothing of another, and staff read only as administrators', async () => {
  const local = await openProgram(t.opened, { locations: ['tampa'] });
  const total = async (path: string) => (await get(path, {}, local)).json<Bundle>().total;
  expect(await total('Appointment')).toBe(1);
  expect(await total('Location')).toBe(1);
  expect(await total('Practitioner')).toBe(1);
  expect(await total(`Patient?_id=${clinic.bo}`)).toBe(0);
  for (const path of [
    `Appointment/${clinic.boMorning}`,
    `Patient/${clinic.bo}`,
    `Practitioner/${clinic.ana}`,
    'Location/altamonte',
  ])
    expect([path, (await get(path, {}, local)).statusCode]).toEqual([path, 404]);
  expect((await get(`Slot?schedule=${clinic.ana}`, {}, local)).json<Bundle>().total).toBe(0);
  const slots = (await get('Slot', {}, local)).json<Bundle>();
  expect(new Set(slots.entry?.map(({ resource }) => (resource as Slot).schedule.reference)).size).toBe(1);
  const admin = await t.signIn({ role: 'admin', locations: ['tampa'] });
  expect((await admin.call({ url: '/fhir/r4/Appointment' })).json<Bundle>().total).toBe(1);
  expect((await t.staff.call({ url: '/fhir/r4/Appointment' })).statusCode).toBe(403);
});

test('each refusal is an OperationOutcome: without a token, of a wrong type, path or method, in another format', async () => {
  const outcome = async (
    options: InjectOptions,
    by: Pick<Program, 'call'> = { call: (each) => t.app.inject(each) },
  ) => {
    const reply = await by.call(options);
    const { resourceType, issue } = reply.json<OperationOutcome>();
    expect(reply.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
    expect([resourceType, (issue[0]?.diagnostics ?? '').length > 10]).toEqual(['OperationOutcome', true]);
    return [reply.statusCode, issue[0]?.code];
  };
  expect(await outcome({ url: '/fhir/r4/Appointment' })).toEqual([401, 'login']);
  expect(await outcome({ url: '/fhir/r4/Appointment/none' }, program)).toEqual([404, 'not-found']);
  expect(await outcome({ url: '/fhir/r4/Encounter' }, program)).toEqual([404, 'not-found']);
  expect(await outcome({ url: '/fhir/r4/Appointment', method: 'POST', payload: {} }, program)).toEqual([
    405,
    'not-supported',
  ]);
  expect(await outcome({ url: '/fhir/r4/Appointment?_format=xml' }, program)).toEqual([406, 'not-supported']);
  expect(await outcome({ url: '/fhir/r4/Appointment', headers: { accept: 'application/fhir+xml' } }, program)).toEqual([
    406,
    'not-supported',
  ]);
});
