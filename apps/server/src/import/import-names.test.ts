import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, smallFiles } from './testing/small.ts';
import { importFiles, type ImportResult } from './imports.service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function run(lines: Parameters<typeof smallFiles>[0], dryRun = false): Promise<ImportResult> {
  const options = { dryRun, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  return importFiles(database.db, smallFiles(lines), options);
}
const outcomes = (result: ImportResult) => result.outcomes.map((o) => `${o.outcome} ${o.reason ?? ''}`.trim());

const CLIENTS = [
  'C-1,İpek,Öz,altamonte,Female,',
  'C-2,ipek,öz,altamonte,Female,',
  'C-3,ΟΔΥΣΣΕΥΣ,Νέος,altamonte,Male,',
  'C-4,Οδυσσευς,Νέοσ,altamonte,Male,',
  'C-5,Maria,Zero,altamonte,Female,',
  'C-6,Ma\u200bria,Ze\u00adro,altamonte,Female,',
  'C-999999999999999,Long,Id,altamonte,Female,',
];
const THERAPISTS = ['T-1', 'T-2'].map((id) => `${id},Ana,Ruiz,altamonte,RBT,Female,2024-03-04,,Mon 08:00-16:00`);

test('given names that JavaScript and PostgreSQL lower-case differently, the import does what the dry run reported', async () => {
  const dry = await run({ clients: CLIENTS, therapists: THERAPISTS }, true);
  expect(outcomes(dry)).toEqual(dry.outcomes.map(() => 'new'));
  expect(outcomes(await run({ clients: CLIENTS, therapists: THERAPISTS }))).toEqual(outcomes(dry));
  const rows = await database.db.selectFrom('client').select(['id', 'display_name']).orderBy('id').execute();
  expect(rows.slice(0, 6).map((row) => row.display_name)).toEqual([
    'İpek Öz',
    'ipek öz (2)',
    'ΟΔΥΣΣΕΥΣ Νέος',
    'Οδυσσευς Νέοσ (2)',
    'Maria Zero',
    'Maria Zero (2)',
  ]);
  expect(outcomes(await run({ clients: CLIENTS }))).toEqual(CLIENTS.map(() => 'unchanged'));
});

test('given two people called Ana Ruiz at one location, an export must name each by number or id', async () => {
  const times = ['8:00 AM', '9:00 AM', '10:00 AM', '11:00 AM'] as const;
  const rows = [
    appointment('A-1', times[0], times[1], 'Ana Ruiz', 'Maria Zero (2)'),
    appointment('A-2', times[1], times[2], 'ana ruiz (2)', 'İPEK ÖZ (2)'),
    appointment('A-3', times[2], times[3], 'T-1', 'C-5'),
  ];
  const result = await run({ appointments: rows });
  expect(outcomes(result)).toEqual(['refused ambiguous therapist', 'new', 'new']);
  expect(result.outcomes[0]?.text).toContain('write the id instead of the name');
  const kept = await database.db.selectFrom('appointment').selectAll().orderBy('starts').execute();
  expect(kept.map((row) => [row.therapist_id, row.client_id])).toEqual([
    ['T-2', 'C-2'],
    ['T-1', 'C-5'],
  ]);
});

test('names written as “Last, First” are found; for an unknown name, the import asks and suggests similar names', async () => {
  const result = await run({
    appointments: [
      appointment('A-51', '1:00 PM', '2:00 PM', 'T-1', '"ID,  long"'),
      appointment('A-52', '2:00 PM', '3:00 PM', 'T-1', '"Νεος, Οδυσεύς"'),
      appointment('A-53', '3:00 PM', '4:00 PM', 'T-1', '"Zero, Maria, Jr"'),
    ],
  });
  expect(outcomes(result)).toEqual(['new', 'refused unknown client', 'refused unknown client']);
  expect(result.questions.map(({ name, choices }) => [name, choices.length > 0])).toEqual([
    ['Νεος, Οδυσεύς', true],
    ['Zero, Maria, Jr', true],
  ]);
  const kept = await database.db.selectFrom('appointment').select('client_id').where('wire_id', '=', 'A-51').execute();
  expect(kept).toEqual([{ client_id: 'C-999999999999999' }]);
});

test('names with a comma in the first or the last name are found in both orders', async () => {
  const clients = ['C-71,"Cruz, Jr.",Diaz,altamonte,Male,', 'C-72,Rey,"Diaz, III",altamonte,Male,'];
  const names = ['Diaz, Cruz, Jr.', 'Diaz, III, Rey', 'Cruz, Jr. Diaz', 'Rey Diaz, III'];
  const rows = names.map((name, i) => appointment(`A-7${i}`, `${i + 1}:00 PM`, `${i + 1}:30 PM`, 'T-1', `"${name}"`));
  expect(outcomes(await run({ clients, appointments: rows })).slice(-4)).toEqual(Array(4).fill('new'));
  const kept = await database.db
    .selectFrom('appointment')
    .select('client_id')
    .where('wire_id', 'like', 'A-7%')
    .orderBy('wire_id')
    .execute();
  expect(kept.map((row) => row.client_id)).toEqual(['C-71', 'C-72', 'C-71', 'C-72']);
});

