import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import type { SignedIn } from '../../testing/test-app.ts';

/** A Friday far ahead of today, so that no part of it is past. */
export const ON = { location: 'altamonte', date: '2030-11-22' } as const;

const PAIRS = 4;
/** The number of people whose day `changeDay` changes; each of them can get messages. */
export const PEOPLE = 2 * PAIRS;

/**
 * Makes a day with an open call list: therapists who have their own page, families who chose email, and a session for
 * each pair of therapist and client.
 */
export async function buildReleaseDay(db: Db, staff: SignedIn): Promise<void> {
  for (let n = 0; n < PAIRS; n++) {
    const therapist = await buildTherapist(db, { first: `Kai${n}`, last: `Wood${n}` });
    const client = await buildClient(db, { first: `Bo${n}`, last: `Lee${n}` });
    await buildAppointment(db, { therapist, client, date: ON.date, start: '10:00', end: '19:00' });
    await db
      .insertInto('account')
      .values({
        email: `kai${n}@home.example`,
        name: `Kai${n}`,
        role: 'therapist',
        therapist_id: therapist,
        locations: sql`array['altamonte']`,
        password_hash: 'none',
      })
      .execute();
    await db
      .insertInto('contact')
      .values({
        client_id: client,
        name: `Bo${n}’s mother`,
        email: `mother${n}@home.example`,
        preferred: 'email',
        rank: 1,
      })
      .execute();
  }
  const reply = await staff.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
  if (reply.statusCode !== 200) throw new Error(reply.body);
}

/**
 * Changes everyone's day, so that there is something new to tell them: all sessions get an end time that they have not
 * had in the last thirty rounds.
 */
export async function changeDay(db: Db, round: number): Promise<void> {
  await sql`update appointment set ends = starts + make_interval(mins => ${15 * (1 + (round % 31))})
    where starts::date = ${ON.date}::date`.execute(db);
}

export const release = (who: SignedIn) => who.call({ method: 'POST', url: '/api/calls/release', payload: ON });
