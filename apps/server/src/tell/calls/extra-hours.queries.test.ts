import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { extraHoursQuery } from '../../day/extra-hours.ts';
import { closeExtraHours } from './extra-hours.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const AT = '2026-11-24T12:00:00.000Z';
const ON = { location: 'altamonte', date: isoDate('2026-11-24') } as const;

/** Returns a function that asks a new therapist to stay late for a new session, and returns the question's id. */
async function asker(): Promise<(more?: object) => Promise<string>> {
  const { db } = database;
  const therapist_id = await buildTherapist(db);
  let hour = 7;
  const time = () => `${String(hour).padStart(2, '0')}:00`;
  const bookSession = () => {
    const start = time();
    hour++;
    return buildAppointment(db, { date: ON.date, start, end: time(), therapist: therapist_id, client: null });
  };
  return async (more = {}) => {
    const asked = { ...ON, therapist_id, kind: 'late' as const, start_minute: 1020, end_minute: 1050, asked_at: AT };
    const row = await db
      .insertInto('extra_hours')
      .values({ ...asked, session: await bookSession(), ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
}

test('a day sheet closes only the open questions about extra hours of its own day', async () => {
  const { db } = database;
  const ask = await asker();
  const open = await ask();
  await ask({ date: '2026-11-25' });
  await ask({ location: 'tampa' });
  await ask({ agreed_at: AT });
  await ask({ ended_at: AT });
  await closeExtraHours(db, ON, AT);
  const closed = await db.selectFrom('extra_hours').select('id').where('sheet_at', 'is not', null).execute();
  expect(closed.map(({ id }) => id)).toEqual([open]);
});

/** Stores a commit without changes, and returns its id. */
async function commitOf(proposal: string, undone_at: string | null): Promise<string> {
  const { db } = database;
  await sql`insert into proposal (id, location, dates) values (${proposal}, 'altamonte', '{2026-11-24}')`.execute(db);
  await sql`insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists)
    values (${proposal}, 1, '[]', '{}', '{}', '{}', '{}', '{}')`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into schedule_commit (proposal_id, revision, location, choice, choice_key, changes, summary, reply, workbook,
      undone_at)
    values (${proposal}, 1, 'altamonte', '{}', 'k', '[]', '{}', '{}', 'w', ${undone_at}) returning id`.execute(db);
  return rows[0]?.id ?? '';
}

test('a day has only its own questions about extra hours that were not asked again, and none of a commit that was undone', async () => {
  const ask = await asker();
  const stay = [await ask(), await ask({ commit_id: await commitOf('p_stands', null) }), await ask({ agreed_at: AT })];
  await ask({ date: '2026-11-25' });
  await ask({ location: 'tampa' });
  await ask({ ended_at: AT });
  await ask({ commit_id: await commitOf('p_undone', AT) });
  const found = (await extraHoursQuery(database.db, ON).execute()).map(({ id }) => id);
  // The other test's questions are on the same day.
  expect(found.slice(-stay.length)).toEqual(stay);
  const rows = await database.db.selectFrom('extra_hours').selectAll().where('id', 'in', found).execute();
  for (const { location, date, ended_at } of rows)
    expect([location, date, ended_at]).toEqual([ON.location, ON.date, null]);
});
