import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import type { ImportKind } from './import-types.ts';
import { importFiles, type ImportResult } from './imports.service.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

async function run(lines: Partial<Record<ImportKind, readonly string[]>>): Promise<ImportResult> {
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  return importFiles(database.db, smallFiles(lines), options);
}
const people = { therapists: THERAPISTS, clients: CLIENTS };
const told = (result: ImportResult) => result.outcomes.map((o) => [o.kind, o.line, o.outcome, o.reason]);
const only = (result: ImportResult) => result.outcomes.at(-1);

async function query<T>(text: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await text.execute(database.db)).rows;
}
describe('importing people', () => {
  test('people are stored as in the file, with windows joined and restrictions separated', async () => {
    await run(people);
    expect(
      await query(
        sql`select day_of_week, start_minute, end_minute from therapist_availability where therapist_id = 'T-1' order by 1`,
      ),
    ).toEqual([
      { day_of_week: 1, start_minute: 480, end_minute: 960 },
      { day_of_week: 2, start_minute: 480, end_minute: 960 },
    ]);
    expect(
      await query(
        sql`select requires_gender, excludes_therapist_id from client_restriction where client_id = 'C-1' order by 1`,
      ),
    ).toEqual([
      { requires_gender: 'Female', excludes_therapist_id: null },
      { requires_gender: null, excludes_therapist_id: 'T-2' },
    ]);
    expect(await query(sql`select two_to_one, care_team_only, rbt_or_above from client where id = 'C-3'`)).toEqual([
      { two_to_one: true, care_team_only: true, rbt_or_above: true },
    ]);
  });

  test('a row with several errors is refused once, and the refusal lists all of them', async () => {
    const result = await run({ therapists: ['T-9,,Ruiz,miami,Nurse,Female,2026-02-30,101,Mon 9-77'] });
    expect(only(result)).toMatchObject({ outcome: 'refused', line: 2 });
    for (const part of [
      'first_name is empty',
      "no location 'miami'",
      "specialization is 'Nurse'",
      "start_date is '2026-02-30'",
      "consistency is '101'",
      "availability has 'Mon 9-77'",
    ]) {
      expect(only(result)?.text).toContain(part);
    }
    expect(await query(sql`select 1 from therapist`)).toEqual([]);
  });

  test('a client whose excluded therapist is unknown is refused, not imported without that restriction', async () => {
    const result = await run({ therapists: THERAPISTS, clients: ['C-9,Ida,Berg,tampa,Female,therapist:T-77'] });
    expect(only(result)).toMatchObject({ outcome: 'refused', reason: 'unknown therapist' });
  });

  test('given an id that occurs twice, equal rows are merged and different rows are refused', async () => {
    const [ana = ''] = THERAPISTS;
    const result = await run({ therapists: [ana, ana, ana.replace('Ruiz', 'Rossi')] });
    expect(told(result).map(([, , outcome]) => outcome)).toEqual(['new', 'merged', 'refused']);
  });

  test('given a file with other ids for people who are here, then each new row says whom it may mean', async () => {
    await run(people);
    const [first = '', ...others] = THERAPISTS;
    const renumbered = [first.replace('T-1', 'E-77'), ...others];
    const result = await run({
      therapists: renumbered,
      clients: ['C-2,Mo,Diaz,altamonte,Female,', 'K-2,Mo,Diaz,altamonte,Female,'],
    });
    // Mo Diaz is in the file, so another person has the same name.
    expect(result.outcomes.map(({ outcome, text }) => [outcome, text])).toEqual([
      [
        'new',
        "Ana Ruiz ('T-1') is here already and not in this file: if this is the same person with another id, give the row that id",
      ],
      ['unchanged', null],
      ['unchanged', null],
      ['unchanged', null],
      ['new', null],
    ]);
  });

  test('given a therapist who was deleted here and came back, then the row says that they need another id, and with one they are back', async () => {
    await run(people);
    await sql`update therapist set deleted_at = now(), version = version + 1 where id = 'T-1'`.execute(database.db);
    const [first = ''] = THERAPISTS;
    const back = first.replace('2024-03-04', '2026-11-16');
    const [said] = (await run({ therapists: [back] })).outcomes;
    expect([said?.outcome, said?.text]).toEqual(['kept', expect.stringMatching(/was deleted here.*another id/)]);
    await run({ therapists: [back.replace('T-1', 'T-1B')] });
    const rows = [appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Mo Diaz')];
    await run({ appointments: rows });
    expect(
      await query(sql`select therapist_id, display_name from appointment join therapist t on t.id = therapist_id`),
    ).toEqual([{ therapist_id: 'T-1B', display_name: 'Ana Ruiz' }]);
  });

  test('a changed row updates the person, unless the person was changed in the product and is therefore reported as kept', async () => {
    await run(people);
    const changed = THERAPISTS.map((line) => line.replace('Wood', 'Woods').replace('Park', 'Parks'));
    await sql`update therapist set gender = 'Male', version = version + 1 where id = 'T-3'`.execute(database.db);
    const result = await run({ therapists: changed });
    expect(told(result).map(([, , outcome]) => outcome)).toEqual(['unchanged', 'changed', 'kept']);
    expect(await query(sql`select id, display_name, version from therapist order by id`)).toEqual([
      { id: 'T-1', display_name: 'Ana Ruiz', version: 1 },
      { id: 'T-2', display_name: 'Kai Woods', version: 2 },
      { id: 'T-3', display_name: 'Lin Park', version: 2 },
    ]);
  });

  test('given a client with two therapists booked at once, a row without 2:1 does not remove the setting, and the outcome says so', async () => {
    await run(people);
    const therapists = THERAPISTS.slice(0, 2).map((row) => row.split(',')[0]);
    for (const [seat, therapist] of therapists.entries()) {
      await sql`insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place, seat)
        select id, 'W-' || id, 'altamonte', 'C-3', ${therapist}, 'direct', 'Direct Therapy', 'booked', current_date + interval '7 days 9 hours', current_date + interval '7 days 10 hours', id::text, id::text, ${seat + 1}
        from (select gen_random_uuid() as id) as made`.execute(database.db);
    }
    const changed = { clients: ['C-3,Eva,Cole,altamonte,Female,care team only'] };
    const options = { adminClientName: 'Admin', accountId: null, now: Date.now() };
    for (const dryRun of [true, false]) {
      const result = await importFiles(database.db, smallFiles(changed), { ...options, dryRun });
      expect(only(result)).toMatchObject({
        outcome: 'changed',
        text: 'no longer restricted: RBT or above; 2:1 stays, because a second therapist is booked for this client; cancel that booking, then remove 2:1 in the profile',
      });
    }
    const kept = sql`select two_to_one, rbt_or_above from client where id = 'C-3'`;
    expect(await query(kept)).toEqual([{ two_to_one: true, rbt_or_above: false }]);
    await sql`delete from appointment where seat = 2`.execute(database.db);
    const freed = await importFiles(database.db, smallFiles({ clients: ['C-3,Eva,Cole,altamonte,Female,'] }), {
      ...options,
      dryRun: false,
    });
    expect(only(freed)).toMatchObject({ outcome: 'changed', text: 'no longer restricted: care team only, 2:1' });
    expect(await query(kept)).toEqual([{ two_to_one: false, rbt_or_above: false }]);
  });

  test('a file without a column for the last day or the consistency keeps the stored values; an empty cell clears them', async () => {
    await run(people);
    const values = { end_date: '2026-12-18', consistency: 70 };
    await database.db.updateTable('therapist').set(values).where('id', '=', 'T-1').execute();
    const file = async (head: string, row: string) => {
      const bytes = Buffer.from(`id,first_name,last_name,location,specialization,gender,start_date,availability${head}
T-1,Ana,Ruiz,altamonte,RBT,Female,${row}`);
      const files = { therapists: { name: 'therapists.csv', bytes } };
      const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.now() };
      expect(only(await importFiles(database.db, files, options))).toMatchObject({ outcome: 'changed' });
      return query(sql`select end_date, consistency from therapist where id = 'T-1'`);
    };
    expect(await file('', '2024-03-05,')).toEqual([values]);
    expect(await file(',end_date,consistency', '2024-03-06,,,')).toEqual([{ end_date: null, consistency: null }]);
  });

  test('an empty cell clears the stored last day and consistency, also after a file without these columns', async () => {
    await run(people);
    const values = { end_date: '2026-12-18', consistency: 70 };
    const file = async (head: string, row: string) => {
      const bytes = Buffer.from(`id,first_name,last_name,location,specialization,gender,start_date,availability${head}
T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-05,${row}`);
      const files = { therapists: { name: 'therapists.csv', bytes } };
      const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.now() };
      const outcome = only(await importFiles(database.db, files, options))?.outcome;
      const { rows } = await sql`select end_date, consistency from therapist where id = 'T-1'`.execute(database.db);
      return [outcome, ...rows];
    };
    const columns = ',end_date,consistency';
    expect(await file(columns, ',2026-12-18,70')).toEqual(['changed', values]);
    expect(await file('', '')).toEqual(['changed', values]);
    expect(await file('', '')).toEqual(['unchanged', values]);
    expect(await file(columns, ',,')).toEqual(['changed', { end_date: null, consistency: null }]);
    expect(await file(columns, ',,')).toEqual(['unchanged', { end_date: null, consistency: null }]);
    expect(await file('', '')).toEqual(['unchanged', { end_date: null, consistency: null }]);
    // What someone typed here since then is not cleared.
    const typed = database.db.updateTable('therapist').set((eb) => ({ ...values, version: eb('version', '+', 1) }));
    await typed.where('id', '=', 'T-1').execute();
    expect(await file(columns, ',,')).toEqual(['unchanged', values]);
  });

  test('limits are read in quarters of an hour, with a decimal point or a decimal comma; an empty cell keeps the stored limit', async () => {
    const file = async (rows: string) => {
      const bytes = Buffer.from(
        `id;first_name;last_name;location;specialization;gender;start_date;availability;max_weekly_hours;guaranteed_hours\n${rows}`,
      );
      const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.now() };
      return importFiles(database.db, { therapists: { name: 'therapists.csv', bytes } }, options);
    };
    const ana = (hours: string) => `T-1;Ana;Ruiz;altamonte;RBT;Female;2024-03-04;;${hours}`;
    const stored = () =>
      query(sql`select week_minutes, week_hours, guaranteed_minutes from therapist where id = 'T-1'`);
    await file(ana('37.5;30,25'));
    expect(await stored()).toEqual([{ week_minutes: 2250, week_hours: 37, guaranteed_minutes: 1815 }]);
    await file(ana('36.00;'));
    expect(await stored()).toEqual([{ week_minutes: 2160, week_hours: 36, guaranteed_minutes: 1815 }]);
    expect(only(await file(ana('37.3;')))).toMatchObject({
      outcome: 'refused',
      text: expect.stringContaining(
        "week_hours is '37.3'; it must be hours from 1 to 80, in quarters such as 37.5",
      ) as string,
    });
  });

  test('two people can swap names in one import', async () => {
    await run(people);
    const swapped = [
      THERAPISTS[0]?.replace('Ana,Ruiz', 'Kai,Wood') ?? '',
      THERAPISTS[1]?.replace('Kai,Wood', 'Ana,Ruiz') ?? '',
    ];
    await run({ therapists: swapped });
    expect(await query(sql`select id, first_name from therapist where id < 'T-3' order by id`)).toEqual([
      { id: 'T-1', first_name: 'Kai' },
      { id: 'T-2', first_name: 'Ana' },
    ]);
    expect((await query(sql`select distinct name_key from therapist`)).length).toBe(3);
  });

  test('given an id that another person in the product already has, the import assigns a new id, and the file’s references use the new id', async () => {
    await sql`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
      values ('T-2', 'Own', 'Person', 'Own Person', 'own person', 'tampa', 'BT', 'Male', '2020-01-01')`.execute(
      database.db,
    );
    await run({ ...people, appointments: [appointment('A-1', '8:00 AM', '9:00 AM', 'Kai Wood', 'Mo Diaz')] });
    expect(await query(sql`select id from therapist where first_name = 'Kai'`)).toEqual([{ id: 'T-0004' }]);
    expect(
      await query(
        sql`select excludes_therapist_id as id from client_restriction where excludes_therapist_id is not null`,
      ),
    ).toEqual([{ id: 'T-0004' }]);
    expect(await query(sql`select therapist_id as id from appointment`)).toEqual([{ id: 'T-0004' }]);
    expect((await run(people)).outcomes.every((o) => o.outcome === 'unchanged')).toBe(true);
  });

  test('a client with the administrative client’s name is refused', async () => {
    const result = await run({ clients: ['C-9,ADMIN,,tampa,Male,', 'C-8,Ad,Min,tampa,Male,'] });
    expect(result.outcomes.map((o) => o.outcome)).toEqual(['refused', 'new']);
  });
});