test('given two people with the same name, then the session is not given to the one whose hours or employment have ended', async () => {
  const therapist = (id: string, location: string, end: string, windows: string) =>
    `${id},Lin,Same,${location},RBT,Female,2024-03-04,${end},${windows}`;
  const head = 'id,first_name,last_name,location,specialization,gender,start_date,end_date,availability';
  const therapists = [
    therapist('T-91', 'tampa', '', 'Mon 08:00-16:00 until 2026-06-30'),
    therapist('T-92', 'tampa', '', 'Mon 08:00-16:00 from 2026-07-01'),
    therapist('T-93', 'orlando', '2026-11-13', 'Mon 08:00-16:00'),
    therapist('T-94', 'orlando', '', 'Mon 08:00-16:00'),
  ];
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  const bytes = Buffer.from([head, ...therapists].join('\n'));
  await importFiles(database.db, { therapists: { name: 'therapists.csv', bytes } }, options);
  const rows = [
    appointment('A-91', '8:00 AM', '9:00 AM', 'Lin Same', 'C-5', { location: 'Tampa' }),
    appointment('A-92', '9:00 AM', '10:00 AM', 'Lin Same', 'C-5', { location: 'Orlando' }),
    // Nobody works at six, but only one of the two is still employed.
    appointment('A-93', '6:00 PM', '7:00 PM', 'Lin Same', 'C-5', { location: 'Orlando' }),
  ];
  expect((await run({ appointments: rows })).outcomes.map(({ text }) => text)).toEqual([
    'two people have this name; only one of them is at the clinic then',
    'two people have this name; only one of them is at the clinic then',
    'two people have this name; only one of them is at the clinic then',
  ]);
  const stored = await database.db
    .selectFrom('appointment')
    .select('therapist_id')
    .where('wire_id', 'in', ['A-91', 'A-92', 'A-93'])
    .orderBy('wire_id')
    .execute();
  expect(stored.map((row) => row.therapist_id)).toEqual(['T-92', 'T-94', 'T-94']);
});

test('given a child who left and another with the same name, then a session is given to the one who is there, and asked about before', async () => {
  const clients = [
    'id,first_name,last_name,location,gender,end_date',
    'C-95,Old,Twin,tampa,Male,2026-11-13',
    'C-96,Old,Twin,tampa,Male,',
  ];
  const file = { name: 'clients.csv', bytes: Buffer.from(clients.join('\n')) };
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  await importFiles(database.db, { clients: file }, options);
  const on = (id: string, date: string) =>
    appointment(id, '8:00 AM', '9:00 AM', '', 'Old Twin', { location: 'Tampa', date });
  const { outcomes: rows } = await run({ appointments: [on('A-95', '11/13/2026'), on('A-96', '11/16/2026')] });
  expect(rows).toMatchObject([
    { outcome: 'refused', text: expect.stringContaining("the name 'Old Twin' fits") as unknown },
    { outcome: 'new', text: expect.stringContaining('only one of them is at the clinic then') as unknown },
  ]);
  const [stored] = await database.db
    .selectFrom('appointment')
    .select('client_id')
    .where('wire_id', '=', 'A-96')
    .execute();
  expect(stored?.client_id).toBe('C-96');
});

test('given an id that belongs to someone else here, then in a file it means the person whom the files give it to', async () => {
  const { db } = database;
  // Two people were made here by hand before the other system gave their ids to others.
  await buildTherapist(db, { id: 'T-70', first: 'Hand', last: 'Made' });
  await buildClient(db, { id: 'C-70', first: 'Hand', last: 'Madechild' });
  const people = {
    therapists: ['T-70,Olu,Ade,altamonte,RBT,Female,2024-03-04,,Mon 08:00-19:00'],
    clients: ['C-70,Ife,Ojo,altamonte,Female,'],
  };
  const rows = {
    appointments: [appointment('I-1', '4:00 PM', '5:00 PM', 'T-70', 'c-70')],
    authorizations: [
      'C-70,Altamonte,Acme,97153,A-70,2026-01-01,2026-12-31,400,',
      'C-70,,Acme,97155,A-71,2026-01-01,2026-12-31,40,',
    ],
    credentials: ['T-70,,RBT,R-70,2026-01-01,'],
  };
  const stored = async () => {
    const session = await db.selectFrom('appointment').selectAll().where('wire_id', '=', 'I-1').executeTakeFirst();
    const owners = db.selectFrom('client_authorization').innerJoin('client', 'client.id', 'client_id');
    const given = await owners.select('first_name').where('number', 'in', ['A-70', 'A-71']).execute();
    const holders = db.selectFrom('therapist_credential').innerJoin('therapist', 'therapist.id', 'therapist_id');
    const holder = await holders.select('first_name').where('number', '=', 'R-70').execute();
    return [session?.therapist_id, session?.client_id, ...[...given, ...holder].map((own) => own.first_name)];
  };
  expect(outcomes(await run({ ...people, ...rows }))).toEqual(Array(6).fill('new'));
  const [therapist, client, ...names] = await stored();
  expect(names).toEqual(['Ife', 'Ife', 'Olu']);
  expect([therapist, client]).not.toEqual(['T-70', 'C-70']);
  // The same in a later import without the files of people.
  expect(outcomes(await run(rows))).toEqual(Array(4).fill('unchanged'));
  // The id here of the person whom the files call T-70 still means them.
  expect(outcomes(await run({ credentials: [`${therapist},,RBT,R-70,2026-01-01,`] }))).toEqual(['unchanged']);
});

test('given an id of someone else here, at whose location the session is, then it means them', async () => {
  await buildTherapist(database.db, { id: 'T-80', first: 'Tam', last: 'Pa', location: 'tampa' });
  await run({ therapists: ['T-80,Al,Ta,altamonte,RBT,Female,2024-03-04,,'] });
  await run({ appointments: [appointment('I-2', '7:00 AM', '8:00 AM', 'T-80', 'C-5', { location: 'Tampa' })] });
  const session = await database.db.selectFrom('appointment').selectAll().where('wire_id', '=', 'I-2').execute();
  expect(session.map((own) => own.therapist_id)).toEqual(['T-80']);
});
