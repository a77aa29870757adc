import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { IGNORE_COLUMN } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { uuidOf } from './plan/hash.ts';
import type { Answers, ImportKind } from './import-types.ts';
import { importFiles, type ImportResult } from './imports.service.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

async function run(
  lines: Partial<Record<ImportKind, readonly string[]>>,
  answers: Answers = {},
): Promise<ImportResult> {
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20), answers };
  return importFiles(database.db, smallFiles(lines), options);
}
const people = { therapists: THERAPISTS, clients: CLIENTS };
const only = (result: ImportResult) => result.outcomes.at(-1);

async function query<T>(text: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await text.execute(database.db)).rows;
}
const appointments = () =>
  query(sql<Record<string, unknown>>`
    select wire_id, to_char(starts, 'HH24:MI') || '-' || to_char(ends, 'HH24:MI') as time, therapist_id, client_id, status,
      clash, seat, version, place = id::text as own from appointment order by wire_id, starts`);

describe('importing appointments', () => {
  const A1 = appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee');

  test('given a later export, appointments move, change therapist or are cancelled, and the history keeps the earlier states', async () => {
    await run({ ...people, appointments: [A1] });
    await run({
      appointments: [appointment('A-1', '1:00 PM', '2:00 PM', ' kai WOOD ', 'Bo Lee', { status: 'No Show' })],
    });
    expect(await appointments()).toMatchObject([
      { time: '13:00-14:00', therapist_id: 'T-2', status: 'noshow', version: 2 },
    ]);
    expect(await query(sql`select what, before ->> 'status' as was from appointment_event`)).toEqual([
      { what: 'changed', was: 'booked' },
    ]);
    expect((await query(sql<{ version: string }>`select version from location_day`))[0]?.version).toBe('2');
  });

  test('two appointments can swap times in one import', async () => {
    const B = appointment('A-2', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee');
    await run({ ...people, appointments: [A1, B] });
    const result = await run({
      appointments: [
        appointment('A-1', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee'),
        appointment('A-2', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee'),
      ],
    });
    expect(result.outcomes.map((o) => o.outcome)).toEqual(['changed', 'changed']);
    expect((await appointments()).every((a) => a['clash'] === false)).toBe(true);
  });

  test('a double booking is imported, flagged and given a shared place, until a later export resolves it', async () => {
    const twice = appointment('A-2', '8:30 AM', '10:00 AM', 'Ana Ruiz', 'Mo Diaz');
    const result = await run({ ...people, appointments: [A1, twice] });
    expect(result.outcomes.filter((o) => o.notes?.includes('double_booked')).length).toBe(2);
    expect(await appointments()).toMatchObject([
      { clash: true, own: false },
      { clash: true, own: false },
    ]);
    const third = appointment('A-3', '9:30 AM', '11:00 AM', 'Ana Ruiz', 'Eva Cole');
    await run({ appointments: [third] }); // this import makes a stored appointment share its place with a new one
    expect((await appointments()).map((a) => a['clash'])).toEqual([true, true, true]);
    await run({ appointments: [twice.replace('Confirmed', 'Cancelled')] });
    expect(await appointments()).toMatchObject([
      { wire_id: 'A-1', clash: false, own: true },
      { wire_id: 'A-2', clash: false, own: true },
      { wire_id: 'A-3', clash: false, own: true },
    ]);
    expect(
      (await run({ appointments: [A1, twice.replace('Confirmed', 'Cancelled'), third] })).outcomes.map(
        (o) => o.outcome,
      ),
    ).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  test('an import never double-books an appointment made or changed in the product', async () => {
    await run({ ...people, appointments: [A1] });
    await sql`update appointment set ends = ends + interval '1 hour', version = version + 1`.execute(database.db);
    const result = await run({
      appointments: [
        A1.replace('8:00 AM', '8:15 AM'),
        appointment('A-2', '9:30 AM', '10:30 AM', 'Ana Ruiz', 'Mo Diaz'),
      ],
    });
    expect(result.outcomes).toMatchObject([
      { outcome: 'kept', reason: 'changed here' },
      {
        outcome: 'refused',
        reason: 'overlaps here',
        text: 'its therapist has another session then, 8:00 AM - 10:00 AM, that was made or changed here',
      },
    ]);
    expect(await appointments()).toMatchObject([{ time: '08:00-10:00' }]);
  });

  test('given a change that was undone in the product, the next export decides about the appointment again', async () => {
    await run({ ...people, appointments: [A1] });
    // A submit and its undo: another therapist, then the first one again.
    const give = (therapist: string) =>
      database.db
        .updateTable('appointment')
        .set({ therapist_id: therapist, version: sql`version + 1` })
        .execute();
    const cancelled = appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee', { status: 'Cancelled' });
    await give('T-2');
    expect(only(await run({ appointments: [cancelled] }))).toMatchObject({ outcome: 'kept', reason: 'changed here' });
    await give('T-1');
    expect(only(await run({ appointments: [cancelled] }))).toMatchObject({ outcome: 'changed' });
    expect(await appointments()).toMatchObject([{ status: 'cancelled', version: 4 }]);
    expect(only(await run({ appointments: [A1] }))).toMatchObject({ outcome: 'changed' });
  });

  test('given an imported appointment that overlaps an appointment changed in the product, the two have the same `place` value', async () => {
    const second = appointment('A-2', '8:30 AM', '10:00 AM', 'Ana Ruiz', 'Mo Diaz');
    await run({ ...people, appointments: [A1, second] });
    await sql`update appointment set status = 'fulfilled', version = version + 1 where wire_id = 'A-2'`.execute(
      database.db,
    );
    // Clashing appointments usually share the first of their keys as `place`. Here the new row's key comes first, but
    // the place of the appointment that was changed in the product must be kept.
    const before = ['A-1', 'A-2'].map((id) => uuidOf(`import id:${id}`)).sort()[0] ?? '';
    const id =
      Array.from({ length: 99 }, (_, i) => `W-${i}`).find((each) => uuidOf(`import id:${each}`) < before) ?? '';
    await run({ appointments: [appointment(id, '8:00 AM', '8:30 AM', 'Ana Ruiz', 'Eva Cole')] });
    const places = await query(sql<{ place: string }>`select distinct place from appointment`);
    expect(places).toHaveLength(1);
  });

  test('a group’s appointments share one `place`, a 2:1 client has two seats, and supervision runs alongside direct care', async () => {
    const rows = [
      appointment('G-1', '8:00 AM', '9:00 AM', 'Kai Wood', 'Bo Lee', { subject: 'Social Group' }),
      appointment('G-2', '8:00 AM', '9:00 AM', 'Kai Wood', 'Mo Diaz', { subject: 'Social Group' }),
      appointment('P-1', '10:00 AM', '11:00 AM', 'Kai Wood', 'Eva Cole'),
      appointment('P-2', '10:00 AM', '11:00 AM', 'Ana Ruiz', 'Eva Cole'),
      appointment('S-1', '10:00 AM', '10:30 AM', 'Lin Park', 'Eva Cole', { subject: 'supervision' }),
    ];
    const result = await run({ ...people, appointments: rows });
    expect(result.outcomes.filter((o) => o.notes?.includes('double_booked')).length).toBe(0);
    expect((await appointments()).map((a) => [a['wire_id'], a['seat'], a['own']])).toEqual([
      ['G-1', 1, false],
      ['G-2', 1, false],
      ['P-1', 1, true],
      ['P-2', 2, true],
      ['S-1', 1, true],
    ]);
  });

  test('given an export whose subjects are billing codes, then supervision runs beside direct care, and a group is one place', async () => {
    const rows = [
      appointment('P-1', '10:00 AM', '11:00 AM', 'Kai Wood', 'Bo Lee', { subject: '97153' }),
      appointment('S-1', '10:00 AM', '10:30 AM', 'Lin Park', 'Bo Lee', { subject: '97155 Protocol modification' }),
      appointment('T-1', '11:00 AM', '12:00 PM', 'Lin Park', 'Bo Lee', { subject: '97156' }),
      appointment('G-1', '1:00 PM', '2:00 PM', 'Kai Wood', 'Bo Lee', { subject: '97154' }),
      appointment('G-2', '1:00 PM', '2:00 PM', 'Kai Wood', 'Mo Diaz', { subject: '97154' }),
      appointment('H-1', '2:00 PM', '3:00 PM', 'Lin Park', 'Bo Lee', { subject: '97158' }),
      appointment('H-2', '2:00 PM', '3:00 PM', 'Lin Park', 'Mo Diaz', { subject: '97158' }),
    ];
    const result = await run({ ...people, appointments: rows });
    expect(result.outcomes.filter((o) => o.notes?.includes('double_booked')).length).toBe(0);
    const stored = await query(
      sql<{
        row: string;
      }>`select wire_id || ' ' || service || (group_key is not null) as row from appointment order by 1`,
    );
    expect(stored.map(({ row }) => row)).toEqual([
      'G-1 directtrue',
      'G-2 directtrue',
      'H-1 supervisiontrue',
      'H-2 supervisiontrue',
      'P-1 directfalse',
      'S-1 supervisionfalse',
      'T-1 parent-trainingfalse',
    ]);
  });

  test('[CAL-11] given the same Id at two times that are hours apart, two appointments are stored, and a later import finds both', async () => {
    const rows = [A1, appointment('A-1', '1:00 PM', '2:00 PM', 'Ana Ruiz', 'Bo Lee')];
    await run({ ...people, appointments: rows });
    expect((await appointments()).map((a) => a['time'])).toEqual(['08:00-09:00', '13:00-14:00']);
    expect((await run({ appointments: rows.toReversed() })).outcomes.map((o) => o.outcome)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  test('[CAL-10] a deleted row is stored as hidden, and never merged into a row that is shown', async () => {
    const result = await run({ ...people, appointments: [A1, A1.replace('Confirmed', 'DELETED')] });
    expect(result.outcomes.slice(-2).map((o) => o.outcome)).toEqual(['new', 'new']);
    expect((await appointments()).map((a) => a['status']).sort()).toEqual(['booked', 'entered-in-error']);
  });

  const refused: [string, string, string][] = [
    ['over midnight', appointment('A-1', '11:00 PM', '1:00 AM', 'Ana Ruiz', 'Bo Lee'), 'end before start'],
    ['before the day', appointment('A-1', '6:30 AM', '8:00 AM', 'Ana Ruiz', 'Bo Lee'), 'outside the day'],
    [
      'a date that does not exist',
      appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee', { date: '2/30/2026' }),
      'bad value',
    ],
    [
      'an unknown status',
      appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee', { status: 'Maybe' }),
      'unknown status',
    ],
    ['an unknown therapist', appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruis', 'Bo Lee'), 'unknown therapist'],
    ['no client', appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', ''), 'missing value'],
    ['a cell too many', `${appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee')},x`, 'malformed row'],
    ['cells alone', ',,,,,,,', 'malformed row'],
  ];
  test('impossible rows are refused, and the rest of the file is imported', async () => {
    const lines = [...refused.map(([, line]) => line), A1.replace('A-1', 'A-9')];
    const result = await run({ ...people, appointments: lines }, { 'cause status maybe': IGNORE_COLUMN });
    const own = result.outcomes.filter((o) => o.kind === 'appointments');
    refused.forEach(([what, , reason], i) => {
      expect({ what, ...own[i] }).toMatchObject({ what, outcome: 'refused', reason, line: i + 2 });
    });
    expect(await appointments()).toMatchObject([{ wire_id: 'A-9' }]);
  });

  test('given a therapist deleted in the product, their sessions stay as they are, and an import adds no new sessions for them', async () => {
    await run({ ...people, appointments: [A1] });
    await sql`update therapist set deleted_at = now() where id = 'T-1'`.execute(database.db);
    const result = await run({ appointments: [A1, A1.replace('A-1', 'A-2').replaceAll('/16/', '/17/')] });
    expect(result.outcomes).toMatchObject([
      { outcome: 'unchanged' },
      { outcome: 'refused', reason: 'unknown therapist' },
    ]);
    expect(await appointments()).toMatchObject([{ wire_id: 'A-1', therapist_id: 'T-1', version: 1 }]);
  });

  test('a row with a misspelled name is refused with the likely name', async () => {
    const result = await run({
      ...people,
      appointments: [appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruis', 'Bo Lee')],
    });
    expect(only(result)?.text).toBe("there is no therapist named 'Ana Ruis' (did you mean 'Ana Ruiz'?)");
  });

  test('a name that two people share is resolved by display name or id', async () => {
    const twins = [
      'T-7,Sam,Gray,altamonte,BT,Male,2024-03-04,,Mon 08:00-16:00',
      'T-8,Sam,Gray,altamonte,BT,Male,2024-03-04,,Mon 08:00-16:00',
    ];
    const at = (id: string, hour: number, who: string) =>
      appointment(id, `${hour}:00 AM`, `${hour + 1}:00 AM`, who, 'Bo Lee');
    const result = await run({
      therapists: [...THERAPISTS, ...twins],
      clients: CLIENTS,
      appointments: [at('A-1', 8, 'Sam Gray'), at('A-2', 9, 'sam gray (2)'), at('A-3', 10, 't-7')],
    });
    expect(result.outcomes.slice(-3).map((o) => o.reason)).toEqual(['ambiguous therapist', null, null]);
    expect((await appointments()).map((a) => a['therapist_id'])).toEqual(['T-8', 'T-7']);
  });
});
